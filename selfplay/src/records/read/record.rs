//! A record as the statistics need it, read in one pass over its line.
//!
//! Nothing is replayed. Redundant fields must agree: cards, tricks, points, contract, score. A line where they do not is
//! rejected; `arena verify` checks whether a record obeys its rules.

use super::line::{ContractLine, Line, VERSION};
use super::words::{Aim, Name};
use super::{ReadRecordError, quick};
use crate::records::label::Label;
use coinche_engine::rules::DealMethod;
use coinche_engine::{
    Bid, BidValue, BySeat, ByTeam, Call, Card, CardSet, Contract, DealResult, Goal, RuleSet, Seat, Stake,
    Strain, Team, Trick,
};

/// A contract with its result.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// The bid, or the contract taken.
    pub aim: Aim,
    /// The last player who bid or took.
    pub declarer: Seat,
    /// The stake: normal, coinched or surcoinched.
    pub stake: Stake,
    /// Whether it was made, according to the record.
    pub made: bool,
    /// The tricks in order.
    pub tricks: [Trick; 8],
    /// The card points of each trick; the eighth includes those for the last trick.
    pub points: [u16; 8],
    /// The card points by team, with those for the last trick, without belotes and melds.
    pub card_points: ByTeam<u16>,
    /// The holder of king and queen of trumps, and whether the belote was announced.
    pub belote: Option<(Seat, bool)>,
    /// Points of melds that count, by team.
    pub melds: ByTeam<u16>,
    /// Whether melds were announced at all.
    pub any_melds: bool,
}

/// How a deal ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// A contract was played.
    Played(Box<Played>),
    /// All players passed.
    ThrownIn,
    /// A bot crashed, timed out or sent an unreadable answer: the deal is not counted.
    Forfeit,
}

/// One leg of a deal, from its record.
#[derive(Debug, Clone)]
pub struct Leg<'a> {
    /// Which leg of which deal or match it is.
    pub label: Label,
    dealer: Seat,
    /// The names of the bots, by seat.
    bots: [Name<'a>; 4],
    /// The hands when play began; of a turn-up deal that was passed out, the five cards dealt.
    pub hands: BySeat<CardSet>,
    /// The card turned up, in the turn-up game.
    pub turned: Option<Card>,
    /// The calls in order, with their seats.
    pub auction: Vec<(Seat, Call)>,
    /// The score of each team.
    pub score: ByTeam<i32>,
    /// How it ended.
    pub end: End,
}

impl<'a> Leg<'a> {
    /// Reads a line and checks its redundant fields. `same` is given the text of its rules, which usually equals `text`, and
    /// refuses other rules.
    ///
    /// # Errors
    ///
    /// When the line is not a record, its rules are others, or its fields disagree.
    pub fn read<E: From<ReadRecordError>>(
        line: &'a [u8],
        rules: &RuleSet,
        text: &'a str,
        same: impl FnOnce(&str) -> Result<(), E>,
    ) -> Result<Self, E> {
        let line = match quick::read(line, Some(text)) {
            Some(line) => line,
            None => Line::read(line).map_err(ReadRecordError::from)?,
        };
        if line.v != VERSION {
            return Err(ReadRecordError::Version(line.v).into());
        }
        same(line.rules.0)?;
        Ok(Self::of_line(line, rules)?)
    }

    fn of_line(mut line: Line<'a>, rules: &RuleSet) -> Result<Self, ReadRecordError> {
        let hands = BySeat(line.hands.map(|hand| hand.0));
        let forfeit = line.faults.iter().any(|fault| fault.kind.forfeits());
        // In place: both types have the same layout.
        let auction = core::mem::take(&mut line.auction);
        let auction: Vec<_> = auction.into_iter().map(|(place, call)| (place.0, call.0)).collect();
        let end = match (&line.contract, line.made) {
            _ if forfeit => End::Forfeit,
            (None, None) if line.tricks.count == 0 => End::ThrownIn,
            (Some(contract), Some(made)) => {
                End::Played(Box::new(Played::new(&line, contract, made, &auction, rules)?))
            }
            _ => return Err(ReadRecordError::HalfPlayed),
        };
        let is_part = rules.deal.method != DealMethod::Full && !matches!(end, End::Played(_));
        let cards = if is_part { rules.deal.packets.total() } else { 8 };
        let mut seen = CardSet::EMPTY;
        for (seat, hand) in hands.iter() {
            if hand.len() != cards && end != End::Forfeit {
                return Err(ReadRecordError::HandSize { seat, found: hand.len(), expected: cards });
            }
            if let Some(card) = (seen & *hand).first() {
                return Err(ReadRecordError::InTwoHands(card));
            }
            seen |= *hand;
        }
        let leg = Self {
            label: Label {
                deal: line.deal,
                leg: Some(line.leg),
                game: line.game,
                deal_in_match: line.deal_in_match,
                pairing: line.pairing,
            },
            dealer: line.dealer.0,
            bots: line.bots,
            hands,
            turned: line.turned.map(|card| card.0),
            auction,
            score: ByTeam(line.score),
            end,
        };
        Ok(leg)
    }

