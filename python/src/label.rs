//! Deals, their labels and their par on arrays: what `arena label` and `arena solve --par` write.

use coinche_bots::system::{Moment, System};
use coinche_engine::encoding::{Action, ActionSpace};
use coinche_engine::solver::DealPoints;
use coinche_engine::{
    Bid, BidValue, BySeat, Call, CardSet, Contract, DealState, Goal, RuleSet, Seat, Secrets, Stake, Strain,
    Team,
};
use numpy::{PyArray2, PyArray3};
use pyo3::prelude::*;

use crate::environments::dealt;
use crate::errors::{guarded, value_error};
use crate::rules::{Game, RulesLike};
use crate::sizes::{self, Count, HandRows, List};
use crate::solve::{LeaderLike, array, deals_of, strains_of, with_solvers};
use crate::state::seat_of;
use crate::vec_env::SeedLike;

/// A score that is none, as in data sets of decisions.
pub(crate) const NONE: i32 = -32_768;

/// The hands of `n` deals, as `uint32` of shape (n, 4): of those numbered from `first` under a seed, the same that the arena deals
/// and `arena label` labels. Deal i is dealt by seat i % 4 and led by the next.
///
/// Under rules of the turn-up game the cards are dealt all at once, in packets of three, two and three, as labels have them.
///
/// With `when`, a condition in the language of bidding systems, only deals in which the hand of `seat` fulfils it before the first call,
/// in `strain` where one is given: the first `n` of these.
#[pyfunction]
#[pyo3(signature = (n, seed = SeedLike::Number(Count(0)), rules = RulesLike::Name("bga".to_owned()), *, first = Count(0), when = None, seat = Count(0),
                    strain = None),
       text_signature = "(n, seed=0, rules='bga', *, first=0, when=None, seat=0, strain=None)")]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub(crate) fn deals(
    py: Python<'_>,
    n: Count,
    seed: SeedLike,
    rules: RulesLike,
    first: Count,
    when: Option<&str>,
    seat: Count,
    strain: Option<&str>,
) -> PyResult<Py<PyArray2<u32>>> {
    let (n, first) = (n.within("n", 0..=8 * sizes::MOST)?, first.of::<u64>("first")?);
    sizes::check("n", n, 8 * sizes::MOST, 32)?;
    if first.checked_add(n as u64).is_none() {
        return Err(value_error(format!("first: {n} deals from {first}, expected numbers below 2^64")));
    }
    let (game, secrets) = (rules.game()?, seed.secrets()?);
    let full = game.rules.deal.method == coinche_engine::rules::DealMethod::Full;
    let rules = if full { game.rules.deal } else { RuleSet::BGA.deal };
    if let Some(when) = when {
        if !full {
            return Err(value_error("when: these rules deal the last cards after the auction"));
        }
        let filter = Filter {
            system: filter(when, strain)?,
            seat: seat_of("seat", seat)?,
            strain: strain.map(str::parse).transpose().map_err(value_error)?,
        };
        let found = guarded("the filter", || py.detach(|| filter.first(&game.rules, secrets, n, first)))?;
        let found = found.ok_or_else(|| {
            value_error(format!(
                "when: fewer than {n} of {LOOKED_AT} deals for each that is wanted have such a hand"
            ))
        })?;
        return array(py, (n, 4), found.into_iter().flatten());
    }
    let sets = |deal| dealt(&rules, secrets, deal).hands().0.map(CardSet::bits);
    let sets: Vec<u32> = py.detach(|| (first..first + n as u64).flat_map(sets).collect());
    array(py, (n, 4), sets)
}

/// How many deals are looked at for one that fulfils a condition.
const LOOKED_AT: u64 = 100_000;

/// A condition on a hand.
struct Filter {
    /// The level of its only rule is 1 where the condition is fulfilled, else 0.
    system: System,
    seat: Seat,
    strain: Option<Strain>,
}

