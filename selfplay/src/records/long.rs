//! Records as long tables: a row for each call, or for each card played.
//!
//! The lists of lists in a record are what few programs read well: in these tables every value has a column of one
//! type.

use crate::document::column::Column;
use crate::document::model::Cell;
use crate::records::pbn::Kept;

/// What has a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Long {
    /// A call of an auction.
    Calls,
    /// A card that was played.
    Cards,
}

impl Long {
    /// Returns the columns.
    pub fn columns(self) -> Vec<Column> {
        let mut columns = vec![
            Column::count("deal"),
            Column::count("leg"),
            Column::count("pairing"),
            Column::count("match"),
            Column::count("deal_in_match"),
        ];
        columns.extend(match self {
            Self::Calls => {
                vec![Column::count("turn"), Column::count("seat"), Column::text("bot"), Column::text("call")]
            }
            Self::Cards => vec![
                Column::count("trick"),
                Column::count("place"),
                Column::count("seat"),
                Column::text("bot"),
                Column::text("card"),
                Column::flag("wins_trick"),
            ],
        });
        columns
    }

    /// Returns the rows of a record.
    pub fn rows(self, kept: &Kept) -> Vec<Vec<Cell>> {
        let record = &kept.record;
        let first = [
            Cell::Count(record.deal),
            Cell::Count(record.leg.into()),
            Cell::maybe(kept.pairing, Cell::Count),
            Cell::maybe(record.game, Cell::Count),
            Cell::maybe(record.deal_in_match, Cell::Count),
        ];
        let bot = |seat| Cell::text(record.bots[seat].clone());
        let row = |more: Vec<Cell>| first.iter().cloned().chain(more).collect();
        match self {
            Self::Calls => {
                let calls = (1..).zip(&record.auction).map(|(turn, (seat, call))| {
                    let seat_cell = Cell::Count(seat.index() as u64);
                    row(vec![Cell::Count(turn), seat_cell, bot(*seat), Cell::text(call.to_string())])
                });
                calls.collect()
            }
            Self::Cards => {
                let tricks = (1..).zip(&record.tricks).flat_map(|(number, trick)| {
                    let cards = trick.leader.around().into_iter().zip(&trick.cards);
                    (1..)
                        .zip(cards)
                        .map(move |(place, (seat, card))| (number, place, seat, *card, trick.winner))
                });
                let rows = tricks.map(|(number, place, seat, card, winner)| {
                    row(vec![
                        Cell::Count(number),
                        Cell::Count(place),
                        Cell::Count(seat.index() as u64),
                        bot(seat),
                        Cell::text(card.to_string()),
                        Cell::Flag(seat == winner),
                    ])
                });
                rows.collect()
            }
        }
    }
}
