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
//! Everything happens in suits that are renamed by what the seat knows of them ([`Renamed`]), so that answers do
//! not depend on the names. The nodes of all trees lie in one list, which is kept from decision to decision of a
//! deal (`reuse`): what lies below the cards that were played since. Scores are kept as they are, and brought to
//! 0 to 1 by the range of the payoff only where a bound is computed.

mod forest;
mod log;

use coinche_engine::{BySeat, Card, CardSet, Contract, Key, PlayState, Seat, View};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::mc::{POLICY_PARAM, Policy, play_out, result};
use crate::search::{
    EQUITY_PARAM, Limits, READ_PARAMS, Renamed, Situation, Source, Stopwatch, Stream, TIME_PARAM, history,
    wants_equity,
};
use crate::worlds::{SuitOrder, Worlds, retell};
use crate::{CardPlayer, Considered, ParamInfo, Params, ParseBotError, Thought};
use forest::{Bound, Forest};

/// The clock is looked at after so many iterations.
const ROUND: usize = 16;

/// Grows trees of information sets over worlds that fit what the seat knows, and plays the card that was visited
/// most.
///
/// In its [`Thought`], `best` of a card is its share of the visits, and `worlds` their number.
#[derive(Debug)]
pub struct IsmctsPlayer {
    limits: Limits,
    /// How many worlds are weighed, where something is read.
    pool: Limits,
    source: Source,
    /// Whether the match is to be won.
    equity: bool,
    policy: Policy,
    single: bool,
    reuse: bool,
    exploration: f64,
    memory: Memory,
    thought: Option<Thought>,
}

/// What is kept from decision to decision of a deal.
#[derive(Debug, Default)]
struct Memory {
    forest: Forest,
    place: Option<Place>,
    /// The cards of an iteration in the trees, and the nodes that they lead to.
    cards: Vec<Card>,
    nodes: Vec<u32>,
}

/// Where the roots of the trees are.
#[derive(Debug)]
struct Place {
    order: SuitOrder,
    seat: Seat,
    hand: CardSet,
    contract: Contract,
    cards: Vec<Card>,
}

impl IsmctsPlayer {
    /// The parameters in the registry.
    pub const PARAMS: &'static [ParamInfo] = &[
        ParamInfo {
            name: "iterations",
            default: "2000",
            legal: "1 to 1000000",
            about: "how many iterations a decision gets, unless time is given alone",
        },
        TIME_PARAM,
        ParamInfo {
            name: "observer",
            default: "single",
            legal: "single or multiple",
            about: "one tree of what the seat sees, or also one for each hand of the others",
        },
        ParamInfo {
            name: "c",
            default: "0.4",
            legal: "0 to 100",
            about: "exploration: the factor of UCB1's second term, where scores range from 0 to 1",
        },
        POLICY_PARAM,
        ParamInfo {
            name: "reuse",
            default: "yes",
            legal: "yes or no",
            about: "whether the tree of a decision is the start of the next one's",
        },
        ParamInfo {
            name: "worlds",
            default: "50",
            legal: "1 to 1000000",
            about: "how many worlds are taken for a decision where something is read, unless time is given alone",
        },
        EQUITY_PARAM,
        READ_PARAMS[0],
        READ_PARAMS[1],
        READ_PARAMS[2],
    ];

    /// Builds the player from the registry's parameters.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub fn from_params(params: &Params) -> Result<Self, ParseBotError> {
        let either = |name: &str, yes: &str, no: &str| match params.text(name) {
            text if text == yes => Ok(true),
            text if text == no => Ok(false),
            _ => Err(params.illegal(name)),
        };
        Ok(Self {
            limits: Limits::from_params(params, "iterations")?,
            pool: Limits::from_params(params, "worlds")?,
            source: Source::from_params(params)?,
            equity: wants_equity(params)?,
            policy: Policy::from_params(params)?,
            single: either("observer", "single", "multiple")?,
            reuse: either("reuse", "yes", "no")?,
            exploration: params.number("c", 0.0..=100.0)?,
            memory: Memory::default(),
            thought: None,
        })
    }
}

impl CardPlayer for IsmctsPlayer {
    fn start(&mut self) {
        self.thought = None;
        self.memory.place = None;
    }

    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        self.thought = None;
        let only = legal.first().expect("there is a legal card");
        let Some(contract) = view.contract().filter(|_| legal.len() > 1) else { return only };
        let Some(situation) = Situation::of(view) else { return only };
        let mut situation = situation.for_match(self.equity);
        let watch = Stopwatch::start();
        let worlds = Worlds::of(view);
        let candidates = situation.candidates(legal, worlds.in_order(legal));
        if candidates.len() == 1 {
            return candidates[0];
        }
        let mut rng = key.and(1).rng();
        let hands = worlds.hands(&mut rng);
        let renamed = Renamed::new(view, &worlds, &hands);
        self.memory.go_to(view, contract, worlds.suits(), &renamed, self.reuse);
        let payoff = situation.payoff(&hands);
        // Beyond all points on either side.
        let [low, high] = [-1, 1000].map(|points| f64::from(payoff.at(points)));
        let scale = if high > low { 1.0 / (high - low) } else { 0.0 };
        let mut search = Search {
            view,
            contract,
            renamed,
            played: crate::worlds::played(view),
            candidates: candidates.iter().map(|card| renamed.card(*card)).collect(),
            single: self.single,
            bound: Bound { exploration: self.exploration, low, scale },
            stream: self.source.stream(worlds, self.pool, watch, key),
            situation,
            rng,
            memory: &mut self.memory,
            made: [[0; 2]; 32],
        };
        for n in 1..=self.limits.count() {
            search.iterate(&mut self.policy);
            if n.is_multiple_of(ROUND) && self.limits.is_over(watch, 1.0) {
                break;
            }
        }
        let (card, thought) = search.conclude(&candidates);
        self.thought = Some(thought);
        card
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}

