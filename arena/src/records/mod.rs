//! The one reader and writer of records and tables: JSON lines, CSV, Parquet, text for people.

pub(crate) mod diagram;
pub(crate) mod forms;
pub(crate) mod json;
pub(crate) mod label;
pub(crate) mod lines;
pub(crate) mod pbn;
pub(crate) mod read;
#[cfg(test)]
pub(crate) mod test_lines;
pub(crate) mod write;
