//! Reads and writes records and tables: JSON lines, CSV, Parquet, readable text.

pub mod diagram;
pub mod forms;
pub mod json;
pub mod label;
pub mod lines;
pub mod long;
pub mod pairs;
pub mod pbn;
pub mod read;
pub mod seen;
pub mod summary;
#[doc(hidden)]
pub mod test_lines;
mod values;
pub mod write;
