//! Draws a deal record as text.

use std::fmt::Write as _;

use coinche_engine::ParseRulesError;
use coinche_engine::record::{Record, replay};
use coinche_engine::{BidValue, ByTeam, Card, Contract, Goal, RuleSet, Seat, Stake, Strain, Team};

use crate::document::deal_view::{places, suits};
use crate::document::model::{Cell, Table};
use crate::document::words;

/// The data to draw, parsed once.
struct Drawing<'a> {
    record: &'a Record,
    rules: RuleSet,
    strain: Option<Strain>,
}

/// Draws a deal: hands around the table, auction, tricks, score.
///
/// # Errors
///
/// When the record's rules are unknown. A deal that breaks the rules is still drawn, with the faults listed below it.
pub fn deal(record: &Record) -> Result<String, ParseRulesError> {
    let rules = record.rules.rules()?;
    let strain = record.contract.map(|contract| contract.strain);
    let drawing = Drawing { record, rules, strain };
    let mut text = drawing.head();
    text.push_str(&drawing.table());
    text.push_str(&drawing.auction());
    text.push_str(&drawing.tricks());
    text.push_str(&drawing.result());
    Ok(text)
}

/// Formats a card with its suit's symbol first, the ten in digits.
fn card_text(card: Card) -> String {
    format!("{}{}", card.suit().symbol(), words::rank(card.rank()))
}

/// Formats a contract in words; the auction above it has the bid in letters: `capot in all trump`.
fn contract_text(contract: &Contract) -> String {
    let strain = ["clubs", "diamonds", "hearts", "spades", "no trump", "all trump"][contract.strain.index()];
    match contract.goal {
        Goal::Majority => format!("{strain}, taken"),
        Goal::Bid(BidValue::CAPOT) => format!("capot in {strain}"),
        Goal::Bid(BidValue::GENERALE) => format!("générale in {strain}"),
        Goal::Bid(value) => format!("{value} in {strain}"),
    }
}

/// Pads to a width in characters.
fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.chars().count())))
}

