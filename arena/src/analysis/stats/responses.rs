//! What the answers to partner's opening promise.
//!
//! Partner has opened in a suit, the player between has passed: the first call of the bot then. What it holds is
//! told in partner's suit.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Table};
use coinche_selfplay::records::read::record::Leg;
use core::fmt;
use std::collections::BTreeMap;

use coinche_engine::{Bid, Call, CardSet, Rank, Seat, Strain};
use serde::{Deserialize, Serialize};

use super::cells::{Average, Merge, Share, Unit};
use super::columns;
use super::level::Level;
use crate::run::part::pairs;

/// What was said to partner's bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Answer {
    Pass,
    Wait,
    /// Partner's suit again, by so many steps of ten.
    Raise(u16),
    /// All tricks in partner's suit.
    AllTricks(Level),
    OtherSuit,
    NoTrump,
    AllTrump,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pass => f.write_str("pass"),
            Self::Wait => f.write_str("wait"),
            Self::Raise(steps) => write!(f, "+{}", 10 * steps),
            Self::AllTricks(level) => level.fmt(f),
            Self::OtherSuit => f.write_str("another suit"),
            Self::NoTrump => f.write_str("SA"),
            Self::AllTrump => f.write_str("TA"),
        }
    }
}

/// Hands that answered alike.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Hands {
    jack: Share,
    nine: Share,
    ace: Share,
    trumps: Average,
    /// Aces of other suits.
    aces: Average,
    /// Whether the side declared.
    declared: Share,
    /// Of those contracts.
    made: Share,
    points: Average,
    /// The score of the side less that of the other, in all deals.
    difference: Average,
}

impl Merge for Hands {
    fn absorb(&mut self, other: &Self) {
        self.jack.absorb(&other.jack);
        self.nine.absorb(&other.nine);
        self.ace.absorb(&other.ace);
        self.trumps.absorb(&other.trumps);
        self.aces.absorb(&other.aces);
        self.declared.absorb(&other.declared);
        self.made.absorb(&other.made);
        self.points.absorb(&other.points);
        self.difference.absorb(&other.difference);
    }
}

/// The answers of one bot, by partner's opening; of any at `None`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Responses {
    #[serde(with = "pairs")]
    hands: BTreeMap<(Option<Level>, Answer), Hands>,
    /// How many answers there were.
    #[serde(with = "pairs")]
    count: BTreeMap<Option<Level>, Share>,
}

/// An answer to an opening in a suit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Response {
    pub(super) seat: Seat,
    opening: Level,
    suit: coinche_engine::Suit,
    answer: Answer,
}

/// Finds the answer of the opener's partner in an auction, where the player between has passed.
pub(super) fn response(auction: &[(Seat, Call)]) -> Option<Response> {
    let at = auction.iter().position(|(_, call)| !call.is_pass())?;
    let [(opener, Call::Bid(opening)), (_, between), (seat, call), ..] = auction.get(at..)? else {
        return None;
    };
    let suit = opening.strain.trump()?;
    if !between.is_pass() || *seat != opener.partner() {
        return None;
    }
    let answer = match call {
        Call::Pass => Answer::Pass,
        Call::Wait => Answer::Wait,
        Call::Bid(Bid { value, strain }) if *strain == opening.strain => {
            match (value.as_points(), opening.value.as_points()) {
                (Some(now), Some(before)) => Answer::Raise(now.saturating_sub(before).div_ceil(10)),
                _ => Answer::AllTricks(Level::of(Some(*value))),
            }
        }
        Call::Bid(Bid { strain: Strain::NoTrump, .. }) => Answer::NoTrump,
        Call::Bid(Bid { strain: Strain::AllTrump, .. }) => Answer::AllTrump,
        Call::Bid(_) => Answer::OtherSuit,
        Call::Coinche | Call::Surcoinche | Call::Take | Call::TakeIn(_) => return None,
    };
    Some(Response { seat: *seat, opening: Level::of(Some(opening.value)), suit, answer })
}

impl Responses {
    /// Adds an answer.
    pub(super) fn add(&mut self, unit: Unit, leg: &Leg<'_>, response: Response) {
        let Response { seat, opening, suit, answer } = response;
        let (hand, team) = (leg.hands[seat], seat.team());
        let trumps = hand.of(suit);
        let has = |rank: Rank| !(trumps & CardSet::rank(rank)).is_empty();
        let aces = (hand & CardSet::rank(Rank::Ace)).len() - usize::from(has(Rank::Ace));
        let whole = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        for opening in [None, Some(opening)] {
            self.count.entry(opening).or_default().add(unit, true);
            let hands = self.hands.entry((opening, answer)).or_default();
            hands.jack.add(unit, has(Rank::Jack));
            hands.nine.add(unit, has(Rank::Nine));
            hands.ace.add(unit, has(Rank::Ace));
            hands.trumps.add(unit, whole(trumps.len()));
            hands.aces.add(unit, whole(aces));
            let played = leg.played().filter(|played| played.declarers() == team);
            hands.declared.add(unit, played.is_some());
            if let Some(played) = played {
                hands.made.add(unit, played.made);
                hands.points.add(unit, played.card_points[team].into());
            }
            hands.difference.add(unit, leg.score[team] - leg.score[team.other()]);
        }
    }
}

