//! The first card of the play, and what comes of it.

use coinche_selfplay::document::column::Column;
use coinche_selfplay::document::model::{Block, Cell, Table};
use coinche_selfplay::records::read::record::{Leg, Played};
use core::fmt;
use std::collections::BTreeMap;

use coinche_engine::{Call, Card, Rank, Seat, Strain, Suit};
use serde::{Deserialize, Serialize};

use super::cells::{Average, Merge, Share, Unit};
use super::columns;
use crate::analysis::stats_hands::Kind;
use crate::run::part::pairs;

/// Whose suit the card is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Of {
    Trump,
    /// Partner has bid it.
    Partner,
    /// The leader has bid it.
    Own,
    /// An opponent has bid it.
    Opponents,
    Nobody,
}

/// The kind of a lead, for people: the first that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum LeadKind {
    Trump,
    PartnersSuit,
    LoneAce,
    Ace,
    Singleton,
    Ten,
    Honour,
    Low,
}

impl LeadKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Trump => "trump",
            Self::PartnersSuit => "partner's suit",
            Self::LoneAce => "lone ace",
            Self::Ace => "ace",
            Self::Singleton => "singleton",
            Self::Ten => "ten",
            Self::Honour => "king, queen, jack",
            Self::Low => "nine, eight, seven",
        }
    }
}

/// A lead with all that is told of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Lead {
    kind: Kind,
    of: Of,
    /// Cards of the suit in the hand.
    length: usize,
    /// In the order of print.
    rank: usize,
}

/// Leads of one kind.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Outcome {
    /// The contract, whoever declares.
    made: Share,
    /// Card points of the leader's side.
    points: Average,
    /// Whether the leader's side took the first trick.
    won: Share,
}

impl Merge for Outcome {
    fn absorb(&mut self, other: &Self) {
        self.made.absorb(&other.made);
        self.points.absorb(&other.points);
        self.won.absorb(&other.won);
    }
}

/// The leads of one bot; each key says first whether the leader's side declares.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Leads {
    #[serde(with = "pairs")]
    kinds: BTreeMap<(bool, LeadKind), Outcome>,
    #[serde(with = "pairs")]
    all: BTreeMap<(bool, Lead), Outcome>,
    #[serde(with = "pairs")]
    counts: BTreeMap<bool, Share>,
}

/// Who has bid a suit, as the leader sees it.
fn bidder(leg: &Leg<'_>, leader: Seat, suit: Suit) -> Of {
    let bid = |seats: &dyn Fn(Seat) -> bool| {
        let in_suit = |call: &Call| matches!(call, Call::Bid(bid) if bid.strain == Strain::of(suit));
        leg.auction.iter().any(|(seat, call)| in_suit(call) && seats(*seat))
    };
    match () {
        () if bid(&|seat| seat == leader.partner()) => Of::Partner,
        () if bid(&|seat| seat == leader) => Of::Own,
        () if bid(&|seat| seat.team() != leader.team()) => Of::Opponents,
        () => Of::Nobody,
    }
}

fn kind_of(of: Of, card: Card, length: usize) -> LeadKind {
    match (of, card.rank()) {
        (Of::Trump, _) => LeadKind::Trump,
        (Of::Partner, _) => LeadKind::PartnersSuit,
        (_, Rank::Ace) if length == 1 => LeadKind::LoneAce,
        (_, Rank::Ace) => LeadKind::Ace,
        _ if length == 1 => LeadKind::Singleton,
        (_, Rank::Ten) => LeadKind::Ten,
        (_, Rank::King | Rank::Queen | Rank::Jack) => LeadKind::Honour,
        (_, Rank::Nine | Rank::Eight | Rank::Seven) => LeadKind::Low,
    }
}

impl Leads {
    /// Tests if all ranks exist.
    pub(super) fn is_sound(&self) -> bool {
        self.all.keys().all(|(_, lead)| lead.rank < Rank::NATURAL.len())
    }

