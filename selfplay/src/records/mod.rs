//! The one reader and writer of records and tables: JSON lines, CSV, Parquet, text for people.

pub mod diagram;
pub mod forms;
pub mod json;
pub mod label;
pub mod lines;
pub mod long;
pub mod pbn;
pub mod read;
#[doc(hidden)]
pub mod test_lines;
pub mod write;
