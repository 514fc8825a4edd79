//! SVG elements.

use std::fmt::Write as _;

/// The style of a standalone picture; on the page, the page's style applies.
const STYLE: &str = include_str!("../../../templates/colours.css");
const PICTURE_STYLE: &str = include_str!("../../../templates/picture.css");

/// A picture under construction.
pub(super) struct Svg {
    width: f64,
    height: f64,
    title: String,
    body: String,
}

/// The anchor of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Hold {
    Start,
    Middle,
    End,
}

/// Escapes text for an element or an attribute; characters that XML forbids are dropped.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// Truncates text to a number of letters.
pub(super) fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// Formats a coordinate with at most two decimal places.
fn place(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

impl Svg {
    /// Starts a picture; screen readers read the title.
    pub(super) fn new(width: f64, height: f64, title: impl Into<String>) -> Self {
        Self { width, height, title: title.into(), body: String::new() }
    }

    pub(super) fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], class: &str) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(place);
        let _ = write!(self.body, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" class="{class}"/>"#);
    }

    /// Adds a rectangle with a tooltip.
    pub(super) fn rect(&mut self, [x, y]: [f64; 2], [width, height]: [f64; 2], class: &str, tip: &str) {
        let [x, y, width, height] = [x, y, width.max(0.0), height.max(0.0)].map(place);
        let _ =
            write!(self.body, r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" class="{class}""#);
        self.end("rect", tip);
    }

    pub(super) fn circle(&mut self, [x, y]: [f64; 2], radius: f64, class: &str, tip: &str) {
        let [x, y, radius] = [x, y, radius].map(place);
        let _ = write!(self.body, r#"<circle cx="{x}" cy="{y}" r="{radius}" class="{class}""#);
        self.end("circle", tip);
    }

    fn end(&mut self, element: &str, tip: &str) {
        if tip.is_empty() {
            self.body.push_str("/>");
        } else {
            let _ = write!(self.body, "><title>{}</title></{element}>", escape(tip));
        }
    }

    pub(super) fn text(&mut self, [x, y]: [f64; 2], hold: Hold, class: &str, text: &str) {
        let [x, y] = [x, y].map(place);
        let anchor = match hold {
            Hold::Start => "",
            Hold::Middle => r#" text-anchor="middle""#,
            Hold::End => r#" text-anchor="end""#,
        };
        let text = escape(text);
        let _ = write!(self.body, r#"<text x="{x}" y="{y}"{anchor} class="{class}">{text}</text>"#);
    }

    /// Adds a line through points.
    pub(super) fn path(&mut self, points: impl Iterator<Item = [f64; 2]>, class: &str) {
        let mut data = String::new();
        for (n, [x, y]) in points.enumerate() {
            let _ = write!(data, "{}{} {}", if n == 0 { "M" } else { "L" }, place(x), place(y));
        }
        let _ = write!(self.body, r#"<path d="{data}" class="{class}"/>"#);
    }

    /// Returns the element.
    pub(super) fn finish(self) -> String {
        let Self { width, height, title, body } = self;
        // A wide picture keeps its size and scrolls sideways.
        let wide = width > super::WIDTH;
        let [class, size] =
            if wide { [" wide", &format!(r#" width="{}""#, place(1.15 * width))] } else { ["", ""] };
        let [width, height] = [width, height].map(place);
        let title = escape(&title);
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"{size} role="img" aria-label="{title}" class="picture{class}">{body}</svg>"#
        )
    }
}

/// Returns a picture as a standalone file.
pub(in crate::document) fn standalone(svg: &str) -> String {
    let Some((head, body)) = svg.split_once('>') else { return svg.to_owned() };
    format!("{head}><style>{STYLE}{PICTURE_STYLE}</style>{body}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out() {
        let mut svg = Svg::new(10.0, 10.0, "a \"b\" <c>");
        svg.text([1.0, 2.5], Hold::End, "k", "<script>&'\u{1b}");
        svg.rect([0.0, -0.001], [1.0, -2.0], "k", "</title>");
        let text = svg.finish();
        assert!(text.contains("aria-label=\"a &quot;b&quot; &lt;c&gt;\""), "{text}");
        assert!(text.contains(">&lt;script&gt;&amp;&#39; </text>"), "{text}");
        assert!(text.contains("y=\"0\" width=\"1\" height=\"0\""), "{text}");
        assert!(text.contains("<title>&lt;/title&gt;</title>"), "{text}");
        assert!(standalone(&text).contains("><style>"), "{text}");
    }

    #[test]
    fn long_names_are_shortened_by_letters() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüx", 3), "äö…");
    }
}
