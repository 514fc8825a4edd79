//! Renders the report as Markdown, with tables in place of pictures.

use std::fmt::Write as _;

use super::deal_view::{CardView, DealView};
use super::text::in_a_row;
use super::texts::fill;
use crate::document::model::{Block, Document, Table};
use crate::document::words::Language;

/// Escapes what Markdown or HTML would read as markup.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' => escaped.extend(['\\', letter]),
            letter if letter.is_control() => escaped.push(' '),
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn push_table(out: &mut String, table: &Table, language: Language) {
    let table = table.for_people();
    if table.rows.is_empty() {
        return;
    }
    if !table.caption.is_empty() {
        let _ = writeln!(out, "{}\n", escape(&table.caption));
    }
    let right = |n: usize| table.is_of_numbers(n) && !table.rows.is_empty();
    let heads: Vec<_> = table.columns.iter().map(|column| escape(&column.title())).collect();
    let rules: Vec<_> = (0..heads.len()).map(|n| if right(n) { "---:" } else { "---" }).collect();
    let _ = writeln!(out, "| {} |\n| {} |", heads.join(" | "), rules.join(" | "));
    for row in &table.rows {
        let cells: Vec<_> = row.iter().map(|cell| escape(&cell.shown_in(language))).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out.push('\n');
}

fn cards(cards: &[CardView]) -> String {
    cards.iter().map(|card| card.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn push_deal(out: &mut String, deal: &DealView) {
    let _ = writeln!(out, "### {}\n", escape(&deal.heading));
    for leg in &deal.legs {
        let _ =
            writeln!(out, "**{}.** {}. {}\n", escape(&leg.title), escape(&leg.contract), escape(&leg.result));
        for hand in &leg.hands {
            let dealer = if hand.dealer { deal.texts.dealer } else { "" };
            let _ = writeln!(out, "- {}, {}{dealer}: {}", hand.seat, escape(&hand.bot), cards(&hand.cards));
        }
        let _ = writeln!(out, "\n{}.\n", escape(&leg.auction(deal.texts)));
        for (n, trick) in leg.tricks.iter().enumerate() {
            let wins = || format!(", {}", fill(deal.texts.wins, &[("who", &trick.winner)]));
            let winner = if trick.cards.len() == 4 { wins() } else { String::new() };
            let leads = fill(deal.texts.leads, &[("who", &trick.leader)]);
            let _ = writeln!(out, "{}. {leads}{}{winner}", n + 1, cards(&trick.cards));
        }
        if !leg.tricks.is_empty() {
            out.push('\n');
        }
    }
}

impl Document {
    /// Returns the Markdown.
    pub fn to_markdown(&self) -> String {
        let mut out = format!("# {}\n\n", escape(&self.title));
        for verdict in &self.verdicts {
            let _ = writeln!(out, "**{}**\n", escape(verdict));
        }
        for line in &self.scope {
            let _ = writeln!(out, "{}\n", escape(line));
        }
        for section in self.shown_sections() {
            let _ = writeln!(out, "## {}\n", escape(&section.title));
            for block in &section.blocks {
                match block {
                    Block::Heading(text) | Block::Fold(text) => {
                        let _ = writeln!(out, "### {}\n", escape(text));
                    }
                    Block::Cards(cards) => {
                        let _ = writeln!(out, "{}\n", in_a_row(cards));
                    }
                    Block::Text(text) => {
                        let _ = writeln!(out, "{}\n", escape(text));
                    }
                    Block::Items(items) => {
                        for item in items {
                            let _ = writeln!(out, "- {}", escape(item));
                        }
                        out.push('\n');
                    }
                    Block::Code(text) => {
                        // Indented, so that its content cannot end the code block.
                        for line in text.lines() {
                            let _ = writeln!(out, "    {line}");
                        }
                        out.push('\n');
                    }
                    Block::Table(table) | Block::Display(table) | Block::Folded(table) => {
                        push_table(&mut out, table, self.language);
                    }
                    Block::Picture(picture) => {
                        let _ = writeln!(out, "{}\n", escape(&picture.caption));
                        push_table(&mut out, &picture.table, self.language);
                    }
                    Block::Deals(deals) => deals.iter().for_each(|deal| push_deal(&mut out, deal)),
                }
            }
        }
        out.truncate(out.trim_end().len());
        out.push('\n');
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_and_nothing_else() {
        assert_eq!(
            escape("a|b <i> `c` *d* _e_ [f](g)\n"),
            "a\\|b &lt;i> \\`c\\` \\*d\\* \\_e\\_ \\[f\\](g) "
        );
    }
}
