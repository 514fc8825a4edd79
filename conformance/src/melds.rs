//! Sequences and carrés: what a hand announces and what of it counts.

use std::cmp::{Ordering, Reverse};

use serde::{Deserialize, Serialize};

use crate::cards::{Card, Rank, Strain, Suit};
use crate::options::{Announce, Contest, MeldEqual, MeldTie};
use crate::rules::Rules;

/// The public kind of a meld.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MeldKind {
    /// Three cards in sequence.
    Tierce,
    /// Four cards in sequence.
    Fifty,
    /// Five or more cards in sequence.
    Hundred,
    /// Four cards of a rank.
    #[serde(alias = "carré")]
    Carre,
}

/// A meld of one hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meld {
    /// Its kind.
    pub kind: MeldKind,
    /// Its cards, by suit then rank.
    pub cards: Vec<Card>,
    /// Its worth, 20–200.
    pub points: i32,
}

/// Worth of a carré of a rank; 0 when it is no meld.
pub fn carre_points(rules: &Rules, rank: Rank) -> i32 {
    match rank {
        Rank::Jack => 200,
        Rank::Nine => 150,
        Rank::Ace => rules.melds.carre_of_aces,
        Rank::Ten | Rank::King | Rank::Queen => 100,
        Rank::Eight | Rank::Seven => 0,
    }
}

fn carres(rules: &Rules, hand: &[Card]) -> Vec<Meld> {
    let mut found = Vec::new();
    for rank in Rank::ALL {
        let cards: Vec<Card> = Suit::ALL.into_iter().map(|suit| Card { suit, rank }).collect();
        let points = carre_points(rules, rank);
        if points > 0 && cards.iter().all(|card| hand.contains(card)) {
            found.push(Meld { kind: MeldKind::Carre, cards, points });
        }
    }
    found
}

/// The maximal runs of three cards or more among some cards.
fn runs(cards: &[Card]) -> Vec<Meld> {
    let mut found = Vec::new();
    for suit in Suit::ALL {
        let mut run: Vec<Card> = Vec::new();
        for rank in Rank::ALL {
            let card = Card { suit, rank };
            if cards.contains(&card) {
                run.push(card);
            } else {
                found.extend(sequence(std::mem::take(&mut run)));
            }
        }
        found.extend(sequence(run));
    }
    found
}

fn sequence(cards: Vec<Card>) -> Option<Meld> {
    let (kind, points) = match cards.len() {
        0..=2 => return None,
        3 => (MeldKind::Tierce, 20),
        4 => (MeldKind::Fifty, 50),
        _ => (MeldKind::Hundred, 100),
    };
    Some(Meld { kind, cards, points })
}

/// Every announcement that a hand may make, the default first; without melds one that is empty.
pub fn choices(rules: &Rules, strain: Strain, hand: &[Card]) -> Vec<Vec<Meld>> {
    if !rules.melds.enabled || (strain == Strain::NoTrump && !rules.melds.no_trump) {
        return vec![Vec::new()];
    }
    let mut choices = maximal_choices(rules, hand);
    let has_melds = !choices[0].is_empty();
    if has_melds && rules.melds.announce == Announce::Voluntary {
        // Silence.
        choices.push(Vec::new());
    }
    choices
}

