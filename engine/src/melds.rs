//! Sequences and carrés: finding, choosing, comparing (`docs/rules.md`, "Melds").

use core::cmp::Reverse;
use core::fmt;

use crate::rules::{Announce, MeldContest, MeldEqual, MeldRules, MeldTie};
use crate::{BySeat, ByTeam, Card, CardSet, Rank, Seat, Strain, Suit, Team};

/// What is public of a meld when it is announced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MeldKind {
    /// Three cards in a row.
    Tierce,
    /// Four cards in a row.
    Fifty,
    /// Five or more cards in a row.
    Hundred,
    /// Four of a rank.
    Carre,
}

impl MeldKind {
    /// The four kinds.
    pub const ALL: [Self; 4] = [Self::Tierce, Self::Fifty, Self::Hundred, Self::Carre];

    /// Returns the name in records: `tierce`, `fifty`, `hundred` or `carre`.
    pub const fn name(self) -> &'static str {
        ["tierce", "fifty", "hundred", "carre"][self as usize]
    }
}

impl fmt::Display for MeldKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

from_text! {
    /// Reads the name in records, as [`MeldKind::name`] has it.
    MeldKind, ParseMeldKindError, "`{0}` is not a kind of meld: expected tierce, fifty, hundred or carre",
    |text| Self::ALL.into_iter().find(|kind| kind.name() == text)
}

/// A sequence or a carré.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Meld {
    /// Its kind.
    pub kind: MeldKind,
    /// Its cards.
    pub cards: CardSet,
}

impl Meld {
    /// Returns the meld of these cards, or `None` when they are none.
    pub fn of(cards: CardSet) -> Option<Self> {
        let first = cards.first()?;
        let kind = if cards == CardSet::rank(first.rank()) {
            MeldKind::Carre
        } else if !cards.is_subset(CardSet::suit(first.suit())) {
            return None;
        } else {
            let run = natural_byte(cards, first.suit());
            let in_a_row = run >> run.trailing_zeros() == (1u32 << cards.len()) - 1;
            match cards.len() {
                _ if !in_a_row => return None,
                0..=2 => return None,
                3 => MeldKind::Tierce,
                4 => MeldKind::Fifty,
                _ => MeldKind::Hundred,
            }
        };
        Some(Self { kind, cards })
    }

    /// Returns the points of the meld; 0 for a carré that is none under the rules.
    pub fn points(&self, rules: &MeldRules) -> u16 {
        match self.kind {
            MeldKind::Tierce => 20,
            MeldKind::Fifty => 50,
            MeldKind::Hundred => 100,
            MeldKind::Carre => match self.top() {
                Rank::Jack => 200,
                Rank::Nine => 150,
                Rank::Ace => rules.carre_of_aces,
                Rank::Ten | Rank::King | Rank::Queen => 100,
                Rank::Eight | Rank::Seven => 0,
            },
        }
    }

    /// Returns the rank of a carré, the top rank of a sequence.
    fn top(&self) -> Rank {
        match self.kind {
            MeldKind::Carre => self.cards.first().expect("a meld has cards").rank(),
            _ => self.cards.natural().last().expect("a meld has cards").rank(),
        }
    }

    /// The order of carrés among themselves: J, 9, then A T K Q.
    fn carre_order(&self) -> u8 {
        match self.top() {
            Rank::Jack => 5,
            Rank::Nine => 4,
            Rank::Ace => 3,
            Rank::Ten => 2,
            Rank::King => 1,
            _ => 0,
        }
    }

    /// The strength of a sequence in the contest by kind: the longer, then the higher top card.
    fn sequence_strength(&self) -> (usize, usize) {
        (self.cards.len(), self.top().natural_index())
    }

    /// The strength of any meld in the contest by points.
    fn strength(&self, rules: &MeldRules, strain: Strain) -> Strength {
        let points = self.points(rules);
        if self.kind == MeldKind::Carre {
            return (points, true, 0, self.carre_order().into());
        }
        let suit = self.cards.first().expect("a meld has cards").suit();
        let (trumps, top) = (strain.orders_as_trump(suit).into(), self.top().natural_index());
        let (first, then) = if rules.equal == MeldEqual::Trumps { (trumps, top) } else { (top, trumps) };
        (points, false, first, then)
    }
}

/// What melds are compared by, in this order: points (or length), carré, trumps and top card as the rules have it.
type Strength = (u16, bool, usize, usize);

/// The melds that one player announces: at most two, in no card in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Melds([Option<Meld>; 2]);

impl Melds {
    /// No meld.
    pub const NONE: Self = Self([None; 2]);

    /// Iterates over the melds.
    pub fn iter(&self) -> impl Iterator<Item = Meld> + use<> {
        self.0.into_iter().flatten()
    }

    /// Tests if there is none.
    pub const fn is_empty(&self) -> bool {
        self.0[0].is_none()
    }

    /// Returns the points of all.
    pub fn points(&self, rules: &MeldRules) -> u16 {
        self.iter().map(|meld| meld.points(rules)).sum()
    }

