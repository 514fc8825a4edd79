//! The meaning of responses to partner's opening.
//!
//! Partner has opened in a suit and the player between has passed; the bot's next call is counted. Its hand is
//! described in partner's suit.

use coinche_inference::merge;
use coinche_selfplay::document::columns::{BOT, CARD_POINTS, DECLARED, HANDS, MADE, SCORE_DIFFERENCE};
use coinche_selfplay::records::read::record::Leg;
use coinche_selfplay::{Block, Column, Table, named};
use core::fmt;
use std::collections::BTreeMap;

use coinche_engine::{Bid, Call, CardSet, Rank, Seat, Strain};
use serde::{Deserialize, Serialize};

use super::cells::{Average, Share, Unit};
use super::level::{Level, or_any};
use coinche_runs::job::pairs;

/// A response to partner's bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Answer {
    Pass,
    Wait,
    /// Partner's suit again, raised by this many steps of ten.
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

/// Hands with the same response.
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
    /// The score of the side less the other's, in all deals.
    difference: Average,
}

merge! { Hands { jack, nine, ace, trumps, aces, declared, made, points, difference } }

/// The responses of one bot, by partner's opening; `None` stands for any.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Responses {
    #[serde(with = "pairs")]
    hands: BTreeMap<(Option<Level>, Answer), Hands>,
    /// How often the response was given.
    #[serde(with = "pairs")]
    count: BTreeMap<Option<Level>, Share>,
}

merge! { Responses { hands, count } }

/// A response to an opening in a suit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Response {
    pub(super) seat: Seat,
    opening: Level,
    suit: coinche_engine::Suit,
    answer: Answer,
}

/// Finds the response of the opener's partner in an auction, if the player between has passed.
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
    /// Adds a response.
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

const ANSWER: Column = named("answer", "the answer");
const JACK: Column = named("jack", "share of the hands with that card of the suit");
const NINE: Column = named("nine", "share of the hands with that card of the suit");
const ACE: Column = named("ace", "share of the hands with that card of the suit");
const TRUMPS: Column = named("trumps", "mean number of cards in partner’s suit");
const MEAN_ACES: Column = named("aces", "mean number of aces of other suits");

/// Returns the tables: a short one over all openings, one of all figures.
pub(super) fn blocks(bots: &[(&str, &Responses)]) -> Vec<Block> {
    let caption = "Responses to partner's suit opening after a pass in between: the hand's length and honours in that suit, its \
                   side aces, and how many of the side's contracts are made, with how many card points";
    let rows = || {
        bots.iter().flat_map(|(bot, responses)| {
            responses.hands.iter().map(|((opening, answer), hands)| {
                let all = responses.count.get(opening);
                let share = all.and_then(|all| all.of_part(hands.jack.count()));
                (*bot, *opening, *answer, hands, share)
            })
        })
    };
    let some = Table::of("answers", caption, rows().filter(|(_, opening, ..)| opening.is_none()))
        .text(BOT, |(bot, ..)| *bot)
        .text(ANSWER, |(_, _, answer, ..)| answer.to_string())
        .count(HANDS, |(.., hands, _)| hands.jack.count())
        .share(named("share", "share of the answers (to this opening)"), |(.., share)| *share)
        .share(JACK, |(.., hands, _)| &hands.jack)
        .share(NINE, |(.., hands, _)| &hands.nine)
        .share(ACE, |(.., hands, _)| &hands.ace)
        .plain(TRUMPS, |(.., hands, _)| &hands.trumps)
        .plain(MEAN_ACES.head("aces aside"), |(.., hands, _)| &hands.aces)
        .rate(MADE, |(.., hands, _)| &hands.made)
        .plain(CARD_POINTS.head("points"), |(.., hands, _)| &hands.points)
        .build();
    let caption = "The same by partner's opening, with all figures";
    let all = Table::of("answers-all", caption, rows())
        .text(BOT, |(bot, ..)| *bot)
        .text(named("opening", "partner’s opening; `any` for all"), |(_, opening, ..)| or_any(*opening))
        .text(ANSWER, |(_, _, answer, ..)| answer.to_string())
        .count(HANDS, |(.., hands, _)| hands.jack.count())
        .rate(named("share", "share of the answers (to this opening)"), |(.., share)| *share)
        .rate(JACK, |(.., hands, _)| &hands.jack)
        .rate(NINE, |(.., hands, _)| &hands.nine)
        .rate(ACE, |(.., hands, _)| &hands.ace)
        .mean(TRUMPS, |(.., hands, _)| &hands.trumps)
        .mean(MEAN_ACES.head("aces aside"), |(.., hands, _)| &hands.aces)
        .share(DECLARED.head("declares"), |(.., hands, _)| &hands.declared)
        .rate(MADE, |(.., hands, _)| &hands.made)
        .mean(CARD_POINTS.head("points"), |(.., hands, _)| &hands.points)
        .plain(SCORE_DIFFERENCE.head("difference"), |(.., hands, _)| &hands.difference)
        .build();
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
