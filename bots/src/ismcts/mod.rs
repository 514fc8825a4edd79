//! `ismcts`: information set Monte Carlo tree search (Cowling, Powley & Whitehouse 2012).
//!
//! Each iteration draws a world, goes down a tree of what was played, adds one position to it, plays the rest
//! out by a policy, and counts the score of the deal at every position passed. A player goes down by UCB1, in
//! which a card that the world does not allow is not counted as passed over.
//!
//! * `observer=single`: one tree, of the positions as the searching seat sees them. The others choose in it as
//!   if they could not tell their own hands apart: of the cards that the world gives them, the one that is best
//!   on average over all worlds.
//! * `observer=multiple`: each of the others has a tree for each of its hands, so that it chooses by what it
//!   knows itself. These trees are many and each is visited rarely, unless few worlds are left.
//!
//! # How
//!
//! Everything happens in canonical suits, named by what the seat knows of them ([`Canonical`]), so that answers do
//! not depend on the names. The nodes of all trees lie in one list, which is kept from decision to decision of a
//! deal (`reuse`): what lies below the cards that were played since. Scores are kept as they are, and brought to
//! 0 to 1 by the range of the payoff only where a bound is computed.

mod bidder;
mod forest;
mod log;

pub use bidder::IsmctsBidder;

use coinche_engine::encoding::SuitOrder;
use coinche_engine::{BySeat, Card, CardSet, Contract, Key, PlayState, Seat};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::mc::{POLICY_PARAM, PlayPolicy, points_of, result};
use crate::search::{
    Canonical, Decision, EQUITY_PARAM, FROM_PARAM, READ_PARAMS, Search, SearchPlayer, SearchSettings,
    TIME_PARAM,
};
use crate::simulation::play_on;
use crate::worlds::history;
use crate::{Considered, ParamError, ParamInfo, Params, Thought, Z_95};
use forest::{Bound, Forest};

/// The clock is looked at after so many iterations.
const ROUND: usize = 16;

/// Means that differ by less are equal.
const EQUAL: f64 = 1e-9;

/// Grows trees of information sets over worlds that fit what the seat knows, and plays the card that was visited
/// most; of cards with the mean score of that one, the one with which its side makes most card points.
///
/// In its [`Thought`], `best` of a card is its share of the visits, and `worlds` their number.
pub type IsmctsPlayer = SearchPlayer<Ismcts>;

/// Grows trees of information sets.
#[derive(Debug)]
pub struct Ismcts {
    policy: PlayPolicy,
    single: bool,
    reuse: bool,
    exploration: f64,
    memory: Memory,
}

/// What is kept from decision to decision of a deal.
#[derive(Debug, Default)]
struct Memory {
    forest: Forest,
    roots: Option<RootPosition>,
    /// The cards of an iteration in the trees, and the nodes that they lead to.
    cards: Vec<Card>,
    nodes: Vec<u32>,
}

/// The position at the roots of the trees.
#[derive(Debug)]
struct RootPosition {
    order: SuitOrder,
    seat: Seat,
    hand: CardSet,
    contract: Contract,
    cards: Vec<Card>,
}

impl SearchPlayer<Ismcts> {
    /// The parameters of `ismcts` in the registry.
    pub const PARAMS: &'static [ParamInfo] = params! {
        "iterations" = "2000", "1 to 1000000", "iterations per decision, unless only time is given";
        TIME_PARAM;
        "observer" = "single", "single or multiple", "one tree of what the seat sees, or also one per hidden hand";
        "c" = "0.4", "0 to 100", "exploration constant of UCB1, for scores from 0 to 1";
        POLICY_PARAM;
        "reuse" = "yes", "yes or no", "reuse the tree of a decision for the next one";
        "worlds" = "50", "1 to 1000000", "worlds sampled per decision when reading, unless only time is given";
        FROM_PARAM;
        EQUITY_PARAM;
        READ_PARAMS[0 1 2 3 4];
    };

    /// Reads the parameters, and returns how to make the player.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn maker(params: &Params) -> Result<impl Fn() -> Self + Send + Sync + use<>, ParamError> {
        let (settings, policy) =
            (SearchSettings::from_params(params, "iterations")?, PlayPolicy::from_params(params)?);
        let single = params.either("observer", ["single", "multiple"])?;
        let reuse = params.either("reuse", ["yes", "no"])?;
        let exploration = params.number("c", 0.0..=100.0)?;
        Ok(move || {
            let (memory, policy) = (Memory::default(), policy.clone());
            Self::new(settings.clone(), Ismcts { policy, single, reuse, exploration, memory })
        })
    }
}

