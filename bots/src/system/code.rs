//! Expressions compiled: a list of steps that refer to each other by number, and their values.

use coinche_engine::rules::CardRules;
use coinche_engine::{CardSet, Rank, Strain, Suit};

use super::auction::Moment;
use super::syntax::{Function, Sign};
use super::words::{About, Word};

/// The number of a step.
pub(super) type Id = u16;

/// A step: conditions are 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Number(i32),
    Cards(u8),
    Word(Word),
    Not(Id),
    Minus(Id),
    Binary(Sign, Id, Id),
    In(Id, Id, Id),
    /// A function of one argument: where it is looked at.
    Look(Function, Id),
    Min(Id, Id),
    Max(Id, Id),
    If(Id, Id, Id),
    /// A weight if the trump suit has this rank.
    Trump(Rank, Id),
    /// A weight for each card of this rank beside.
    Side(Rank, Id),
}

/// The hand of one seat as the rules of a system look at it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hand {
    pub(super) cards: CardSet,
    pub(super) melds: i32,
}

/// What is asked: a hand at a moment.
pub(super) struct Eval<'a> {
    pub(super) ops: &'a [Op],
    pub(super) moment: &'a Moment,
    pub(super) card_rules: &'a CardRules,
    pub(super) hand: Hand,
}

/// What is looked up where a rule's call is chosen.
pub(super) trait Values {
    /// The value of a step in a strain.
    fn value(&self, id: Id, strain: Option<Strain>) -> i32;
    /// The cards of the hand, with the one turned up.
    fn cards(&self) -> CardSet;
    fn moment(&self) -> &Moment;
}

impl Values for Eval<'_> {
    fn value(&self, id: Id, strain: Option<Strain>) -> i32 {
        Eval::value(self, id, strain)
    }

    fn cards(&self) -> CardSet {
        self.hand.cards
    }

    fn moment(&self) -> &Moment {
        self.moment
    }
}

fn count(cards: CardSet) -> i32 {
    cards.bits().count_ones().cast_signed()
}