impl Drawing<'_> {
    /// The compass name of a seat.
    fn place(&self, seat: Seat) -> &'static str {
        places(self.rules.deal.rotation)[seat.index()]
    }

    fn name(&self, seat: Seat) -> String {
        format!("{} ({seat})", self.place(seat))
    }

    fn team(&self, team: Team) -> String {
        let [first, second] = team.seats();
        format!("{}/{}", self.place(first), self.place(second))
    }

    fn head(&self) -> String {
        let Record { deal, leg, .. } = self.record;
        let rules = self.rules.preset_name().unwrap_or("custom");
        let mut text = format!("Deal {deal}, leg {leg}, rules {rules}");
        if let (Some(game), Some(deal)) = (self.record.game, self.record.deal_in_match) {
            let [even, odd] = self.record.match_score.unwrap_or_default().0;
            let _ = write!(text, ", deal {deal} of match {game} at {even} to {odd}");
        }
        let _ = write!(text, "; {} deals", self.name(self.record.dealer));
        match self.record.misdeals {
            0 => {}
            1 => text.push_str(" after a misdeal"),
            more => {
                let _ = write!(text, " after {more} misdeals");
            }
        }
        if let Some(turned) = self.record.turned {
            let _ = write!(text, "; turned up {}", card_text(turned));
        }
        text.push_str("\n\n");
        text
    }

    /// Returns the lines of a hand: the name, the bot, one suit per line.
    fn hand(&self, seat: Seat) -> Vec<String> {
        let strain = self.strain.unwrap_or(Strain::NoTrump);
        let mut lines = vec![self.name(seat), self.record.bots[seat].clone()];
        for suit in suits(self.strain) {
            let mut cards: Vec<Card> = self.record.hands[seat].of(suit).into_iter().collect();
            cards.sort_by_key(|card| core::cmp::Reverse(strain.strength(*card)));
            let ranks: Vec<_> = cards.iter().map(|card| words::rank(card.rank())).collect();
            let ranks = if ranks.is_empty() { "–".to_owned() } else { ranks.join(" ") };
            lines.push(format!("{} {ranks}", suit.symbol()));
        }
        lines
    }

    /// Draws the four hands around the table.
    fn table(&self) -> String {
        const WIDTH: usize = 26;
        let seat = |place: &str| Seat::ALL.into_iter().find(|seat| self.place(*seat) == place);
        let [north, west, east, south] =
            ["North", "West", "East", "South"].map(|place| self.hand(seat(place).unwrap_or(Seat::S0)));
        let mut text = String::new();
        let mut push = |line: String| {
            text.push_str(line.trim_end());
            text.push('\n');
        };
        let middle = |line: &String| format!("{}{line}", " ".repeat(WIDTH));
        north.iter().map(middle).for_each(&mut push);
        push(String::new());
        west.iter().zip(&east).for_each(|(west, east)| push(format!("{}{east}", pad(west, 2 * WIDTH))));
        push(String::new());
        south.iter().map(middle).for_each(&mut push);
        push(String::new());
        text
    }

    /// Draws the auction in four columns, from the player after the dealer.
    fn auction(&self) -> String {
        let first = self.record.dealer.next();
        let order = first.around();
        let mut table = Table::new("auction", "", &order.map(|seat| self.name(seat)));
        let empty = || vec![Cell::text(""); 4];
        let (mut row, mut last): (_, Option<usize>) = (empty(), None);
        for (seat, call) in &self.record.auction {
            let column = first.distance_to(*seat);
            // A call out of turn (an any-time coinche) ends the round early.
            if last.is_some_and(|last| column <= last) {
                table.rows.push(core::mem::replace(&mut row, empty()));
            }
            row[column] = Cell::Text(words::call(*call));
            last = Some(column);
        }
        table.rows.push(row);
        let mut text = table.render();
        if let Some(contract) = &self.record.contract {
            let stake = match contract.stake {
                Stake::Plain => String::new(),
                stake => format!(", {stake}"),
            };
            let what = contract_text(contract);
            let declarer = self.name(contract.declarer);
            let _ = writeln!(text, "\nContract: {what} by {declarer}{stake}\n");
        } else {
            text.push_str("\nNo contract.\n\n");
        }
        text
    }

    /// Draws the tricks, with the leader and the winner marked.
    fn tricks(&self) -> String {
        let Some(strain) = self.strain else { return String::new() };
        let mut heads = vec!["trick".to_owned()];
        heads.extend(Seat::ALL.map(|seat| self.name(seat)));
        heads.extend(["points".to_owned(), self.team(Team::Even), self.team(Team::Odd)]);
        let mut table = Table::new("tricks", "", &heads);
        let mut sums = ByTeam([0u16; 2]);
        for (n, trick) in self.record.tricks.iter().enumerate() {
            let leader = trick.leader;
            let mut row = vec![Cell::Blank; 5];
            row[0] = Cell::Text((n + 1).to_string());
            let mut points = if n == 7 { self.rules.scoring.last_trick_in(strain) } else { 0 };
            for (seat, card) in leader.around().into_iter().zip(trick.cards) {
                points += self.rules.card_points(strain, card);
                let lead = if seat == leader { "›" } else { "" };
                let won = if seat == trick.winner { "*" } else { " " };
                row[1 + seat.index()] = Cell::Figures(format!("{lead}{}{won}", card_text(card)));
            }
            sums[trick.winner.team()] += points;
            row.push(Cell::Count(points.into()));
            row.extend(sums.0.map(|sum| Cell::Count(sum.into())));
            table.rows.push(row);
        }
        format!("{}\n› leads, * wins\n\n", table.render())
    }

    /// Draws melds, belote, result and score.
    fn result(&self) -> String {
        let record = self.record;
        let mut text = String::new();
        let name = |seat| self.name(seat);
        for meld in &record.melds {
            let cards = meld.cards.natural().map(card_text).collect::<Vec<_>>().join(" ");
            let counts = if meld.counts { "" } else { ", does not count" };
            let _ = writeln!(
                text,
                "Meld: {} announces {} {cards}, {} points{counts}",
                name(meld.seat),
                meld.kind,
                meld.points
            );
        }
        for belote in record.belote.iter().chain(&record.belotes) {
            let said = if belote.announced { "announced" } else { "not announced" };
            let _ = writeln!(text, "Belote: {}, {said}", name(belote.seat));
        }
        if let Some(made) = record.made {
            let result = if made { "made" } else { "failed" };
            let [even, odd] = record.card_points.0;
            let [won, lost] = record.tricks_won.0;
            let _ = writeln!(
                text,
                "Result: {result}; card points {even} to {odd}, tricks {won} to {lost} for {} and {}",
                self.team(Team::Even),
                self.team(Team::Odd)
            );
        }
        let [even, odd] = record.score.0;
        let _ = writeln!(text, "Score: {} {even}, {} {odd}", self.team(Team::Even), self.team(Team::Odd));
        for fault in &record.faults {
            let _ = writeln!(text, "Fault: {}, {:?}: {}", name(fault.seat), fault.kind, fault.detail);
        }
        if !record.faults.iter().any(|fault| fault.kind.forfeits()) {
            for disagreement in replay(record) {
                let _ = writeln!(text, "Against the rules: {disagreement}");
            }
        }
        text
    }
}
