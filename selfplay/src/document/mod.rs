//! One model of a document and its renderers: terminal text, HTML, Markdown, CSV, Parquet, SVG.

pub mod column;
pub mod columns;
#[cfg(test)]
mod contrast_tests;
pub mod deal_view;
mod dictionary;
pub mod draw;
pub mod field;
mod forms;
mod html;
mod markdown;
pub mod model;
pub mod pairings;
mod parquet;
pub mod stream;
pub mod text;
pub mod texts;
pub mod words;

pub use column::{Column, measured, named};
pub use model::{
    Block, Cell, Document, Estimate, Picture, Section, Table, amount, bound, micros, p_text, percent, plain,
    plus_minus, signed, with_half,
};

pub use forms::{Forms, csv_head, push_csv, to_csv};