    /// Returns the points of both teams.
    pub fn points_of(rules: &MeldRules, melds: &BySeat<Self>) -> ByTeam<u16> {
        let of = |seat: Seat| melds[seat].points(rules);
        ByTeam::from_fn(|team| team.seats().map(of).iter().sum())
    }

    /// Returns all cards of the melds.
    pub fn cards(&self) -> CardSet {
        self.iter().fold(CardSet::EMPTY, |cards, meld| cards | meld.cards)
    }

    /// Collects melds, or returns `None` for more than two or for a card used twice.
    pub fn from_melds(melds: &[Meld]) -> Option<Self> {
        let mut list = [None; 2];
        for (slot, meld) in list.iter_mut().zip(melds) {
            *slot = Some(*meld);
        }
        let cards: usize = melds.iter().map(|meld| meld.cards.len()).sum();
        let this = Self(list);
        (melds.len() <= 2 && this.cards().len() == cards).then_some(this)
    }

    /// Returns melds of these kinds without their cards, which others do not see, but for those that score;
    /// `None` of more than two.
    pub(crate) fn announced(kinds: &[MeldKind], scored: Self) -> Option<Self> {
        let mut list = [None; 2];
        let mut shown = scored.iter().peekable();
        for (n, kind) in kinds.iter().enumerate() {
            let meld = shown.next_if(|meld| meld.kind == *kind);
            *list.get_mut(n)? = Some(meld.unwrap_or(Meld { kind: *kind, cards: CardSet::EMPTY }));
        }
        Some(Self(list))
    }

    /// Returns all announcements that the rules leave to a hand of eight cards, the default first.
    ///
    /// There is more than one only where a carré and a sequence share a card, or where the holder of melds may keep
    /// silent (`melds.announce = voluntary`). The default is the one with the most points, then the one with the
    /// carré. A hand without melds has the one empty choice.
    pub fn options(rules: &MeldRules, hand: CardSet) -> Vec<Self> {
        let carres: Vec<Meld> = Rank::ALL
            .into_iter()
            .map(CardSet::rank)
            .filter(|cards| cards.is_subset(hand))
            .filter_map(Meld::of)
            .filter(|meld| meld.points(rules) > 0)
            .collect();
        let runs = |cards: CardSet| -> Vec<Meld> {
            Suit::ALL.into_iter().flat_map(|suit| runs_of(cards, suit)).collect()
        };
        let whole = runs(hand);
        // Each subset of the carrés may be kept whole; the runs are then made of the other cards.
        let mut options: Vec<Self> = (0..1usize << carres.len())
            .filter_map(|keep| {
                let kept: Vec<Meld> = (0..carres.len())
                    .filter(|index| keep >> index & 1 != 0)
                    .map(|index| carres[index])
                    .collect();
                let used = kept.iter().fold(CardSet::EMPTY, |used, meld| used | meld.cards);
                let mut melds = kept;
                melds.extend(runs(hand - used));
                Self::from_melds(&melds)
            })
            .collect();
        // A choice that only leaves a meld out is none: each carré not kept must share a card with a
        // run that is announced.
        options.retain(|option| {
            carres.iter().all(|carre| {
                option.iter().any(|meld| meld == *carre)
                    || option.iter().any(|meld| !meld.cards.is_disjoint(carre.cards))
            })
        });
        debug_assert!(!options.is_empty() && (carres.len() + whole.len() == 0) == options[0].is_empty());
        if rules.announce == Announce::Voluntary && !options[0].is_empty() {
            options.push(Self::NONE);
        }
        options.sort_by_key(|option| {
            let carres = option.iter().filter(|meld| meld.kind == MeldKind::Carre).count();
            Reverse((option.points(rules), carres))
        });
        options
    }

    /// Returns the default announcement of a hand: the first of [`Melds::options`].
    #[inline]
    pub fn best(rules: &MeldRules, hand: CardSet) -> Self {
        if may_meld(hand) { Self::options(rules, hand)[0] } else { Self::NONE }
    }

    /// Returns which of the announced melds score, by seat: those of the side that wins the contest. The leader announces first.
    pub fn contest(rules: &MeldRules, strain: Strain, leader: Seat, melds: BySeat<Self>) -> BySeat<Self> {
        let winner = |strength: &dyn Fn(&Meld) -> Option<Strength>| -> Option<Team> {
            let best = |seat: Seat| melds[seat].iter().filter_map(|meld| strength(&meld)).max();
            let strongest = Seat::ALL.into_iter().filter_map(best).max()?;
            let mut holders = leader.around().into_iter().filter(|seat| best(*seat) == Some(strongest));
            let team = holders.next()?.team();
            (rules.tie == MeldTie::First || holders.all(|seat| seat.team() == team)).then_some(team)
        };
        let is_carre = |meld: &Meld| meld.kind == MeldKind::Carre;
        let scores: [Option<Team>; 2] = match rules.contest {
            MeldContest::ByPoints => [winner(&|meld| Some(meld.strength(rules, strain))); 2],
            MeldContest::ByKind => [
                winner(&|meld| {
                    let (len, top) = meld.sequence_strength();
                    (!is_carre(meld)).then_some((len.to_le_bytes()[0].into(), false, 0, top))
                }),
                winner(&|meld| is_carre(meld).then_some((meld.carre_order().into(), false, 0, 0))),
            ],
        };
        BySeat::from_fn(|seat| {
            let kept: Vec<Meld> = melds[seat]
                .iter()
                .filter(|meld| scores[usize::from(is_carre(meld))] == Some(seat.team()))
                .collect();
            Self::from_melds(&kept).expect("a part of an announcement is one")
        })
    }
}

