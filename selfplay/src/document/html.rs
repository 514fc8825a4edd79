//! Renders the report as one self-contained HTML page.

use std::fmt::{self, Display, Write};

use crate::document::deal_view::{CardView, DealView, HandView, LegView, TrickView, card_view};
use crate::document::model::{Block, Cell, Document, Picture, Section, Table};
use crate::document::texts::{PageTexts, fill, page};
use crate::document::words::Language;

const STYLE: &str = concat!(
    include_str!("../../templates/colours.css"),
    include_str!("../../templates/picture.css"),
    include_str!("../../templates/page.css")
);
const SCRIPT: &str = include_str!("../../templates/player.js");

/// Forbids loading anything from elsewhere, whatever a text contains.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// The attributes of elements that are wider than the page and scroll by themselves.
const SCROLL: &str = r#"class="scroll" tabindex="0" role="region""#;

/// Text in an element or an attribute, with markup escaped.
struct Text<T>(T);

impl<T: Display> Display for Text<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escape(f), "{}", self.0)
    }
}

/// Keeps a number with its unit or interval, or a short head, on one line.
fn unbroken(text: &str) -> String {
    if text.chars().count() <= SHORT {
        return text.replace(' ', "\u{a0}");
    }
    text.replace(" %", "\u{a0}%").replace(" ± ", "\u{a0}±\u{a0}").replace("p = ", "p\u{a0}=\u{a0}")
}

/// A writer that escapes markup.
struct Escape<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl Write for Escape<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for part in text.split_inclusive(['&', '<', '>', '"', '\'']) {
            let code = match part.as_bytes().last() {
                Some(sign @ (b'&' | b'<' | b'>' | b'"' | b'\'')) => Some(sign),
                _ => None,
            };
            match code {
                Some(code) => write!(self.0, "{}&#{code};", &part[..part.len() - 1])?,
                None => self.0.write_str(part)?,
            }
        }
        Ok(())
    }
}

impl Document {
    /// Returns the page.
    pub fn to_html(&self) -> String {
        let mut page = String::new();
        whole(&mut page, self).expect("a page is written to memory");
        page
    }
}