    /// Returns the name of the bot at a seat.
    pub fn bot(&self, seat: Seat) -> &str {
        &self.bots[seat.index()].0
    }

    /// Returns the contract that was played, if one was.
    pub const fn played(&self) -> Option<&Played> {
        match &self.end {
            End::Played(played) => Some(played),
            _ => None,
        }
    }

    /// Returns the position of a seat in the order of speaking, from 1; the dealer is 4.
    pub const fn position(&self, seat: Seat) -> u8 {
        match self.dealer.distance_to(seat) {
            0 => 4,
            1 => 1,
            2 => 2,
            _ => 3,
        }
    }
}

impl Played {
    fn new(
        line: &Line<'_>,
        ContractLine { bid, declarer, stake }: &ContractLine,
        made: bool,
        auction: &[(Seat, Call)],
        rules: &RuleSet,
    ) -> Result<Self, ReadRecordError> {
        let (aim, declarer, stake) = (bid.0, declarer.0, stake.0);
        check_contract(line, aim, declarer, stake, auction)?;
        if line.tricks.count != 8 {
            return Err(ReadRecordError::TrickCount(line.tricks.count));
        }
        let mut left = BySeat(line.hands.each_ref().map(|hand| hand.0));
        let (mut leader, mut won) = (line.dealer.0.next(), BySeat([0; 4]));
        let (mut card_points, mut points) = ([0; 2], [0; 8]);
        for (n, (trick, points)) in line.tricks.tricks.iter().zip(&mut points).enumerate() {
            if trick.leader != leader {
                return Err(ReadRecordError::Leader { trick: n + 1, seat: trick.leader, turn: leader });
            }
            for (seat, card) in leader.around().into_iter().zip(trick.cards) {
                if !left[seat].remove(card) {
                    return Err(ReadRecordError::NotHeld { trick: n + 1, seat, card });
                }
                *points += rules.cards.points(aim.strain, card);
            }
            if n == 7 {
                *points += rules.scoring.last_trick_in(aim.strain);
            }
            let all: CardSet = trick.cards.into_iter().collect();
            let trumps = aim.strain.trump().map_or(CardSet::EMPTY, |suit| all.of(suit));
            let race = if trumps.is_empty() { all.of(trick.cards[0].suit()) } else { trumps };
            let best = aim.strain.highest(race);
            if best != Some(trick.cards[leader.distance_to(trick.winner)]) {
                let place = trick.cards.iter().position(|card| best == Some(*card)).unwrap_or_default();
                let winner = leader.plus(place);
                return Err(ReadRecordError::Winner { trick: n + 1, seat: trick.winner, winner });
            }
            leader = trick.winner;
            won[leader] += 1;
            card_points[leader.team().index()] += *points;
        }
        let counted = [won.0[0] + won.0[2], won.0[1] + won.0[3]];
        if counted != line.tricks_won {
            return Err(ReadRecordError::TricksWon { told: line.tricks_won, counted });
        }
        if card_points != line.card_points {
            return Err(ReadRecordError::CardPoints { told: line.card_points, counted: card_points });
        }
        let mut melds = ByTeam([0; 2]);
        for meld in line.melds.iter().filter(|meld| meld.counts) {
            melds[meld.seat.0.team()] += meld.points;
        }
        let mut belotes = ByTeam([0; 2]);
        for belote in line.belote.iter().chain(&line.belotes).filter(|belote| belote.announced) {
            belotes[belote.seat.0.team()] += 20;
        }
        let goal = aim.value.map_or(Goal::Majority, Goal::Bid);
        let contract = Contract { declarer, strain: aim.strain, goal, stake };
        let result =
            DealResult { contract, card_points: ByTeam(card_points), tricks: won, belote: belotes, melds };
        let score = result.score(rules);
        if made != score.made {
            return Err(ReadRecordError::Made { told: made });
        }
        if line.score != score.points.0 {
            return Err(ReadRecordError::Score { told: line.score, counted: score.points.0 });
        }
        Ok(Self {
            aim,
            declarer,
            stake,
            made,
            tricks: line.tricks.tricks,
            points,
            card_points: ByTeam(card_points),
            belote: line.belote.as_ref().map(|belote| (belote.seat.0, belote.announced)),
            melds,
            any_melds: !line.melds.is_empty(),
        })
    }

