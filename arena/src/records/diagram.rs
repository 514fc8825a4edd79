//! A deal record drawn for people.

use std::fmt::Write as _;

use coinche_engine::{
    BySeat, Call, Card, CardSet, Rank, Record, Rotation, RuleSet, Seat, Strain, Suit, Team, replay,
};

use crate::base::style::{finish, lines, table};

/// What is drawn, read once.
struct Drawing<'a> {
    record: &'a Record,
    rules: RuleSet,
    hands: BySeat<CardSet>,
    strain: Option<Strain>,
    dealer: Seat,
}

/// Draws a deal: hands around the table, auction, tricks, score.
///
/// # Errors
///
/// When cards, calls or rules of the record cannot be read. A deal that breaks the rules is drawn, and what
/// is wrong stands below it.
pub(crate) fn deal(record: &Record) -> Result<String, String> {
    let rules = record.rules.rules().map_err(|error| error.to_string())?;
    let mut hands = BySeat([CardSet::EMPTY; 4]);
    for seat in Seat::ALL {
        let text = &record.hands[seat.index()];
        hands[seat] = text.parse().map_err(|error| format!("hand of seat {seat}: {error}"))?;
    }
    let strain = record.contract.as_ref().map(|contract| strain_of(&contract.bid)).transpose()?;
    let dealer = Seat::from_index(record.dealer.into());
    let drawing = Drawing { record, rules, hands, strain, dealer };
    let mut text = drawing.head();
    text.push_str(&drawing.table());
    text.push_str(&drawing.auction()?);
    text.push_str(&drawing.tricks()?);
    text.push_str(&drawing.result());
    Ok(text)
}

/// The strain of a bid in records: what follows its value.
fn strain_of(bid: &str) -> Result<Strain, String> {
    let upper = bid.to_ascii_uppercase();
    let rest = ["CAPOT", "GENERALE", "TAKE"]
        .iter()
        .find_map(|word| upper.strip_prefix(word))
        .unwrap_or_else(|| upper.trim_start_matches(|letter: char| letter.is_ascii_digit()));
    rest.trim().parse().map_err(|error| format!("contract: {error}"))
}

/// A card with its suit's symbol first, the ten in digits.
fn card_text(card: Card) -> String {
    format!("{}{}", card.suit().symbol(), rank_text(card.rank()))
}

fn rank_text(rank: Rank) -> String {
    if rank == Rank::Ten { "10".to_owned() } else { rank.letter().to_string() }
}

/// A call as a person reads it.
fn call_text(text: &str) -> String {
    match text.parse() {
        Ok(Call::Pass) => "pass".to_owned(),
        Ok(Call::Wait) => "wait".to_owned(),
        Ok(Call::Coinche) => "coinche".to_owned(),
        Ok(Call::Surcoinche) => "surcoinche".to_owned(),
        Ok(Call::Take) => "take".to_owned(),
        Ok(Call::TakeIn(suit)) => format!("take {}", suit.symbol()),
        Ok(Call::Bid(bid)) => format!("{} {}", bid.value, bid.strain.symbol()),
        Err(_) => text.to_owned(),
    }
}

/// Pads to a width in characters.
fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.chars().count())))
}