    /// Adds the first card of a play.
    pub(super) fn add(&mut self, unit: Unit, leg: &Leg<'_>, played: &Played) {
        let first = &played.tricks[0];
        let (leader, card) = (first.leader, first.cards[0]);
        let (suit, side) = (card.suit(), leader.team());
        let of = if played.aim.strain.trump() == Some(suit) { Of::Trump } else { bidder(leg, leader, suit) };
        let length = leg.hands[leader].of(suit).len();
        let declares = side == played.declarers();
        let kind = Kind::of(played.aim.strain);
        let lead = Lead { kind, of, length, rank: card.rank().natural_index() };
        self.counts.entry(declares).or_default().add(unit, true);
        let outcomes = [
            self.kinds.entry((declares, kind_of(of, card, length))).or_default(),
            self.all.entry((declares, lead)).or_default(),
        ];
        for outcome in outcomes {
            outcome.made.add(unit, played.made);
            outcome.points.add(unit, played.card_points[side].into());
            outcome.won.add(unit, first.winner.team() == side);
        }
    }
}

impl Merge for Leads {
    fn absorb(&mut self, other: &Self) {
        self.kinds.absorb(&other.kinds);
        self.all.absorb(&other.all);
        self.counts.absorb(&other.counts);
    }
}

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["trump", "partner's", "own", "opponents'", "nobody's"][*self as usize])
    }
}

const fn side_name(declares: bool) -> &'static str {
    if declares { "declarers" } else { "defenders" }
}

/// Returns the tables: a short one by kind, one of all leads.
pub(super) fn blocks(bots: &[(&str, &Leads)]) -> Vec<Block> {
    let heads = [
        Column::text("bot"),
        Column::text("side").head("leads for"),
        Column::text("lead").head("first card"),
        Column::count("leads"),
        Column::number("share"),
        Column::estimate("made"),
        Column::estimate("card_points").head("points"),
        Column::number("first_trick"),
    ];
    let full = [
        Column::text("bot"),
        Column::text("side").head("leads for"),
        Column::text("strain_kind").head("strain"),
        Column::text("suit_of"),
        Column::count("length"),
        Column::text("rank").head("card"),
        Column::count("leads"),
        Column::estimate("share"),
        Column::estimate("made"),
        Column::estimate("card_points").head("points"),
        Column::estimate("first_trick"),
    ];
    let caption = "Opening leads: how often each is led, how often the declarers then make the contract (whoever leads), card \
                   points of the leader's side, and how often that side wins the first trick";
    let mut some = Table::new("leads", caption, &heads);
    let caption = "Opening leads by whose suit it is, the leader's length in it, and rank";
    let mut all = Table::new("leads-all", caption, &full);
    for (bot, leads) in bots {
        let share =
            |declares: bool, outcome: &Outcome| leads.counts.get(&declares)?.of_part(outcome.made.count());
        for ((declares, kind), outcome) in &leads.kinds {
            let mut row = vec![Cell::text(*bot), Cell::text(side_name(*declares)), Cell::text(kind.name())];
            row.push(Cell::Count(outcome.made.count()));
            row.push(Cell::maybe(share(*declares, outcome), |[share, ..]| Cell::Share(share)));
            row.push(columns::share(&outcome.made));
            row.push(columns::mean(&outcome.points));
            row.push(Cell::maybe(outcome.won.share(), Cell::Share));
            some.rows.push(row);
        }
        for ((declares, lead), outcome) in &leads.all {
            let mut row =
                vec![Cell::text(*bot), Cell::text(side_name(*declares)), Cell::text(lead.kind.name())];
            row.extend([Cell::text(lead.of.to_string()), Cell::Count(lead.length as u64)]);
            row.push(Cell::text(Rank::NATURAL[lead.rank].letter().to_string()));
            row.push(Cell::Count(outcome.made.count()));
            row.push(columns::shares(share(*declares, outcome)));
            row.push(columns::share(&outcome.made));
            row.push(columns::mean(&outcome.points));
            row.push(columns::share(&outcome.won));
            all.rows.push(row);
        }
    }
    vec![Block::Table(some), Block::Folded(all)]
}