fn whole(out: &mut String, document: &Document) -> fmt::Result {
    let title = Text(&document.title);
    let language = document.language;
    let texts = page(language);
    write!(
        out,
        r#"<!DOCTYPE html>
<html lang="{}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body data-texts="{}">
<header>
<h1>{title}</h1>
"#,
        language.code(),
        Text(of_player(texts)),
    )?;
    for verdict in &document.verdicts {
        writeln!(out, r#"<p class="verdict">{}</p>"#, Text(unbroken(verdict)))?;
    }
    for line in &document.scope {
        writeln!(out, r#"<p class="scope">{}</p>"#, Text(unbroken(line)))?;
    }
    write!(out, r#"<nav aria-label="{}">"#, texts.sections)?;
    for Section { id, title, .. } in document.shown_sections() {
        write!(out, r##"<a href="#{}">{}</a>"##, Text(id), Text(title))?;
    }
    out.write_str("</nav>\n</header>\n<main>\n")?;
    for Section { id, title, blocks } in document.shown_sections() {
        write!(out, "<section id=\"{}\">\n<h2>{}</h2>\n", Text(id), Text(title))?;
        section(out, blocks, language)?;
        out.write_str("</section>\n")?;
    }
    let (command, version) = (Text(document.command), Text(crate::base::VERSION));
    let made_by = fill(texts.made_by, &[("command", &command), ("version", &version)]);
    write!(
        out,
        "</main>
<footer>
{}<p>{made_by}</p></footer>
<script>
{SCRIPT}</script>
</body>
</html>
",
        texts.terms
    )
}

/// The texts of the player as JSON.
fn of_player(texts: &PageTexts) -> String {
    let small = texts.all().into_iter().filter(|(name, _)| !["terms", "made_by"].contains(name));
    small.collect::<serde_json::Value>().to_string()
}

/// Writes the blocks of a section: folded from a [`Block::Fold`] on, and pictures that follow each other side by side.
fn section(out: &mut String, blocks: &[Block], language: Language) -> fmt::Result {
    let is_fold = |block: &Block| matches!(block, Block::Fold(_));
    let is_picture = |block: &Block| matches!(block, Block::Picture(_));
    for folded in blocks.chunk_by(|_, next| !is_fold(next)) {
        for alike in folded.chunk_by(|one, next| is_picture(one) && is_picture(next)) {
            if alike.len() > 1 {
                out.write_str("<div class=\"pictures\">\n")?;
            }
            alike.iter().try_for_each(|part| block(out, part, language))?;
            if alike.len() > 1 {
                out.write_str("</div>\n")?;
            }
        }
        if folded.first().is_some_and(is_fold) {
            out.write_str("</details>\n")?;
        }
    }
    Ok(())
}

fn block(out: &mut String, block: &Block, language: Language) -> fmt::Result {
    match block {
        Block::Fold(text) => writeln!(out, "<details><summary>{}</summary>", Text(text)),
        Block::Heading(text) => writeln!(out, "<h3>{}</h3>", Text(text)),
        Block::Text(text) => writeln!(out, "<p>{}</p>", Text(unbroken(text))),
        Block::Items(items) => {
            out.write_str("<ul>")?;
            for item in items {
                write!(out, "<li>{}</li>", Text(unbroken(item)))?;
            }
            out.write_str("</ul>\n")
        }
        Block::Code(text) => code(out, text),
        Block::Table(shown) | Block::Display(shown) => table(out, shown, true, language),
        Block::Folded(folded) if folded.rows.is_empty() => Ok(()),
        Block::Folded(folded) => {
            writeln!(out, "<details><summary>{}</summary>", Text(&folded.caption))?;
            table(out, folded, false, language)?;
            out.write_str("</details>\n")
        }
        Block::Picture(shown) => picture(out, shown, language),
        Block::Cards(held) => {
            out.write_str("<p>")?;
            for CardView { text, red } in held.iter().map(|card| card_view(*card, language)) {
                let class = if red { "kard red" } else { "kard" };
                write!(out, r#"<span class="{class}">{}</span> "#, Text(text))?;
            }
            out.write_str("</p>\n")
        }
        Block::Deals(deals) => {
            deals.iter().enumerate().try_for_each(|(number, shown)| deal(out, shown, number == 0))
        }
    }
}

/// Writes a command that breaks only between its words, not at the hyphens of its flags.
fn code(out: &mut String, text: &str) -> fmt::Result {
    out.write_str("<pre><code>")?;
    for part in text.split_inclusive([' ', '\n']) {
        let word = part.trim_end_matches([' ', '\n']);
        if !word.is_empty() {
            write!(out, "<span>{}</span>", Text(word))?;
        }
        out.write_str(&part[word.len()..])?;
    }
    out.write_str("</code></pre>\n")
}

fn picture(
    out: &mut String,
    Picture { name, caption, svg, table: numbers }: &Picture,
    language: Language,
) -> fmt::Result {
    let (name, caption) = (Text(name), Text(unbroken(caption)));
    write!(
        out,
        r#"<figure id="picture-{name}">
<figcaption>{caption}</figcaption>
<div class="wide"><div {SCROLL} aria-label="{caption}">{svg}</div></div>
<details><summary>{}</summary>
"#,
        page(language).table
    )?;
    table(out, numbers, true, language)?;
    out.write_str("</details>\n</figure>\n")
}

/// Cells with more letters may wrap.
const LONG: usize = 28;

/// Heads with at most this many letters do not wrap.
const SHORT: usize = 14;

fn table(out: &mut String, table: &Table, captioned: bool, language: Language) -> fmt::Result {
    let table = &*table.for_people();
    let Table { name, caption, columns, rows } = table;
    // An empty table is only for programs that read its columns.
    if rows.is_empty() {
        return Ok(());
    }
    let classes: Vec<_> = (0..columns.len()).map(|column| class(table, column)).collect();
    let (name, shown) = (Text(name), Text(caption));
    if captioned && !caption.is_empty() {
        writeln!(out, r#"<p class="caption">{}</p>"#, Text(unbroken(caption)))?;
    }
    write!(
        out,
        "<div class=\"wide\"><div {SCROLL} aria-label=\"{shown}\">\n<table id=\"table-{name}\">\n<thead><tr>"
    )?;
    for (column, class) in columns.iter().zip(&classes) {
        write!(out, "<th{class}>{}</th>", Text(unbroken(&column.title())))?;
    }
    out.write_str("</tr></thead>\n<tbody>\n")?;
    for row in rows {
        out.write_str("<tr>")?;
        for (cell, class) in row.iter().zip(&classes) {
            write!(out, "<td{class}>{}</td>", Text(cell.shown_in(language)))?;
        }
        out.write_str("</tr>\n")?;
    }
    out.write_str("</tbody></table></div></div>\n")
}

/// Returns the class attribute of a column: for numbers, for long text, or none.
fn class(table: &Table, column: usize) -> &'static str {
    let is_long = |row: &Vec<Cell>| row.get(column).is_some_and(|cell| cell.shown().chars().count() > LONG);
    match () {
        () if table.is_of_numbers(column) => r#" class="n""#,
        () if table.rows.iter().any(is_long) => r#" class="long""#,
        () => "",
    }
}

fn deal(out: &mut String, DealView { heading, legs, json, texts }: &DealView, first: bool) -> fmt::Result {
    let (heading, json) = (Text(heading), Text(json));
    let open = if first { " open" } else { "" };
    write!(
        out,
        r#"<details class="deal" data-legs="{json}"{open}>
<summary>{heading}</summary>
<div class="replay"></div>
<details{open}><summary>{}</summary>
"#,
        texts.deal_lists
    )?;
    legs.iter().try_for_each(|shown| leg(out, shown, texts))?;
    out.write_str("</details>\n</details>\n")
}

fn leg(out: &mut String, shown: &LegView, texts: &PageTexts) -> fmt::Result {
    let LegView { title, contract, result, hands, tricks, .. } = shown;
    let (title, contract, result) = (Text(title), Text(contract), Text(result));
    write!(
        out,
        r#"<h4>{title}</h4>
<p>{contract}. {result}</p>
<div class="wide"><div {SCROLL} aria-label="{}">
<table><thead><tr><th>{}</th><th>{}</th><th>{}</th></tr></thead><tbody>
"#,
        texts.hands, texts.seat, texts.bot, texts.hand
    )?;
    for HandView { seat, bot, dealer, cards: held } in hands {
        let dealer = if *dealer { texts.dealer } else { "" };
        write!(out, r#"<tr><td>{seat}{dealer}</td><td>{}</td><td class="cards">"#, Text(bot))?;
        cards(out, held)?;
        out.write_str("</td></tr>\n")?;
    }
    writeln!(out, "</tbody></table></div></div>\n<p>{}.</p>", Text(shown.auction(texts)))?;
    if tricks.is_empty() {
        return Ok(());
    }
    out.write_str("<ol class=\"cards\">\n")?;
    for TrickView { leader, cards: played, winner } in tricks {
        write!(out, "<li>{}", fill(texts.leads, &[("who", leader)]))?;
        cards(out, played)?;
        if played.len() == 4 {
            write!(out, "– {}", fill(texts.wins, &[("who", winner)]))?;
        }
        out.write_str("</li>\n")?;
    }
    out.write_str("</ol>\n")
}

fn cards(out: &mut String, cards: &[CardView]) -> fmt::Result {
    cards.iter().try_for_each(|CardView { text, red }| {
        let class = if *red { r#" class="red""# } else { "" };
        write!(out, "<span{class}>{}</span> ", Text(text))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_a_text_is_escaped() {
        let text = "<b a=\"1\" b='2'>é & ♥</b>";
        let escaped = "&#60;b a=&#34;1&#34; b=&#39;2&#39;&#62;é &#38; ♥&#60;/b&#62;";
        assert_eq!(Text(text).to_string(), escaped);
        assert_eq!(Text("plain").to_string(), "plain");
        assert_eq!(Text("").to_string(), "");
    }
}