impl Drawing<'_> {
    /// The compass name of a seat: seat 0 sits in the south, play goes round as the rules say.
    fn place(&self, seat: Seat) -> &'static str {
        let names = match self.rules.deal.rotation {
            Rotation::Clockwise => ["South", "West", "North", "East"],
            Rotation::Counterclockwise => ["South", "East", "North", "West"],
        };
        names[seat.index()]
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
            let [even, odd] = self.record.match_score.unwrap_or_default();
            let _ = write!(text, ", deal {deal} of match {game} at {even} to {odd}");
        }
        let _ = write!(text, "; {} deals", self.name(self.dealer));
        if let Some(turned) = self.record.turned.as_ref().and_then(|card| card.parse().ok()) {
            let _ = write!(text, "; turned up {}", card_text(turned));
        }
        text.push_str("\n\n");
        text
    }

    /// The suits in order of print, the trump suit first.
    fn suits(&self) -> Vec<Suit> {
        let mut suits = vec![Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
        suits.sort_by_key(|suit| self.strain.and_then(Strain::trump) != Some(*suit));
        suits
    }

    /// The lines of a hand: the name, the bot, a suit a line.
    fn hand(&self, seat: Seat) -> Vec<String> {
        let strain = self.strain.unwrap_or(Strain::NoTrump);
        let mut lines = vec![self.name(seat), self.record.bots[seat.index()].clone()];
        for suit in self.suits() {
            let mut cards: Vec<Card> = self.hands[seat].of(suit).into_iter().collect();
            cards.sort_by_key(|card| core::cmp::Reverse(strain.strength(*card)));
            let ranks: Vec<_> = cards.iter().map(|card| rank_text(card.rank())).collect();
            let ranks = if ranks.is_empty() { "–".to_owned() } else { ranks.join(" ") };
            lines.push(format!("{} {ranks}", suit.symbol()));
        }
        lines
    }

    /// The four hands around the table.
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

    /// The auction in four columns, from the player after the dealer.
    fn auction(&self) -> Result<String, String> {
        let order = self.dealer.next().around();
        let mut table = table();
        table.set_header(order.map(|seat| self.name(seat)));
        let (mut row, mut last): ([String; 4], Option<usize>) = (Default::default(), None);
        for (seat, call) in &self.record.auction {
            let seat: Seat = seat.to_string().parse().map_err(|error| format!("auction: {error}"))?;
            let column = self.dealer.next().distance_to(seat);
            // Out of turn (an any-time coinche), the round ends early.
            if last.is_some_and(|last| column <= last) {
                table.add_row(core::mem::take(&mut row));
            }
            row[column] = call_text(call);
            last = Some(column);
        }
        table.add_row(row);
        let mut text = finish_left(table);
        if let Some(contract) = &self.record.contract {
            let stake =
                if contract.stake == "plain" { String::new() } else { format!(", {}", contract.stake) };
            let value = contract.bid.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
            let value =
                if value.is_empty() { contract.bid.trim_end_matches(['C', 'D', 'H', 'S']) } else { value };
            let strain = self.strain.map_or("", Strain::symbol);
            let declarer = self.name(Seat::from_index(contract.declarer.into()));
            let _ = writeln!(text, "Contract: {value} {strain} by {declarer}{stake}\n");
        } else {
            text.push_str("No contract.\n\n");
        }
        Ok(text)
    }

    /// The tricks, with the leader and the winner marked.
    fn tricks(&self) -> Result<String, String> {
        let Some(strain) = self.strain else { return Ok(String::new()) };
        let mut table = table();
        let mut header = vec!["trick".to_owned()];
        header.extend(Seat::ALL.map(|seat| self.name(seat)));
        header.extend(["points".to_owned(), self.team(Team::Even), self.team(Team::Odd)]);
        table.set_header(header);
        let mut sums = [0u16; 2];
        for (n, trick) in self.record.tricks.iter().enumerate() {
            let leader = Seat::from_index(trick.leader.into());
            let mut row =
                vec![(n + 1).to_string(), String::new(), String::new(), String::new(), String::new()];
            let mut points = if n == 7 { self.rules.scoring.last_trick_in(strain) } else { 0 };
            for (seat, text) in leader.around().into_iter().zip(&trick.cards) {
                let card: Card = text.parse().map_err(|error| format!("trick {}: {error}", n + 1))?;
                points += self.rules.card_points(strain, card);
                let lead = if seat == leader { "›" } else { "" };
                let won = if seat as u8 == trick.winner { "*" } else { " " };
                row[1 + seat.index()] = format!("{lead}{}{won}", card_text(card));
            }
            sums[usize::from(trick.winner & 1)] += points;
            row.extend([points.to_string(), sums[0].to_string(), sums[1].to_string()]);
            table.add_row(row);
        }
        Ok(format!("{}› leads, * wins\n\n", finish(table)))
    }

    /// Melds, belote, result and score.
    fn result(&self) -> String {
        let record = self.record;
        let mut text = String::new();
        let name = |seat: u8| self.name(Seat::from_index(seat.into()));
        for meld in &record.melds {
            let cards = meld.cards.parse().map_or_else(
                |_| meld.cards.clone(),
                |cards: CardSet| cards.natural().map(card_text).collect::<Vec<_>>().join(" "),
            );
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
            let [even, odd] = record.card_points;
            let [won, lost] = record.tricks_won;
            let _ = writeln!(
                text,
                "Result: {result}; card points {even} to {odd}, tricks {won} to {lost} for {} and {}",
                self.team(Team::Even),
                self.team(Team::Odd)
            );
        }
        let [even, odd] = record.score;
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

/// Ends a table with all columns aligned to the left.
fn finish_left(mut table: comfy_table::Table) -> String {
    table.column_iter_mut().for_each(|column| {
        column.set_padding((0, 3));
    });
    lines(&table)
}
