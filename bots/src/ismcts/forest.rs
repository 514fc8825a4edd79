//! The trees of a search, in one list of nodes.

use rustc_hash::FxHashMap;

use coinche_engine::{Card, CardSet, Rank, Suit};
use rand_xoshiro::rand_core::Rng;

use super::log::ln;

/// What a tree knows of the position after a card.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    card: Card,
    /// The child that was added last, and the next child of the same parent; `NONE` where there is none.
    first: u32,
    next: u32,
    /// How often the card was played.
    pub(super) visits: u32,
    /// How often it could have been played.
    available: u32,
    /// The scores of the searching side, and their squares.
    pub(super) sum: f64,
    pub(super) squares: f64,
}

const NONE: u32 = u32::MAX;
/// The trees grow to so many nodes, some 170 MB; then iterations go on without new ones.
const MOST: usize = 1 << 22;

impl Node {
    const fn new(card: Card) -> Self {
        Self { card, first: NONE, next: NONE, visits: 0, available: 0, sum: 0.0, squares: 0.0 }
    }

    /// Counts the outcome of an iteration.
    #[inline]
    fn count(&mut self, score: f64) {
        self.visits += 1;
        self.sum += score;
        self.squares += score * score;
    }
}

/// How a player chooses among the children of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    /// How much is explored.
    pub(super) exploration: f64,
    /// The score that is 0, and what a point of score is worth: the range of scores becomes 0 to 1.
    pub(super) low: f64,
    pub(super) scale: f64,
}

impl Bound {
    /// UCB1 with the number of times that the child was available in place of the visits of the parent.
    #[inline]
    fn of(self, child: &Node, own: bool) -> f64 {
        let visits = f64::from(child.visits.max(1));
        let mean = (child.sum / visits - self.low) * self.scale;
        let mean = if own { mean } else { 1.0 - mean };
        mean + self.exploration * (ln(child.available) / visits).sqrt()
    }
}

/// Whose tree it is, by a number, and the first hand of its player where that tells trees apart.
pub(super) type Root = (usize, CardSet);

/// The trees of a search.
#[derive(Debug, Default)]
pub(super) struct Forest {
    nodes: Vec<Node>,
    roots: FxHashMap<Root, u32>,
    spare: Vec<Node>,
}

