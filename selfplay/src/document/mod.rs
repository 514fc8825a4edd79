//! One model of a document and its renderers: terminal text, HTML, Markdown, CSV, Parquet, SVG.

pub mod deal_view;
pub mod draw;
mod forms;
mod html;
mod markdown;
pub mod model;
mod parquet;
#[cfg(test)]
mod test_contrast;
pub mod text;

pub use forms::Forms;