impl Eval<'_> {
    /// Returns the value of a step in a strain.
    pub(super) fn value(&self, id: Id, strain: Option<Strain>) -> i32 {
        let value = |id| self.value(id, strain);
        match self.ops[usize::from(id)] {
            Op::Number(number) => number,
            Op::Cards(ranks) => match strain.and_then(Strain::trump) {
                Some(suit) => i32::from(byte(self.hand.cards, suit) & ranks == ranks),
                None => 0,
            },
            Op::Word(word) => self.word(word, strain),
            Op::Not(id) => i32::from(value(id) == 0),
            Op::Minus(id) => -value(id),
            Op::Binary(Sign::And, a, b) => i32::from(value(a) != 0 && value(b) != 0),
            Op::Binary(Sign::Or, a, b) => i32::from(value(a) != 0 || value(b) != 0),
            Op::Binary(sign, a, b) => binary(sign, value(a), value(b)),
            Op::In(what, low, high) => i32::from((value(low)..=value(high)).contains(&value(what))),
            Op::Look(function, id) => self.look(function, id, strain),
            Op::Min(a, b) => value(a).min(value(b)),
            Op::Max(a, b) => value(a).max(value(b)),
            Op::If(condition, a, b) => value(if value(condition) == 0 { b } else { a }),
            Op::Trump(rank, weight) => match strain.and_then(Strain::trump) {
                Some(suit) if byte(self.hand.cards, suit) >> rank.index() & 1 == 1 => value(weight),
                _ => 0,
            },
            Op::Side(rank, weight) => value(weight).saturating_mul(self.beside(rank, strain)),
        }
    }

    fn look(&self, function: Function, id: Id, strain: Option<Strain>) -> i32 {
        let own = strain.and_then(Strain::trump);
        let in_suits = || Suit::ALL.into_iter().map(|suit| self.value(id, Some(Strain::of(suit))));
        let in_others = || {
            let others = Suit::ALL.into_iter().filter(move |suit| Some(*suit) != own);
            others.map(|suit| self.value(id, Some(Strain::of(suit))))
        };
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let at = |strain: Option<Strain>| strain.map_or(0, |strain| self.value(id, Some(strain)));
        match function {
            Function::Any => i32::from(in_suits().any(|value| value != 0)),
            Function::Every => i32::from(in_suits().all(|value| value != 0)),
            Function::Count => number(in_suits().filter(|value| *value != 0).count()),
            Function::Most => in_suits().max().unwrap_or(0),
            Function::Others => number(in_others().filter(|value| *value != 0).count()),
            Function::MostOther => in_others().max().unwrap_or(0),
            Function::Partner => at(self.moment.partner),
            Function::Mine => at(self.moment.mine),
            Function::Theirs => at(self.moment.theirs),
            Function::Contract => at(self.moment.contract),
            Function::Turned => at(self.moment.turned.map(Strain::of)),
            Function::Min | Function::Max | Function::If => 0,
        }
    }

    /// How many cards of a rank there are beside the trump suit.
    fn beside(&self, rank: Rank, strain: Option<Strain>) -> i32 {
        count(self.side(strain) & CardSet::rank(rank))
    }

    /// The cards beside the trump suit.
    fn side(&self, strain: Option<Strain>) -> CardSet {
        let trump = strain.and_then(Strain::trump);
        trump.map_or(self.hand.cards, |suit| self.hand.cards - CardSet::suit(suit))
    }

    pub(super) fn word(&self, word: Word, strain: Option<Strain>) -> i32 {
        if let About::Auction | About::Rules = word.about() {
            return self.moment.words[word as usize];
        }
        let cards = self.hand.cards;
        let trump = strain.and_then(Strain::trump);
        let lengths = |of: u32| {
            let beside = Suit::ALL.into_iter().filter(|suit| Some(*suit) != trump);
            i32::try_from(beside.filter(|suit| byte(cards, *suit).count_ones() == of).count()).unwrap_or(0)
        };
        let plain = strain.unwrap_or(Strain::NoTrump);
        let said = |strains: u8| i32::from(strain.is_some_and(|strain| strains >> strain.index() & 1 == 1));
        match word {
            Word::Trumps | Word::Length => trump.map_or(0, |suit| count(cards.of(suit))),
            Word::Belote => i32::from(trump.is_some_and(|suit| byte(cards, suit) & COUPLE == COUPLE)),
            Word::TrumpPoints => {
                trump.map_or(0, |suit| i32::from(self.card_rules.points_of(Strain::of(suit), cards.of(suit))))
            }
            Word::Aces => self.beside(Rank::Ace, strain),
            Word::Tens => self.beside(Rank::Ten, strain),
            Word::GuardedTens => {
                let tens = self.side(strain) & CardSet::rank(Rank::Ten);
                tens.into_iter().filter(|ten| cards.of(ten.suit()).len() > 1).map(|_| 1).sum()
            }
            Word::Kings => self.beside(Rank::King, strain),
            Word::Queens => self.beside(Rank::Queen, strain),
            Word::Jacks => self.beside(Rank::Jack, strain),
            Word::Nines => self.beside(Rank::Nine, strain),
            Word::Voids => lengths(0),
            Word::Singletons => lengths(1),
            Word::Doubletons => lengths(2),
            Word::Longest => {
                let beside = Suit::ALL.into_iter().filter(|suit| Some(*suit) != trump);
                beside.map(|suit| count(cards.of(suit))).max().unwrap_or(0)
            }
            Word::SideMasters => count(plain.masters(cards, !cards) & self.side(strain)),
            Word::Masters => count(plain.masters(cards, !cards)),
            Word::Losers => count(cards) - count(plain.masters(cards, !cards)),
            Word::Points => i32::from(self.card_rules.points_of(plain, cards)),
            Word::Melds => self.hand.melds,
            Word::Cards => count(cards),
            Word::IsSuit => i32::from(trump.is_some()),
            Word::IsSa => i32::from(strain == Some(Strain::NoTrump)),
            Word::IsTa => i32::from(strain == Some(Strain::AllTrump)),
            Word::IsTurned => i32::from(trump.is_some() && trump == self.moment.turned),
            Word::OfPartner => said(self.moment.of_partner),
            Word::OfMine => said(self.moment.of_mine),
            Word::OfTheirs => said(self.moment.of_theirs),
            Word::IsNew => {
                i32::from(said(self.moment.of_partner | self.moment.of_mine | self.moment.of_theirs) == 0)
            }
            _ => 0,
        }
    }
}