impl Memory {
    /// Moves the roots of the trees to a decision, or plants new ones.
    fn go_to(
        &mut self,
        view: &View<'_>,
        contract: Contract,
        order: SuitOrder,
        renamed: &Renamed,
        reuse: bool,
    ) {
        let (seat, hand) = (view.seat(), view.first_hand());
        let cards: Vec<Card> = history(view).collect();
        let same = |place: &Place| {
            (place.seat, place.hand, place.contract, place.order) == (seat, hand, contract, order)
                && cards.starts_with(&place.cards)
        };
        match self.place.take().filter(|place| reuse && same(place)) {
            Some(place) => {
                let since: Vec<Card> =
                    cards[place.cards.len()..].iter().map(|card| renamed.card(*card)).collect();
                self.forest.advance(&since);
            }
            None => self.forest.clear(),
        }
        self.place = Some(Place { order, seat, hand, contract, cards });
    }
}

/// A decision under way.
struct Search<'a, 'm> {
    view: &'a View<'a>,
    contract: Contract,
    situation: Situation<'a>,
    renamed: Renamed,
    played: BySeat<CardSet>,
    /// The cards to choose from, renamed.
    candidates: CardSet,
    single: bool,
    bound: Bound,
    stream: Stream<'a, 'm>,
    rng: Xoshiro256PlusPlus,
    memory: &'m mut Memory,
    /// By renamed card: in how many iterations of this decision the contract failed, and was made.
    made: [[u32; 2]; 32],
}

impl Search<'_, '_> {
    fn iterate(&mut self, policy: &mut Policy) {
        let hands = self.stream.draw();
        let mut end = self.descend(&hands);
        match policy {
            Policy::Random => end.play_randomly(&mut self.rng),
            Policy::Player(player) if !end.is_over() => {
                let deal = self.stream.worlds().deal_of(&hands, &mut self.rng);
                let mut state = retell(self.view, &deal, |_, _, _| {}).expect("a world fits what was seen");
                for card in &self.memory.cards {
                    state.play(self.renamed.original(*card)).expect("the card is legal");
                }
                end = play_out(player.as_mut(), state);
            }
            Policy::Player(_) => {}
        }
        let rules = self.situation.rules();
        let (score, made) = result(self.situation.payoff(&hands), rules, self.contract, &end);
        self.made[self.memory.cards[0].index()][usize::from(made)] += 1;
        for node in &self.memory.nodes {
            self.memory.forest.count(*node, score.into());
        }
    }

    /// Goes down the trees in a world until a card is played that was never tried, and returns the play there.
    fn descend(&mut self, hands: &BySeat<CardSet>) -> PlayState {
        let (mut play, me) = (self.renamed.play(hands), self.view.seat());
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
                self.renamed.set(hands[*seat] | self.played[*seat])
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

    /// Chooses the card that was visited most, of equal ones the cheapest.
    fn conclude(&mut self, candidates: &[Card]) -> (Card, Thought) {
        let tree = if self.single { Seat::S0 } else { self.view.seat() };
        let forest = &mut self.memory.forest;
        let root = forest.root((tree.index(), CardSet::EMPTY));
        let nodes = candidates.iter().map(|card| forest.child(root, self.renamed.card(*card)));
        let nodes: Vec<_> = nodes.map(|node| node.map(|node| *forest.node(node))).collect();
        let visits = |n: usize| nodes[n].map_or(0, |node| node.visits);
        let mean = |n: usize| nodes[n].map_or(0.0, |node| node.sum / f64::from(node.visits.max(1)));
        let mut best = 0;
        for n in 1..candidates.len() {
            best = if visits(n) > visits(best) { n } else { best };
        }
        let total: u32 = (0..candidates.len()).map(visits).sum();
        let chance = |n: usize| {
            let [failed, made] = self.made[self.renamed.card(candidates[n]).index()].map(f64::from);
            (failed + made > 0.0).then(|| made / (failed + made))
        };
        let options = (0..candidates.len()).map(|n| {
            let (number, mean) = (f64::from(visits(n)), mean(n));
            let squares = nodes[n].map_or(0.0, |node| node.squares);
            let variance = (squares / number.max(1.0) - mean * mean).max(0.0) / (number - 1.0).max(0.5);
            Considered {
                choice: candidates[n].into(),
                mean,
                half_width: if number > 0.0 { 1.96 * variance.sqrt() } else { f64::INFINITY },
                chance: chance(n),
                best: number / f64::from(total.max(1)),
                worlds: visits(n).into(),
            }
        });
        let thought = Thought { points: Some(mean(best)), chance: chance(best), options: options.collect() };
        (candidates[best], self.situation.tell(thought))
    }
}