/// Makes a system of a condition.
fn filter(when: &str, strain: Option<&str>) -> PyResult<System> {
    let place = strain.filter(|strain| matches!(*strain, "SA" | "TA")).unwrap_or("suits");
    let when: String = when.chars().flat_map(char::escape_default).collect();
    let text = format!("name = \"filter\"\n[[rule]]\nin = \"{place}\"\ncall = \"if({when}, 1, 0)\"\n");
    System::read(&text, &[]).map_err(|error| value_error(format!("when: {error}")))
}

impl Filter {
    /// Returns the first deals that fulfil it; `None` where they are too rare.
    fn first(&self, rules: &RuleSet, secrets: Secrets, n: usize, first: u64) -> Option<Vec<[u32; 4]>> {
        let mut found = Vec::with_capacity(n);
        let mut at = first;
        let end = first.saturating_add(LOOKED_AT.saturating_mul(n as u64));
        while found.len() < n && at < end {
            let deal = dealt(&rules.deal, secrets, at);
            let state = DealState::new(rules, &deal);
            let moment = Moment::of(&state.view(self.seat), &state.legal_calls());
            let strains = self.system.levels(&moment, deal.hands()[self.seat], 0);
            if strains.iter().any(|(strain, holds)| {
                *holds != 0 && self.strain.is_none_or(|wanted| *strain == Some(wanted))
            }) {
                found.push(deal.hands().0.map(CardSet::bits));
            }
            at += 1;
        }
        (found.len() == n).then_some(found)
    }
}

type LabelArrays = (Py<PyArray3<i16>>, Py<PyArray3<u8>>);

/// Points `int16` (n, 4, 6) and slams `uint8` (n, 4, 2), by leader; see `coinche.label`.
#[pyfunction]
#[pyo3(name = "_label", signature = (hands, rules, leader, strains, threads))]
pub(crate) fn label(
    py: Python<'_>,
    hands: HandRows<'_>,
    rules: RulesLike,
    leader: Option<LeaderLike>,
    strains: Option<List<String>>,
    threads: Count,
) -> PyResult<LabelArrays> {
    let (game, strains) = (rules.game()?, strains_of(strains)?);
    let deals = deals_of(&game, &hands, 300)?;
    let leaders: Vec<Vec<Seat>> = match leader {
        None => vec![Seat::ALL.to_vec(); deals.len()],
        Some(leader) => leader.of(deals.len())?.into_iter().map(|seat| vec![seat]).collect(),
    };
    let deals: Vec<_> = deals.iter().zip(leaders).collect();
    let solved = with_solvers(py, &deals, threads, |solver, (hands, leaders)| {
        let solved = DealPoints::solve(solver, &game.rules, **hands, &strains, leaders);
        Seat::ALL.map(|leader| row(&solved, leader))
    })?;
    let n = solved.len();
    let points = array(py, (n, 4, 6), solved.iter().flatten().flat_map(|(points, _)| *points))?;
    Ok((points, array(py, (n, 4, 2), solved.iter().flatten().flat_map(|(_, slams)| *slams))?))
}

/// Points of seats 0 and 2 by strain, and for each team a bit for every strain in which it takes all tricks.
pub(crate) fn row(solved: &DealPoints, leader: Seat) -> ([i16; 6], [u8; 2]) {
    let (mut points, mut slams) = ([-1; 6], [0; 2]);
    for strain in Strain::ALL {
        let Some(value) = solved.get(strain, leader) else { continue };
        points[strain.index()] = i16::try_from(value.points[Team::Even]).unwrap_or(i16::MAX);
        if let Some(team) = value.slam {
            slams[team.index()] |= 1 << strain.index();
        }
    }
    (points, slams)
}

/// The best contract of each side, its score, and the scores of all contracts of one deal.
struct ParRow {
    best: [i32; 2],
    score: [i32; 4],
    scores: Vec<i32>,
}

type ParArrays = (Py<PyArray2<i32>>, Py<PyArray3<i32>>, Py<PyArray3<i32>>);

