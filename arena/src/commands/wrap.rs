//! Wraps lists to the width of the terminal.

use terminal_size::{Width, terminal_size};

/// Appends text wrapped to the width of the terminal, each line indented; the first line begins with `head`
/// instead.
///
/// Lines break at blanks.
pub(super) fn wrap(text: &mut String, head: &str, indent: usize, words: &str) {
    wrap_to(text, width(), head, indent, words);
}

/// Returns the width of the terminal, 40 to 100; 80 if the output is not a terminal and `COLUMNS` is not set.
fn width() -> usize {
    let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
    terminal_size().map(|(Width(width), _)| width.into()).or_else(columns).unwrap_or(80).clamp(40, 100)
}

fn wrap_to(text: &mut String, most: usize, head: &str, indent: usize, words: &str) {
    text.push_str(head);
    let mut width = head.chars().count();
    let mut starts_line = true;
    for word in words.split(' ') {
        let length = word.chars().count();
        if !starts_line && width + 1 + length > most {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            width = indent;
        } else if !starts_line {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
        starts_line = false;
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_blanks_and_fit() {
        let mut text = String::new();
        wrap_to(&mut text, 20, "  set: ", 4, "one=[1, 2] two=3 three four");
        assert_eq!(text, "  set: one=[1, 2]\n    two=3 three four\n");
        let mut long = String::new();
        wrap_to(&mut long, 10, "", 2, "Donaudampfschifffahrt ja");
        assert_eq!(long, "Donaudampfschifffahrt\n  ja\n", "a word that is too long has a line of its own");
    }
}
