//! Collects the columns of the tables that are written, for the test that writes `docs/user/data.md`.

use super::column::{Column, FRACTION, Kind};

impl Column {
    /// Returns the type as the page names it.
    fn type_name(&self) -> &'static str {
        match self.kind {
            Some(Kind::Count) => "integer",
            Some(Kind::Flag) => "flag",
            Some(Kind::Number | Kind::Estimate) if self.unit == FRACTION => "fraction",
            Some(Kind::Number | Kind::Estimate) => "number",
            Some(Kind::Text) | None => "text",
        }
    }

    /// Returns the entry of the page: name, type, unit or range, and description; `±` follows the name of a column with
    /// an interval.
    pub fn entry(&self) -> [String; 4] {
        let interval = if self.kind == Some(Kind::Estimate) { "±" } else { "" };
        let unit = if self.unit == FRACTION { "" } else { self.unit };
        [&format!("{}{interval}", self.name), self.type_name(), unit, self.about].map(str::to_owned)
    }
}

/// Appends the columns of a table, as a line of JSON, to the file that `COINCHE_COLUMNS` names; does nothing without
/// debug assertions.
pub(super) fn note(table: &str, columns: &[Column]) {
    #[cfg(debug_assertions)]
    if let Some(path) = std::env::var_os("COINCHE_COLUMNS") {
        use std::io::Write as _;

        let entries: Vec<_> = columns.iter().map(Column::entry).collect();
        let line = serde_json::json!({ "table": table, "columns": entries });
        let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
        let _ = file.and_then(|mut file| writeln!(file, "{line}"));
    }
    #[cfg(not(debug_assertions))]
    let _ = (table, columns);
}