/// Contracts `int32` (n, 2), their scores (n, 2, 2) and the scores of all contracts (n, 2, actions); see `coinche.par`.
#[pyfunction]
#[pyo3(name = "_par", signature = (hands, rules, leader, threads))]
pub(crate) fn par(
    py: Python<'_>,
    hands: HandRows<'_>,
    rules: RulesLike,
    leader: LeaderLike,
    threads: Count,
) -> PyResult<ParArrays> {
    let game = rules.game()?;
    let deals = deals_of(&game, &hands, 200 + 16 * game.space.len())?;
    let deals: Vec<_> = deals.iter().zip(leader.of(deals.len())?).collect();
    let strains: Vec<_> =
        Strain::ALL.into_iter().filter(|strain| game.rules.allows_strain(*strain)).collect();
    let contracts = contracts(&game);
    let solved = with_solvers(py, &deals, threads, |solver, (hands, leader): &(&BySeat<CardSet>, Seat)| {
        let solved = DealPoints::solve(solver, &game.rules, **hands, &strains, &[*leader]);
        par_of(&game, &contracts, &solved, *leader)
    })?;
    let (n, actions) = (solved.len(), game.space.len());
    let best = array(py, (n, 2), solved.iter().flat_map(|row| row.best))?;
    let score = array(py, (n, 2, 2), solved.iter().flat_map(|row| row.score))?;
    Ok((best, score, array(py, (n, 2, actions), solved.into_iter().flat_map(|row| row.scores))?))
}

/// The actions that are contracts, with strain and goal. A générale is a game of its own, which is not solved.
fn contracts(game: &Game) -> Vec<(usize, Strain, Goal)> {
    let is_turn_up = game.rules.deal.method == coinche_engine::rules::DealMethod::TurnUp;
    let contract = |index| match game.space.action(index)? {
        Action::Call(Call::TakeIn(suit)) if is_turn_up => Some((index, suit.into(), Goal::Majority)),
        Action::Call(Call::Bid(Bid { value, strain }))
            if value != BidValue::GENERALE
                && game.rules.allows_strain(strain)
                && !(is_turn_up && strain.trump().is_some()) =>
        {
            let goal = if game.rules.has_values() { Goal::Bid(value) } else { Goal::Majority };
            Some((index, strain, goal))
        }
        _ => None,
    };
    (0..game.space.len()).filter_map(contract).collect()
}

fn par_of(game: &Game, contracts: &[(usize, Strain, Goal)], solved: &DealPoints, leader: Seat) -> ParRow {
    let is_turn_up = game.rules.deal.method == coinche_engine::rules::DealMethod::TurnUp;
    let mut row = ParRow { best: [-1; 2], score: [0; 4], scores: vec![NONE; 2 * game.space.len()] };
    for (team, scores) in Team::ALL.into_iter().zip(row.scores.chunks_exact_mut(game.space.len())) {
        let declarer = if leader.team() == team { leader } else { leader.next() };
        for &(action, strain, goal) in contracts {
            let contract = Contract { declarer, strain, goal, stake: Stake::Plain };
            if let Some(score) = solved.score(&game.rules, leader, contract) {
                scores[action] = score.points[team] - score.points[team.other()];
            }
        }
        if let Some(par) = solved.best_contract(&game.rules, leader, team) {
            let place = team.index();
            row.best[place] =
                number(&game.space, is_turn_up, par.contract).map_or(-1, |n| i32::try_from(n).unwrap_or(-1));
            row.score[2 * place..2 * place + 2].copy_from_slice(&par.score.points.0);
        }
    }
    row
}

/// The number of the call that is a contract.
fn number(space: &ActionSpace, is_turn_up: bool, contract: Contract) -> Option<usize> {
    let call = match contract.goal {
        Goal::Bid(value) => Call::Bid(Bid::new(value, contract.strain)),
        Goal::Majority => match contract.strain.trump() {
            Some(suit) if is_turn_up => Call::TakeIn(suit),
            _ => Call::Bid(Bid::new(BidValue::NONE, contract.strain)),
        },
    };
    space.index(Action::Call(call))
}
