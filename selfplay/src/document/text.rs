//! A document as text for a terminal.
//!
//! | piece | |
//! |---|---|
//! | verdicts, scope | one line each, not wrapped |
//! | section | its title underlined, where there is more than one |
//! | text, heading, code | one line each |
//! | items | one line each, indented |
//! | table | its caption in lines of at most 100 letters, its head, a rule, its rows |
//!
//! Blank lines surround tables and precede titles, nothing else. A negative number has the hyphen that programs can
//! parse, where pages have the minus sign.

use std::fmt::Write as _;

use coinche_engine::Card;
use comfy_table::{CellAlignment, LineStyle, TableStyle};

use super::deal_view::DealView;
use super::model::{Block, Document, Section, Table};
use super::words::Language;

/// The width of a caption's lines.
const WIDTH: usize = 100;

/// A table with more columns uses narrow gaps.
const MANY_COLUMNS: usize = 7;

/// How much of a document is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// Text and tables.
    Short,
    /// Also deals, the numbers behind pictures, and tables that a page folds.
    Full,
}

impl Document {
    /// Returns the text for a terminal.
    pub fn render(&self, detail: Detail) -> String {
        let mut text = self.render_verdicts();
        self.scope.iter().for_each(|line| push_line(&mut text, line));
        for Section { title, blocks, .. } in self.shown_sections() {
            if self.sections.len() > 1 {
                push_blank(&mut text);
                push_line(&mut text, title);
                push_line(&mut text, &"═".repeat(title.chars().count()));
            }
            for block in blocks {
                push_block(&mut text, block, detail, self.language);
            }
        }
        with_hyphens(&text)
    }

    /// Returns the verdicts alone, one line each.
    pub fn render_verdicts(&self) -> String {
        let mut text = String::new();
        self.verdicts.iter().for_each(|line| push_line(&mut text, line));
        text
    }
}

impl Table {
    /// Returns head and rows, one line each; numbers are right-aligned.
    pub fn render(&self) -> String {
        self.render_in(Language::English)
    }