    /// Returns the side that declares.
    pub const fn declarers(&self) -> Team {
        self.declarer.team()
    }

    /// Returns the number of tricks a seat took.
    pub fn tricks_of(&self, seat: Seat) -> usize {
        self.tricks.iter().filter(|trick| trick.winner == seat).count()
    }

    /// Returns the number of tricks a side took.
    pub fn tricks_of_team(&self, team: Team) -> usize {
        self.tricks.iter().filter(|trick| trick.winner.team() == team).count()
    }
}

/// Checks that the contract is the result of the auction.
fn check_contract(
    line: &Line<'_>,
    aim: Aim,
    declarer: Seat,
    stake: Stake,
    auction: &[(Seat, Call)],
) -> Result<(), ReadRecordError> {
    let said = auction.iter().rev().find_map(|(seat, call)| match call {
        Call::Bid(Bid { value, strain }) => {
            let value = Some(*value).filter(|value| *value != BidValue::NONE);
            Some((*seat, Aim { value, strain: *strain }))
        }
        Call::TakeIn(suit) => Some((*seat, Aim { value: None, strain: Strain::of(*suit) })),
        Call::Take => {
            let turned = line.turned.as_ref()?.0;
            Some((*seat, Aim { value: None, strain: Strain::of(turned.suit()) }))
        }
        Call::Pass | Call::Wait | Call::Coinche | Call::Surcoinche => None,
    });
    if said != Some((declarer, aim)) {
        return Err(ReadRecordError::NotTheLastBid);
    }
    let doubled = |wanted: Call| {
        auction
            .iter()
            .rev()
            .take_while(|(_, call)| !matches!(call, Call::Bid(_)))
            .any(|(_, call)| *call == wanted)
    };
    let heard = match (doubled(Call::Coinche), doubled(Call::Surcoinche)) {
        (_, true) => Stake::Surcoinche,
        (true, false) => Stake::Coinche,
        (false, false) => Stake::Plain,
    };
    if heard == stake { Ok(()) } else { Err(ReadRecordError::Stake { stake, heard }) }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::records::test_lines::lines;

    fn read(record: &Value, name: &str, rules: &RuleSet) -> Result<(), String> {
        let text = format!("\"{name}\"");
        let line = record.to_string();
        let read = Leg::read(line.as_bytes(), rules, &text, |_| Ok::<(), ReadRecordError>(()));
        read.map(drop).map_err(|error| error.to_string())
    }

    #[test]
    fn a_result_that_the_cards_do_not_give_is_refused() {
        for (name, rules) in RuleSet::ALL {
            let text = String::from_utf8(lines(name, ["random:pass=0.6", "rules"], 40)).unwrap();
            let mut played = 0;
            for record in text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()) {
                assert_eq!(read(&record, name, &rules), Ok(()), "{record}");
                if record["contract"].is_null() {
                    continue;
                }
                played += 1;
                let refused = |what: &str, change: &dyn Fn(&mut Value)| {
                    let mut record = record.clone();
                    change(&mut record);
                    let error = read(&record, name, &rules).unwrap_err();
                    assert!(error.contains(what), "{name}: {error}");
                };
                for team in [0, 1] {
                    refused("score is", &|record| {
                        record["score"][team] = json!(record["score"][team].as_i64().unwrap() + 10);
                    });
                }
                refused("made is", &|record| record["made"] = json!(!record["made"].as_bool().unwrap()));
                // The winner of the last trick, whom no lead gives away.
                refused("trick 8: seat", &|record| {
                    let winner = record["tricks"][7]["winner"].as_u64().unwrap();
                    record["tricks"][7]["winner"] = json!((winner + 2) % 4);
                });
            }
            assert!(played > 20, "{name}: {played}");
        }
    }
}
