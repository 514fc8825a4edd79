//! One model of a document and its renderers: terminal text, HTML, Markdown, CSV, Parquet, SVG.

pub(crate) mod deal_view;
pub(crate) mod draw;
mod forms;
mod html;
mod markdown;
pub(crate) mod model;
mod parquet;
pub(crate) mod text;

pub(crate) use forms::Forms;