    /// Returns the same in a language.
    pub fn render_in(&self, language: Language) -> String {
        const LINE: TableStyle =
            TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
        let shown = self.for_people();
        let mut table = comfy_table::Table::new();
        table.load_style(LINE);
        table.set_header(shown.columns.iter().map(|column| on_one_line(&column.title())));
        for row in &shown.rows {
            table.add_row(row.iter().map(|cell| on_one_line(&cell.shown_in(language))));
        }
        let right = |at: usize| shown.is_of_numbers(at);
        // Columns of text with spaces need wider gaps than numbers. One space is always there.
        let gap = match shown.columns.len() {
            columns if columns > MANY_COLUMNS => 1,
            columns if (0..columns).any(right) => 2,
            _ => 3,
        };
        for (at, column) in table.column_iter_mut().enumerate() {
            column.set_padding((0, gap));
            column.set_cell_alignment(if right(at) { CellAlignment::Right } else { CellAlignment::Left });
        }
        let mut text = String::new();
        table.lines().for_each(|line| push_line(&mut text, line.trim_end()));
        with_hyphens(&text)
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// Replaces control characters, so that a cell stays on its line.
fn on_one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// Ends the text with a blank line, unless it is empty.
fn push_blank(text: &mut String) {
    if !text.is_empty() && !text.ends_with("\n\n") {
        text.push('\n');
    }
}

/// Returns cards as they are written.
pub(super) fn in_a_row(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

fn push_block(text: &mut String, block: &Block, detail: Detail, language: Language) {
    match (block, detail) {
        (Block::Heading(line) | Block::Fold(line) | Block::Text(line) | Block::Code(line), _) => {
            push_line(text, line);
        }
        (Block::Cards(cards), _) => push_line(text, &in_a_row(cards)),
        (Block::Items(items), _) => items.iter().for_each(|item| {
            let _ = writeln!(text, "  {item}");
        }),
        (Block::Table(table) | Block::Display(table), _) | (Block::Folded(table), Detail::Full) => {
            push_table(text, &table.caption, table, language);
        }
        (Block::Picture(picture), Detail::Full) => {
            push_table(text, &picture.caption, &picture.table, language);
        }
        (Block::Deals(deals), Detail::Full) => deals.iter().for_each(|deal| push_deal(text, deal)),
        (Block::Folded(_) | Block::Picture(_) | Block::Deals(_), Detail::Short) => {}
    }
}

/// Adds a table under its caption, unless it has no rows.
fn push_table(text: &mut String, caption: &str, table: &Table, language: Language) {
    if table.rows.is_empty() {
        return;
    }
    push_blank(text);
    if !caption.is_empty() {
        push_wrapped(text, caption);
    }
    text.push_str(&table.render_in(language));
    push_blank(text);
}

/// Adds text wrapped at [`WIDTH`] letters.
fn push_wrapped(text: &mut String, words: &str) {
    let mut width = 0;
    for word in words.split(' ') {
        let letters = word.chars().count();
        if width > 0 && width + 1 + letters > WIDTH {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += letters;
    }
    text.push('\n');
}

fn push_deal(text: &mut String, deal: &DealView) {
    push_blank(text);
    push_line(text, &deal.heading);
    for leg in &deal.legs {
        let _ = writeln!(text, "  {}. {}. {}", leg.title, leg.contract, leg.result);
        for hand in &leg.hands {
            let cards: Vec<_> = hand.cards.iter().map(|card| card.text.as_str()).collect();
            let dealer = if hand.dealer { deal.texts.dealer } else { "" };
            let _ = writeln!(text, "    {}, {}{dealer}: {}", hand.seat, hand.bot, cards.join(" "));
        }
        let _ = writeln!(text, "    {}", leg.auction(deal.texts));
    }
}

/// Replaces the minus sign before a digit by a hyphen.
fn with_hyphens(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_sign = letter == '−' && letters.peek().is_some_and(char::is_ascii_digit);
        plain.push(if is_sign { '-' } else { letter });
    }
    plain
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::document::forms::to_csv;
    use crate::document::model::{Cell, Picture};
    use crate::document::parquet::to_parquet;

    fn table(heads: &[&str], rows: &[&[Cell]]) -> Table {
        let mut table = Table::new("t", "", heads);
        table.rows = rows.iter().map(|row| row.to_vec()).collect();
        table
    }

    #[test]
    fn numbers_stand_at_the_right_and_words_at_the_left() {
        let table = table(
            &["who", "", "mean", "n"],
            &[
                &[Cell::text("a"), Cell::text("x"), Cell::estimate(-1.0, Some(0.25), 1), Cell::Count(1)],
                &[Cell::Blank, Cell::text(""), Cell::Empty, Cell::Count(1_000)],
                &[Cell::text("ccc"), Cell::Empty, Cell::Figures("2/3".to_owned()), Cell::Blank],
            ],
        );
        let expected = "\
who             mean       n
──────────────────────────────
a     x   -1.0 ± 0.2       1
                   –   1,000
ccc   –          2/3
";
        assert_eq!(table.render(), expected);
    }

    #[test]
    fn gaps_are_narrow_in_wide_tables_and_broad_between_words() {
        let words = table(&["a", "b"], &[&[Cell::text("x y"), Cell::text("z")]]);
        assert_eq!(words.render(), "a      b\n───────────\nx y    z\n");
        let wide = table(&["a"; 8], &[&[const { Cell::Count(7) }; 8]]);
        assert_eq!(
            wide.render(),
            "a  a  a  a  a  a  a  a\n───────────────────────\n7  7  7  7  7  7  7  7\n"
        );
    }

    #[test]
    fn a_table_without_rows_is_its_head_alone_and_nothing_in_a_document() {
        let empty = table(&["a", "b"], &[]);
        assert_eq!(empty.render(), "a   b\n───────\n");
        let captioned = Table { caption: "What it is.".to_owned(), ..empty };
        let document = Document::of_blocks("t", vec![Block::Table(captioned)]);
        assert_eq!(document.render(Detail::Full), "");
        assert_eq!(Table::new("t", "", &[] as &[&str]).render().trim(), "");
    }

    #[test]
    fn a_document_has_blank_lines_around_tables_and_titles_over_several_sections() {
        let numbers = Table { caption: "Numbers.".to_owned(), ..table(&["n"], &[&[Cell::Count(1)]]) };
        let picture = Picture::new("<svg/>".to_owned(), "Drawn.", numbers.clone());
        let blocks = vec![
            Block::Items(vec!["−1 each".to_owned(), "A − B".to_owned()]),
            Block::Table(numbers),
            Block::text("Behind it."),
            Block::Picture(picture),
        ];
        let mut document = Document::of_blocks("t", blocks);
        document.verdicts.push("a beats b".to_owned());
        document.scope.push("10 deals".to_owned());
        let short = "a beats b\n10 deals\n  -1 each\n  A − B\n\nNumbers.\nn\n───\n1\n\nBehind it.\n";
        assert_eq!(document.render(Detail::Short), short);
        assert_eq!(document.render(Detail::Full), format!("{short}\nDrawn.\nn\n───\n1\n\n"));
        let last = Section::new("last", "Last", Vec::new());
        document.sections.push(last);
        let text = document.render(Detail::Short);
        assert!(text.starts_with("a beats b\n10 deals\n\nFigures\n═══════\n  -1 each\n"), "{text}");
        assert!(text.ends_with("Behind it.\n\nLast\n════\n"), "{text}");
    }

    #[test]
    fn a_french_document_has_french_numbers_and_files_have_numbers() {
        let row =
            [Cell::estimate(-1234.5, Some(0.25), 1), Cell::Count(1_000), Cell::Flag(true), Cell::text("0.5")];
        let table = table(&["mean", "n", "made", "name"], &[&row]);
        let csv = to_csv(&table.for_files());
        let document = Document::of_blocks("t", vec![Block::Table(table)]);
        let document = Document { language: Language::French, ..document };
        for text in [document.render(Detail::Full), document.to_html(), document.to_markdown()] {
            for part in ["1234,5 ± 0,2", "1\u{202f}000", "oui", "0.5"] {
                assert!(text.contains(part), "{part}: {text}");
            }
            assert!(!text.contains("234.5") && !text.contains("yes"), "{text}");
        }
        let csv = String::from_utf8(csv).unwrap();
        assert!(csv.ends_with("-1234.5,-1234.75,-1234.25,1000,true,0.5\n"), "{csv}");
    }

    #[test]
    fn captions_are_wrapped() {
        let wrapped = |words: &str| {
            let mut text = String::new();
            push_wrapped(&mut text, words);
            text
        };
        let [half, more] = ["x".repeat(50), "y".repeat(50)];
        assert_eq!(wrapped(&format!("{} {more}", &half[1..])), format!("{} {more}\n", &half[1..]));
        assert_eq!(wrapped(&format!("{half} {more}")), format!("{half}\n{more}\n"));
        assert_eq!(wrapped(&"z".repeat(300)), format!("{}\n", "z".repeat(300)));
    }

    fn cells() -> impl Strategy<Value = Cell> {
        let number = any::<f64>();
        let half = proptest::option::of(any::<f64>());
        prop_oneof![
            Just(Cell::Empty),
            Just(Cell::Blank),
            any::<String>().prop_map(Cell::Text),
            any::<String>().prop_map(Cell::Figures),
            any::<u64>().prop_map(Cell::Count),
            number.prop_map(Cell::Signed),
            number.prop_map(Cell::Plain),
            (number, 0..4usize).prop_map(|(value, digits)| Cell::Number(value, digits)),
            (number, half, 0..4usize).prop_map(|(mean, half, digits)| Cell::estimate(mean, half, digits)),
            number.prop_map(Cell::Share),
            (number, number, number).prop_map(|(share, low, high)| Cell::rate([share, low, high])),
            (number, number, number).prop_map(|(gap, low, high)| Cell::Gap(gap, Some([low, high]))),
            any::<bool>().prop_map(Cell::Flag),
            number.prop_map(Cell::Chance),
            number.prop_map(Cell::Micros),
        ]
    }

    proptest! {
        #[test]
        fn every_form_takes_every_cell_and_has_every_row(
            rows in proptest::collection::vec(proptest::collection::vec(cells(), 3), 1..6),
            caption in "[ -~]{0,200}",
        ) {
            let count = rows.len();
            let table = Table { rows, ..Table::new("t", caption, &["a", "b", "c"]) };
            let files = table.for_files();
            let bytes = to_csv(&files);
            prop_assert_eq!(csv::Reader::from_reader(&bytes[..]).records().count(), count);
            prop_assert!(to_parquet(&files).is_ok());
            prop_assert_eq!(table.render().lines().count(), count + 2);
            let document = Document::of_blocks("t", vec![Block::Table(table)]);
            prop_assert!(!document.render(Detail::Short).is_empty());
            prop_assert!(document.to_html().matches("<tr>").count() == count + 1);
            let markdown = document.to_markdown();
            prop_assert_eq!(markdown.lines().filter(|line| line.starts_with("| ")).count(), count + 2);
        }
    }
}
