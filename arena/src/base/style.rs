//! Numbers and tables in the house's style.

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};

/// Writes a number with commas between the thousands.
///
/// ```
/// assert_eq!(coinche_arena::thousands(1_234_567), "1,234,567");
/// ```
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Starts a table of the house's style: a line below the head, nothing else drawn.
pub(crate) fn table() -> Table {
    const LINE: TableStyle = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    let mut table = Table::new();
    table.load_style(LINE);
    table
}

/// Aligns every column but the first to the right.
pub(crate) fn finish(table: Table) -> String {
    finish_with(table, |column| column > 0)
}

/// Aligns these columns to the right, the others to the left.
pub(crate) fn finish_with(mut table: Table, right: impl Fn(usize) -> bool) -> String {
    let narrow = table.column_count() > 7;
    for (n, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, if narrow { 1 } else { 2 }));
        column.set_cell_alignment(if right(n) { CellAlignment::Right } else { CellAlignment::Left });
    }
    lines(&table) + "\n"
}

/// Returns the lines of a table without blanks at their ends.
pub(crate) fn lines(table: &Table) -> String {
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Writes a share in percent.
#[expect(clippy::cast_precision_loss, reason = "a share for people")]
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// Writes a mean with its sign.
#[expect(clippy::cast_precision_loss, reason = "a mean for people")]
pub(crate) fn mean(sum: i64, count: u64) -> String {
    if count == 0 { "–".to_owned() } else { format!("{:+.1}", sum as f64 / count as f64) }
}
