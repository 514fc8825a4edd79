//! The file formats of tables and records, and their file names.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The form of the summary table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum TableForm {
    /// `summary.csv`.
    #[serde(rename = "csv")]
    Csv,
    /// `summary.csv.zst`, compressed.
    #[value(name = "csv.zst")]
    #[serde(rename = "csv.zst")]
    CsvZst,
    /// `summary.parquet`.
    #[serde(rename = "parquet")]
    Parquet,
}

impl TableForm {
    /// All forms, in the order in which a file is looked for.
    pub const ALL: [Self; 3] = [Self::Csv, Self::CsvZst, Self::Parquet];

    /// Returns the name of the table's file.
    pub const fn file(self) -> &'static str {
        ["summary.csv", "summary.csv.zst", "summary.parquet"][self as usize]
    }
}

/// The form of the deal records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
pub enum LinesForm {
    /// `records.jsonl`.
    #[serde(rename = "jsonl")]
    Jsonl,
    /// `records.jsonl.zst`, compressed.
    #[value(name = "jsonl.zst")]
    #[serde(rename = "jsonl.zst")]
    JsonlZst,
}

impl LinesForm {
    /// All forms, in the order in which a file is looked for.
    pub const ALL: [Self; 2] = [Self::Jsonl, Self::JsonlZst];

    /// Returns the name of the records' file.
    pub const fn file(self) -> &'static str {
        ["records.jsonl", "records.jsonl.zst"][self as usize]
    }
}