impl Merge for Responses {
    fn absorb(&mut self, other: &Self) {
        self.hands.absorb(&other.hands);
        self.count.absorb(&other.count);
    }
}

/// Returns the tables: a short one over all openings, one of all figures.
pub(super) fn blocks(bots: &[(&str, &Responses)]) -> Vec<Block> {
    let short = [
        Column::text("bot"),
        Column::text("answer"),
        Column::count("hands"),
        Column::number("share"),
        Column::number("jack"),
        Column::number("nine"),
        Column::number("ace"),
        Column::number("trumps"),
        Column::number("aces").head("aces aside"),
        Column::estimate("made"),
        Column::number("card_points").head("points"),
    ];
    let full = [
        Column::text("bot"),
        Column::text("opening"),
        Column::text("answer"),
        Column::count("hands"),
        Column::estimate("share"),
        Column::estimate("jack"),
        Column::estimate("nine"),
        Column::estimate("ace"),
        Column::estimate("trumps"),
        Column::estimate("aces").head("aces aside"),
        Column::number("declared").head("declares"),
        Column::estimate("made"),
        Column::estimate("card_points").head("points"),
        Column::number("score_difference").head("difference"),
    ];
    let caption = "Responses to partner's suit opening after a pass in between: the hand's length and honours in that suit, its \
                   side aces, and how many of the side's contracts are made, with how many card points";
    let mut some = Table::new("answers", caption, &short);
    let mut all = Table::new("answers-all", "The same by partner's opening, with all figures", &full);
    for (bot, responses) in bots {
        for ((opening, answer), hands) in &responses.hands {
            let count = hands.jack.count();
            let share = responses.count.get(opening).and_then(|all| all.of_part(count));
            let name = [Cell::text(*bot), Cell::text(answer.to_string())];
            if opening.is_none() {
                let mut row = Vec::from(name.clone());
                row.extend([Cell::Count(count), Cell::maybe(share, |[share, ..]| Cell::Share(share))]);
                row.extend(
                    [&hands.jack, &hands.nine, &hands.ace].map(|has| Cell::maybe(has.share(), Cell::Share)),
                );
                row.extend(
                    [&hands.trumps, &hands.aces]
                        .map(|mean| Cell::maybe(mean.mean(), |mean| Cell::Plain(mean.mean))),
                );
                row.push(columns::share(&hands.made));
                row.push(Cell::maybe(hands.points.mean(), |mean| Cell::Plain(mean.mean)));
                some.rows.push(row);
            }
            let [bot, answer] = name;
            let opening = opening.map_or_else(|| "any".to_owned(), |level| level.to_string());
            let mut row = vec![bot, Cell::text(opening), answer, Cell::Count(count)];
            row.push(columns::shares(share));
            row.extend([&hands.jack, &hands.nine, &hands.ace].map(columns::share));
            row.extend([&hands.trumps, &hands.aces].map(columns::mean));
            row.push(Cell::maybe(hands.declared.share(), Cell::Share));
            row.push(columns::share(&hands.made));
            row.push(columns::mean(&hands.points));
            row.push(Cell::maybe(hands.difference.mean(), |mean| Cell::Plain(mean.mean)));
            all.rows.push(row);
        }
    }
    vec![Block::Table(some), Block::Folded(all)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(calls: &str) -> Option<String> {
        let calls = calls.split(' ').zip(0..).map(|(call, n)| (Seat::from_index(n), call.parse().unwrap()));
        let Response { seat, opening, answer, .. } = response(&calls.collect::<Vec<_>>())?;
        Some(format!("{seat} {opening} {answer}"))
    }

    #[test]
    fn answers_are_told_in_steps_of_ten() {
        let cases = [
            ("82H P 90H P P P", Some("2 82 +10")),
            ("P 82H P 100H P P P", Some("3 82 +20")),
            ("80H P P P", Some("2 80 pass")),
            ("80H W W P", Some("2 80 wait")),
            ("80H P CAPOTH P P P", Some("2 80 CAPOT")),
            ("80H P 90S P P P", Some("2 80 another suit")),
            ("80H P 90SA P P P", Some("2 80 SA")),
            ("80H 90S 100H P P P", None),
            ("80H X P P", None),
            ("80SA P 90SA P P P", None),
            ("TAKE", None),
            ("P P P P", None),
        ];
        for (calls, expected) in cases {
            assert_eq!(found(calls).as_deref(), expected, "{calls}");
        }
    }
}
