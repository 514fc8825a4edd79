//! The last lines that a program wrote to its stderr, to show why it died.

use std::fmt::Write as _;

/// The most lines and bytes shown.
const LINES: usize = 20;
const BYTES: usize = 2048;

/// The end of a program's stderr.
#[derive(Debug, Clone, Default)]
pub(super) struct StderrTail {
    bytes: Vec<u8>,
    /// Whether earlier output was dropped.
    is_cut: bool,
    /// Whether it is from a process that has ended; kept until the next one writes.
    is_stale: bool,
}

impl StderrTail {
    /// Appends output.
    pub(super) fn push(&mut self, written: &[u8]) {
        if self.is_stale {
            *self = Self::default();
        }
        self.bytes.extend_from_slice(written);
        let over = self.bytes.len().saturating_sub(BYTES);
        if over > 0 {
            self.bytes.drain(..over);
            self.is_cut = true;
        }
    }

    /// Marks the start of another process.
    pub(super) const fn mark_stale(&mut self) {
        self.is_stale = true;
    }

    /// Returns the last lines, each indented and preceded by a line break, with control characters escaped; empty if
    /// there was no output.
    pub(super) fn formatted(&self, indent: &str) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        let mut lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        // The first line that is left may be truncated.
        let first = usize::from(self.is_cut && lines.len() > 1).max(lines.len().saturating_sub(LINES));
        let is_cut = self.is_cut || first > 0;
        lines.drain(..first);
        let mut shown = String::new();
        if is_cut {
            let _ = write!(shown, "\n{indent}…");
        }
        for line in lines {
            let _ = write!(shown, "\n{indent}{}", escaped(line.trim_end()));
        }
        shown
    }
}

/// Escapes control characters, which could otherwise control the terminal.
pub(super) fn escaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\t' => plain.push_str("    "),
            letter if letter.is_control() => plain.extend(letter.escape_default()),
            letter => plain.push(letter),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(written: &str) -> String {
        let mut tail = StderrTail::default();
        written.as_bytes().chunks(700).for_each(|chunk| tail.push(chunk));
        tail.formatted("> ")
    }

    #[test]
    fn the_last_lines_are_shown_without_control_characters() {
        assert_eq!(shown(""), "");
        assert_eq!(shown("\n\n"), "");
        assert_eq!(shown("one\n\ttwo\r\n\u{1b}[31mred"), "\n> one\n>     two\n> \\u{1b}[31mred");
        let many: Vec<_> = (0..1000).map(|n| format!("line {n}")).collect();
        let tail = shown(&many.join("\n"));
        assert_eq!(tail.lines().count(), 1 + 1 + LINES, "{tail}");
        assert!(tail.starts_with("\n> …\n> line 980\n") && tail.ends_with("\n> line 999"), "{tail}");
        let long = shown(&format!("{}\nlast", "x".repeat(9000)));
        assert_eq!(long, "\n> …\n> last");
        assert_eq!(shown(&"x".repeat(9000)), format!("\n> …\n> {}", "x".repeat(BYTES)));
        // A character that is cut in two is dropped.
        assert!(shown(&"é".repeat(2000)).contains("éé"));
    }
}
