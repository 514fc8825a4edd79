//! Records as long tables: one row per call, per card played, or per hand.
//!
//! Few programs read the nested lists of a record well: in these tables every column has values of one type.

use coinche_engine::{Call, Card, Seat};

use crate::document::column::{Column, measured, named};
use crate::document::columns::{BOT, CALL, CARD, DEAL, LEG, MATCH, PAIRING, PLACE, SEAT, TRICK};
use crate::document::field::TableOf;
use crate::document::model::{Cell, Table};
use crate::records::pbn::Kept;

/// The subject of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Long {
    /// A call of an auction.
    Calls,
    /// A card that was played.
    Cards,
    /// The hand that a seat held.
    Hands,
}

/// Rows of a record.
type Rows<'a, Row> = Vec<(&'a Kept, Row)>;

/// Starts a table with the columns that identify the leg of a row.
fn of_leg<'a, Row: 'a>(rows: Rows<'a, Row>) -> TableOf<'a, Rows<'a, Row>> {
    let deal_in_match = "number of the deal in its match; empty without `--match`";
    Table::of("", "", rows)
        .count(DEAL, |(kept, _)| kept.record.deal)
        .count(LEG, |(kept, _)| kept.record.leg)
        .count(PAIRING, |(kept, _)| kept.pairing)
        .count(MATCH, |(kept, _)| kept.record.game)
        .count(measured("deal_in_match", "from 0", deal_in_match), |(kept, _)| kept.record.deal_in_match)
}

/// Returns the table of calls.
fn calls(rows: Rows<'_, (u64, Seat, Call)>) -> Table {
    of_leg(rows)
        .count(measured("turn", "from 1", "place of the call in the auction"), |(_, (turn, ..))| *turn)
        .count(SEAT, |(_, (_, seat, _))| *seat)
        .text(BOT, |(kept, (_, seat, _))| kept.record.bots[*seat].clone())
        .text(CALL.about("the call, as in records: `80H`"), |(_, (.., call))| call.to_string())
        .build()
}

/// Returns the table of cards: trick, place in it, seat, card and winner.
fn cards(rows: Rows<'_, (u64, u64, Seat, Card, Seat)>) -> Table {
    of_leg(rows)
        .count(TRICK, |(_, (trick, ..))| *trick)
        .count(PLACE, |(_, (_, place, ..))| *place)
        .count(SEAT, |(_, (_, _, seat, ..))| *seat)
        .text(BOT, |(kept, (_, _, seat, ..))| kept.record.bots[*seat].clone())
        .text(CARD, |(_, (.., card, _))| card.to_string())
        .flag(named("wins_trick", "whether the card takes the trick"), |(_, (.., seat, _, winner))| {
            seat == winner
        })
        .build()
}

/// Returns the table of hands: who held which cards, and what came of the deal.
fn hands(rows: Rows<'_, Seat>) -> Table {
    let hand = "the cards with which play began, `8S KH …`; the cards dealt, where the deal was passed out";
    let contract = "the contract, as in records: `80H`; empty where the deal was passed out";
    let own = "score of the seat’s side in the deal";
    let score = |(kept, seat): &(&Kept, Seat), own: bool| {
        let team = if own { seat.team() } else { seat.team().other() };
        f64::from(kept.record.score[team])
    };
    of_leg(rows)
        .count(SEAT, |(_, seat)| *seat)
        .text(BOT, |(kept, seat)| kept.record.bots[*seat].clone())
        .count(named("dealer", "the seat that dealt"), |(kept, _)| kept.record.dealer)
        .text(named("hand", hand), |(kept, seat)| kept.record.hands[*seat].to_string())
        .text(named("contract", contract), |(kept, _)| Some(kept.record.contract?.bid_code()))
        .flag(named("declares", "whether the seat’s side declares"), |(kept, seat)| {
            kept.record.contract.is_some_and(|contract| contract.declarer.team() == seat.team())
        })
        .plain(measured("own_score", "points", own), move |row| score(row, true))
        .plain(measured("other_score", "points", "score of the other side"), move |row| score(row, false))
        .build()
}

impl Long {
    /// Returns the columns.
    pub fn columns(self) -> Vec<Column> {
        match self {
            Self::Calls => calls(Vec::new()).columns,
            Self::Cards => cards(Vec::new()).columns,
            Self::Hands => hands(Vec::new()).columns,
        }
    }

    /// Returns the rows of a record.
    pub fn rows(self, kept: &Kept) -> Vec<Vec<Cell>> {
        let record = &kept.record;
        match self {
            Self::Hands => hands(Seat::ALL.map(|seat| (kept, seat)).into()).rows,
            Self::Calls => {
                let rows =
                    (1..).zip(&record.auction).map(|(turn, (seat, call))| (kept, (turn, *seat, *call)));
                calls(rows.collect()).rows
            }
            Self::Cards => {
                let rows = (1..).zip(&record.tricks).flat_map(|(number, trick)| {
                    let cards = trick.leader.around().into_iter().zip(&trick.cards);
                    (1..)
                        .zip(cards)
                        .map(move |(place, (seat, card))| (kept, (number, place, seat, *card, trick.winner)))
                });
                cards(rows.collect()).rows
            }
        }
    }
}
