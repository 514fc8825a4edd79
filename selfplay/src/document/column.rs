//! Columns of tables: a name for programs, a head for people, a type and a description.

use std::borrow::Cow;

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name in files, in `snake_case`.
    pub name: Cow<'static, str>,
    /// The head on pages and terminals; `None` if it is the name with spaces.
    pub head: Option<Cow<'static, str>>,
    /// The unit or range of its numbers, or empty.
    pub unit: &'static str,
    /// The description, for `docs/user/data.md`; empty for tables that are only displayed.
    pub about: &'static str,
    /// The type of the cells; `None` for tables that are only displayed, whose cells may be of any type.
    pub kind: Option<Kind>,
    /// Whether only files have the column: on pages the text around the table gives the value for all rows.
    pub only_in_files: bool,
}

/// The type of the cells of a column in files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Words, names and codes.
    Text,
    /// Whole numbers from 0.
    Count,
    /// Numbers that may be fractions or negative.
    Number,
    /// `true` or `false`.
    Flag,
    /// A number with its interval: in files three columns, the last two of them `low` and `high`.
    Estimate,
}

/// The unit of values from 0 to 1.
pub const FRACTION: &str = "0–1";
/// The unit of a difference of two fractions.
pub const FRACTIONS_APART: &str = "−1 to 1";

/// Returns a column with a name and a description.
pub const fn named(name: &'static str, about: &'static str) -> Column {
    measured(name, "", about)
}

/// Returns a column of numbers, with their unit or range.
pub const fn measured(name: &'static str, unit: &'static str, about: &'static str) -> Column {
    Column { name: Cow::Borrowed(name), head: None, unit, about, kind: None, only_in_files: false }
}

impl Column {
    /// Changes the name, for groups of similar columns.
    #[must_use]
    pub fn called(self, name: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), ..self }
    }

    /// Changes the description, where it differs from other tables.
    #[must_use]
    pub fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Sets the head, where it is not the name with spaces.
    #[must_use]
    pub fn head(self, head: impl Into<Cow<'static, str>>) -> Self {
        Self { head: Some(head.into()), ..self }
    }

    /// Hides the column on pages.
    #[must_use]
    pub fn only_in_files(self) -> Self {
        self.shown_if(false)
    }

    /// Hides the column on pages unless the condition holds.
    #[must_use]
    pub fn shown_if(self, is_shown: bool) -> Self {
        Self { only_in_files: !is_shown, ..self }
    }

    /// Returns the head that people see above the cells.
    pub fn title(&self) -> Cow<'_, str> {
        self.head.as_deref().map_or_else(|| self.name.replace('_', " ").into(), Cow::Borrowed)
    }
}

impl From<&str> for Column {
    /// Creates a display column from its head.
    fn from(head: &str) -> Self {
        named("", "").called(snake_case(head)).head(head.to_owned())
    }
}

impl From<String> for Column {
    fn from(head: String) -> Self {
        Self::from(head.as_str())
    }
}

/// Keeps letters and digits, and replaces everything between them by one underscore.
fn snake_case(head: &str) -> String {
    let words = head.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_snake_case_and_heads_in_words() {
        let column = named("card_points", "points of the cards");
        assert_eq!((column.name.as_ref(), column.title().as_ref()), ("card_points", "card points"));
        assert_eq!(column.head("points").title(), "points");
        for (head, name) in [("A − B, ± 95 %", "a_b_95"), ("told from", "told_from"), ("", ""), ("♣", "")]
        {
            let column = Column::from(head);
            assert_eq!((column.name.as_ref(), column.title().as_ref()), (name, head));
        }
    }
}
