//! External text (names, faults, lines of files) made safe to show on a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The most characters of a quoted text that an error shows.
const QUOTED: usize = 200;
/// Of a line of an error with more characters, only both ends are shown.
const LINE: usize = 1000;

/// Tests if a terminal would read a character as a control character, not as text.
fn commands(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t')
}

/// Escapes control characters of the terminal: they are written as `\u{1b}`.
pub fn safe(text: &str) -> Cow<'_, str> {
    if !text.contains(commands) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        if commands(letter) {
            let _ = write!(safe, "{}", letter.escape_default());
        } else {
            safe.push(letter);
        }
    }
    safe.into()
}

/// Returns the text of an error with control characters escaped: quotes are truncated to 200 characters, and of a line
/// that is still longer than a thousand only both ends are kept.
pub fn brief(text: &str) -> String {
    let lines: Vec<String> = safe(text).split('\n').map(brief_line).collect();
    lines.join("\n")
}

fn brief_line(line: &str) -> String {
    let mut brief = String::new();
    let mut open: Option<char> = None;
    for part in line.split_inclusive(['`', '"']) {
        let mark = part.chars().next_back().filter(|letter| ['`', '"'].contains(letter));
        let text = mark.map_or(part, |mark| &part[..part.len() - mark.len_utf8()]);
        match text.char_indices().nth(QUOTED) {
            Some((end, _)) if open.is_some() => {
                brief += &text[..end];
                brief.push('…');
            }
            _ => brief += text,
        }
        brief.extend(mark);
        open = match (open, mark) {
            (Some(open), Some(mark)) if open == mark => None,
            (None, mark) => mark,
            (open, _) => open,
        };
    }
    let length = brief.chars().count();
    if length <= LINE {
        return brief;
    }
    let place = |at: usize| brief.char_indices().nth(at).map_or(brief.len(), |(place, _)| place);
    format!("{} … {}", &brief[..place(QUOTED)], &brief[place(length - QUOTED)..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_a_terminal() {
        assert_eq!(safe("Zoé ♠\n\ta`b"), "Zoé ♠\n\ta`b");
        assert_eq!(safe("\x1b[2J\r\x07\u{9b}31m\x7f"), "\\u{1b}[2J\\r\\u{7}\\u{9b}31m\\u{7f}");
    }

    #[test]
    fn long_texts_are_cut() {
        let long = "é".repeat(5000);
        assert_eq!(brief("no bot `x`: expected a, b"), "no bot `x`: expected a, b");
        let cut = brief(&format!("line 3: unknown `{long}`, expected `deal` or \"{long}\"\nnext"));
        assert_eq!(
            cut,
            format!("line 3: unknown `{0}…`, expected `deal` or \"{0}…\"\nnext", "é".repeat(200))
        );
        let cut = brief(&format!("1 | {long}\n  | ^"));
        assert_eq!(cut.lines().next().unwrap().chars().count(), 403);
        assert!(cut.starts_with("1 | éé") && cut.ends_with("é\n  | ^"));
        // Unbalanced quotes end nothing; the line is bounded nevertheless.
        for text in [format!("`{long}"), "`\"".repeat(9000), format!("\"{long}`")] {
            assert!(brief(&text).chars().count() <= 1000);
        }
    }
}