/// What a step is where only some words are known, whatever the others are; `None` where it depends on them.
pub(super) fn known(ops: &[Op], id: Id, word: &dyn Fn(Word) -> Option<i32>) -> Option<i32> {
    let value = |id| known(ops, id, word);
    match ops[usize::from(id)] {
        Op::Number(number) => Some(number),
        Op::Word(of) => word(of),
        Op::Not(id) => value(id).map(|value| i32::from(value == 0)),
        Op::Minus(id) => value(id).map(|value| -value),
        Op::Binary(sign, a, b) => match (sign, value(a), value(b)) {
            (Sign::And, Some(0), _) | (Sign::And, _, Some(0)) => Some(0),
            (Sign::Or, Some(1), _) | (Sign::Or, _, Some(1)) => Some(1),
            (_, Some(a), Some(b)) => Some(binary(sign, a, b)),
            _ => None,
        },
        Op::In(what, low, high) => {
            let (what, low, high) = (value(what)?, value(low)?, value(high)?);
            Some(i32::from((low..=high).contains(&what)))
        }
        Op::Min(a, b) => Some(value(a)?.min(value(b)?)),
        Op::Max(a, b) => Some(value(a)?.max(value(b)?)),
        Op::If(condition, a, b) => value(if value(condition)? == 0 { b } else { a }),
        Op::Cards(_) | Op::Look(..) | Op::Trump(..) | Op::Side(..) => None,
    }
}

impl Op {
    /// Returns the step without those that it refers to, and these.
    const fn parts(self) -> (Self, [Option<Id>; 3]) {
        match self {
            Self::Number(_) | Self::Cards(_) | Self::Word(_) => (self, [None; 3]),
            Self::Not(a) => (Self::Not(0), [Some(a), None, None]),
            Self::Minus(a) => (Self::Minus(0), [Some(a), None, None]),
            Self::Binary(sign, a, b) => (Self::Binary(sign, 0, 0), [Some(a), Some(b), None]),
            Self::In(a, b, c) => (Self::In(0, 0, 0), [Some(a), Some(b), Some(c)]),
            Self::Look(function, a) => (Self::Look(function, 0), [Some(a), None, None]),
            Self::Min(a, b) => (Self::Min(0, 0), [Some(a), Some(b), None]),
            Self::Max(a, b) => (Self::Max(0, 0), [Some(a), Some(b), None]),
            Self::If(a, b, c) => (Self::If(0, 0, 0), [Some(a), Some(b), Some(c)]),
            Self::Trump(rank, a) => (Self::Trump(rank, 0), [Some(a), None, None]),
            Self::Side(rank, a) => (Self::Side(rank, 0), [Some(a), None, None]),
        }
    }
}

/// Tests if a step of some is the same expression as one of others.
pub(super) fn is_same(ops: &[Op], id: Id, others: &[Op], other: Id) -> bool {
    let (ours, theirs) = (ops[usize::from(id)].parts(), others[usize::from(other)].parts());
    let same = |(id, other): (&Option<Id>, &Option<Id>)| match (id, other) {
        (Some(id), Some(other)) => is_same(ops, *id, others, *other),
        (id, other) => id == other,
    };
    ours.0 == theirs.0 && ours.1.iter().zip(&theirs.1).all(same)
}

/// King and queen in the byte of a suit.
const COUPLE: u8 = 1 << Rank::Queen as u8 | 1 << Rank::King as u8;

/// The cards of a suit as a byte, by [`Rank::index`].
pub(super) const fn byte(cards: CardSet, suit: Suit) -> u8 {
    (cards.bits() >> (8 * suit as u32) & 0xff).to_le_bytes()[0]
}

/// Numbers do not overflow: they stay at the ends of what there is.
pub(super) const fn binary(sign: Sign, a: i32, b: i32) -> i32 {
    match sign {
        Sign::Or => (a != 0 || b != 0) as i32,
        Sign::And => (a != 0 && b != 0) as i32,
        Sign::Less => (a < b) as i32,
        Sign::AtMost => (a <= b) as i32,
        Sign::More => (a > b) as i32,
        Sign::AtLeast => (a >= b) as i32,
        Sign::Equal => (a == b) as i32,
        Sign::Unequal => (a != b) as i32,
        Sign::Plus => a.saturating_add(b),
        Sign::Minus => a.saturating_sub(b),
        Sign::Times => a.saturating_mul(b),
        // Rounded down, also below 0: 70 + n / 10 * 10 is a level.
        Sign::Over => {
            if b > 0 {
                a.div_euclid(b)
            } else {
                0
            }
        }
    }
}