/// Tests cheaply if a hand could hold a meld.
fn may_meld(hand: CardSet) -> bool {
    let bits = hand.bits();
    let carre = bits & bits >> 8 & bits >> 16 & bits >> 24 & 0xff;
    let natural =
        Suit::ALL.into_iter().fold(0, |word, suit| word | natural_byte(hand, suit) << (8 * suit.index()));
    // Three in a row within one byte.
    let run = natural & (natural >> 1) & (natural >> 2) & 0x3f3f_3f3f;
    carre != 0 || run != 0
}

/// The cards of a suit as a byte in the order 7 8 9 T J Q K A.
const fn natural_byte(cards: CardSet, suit: Suit) -> u32 {
    let byte = cards.bits() >> (8 * suit as u32) & 0xff;
    // 7 8 9 | J Q K | T | A becomes 7 8 9 | T | J Q K | A.
    (byte & 0x87) | (byte & 0x38) << 1 | (byte & 0x40) >> 3
}

/// The maximal runs of three or more cards in a suit, high to low.
fn runs_of(cards: CardSet, suit: Suit) -> Vec<Meld> {
    let byte = natural_byte(cards, suit);
    let mut runs = Vec::new();
    let mut run = CardSet::EMPTY;
    for index in (0..=8u32).rev() {
        // Bit 8 and below bit 0 nothing is set, so that the last run is closed too.
        let here = byte >> index & 1 != 0;
        if here {
            run = run.with(Card::new(suit, Rank::NATURAL[index as usize]));
        }
        if !here || index == 0 {
            runs.extend(Meld::of(run));
            run = CardSet::EMPTY;
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RuleSet;

    fn options(hand: &str) -> Vec<Vec<String>> {
        let rules = RuleSet::COINCHE_MELDS.melds;
        Melds::options(&rules, hand.parse().unwrap())
            .iter()
            .map(|option| option.iter().map(|meld| meld.cards.to_string()).collect())
            .collect()
    }

    #[test]
    fn runs_follow_the_natural_order() {
        assert_eq!(options("9C TC JC QD KD AD 7H 8S"), [["9C TC JC", "QD KD AD"]]);
        assert_eq!(options("7C 8C 9C TC JC QC KC AC"), [["7C 8C 9C TC JC QC KC AC"]]);
        assert_eq!(options("7C 8C 9C JC QC KC 7S 8S"), [["JC QC KC", "7C 8C 9C"]]);
        assert_eq!(options("8C JC QC 7D TD KD AH 9S"), [Vec::<String>::new()]);
    }

    #[test]
    fn a_shared_card_leaves_a_choice() {
        // Four jacks (200) and T J Q (20), which would need the jack of clubs.
        let choices = options("JC JD JH JS TC QC 7D 8S");
        assert_eq!(choices, [vec!["JC JD JH JS"], vec!["TC JC QC"]]);
        // A run of four may give up its end to the carré.
        let choices = options("JC JD JH JS 8C 9C TC AH");
        assert_eq!(choices, [vec!["JC JD JH JS", "8C 9C TC"], vec!["8C 9C TC JC"]]);
        // Equal points: the carré first.
        let choices = options("KC KD KH KS 9C TC JC QC");
        assert_eq!(choices[0], ["KC KD KH KS", "9C TC JC QC"]);
        assert_eq!(choices[1], ["9C TC JC QC KC"]);
    }

    #[test]
    fn any_set_is_a_meld_or_none() {
        assert_eq!(Meld::of(CardSet::FULL), None);
        assert_eq!(Meld::of(CardSet::EMPTY), None);
        for cards in CardSet::suit(Suit::Hearts).subsets() {
            let runs: Vec<Meld> = runs_of(cards, Suit::Hearts);
            let is_run = runs.len() == 1 && runs[0].cards == cards;
            assert_eq!(Meld::of(cards).is_some(), is_run, "{cards}");
        }
    }

    #[test]
    fn cheap_test_agrees() {
        let rules = RuleSet::COINCHE_MELDS.melds;
        let mut word = 1u64;
        for _ in 0..20_000 {
            let mut hand = CardSet::EMPTY;
            while hand.len() < 8 {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                hand = hand.with(Card::from_low_bits(word.to_be_bytes()[0].into()));
            }
            assert!(may_meld(hand) || Melds::options(&rules, hand)[0].is_empty());
        }
    }
}