/// Every maximal announcement of a hand, the default first: no meld can be added to one of them.
///
/// A player chooses which carrés to announce; the runs are those of the other cards. Leaving out a
/// carré is a choice only when one of its cards is used in a run.
fn maximal_choices(rules: &Rules, hand: &[Card]) -> Vec<Vec<Meld>> {
    let mut chosen: Vec<Vec<Meld>> = vec![Vec::new()];
    for carre in carres(rules, hand) {
        let with: Vec<Vec<Meld>> = chosen.iter().map(|c| [c.clone(), vec![carre.clone()]].concat()).collect();
        chosen.extend(with);
    }
    let mut all = Vec::new();
    for announced in chosen {
        let free: Vec<Card> = hand
            .iter()
            .copied()
            .filter(|card| !announced.iter().any(|carre| carre.cards.contains(card)))
            .collect();
        let sequences = runs(&free);
        let in_a_run = |card: &Card| sequences.iter().any(|run| run.cards.contains(card));
        let maximal = carres(rules, hand)
            .iter()
            .filter(|carre| !announced.contains(carre))
            .all(|left_out| left_out.cards.iter().any(in_a_run));
        if maximal {
            all.push([announced, sequences].concat());
        }
    }
    // The most points; then the carré. The sort keeps the order of equals.
    all.sort_by_key(|melds: &Vec<Meld>| {
        let points: i32 = melds.iter().map(|meld| meld.points).sum();
        let carres = melds.iter().filter(|meld| meld.kind == MeldKind::Carre).count();
        (Reverse(points), Reverse(carres))
    });
    all
}

/// The order of carrés, the best last: Q K T A 9 J.
fn carre_order(rank: Rank) -> usize {
    let order = [Rank::Queen, Rank::King, Rank::Ten, Rank::Ace, Rank::Nine, Rank::Jack];
    order.iter().position(|&r| r == rank).expect("carrés are of these ranks")
}

fn top(meld: &Meld) -> Rank {
    meld.cards.iter().map(|card| card.rank).max().expect("a meld has cards")
}

/// The side whose best is higher. When the bests are equal nobody, or who is the first to announce one from the leader on.
fn better<K: Ord>(
    rules: &Rules,
    leader: usize,
    melds: &[(usize, Meld)],
    strength: impl Fn(&Meld) -> K,
) -> Option<usize> {
    let best =
        |team: usize| melds.iter().filter(|(seat, _)| seat % 2 == team).map(|(_, meld)| strength(meld)).max();
    let (first, second) = (best(0), best(1));
    match first.cmp(&second) {
        Ordering::Greater => Some(0),
        Ordering::Less => Some(1),
        Ordering::Equal if rules.melds.tie == MeldTie::First => (0..4)
            .map(|turn| (leader + turn) % 4)
            .find(|seat| melds.iter().any(|(of, meld)| of == seat && Some(strength(meld)) == first))
            .map(|seat| seat % 2),
        Ordering::Equal => None,
    }
}

/// Which of the announced melds (each with its seat) count; `leader` leads the first trick, and announces first.
pub fn contest(rules: &Rules, strain: Strain, leader: usize, melds: &[(usize, Meld)]) -> Vec<bool> {
    let is_carre = |meld: &Meld| meld.kind == MeldKind::Carre;
    match rules.melds.contest {
        Contest::ByKind => {
            let of_kind = |carre: bool| -> Vec<(usize, Meld)> {
                melds.iter().filter(|(_, meld)| is_carre(meld) == carre).cloned().collect()
            };
            let sequences = better(rules, leader, &of_kind(false), |meld| (meld.cards.len(), top(meld)));
            let carres = better(rules, leader, &of_kind(true), |meld| carre_order(top(meld)));
            melds
                .iter()
                .map(|(seat, meld)| if is_carre(meld) { carres } else { sequences } == Some(seat % 2))
                .collect()
        }
        Contest::ByPoints => {
            let winner = better(rules, leader, melds, |meld| {
                let height = top(meld) as usize;
                let trumps = usize::from(strain.is_trump(meld.cards[0].suit));
                match rules.melds.equal {
                    _ if is_carre(meld) => (meld.points, true, carre_order(top(meld)), 0),
                    MeldEqual::Trumps => (meld.points, false, trumps, height),
                    MeldEqual::Height => (meld.points, false, height, trumps),
                }
            });
            melds.iter().map(|(seat, _)| winner == Some(seat % 2)).collect()
        }
    }
}

#[cfg(test)]
mod tests;
