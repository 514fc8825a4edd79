//! The columns of tables: a name for programs, a head for people, and what the cells are.

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The name in files, in `snake_case`; `docs/user/data.md` says what is in a column of this name.
    pub name: String,
    /// The head on pages and at a terminal.
    pub head: String,
    /// What is in the cells; `None` of tables for people alone, whose cells may be anything.
    pub kind: Option<Kind>,
    /// Whether only files have it: on pages the words around the table say the same of all rows.
    pub only_in_files: bool,
}

/// What is in the cells of a column that a file has.
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

impl Column {
    fn new(name: &str, kind: Kind) -> Self {
        Self { name: name.to_owned(), head: name.replace('_', " "), kind: Some(kind), only_in_files: false }
    }

    /// Makes a column of words, names or codes.
    pub fn text(name: &str) -> Self {
        Self::new(name, Kind::Text)
    }

    /// Makes a column of whole numbers from 0.
    pub fn count(name: &str) -> Self {
        Self::new(name, Kind::Count)
    }

    /// Makes a column of any numbers.
    pub fn number(name: &str) -> Self {
        Self::new(name, Kind::Number)
    }

    /// Makes a column of what is so or not.
    pub fn flag(name: &str) -> Self {
        Self::new(name, Kind::Flag)
    }

    /// Makes a column of numbers with their intervals.
    pub fn estimate(name: &str) -> Self {
        Self::new(name, Kind::Estimate)
    }

    /// Sets the head, where it is not the name in words.
    #[must_use]
    pub fn head(self, head: impl Into<String>) -> Self {
        Self { head: head.into(), ..self }
    }

    /// Leaves the column out on pages.
    #[must_use]
    pub fn only_in_files(self) -> Self {
        Self { only_in_files: true, ..self }
    }
}

impl From<&str> for Column {
    /// Makes a column for people of its head.
    fn from(head: &str) -> Self {
        Self { name: snake_case(head), head: head.to_owned(), kind: None, only_in_files: false }
    }
}

impl From<String> for Column {
    fn from(head: String) -> Self {
        Self::from(head.as_str())
    }
}

/// Keeps letters and digits, with one underscore for whatever stands between them.
fn snake_case(head: &str) -> String {
    let words = head.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_in_snake_case_and_heads_in_words() {
        let column = Column::estimate("card_points");
        assert_eq!((column.name.as_str(), column.head.as_str()), ("card_points", "card points"));
        assert_eq!(column.head("points").head, "points");
        for (head, name) in [("A − B, ± 95 %", "a_b_95"), ("told from", "told_from"), ("", ""), ("♣", "")]
        {
            assert_eq!((Column::from(head).name.as_str(), Column::from(head).head.as_str()), (name, head));
        }
    }
}