impl Search for Ismcts {
    fn start(&mut self) {
        self.memory.roots = None;
    }

    fn decide(&mut self, decision: &mut Decision<'_, '_>) -> (Card, Thought) {
        let Decision { view, situation, candidates, worlds, limits, watch, key, .. } = decision;
        let (limits, watch) = (*limits, *watch);
        let mut rng = key.and(1).rng();
        let hands = worlds.worlds().hands(&mut rng);
        let canonical = Canonical::new(view, worlds.worlds(), &hands);
        let root = RootPosition {
            order: worlds.worlds().suits(),
            seat: view.seat(),
            hand: view.first_hand(),
            contract: situation.contract(),
            cards: history(view).collect(),
        };
        self.memory.go_to(root, &canonical, self.reuse);
        let payoff = situation.payoff(&hands);
        // Beyond all points on either side.
        let [low, high] = [-1, 1000].map(|points| f64::from(payoff.at(points)));
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let mut trees = DecisionTrees {
            canonical,
            played: BySeat::from_fn(|seat| view.played_by(seat)),
            candidates: candidates.remaining().map(|(_, card)| canonical.card(card)).collect(),
            single: self.single,
            bound: Bound { exploration: self.exploration, low, scale },
            decision,
            rng,
            memory: &mut self.memory,
            made: [[0; 2]; 32],
            points: [0; 32],
        };
        for n in 1..=limits.count() {
            trees.iterate(&mut self.policy);
            if n.is_multiple_of(ROUND) && limits.is_over(watch, 1.0) {
                break;
            }
        }
        trees.conclude()
    }
}

impl Memory {
    /// Moves the roots of the trees to a decision, or plants new ones.
    fn go_to(&mut self, root: RootPosition, canonical: &Canonical, reuse: bool) {
        let leads_there = |old: &RootPosition| {
            (old.seat, old.hand, old.contract, old.order) == (root.seat, root.hand, root.contract, root.order)
                && root.cards.starts_with(&old.cards)
        };
        match self.roots.take().filter(|old| reuse && leads_there(old)) {
            Some(old) => {
                let since = root.cards[old.cards.len()..].iter().map(|card| canonical.card(*card));
                self.forest.advance(&since.collect::<Vec<_>>());
            }
            None => self.forest.clear(),
        }
        self.roots = Some(root);
    }
}

/// The trees of a decision.
struct DecisionTrees<'d, 'a, 's> {
    decision: &'d mut Decision<'a, 's>,
    canonical: Canonical,
    played: BySeat<CardSet>,
    /// The cards to choose from, in canonical names.
    candidates: CardSet,
    single: bool,
    bound: Bound,
    rng: Xoshiro256PlusPlus,
    memory: &'d mut Memory,
    /// By canonical card: in how many iterations of this decision the contract failed, and was made.
    made: [[u32; 2]; 32],
    /// By canonical card: the card points of the own side in these iterations.
    points: [i64; 32],
}

