//! The opening leads, and their outcomes.

use coinche_inference::merge;
use coinche_selfplay::document::columns::{BOT, MADE, SIDE, STRAIN_KIND};
use coinche_selfplay::records::read::record::{Leg, Played};
use coinche_selfplay::{Block, Column, Table, measured, named};
use core::fmt;
use std::collections::BTreeMap;

use coinche_engine::{Call, Card, Rank, Seat, Strain, Suit};
use serde::{Deserialize, Serialize};

use super::cells::{Average, Share, Unit};
use crate::stats_hands::Kind;
use coinche_runs::job::pairs;

/// Whose suit the card is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Of {
    Trump,
    /// Bid by the partner.
    Partner,
    /// Bid by the leader.
    Own,
    /// Bid by an opponent.
    Opponents,
    Nobody,
}

/// The kind of a lead, for people: the first that applies.
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

/// A lead with all its properties.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Lead {
    kind: Kind,
    of: Of,
    /// The number of cards of the suit in the hand.
    length: usize,
    /// In print order.
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

merge! { Outcome { made, points, won } }

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

merge! { Leads { kinds, all, counts } }

/// Returns who has bid a suit, from the leader's view.
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

    /// Returns the share of the leads for a side with this outcome.
    fn share_of(&self, declares: bool, outcome: &Outcome) -> Option<[f64; 3]> {
        self.counts.get(&declares)?.of_part(outcome.made.count())
    }

    /// Adds the opening lead of a play.
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

impl fmt::Display for Of {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["trump", "partner's", "own", "opponents'", "nobody's"][*self as usize])
    }
}

const fn side_name(declares: bool) -> &'static str {
    if declares { "declarers" } else { "defenders" }
}

const LEADS: Column = named("leads", "leads");
const SHARE: Column = named("share", "share of all first leads for that side");
const FIRST_TRICK: Column = named("first_trick", "share in which the leader’s side takes the first trick");
const LEADERS_POINTS: Column =
    measured("card_points", "card points", "mean card points of the leader’s side");

/// Returns the tables: a short one by kind, one of all leads.
pub(super) fn blocks(bots: &[(&str, &Leads)]) -> Vec<Block> {
    let caption = "Opening leads: how often each is led, how often the declarers then make the contract (whoever leads), card \
                   points of the leader's side, and how often that side wins the first trick";
    let rows = bots.iter().flat_map(|(bot, leads)| {
        leads.kinds.iter().map(|((declares, kind), outcome)| (*bot, *leads, *declares, *kind, outcome))
    });
    let some = Table::of("leads", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(SIDE.head("leads for"), |(_, _, declares, ..)| side_name(*declares))
        .text(named("lead", "the first card, by kind").head("first card"), |(_, _, _, kind, _)| kind.name())
        .count(LEADS, |(.., outcome)| outcome.made.count())
        .share(SHARE, |(_, leads, declares, _, outcome)| leads.share_of(*declares, outcome))
        .rate(MADE, |(.., outcome)| &outcome.made)
        .mean(LEADERS_POINTS.head("points"), |(.., outcome)| &outcome.points)
        .share(FIRST_TRICK, |(.., outcome)| &outcome.won)
        .build();
    let caption = "Opening leads by whose suit it is, the leader's length in it, and rank";
    let rows = bots.iter().flat_map(|(bot, leads)| {
        leads.all.iter().map(|((declares, lead), outcome)| (*bot, *leads, *declares, *lead, outcome))
    });
    let length = measured("length", "1–8", "cards of that suit in the leader’s hand");
    let rank = named("rank", "rank of the card").head("card");
    let all = Table::of("leads-all", caption, rows)
        .text(BOT, |(bot, ..)| *bot)
        .text(SIDE.head("leads for"), |(_, _, declares, ..)| side_name(*declares))
        .text(STRAIN_KIND.head("strain"), |(_, _, _, lead, _)| lead.kind.name())
        .text(named("suit_of", "whose suit is led"), |(_, _, _, lead, _)| lead.of.to_string())
        .count(length, |(_, _, _, lead, _)| lead.length)
        .text(rank, |(_, _, _, lead, _)| Rank::NATURAL[lead.rank].letter())
        .count(LEADS, |(.., outcome)| outcome.made.count())
        .rate(SHARE, |(_, leads, declares, _, outcome)| leads.share_of(*declares, outcome))
        .rate(MADE, |(.., outcome)| &outcome.made)
        .mean(LEADERS_POINTS.head("points"), |(.., outcome)| &outcome.points)
        .rate(FIRST_TRICK, |(.., outcome)| &outcome.won)
        .build();
    vec![Block::Table(some), Block::Folded(all)]
}
