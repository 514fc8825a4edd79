//! The report as one page of HTML that needs nothing else.

use askama::Template;

use crate::document::model::{Block, Document, Table};

#[derive(Template)]
#[template(path = "report.html", escape = "html")]
struct PageTemplate<'a> {
    document: &'a Document,
    version: &'a str,
    style: &'a str,
    script: &'a str,
}

const STYLE: &str = concat!(
    include_str!("../../templates/colours.css"),
    include_str!("../../templates/picture.css"),
    include_str!("../../templates/page.css")
);
const SCRIPT: &str = include_str!("../../templates/player.js");

/// The heads of a table, each with whether its column is of numbers.
fn columns(table: &Table) -> Vec<(&'static str, bool)> {
    let right = |n: usize| {
        table.rows.first().and_then(|row| row.get(n)).is_some_and(crate::document::model::Cell::is_number)
    };
    table.heads.iter().enumerate().map(|(n, head)| (*head, right(n))).collect()
}

/// Returns the page.
pub(crate) fn to_html(document: &Document) -> String {
    let page = PageTemplate { document, version: crate::base::VERSION, style: STYLE, script: SCRIPT };
    let mut text = page.render().expect("a page is written to memory");
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}