impl DecisionTrees<'_, '_, '_> {
    fn iterate(&mut self, policy: &mut PlayPolicy) {
        let hands = self.decision.worlds.draw();
        let mut end = self.descend(&hands);
        match policy.player() {
            None => end.play_randomly(&mut self.rng),
            Some(player) if !end.is_over() => {
                let mut state = self.decision.state(&hands);
                for card in &self.memory.cards {
                    state.play(self.canonical.original(*card)).expect("the card is legal");
                }
                play_on(player, &mut state, 8, Key::from_bits(0));
                end = *state.play_state().expect("cards were played");
            }
            Some(_) => {}
        }
        let situation = &mut self.decision.situation;
        let (rules, contract) = (situation.rules(), situation.contract());
        let payoff = situation.payoff(&hands);
        let (score, made) = result(payoff, rules, contract, &end);
        let card = self.memory.cards[0].index();
        self.made[card][usize::from(made)] += 1;
        self.points[card] += i64::from(points_of(rules, payoff, &end));
        for node in &self.memory.nodes {
            self.memory.forest.count(*node, score.into());
        }
    }

    /// Goes down the trees in a world until a card is played that was never tried, and returns the play there.
    fn descend(&mut self, hands: &BySeat<CardSet>) -> PlayState {
        let (mut play, me) = (self.canonical.play(hands), self.decision.view.seat());
        let Memory { forest, cards, nodes, .. } = &mut *self.memory;
        cards.clear();
        nodes.clear();
        // The trees of the seats, or one for all.
        let mut places = BySeat([0; 4]);
        let trees: &[Seat] = if self.single { &[Seat::S0] } else { &Seat::ALL };
        for seat in trees {
            let first = if self.single || *seat == me {
                CardSet::EMPTY
            } else {
                self.canonical.set(hands[*seat] | self.played[*seat])
            };
            places[*seat] = forest.root((seat.index(), first));
        }
        while !play.is_over() {
            let seat = play.to_play();
            let tree = if self.single { Seat::S0 } else { seat };
            let legal = if cards.is_empty() { self.candidates } else { play.legal_plays() };
            let own = seat.team() == me.team();
            let (card, known) = forest.choose(places[tree], legal, own, self.bound, &mut self.rng);
            play.play_unchecked(card);
            cards.push(card);
            if !known && !forest.has_room() {
                break;
            }
            for other in trees {
                places[*other] = forest.child_or_new(places[*other], card);
                nodes.push(places[*other]);
            }
            if !known {
                forest.open(places[tree]);
                break;
            }
        }
        play
    }

    /// Chooses the card that was visited most, of equal ones the cheapest; and in its place the one that makes most card points of
    /// those with its mean score. UCB1 visits such cards alike, so that the most visited one is any of them.
    fn conclude(&mut self) -> (Card, Thought) {
        let candidates: Vec<Card> = self.decision.candidates.remaining().map(|(_, card)| card).collect();
        let tree = if self.single { Seat::S0 } else { self.decision.view.seat() };
        let forest = &mut self.memory.forest;
        let root = forest.root((tree.index(), CardSet::EMPTY));
        let nodes = candidates.iter().map(|card| forest.child(root, self.canonical.card(*card)));
        let nodes: Vec<_> = nodes.map(|node| node.map(|node| *forest.node(node))).collect();
        let visits = |n: usize| nodes[n].map_or(0, |node| node.visits);
        let mean = |n: usize| nodes[n].map_or(0.0, |node| node.sum / f64::from(node.visits.max(1)));
        let mut best = 0;
        for n in 1..candidates.len() {
            best = if visits(n) > visits(best) { n } else { best };
        }
        let total: u32 = (0..candidates.len()).map(visits).sum();
        let outcomes = |n: usize| self.made[self.canonical.card(candidates[n]).index()].map(f64::from);
        let chance = |n: usize| {
            let [failed, made] = outcomes(n);
            (failed + made > 0.0).then(|| made / (failed + made))
        };
        let points = |n: usize| {
            let all: f64 = outcomes(n).iter().sum();
            self.points[self.canonical.card(candidates[n]).index()] as f64 / all.max(1.0)
        };
        let most = best;
        for n in 0..candidates.len() {
            let is_tied = visits(n) > 0 && (mean(n) - mean(most)).abs() < EQUAL;
            best = if is_tied && points(n) > points(best) + EQUAL { n } else { best };
        }
        let options = (0..candidates.len()).map(|n| {
            let (number, mean) = (f64::from(visits(n)), mean(n));
            let squares = nodes[n].map_or(0.0, |node| node.squares);
            let variance = (squares / number.max(1.0) - mean * mean).max(0.0) / (number - 1.0).max(0.5);
            Considered {
                choice: candidates[n].into(),
                mean,
                half_width: if number > 0.0 { Z_95 * variance.sqrt() } else { f64::INFINITY },
                chance: chance(n),
                best: number / f64::from(total.max(1)),
                worlds: visits(n).into(),
            }
        });
        let thought = Thought { points: Some(mean(best)), chance: chance(best), options: options.collect() };
        (candidates[best], thought)
    }
}