impl Forest {
    /// Forgets all trees; their memory is kept.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.roots.clear();
    }

    /// Returns a node.
    pub(super) fn node(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    /// Counts the outcome of an iteration at a node.
    pub(super) fn count(&mut self, at: u32, score: f64) {
        self.nodes[at as usize].count(score);
    }

    /// Returns the root of a tree, a new one at its first call.
    pub(super) fn root(&mut self, root: Root) -> u32 {
        let nodes = &mut self.nodes;
        *self.roots.entry(root).or_insert_with(|| push(nodes, Node::new(Card::new(Suit::Clubs, Rank::Seven))))
    }

    /// Returns the child of a card.
    pub(super) fn child(&self, parent: u32, card: Card) -> Option<u32> {
        child(&self.nodes, parent, card)
    }

    /// Returns the child of a card, a new one where there was none.
    pub(super) fn child_or_new(&mut self, parent: u32, card: Card) -> u32 {
        self.child(parent, card).unwrap_or_else(|| self.add(parent, card))
    }

    /// Chooses a card for the player of a tree: one that was never tried, any of them; else the one of the
    /// highest bound. Returns also whether it was tried before.
    pub(super) fn choose(
        &mut self,
        parent: u32,
        legal: CardSet,
        own: bool,
        bound: Bound,
        rng: &mut impl Rng,
    ) -> (Card, bool) {
        let (mut untried, mut best) = (legal, None);
        let mut at = self.nodes[parent as usize].first;
        while at != NONE {
            let node = &mut self.nodes[at as usize];
            if legal.contains(node.card) {
                untried = untried.without(node.card);
                node.available += 1;
                let bound = bound.of(node, own);
                if best.is_none_or(|(_, other)| bound > other) {
                    best = Some((node.card, bound));
                }
            }
            at = node.next;
        }
        let n = untried.len();
        match best {
            Some((card, _)) if n == 0 => (card, true),
            _ => {
                let (_, nth) = rng.next_u64().carrying_mul(n as u64, 0);
                let nth = usize::try_from(nth).unwrap_or(0);
                (untried.nth(nth).expect("there is a legal card"), false)
            }
        }
    }

    /// Tests if there is room for the nodes of another iteration.
    pub(super) const fn has_room(&self) -> bool {
        self.nodes.len() < MOST
    }

    /// Marks a new child as available once.
    pub(super) fn open(&mut self, at: u32) {
        self.nodes[at as usize].available = 1;
    }

    fn add(&mut self, parent: u32, card: Card) -> u32 {
        let mut node = Node::new(card);
        node.next = self.nodes[parent as usize].first;
        let at = push(&mut self.nodes, node);
        self.nodes[parent as usize].first = at;
        at
    }

    /// Goes on to where these cards were played, and forgets what can no longer come.
    pub(super) fn advance(&mut self, cards: &[Card]) {
        let (nodes, spare) = (&self.nodes, &mut self.spare);
        spare.clear();
        self.roots.retain(|_, root| {
            let node = cards.iter().try_fold(*root, |node, card| child(nodes, node, *card));
            if let Some(node) = node {
                *root = copy(nodes, node, spare);
            }
            node.is_some()
        });
        core::mem::swap(&mut self.nodes, &mut self.spare);
    }
}

fn push(nodes: &mut Vec<Node>, node: Node) -> u32 {
    let at = u32::try_from(nodes.len()).expect("the number of nodes is limited");
    nodes.push(node);
    at
}

fn child(nodes: &[Node], parent: u32, card: Card) -> Option<u32> {
    let mut at = nodes[parent as usize].first;
    while at != NONE && nodes[at as usize].card != card {
        at = nodes[at as usize].next;
    }
    (at != NONE).then_some(at)
}

/// Copies a node with all below it, in the same order of children.
fn copy(nodes: &[Node], from: u32, to: &mut Vec<Node>) -> u32 {
    let root = push(to, Node { first: NONE, next: NONE, ..nodes[from as usize] });
    let (mut at, mut last) = (nodes[from as usize].first, NONE);
    while at != NONE {
        let child = copy(nodes, at, to);
        if last == NONE {
            to[root as usize].first = child;
        } else {
            to[last as usize].next = child;
        }
        (last, at) = (child, nodes[at as usize].next);
    }
    root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_below_the_cards_played_is_kept() {
        let card = |rank| Card::new(Suit::Hearts, rank);
        let mut forest = Forest::default();
        let (kept, lost) = ((0, CardSet::EMPTY), (1, CardSet::only(card(Rank::Ace))));
        let root = forest.root(kept);
        forest.root(lost);
        let played = forest.child_or_new(root, card(Rank::Ten));
        forest.child_or_new(root, card(Rank::King));
        for (score, rank) in [(3.0, Rank::Nine), (5.0, Rank::Eight), (7.0, Rank::Nine)] {
            let below = forest.child_or_new(played, card(rank));
            forest.count(played, score);
            forest.count(below, score);
        }
        forest.advance(&[card(Rank::Ten)]);
        assert_eq!((forest.nodes.len(), forest.roots.len()), (3, 1));
        let root = forest.root(kept);
        assert_eq!((forest.node(root).visits, forest.node(root).sum), (3, 15.0));
        let nine = forest.child(root, card(Rank::Nine)).unwrap();
        assert_eq!((forest.node(nine).visits, forest.node(nine).squares), (2, 58.0));
        assert!(forest.child(root, card(Rank::King)).is_none());
    }
}
