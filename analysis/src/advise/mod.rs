//! `arena advise`: recommends a call or card for a hand, with reasons.
//!
//! | module | |
//! |---|---|
//! | `question` | the hand and what its seat knows, parsed from the command line; every mistake is named |
//! | `calls` | the value of each call, from sampled deals |
//! | `cards` | the value of each card, from a card player that searches |
//! | `audit` | what is told of calls, played as claims |
//! | `agreed` | the rules of its system by which the partner called |
//! | `holdings` | the estimated hands of the others |
//! | `models` | the assumed bidding and play of the others |
//! | `sentences` | the answer in sentences |
//! | `document`, `json` | as a [`Document`](coinche_selfplay::document::model::Document), in full or in brief, and as JSON |
//!
//! Like a bot, an answer only uses the [`View`](coinche_engine::View) of one seat.

mod agreed;
pub mod audit;
mod calls;
mod cards;
mod document;
mod holdings;
mod json;
mod models;
mod question;
mod sentences;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use coinche_bots::{Agent, BotSpec, Choice, Considered, Thought};
use coinche_engine::{Call, Key, Strain};
use coinche_selfplay::play::solvers::Solvers;

use agreed::Agreed;
pub use document::{brief, document};
use holdings::Holdings;
pub use json::json;
pub use models::{Basis, Models, OPPONENTS, PARTNER, quick, tells_at_once};
pub use question::{Asked, Question, QuestionError, follow};

/// The budget of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// Wall-clock time from the start of the answer.
    Time(Duration),
    /// Number of deals: the answer is the same on every machine.
    Worlds(u32),
}

/// The settings of an answer.
#[derive(Debug)]
pub struct Adviser<'a> {
    /// The solvers, one for each thread.
    pub solvers: &'a Solvers,
    /// How many deals are sampled and played out.
    pub budget: Budget,
    /// The bot to ask; `None`: evaluate each call in sampled deals, and use `pimc` for cards.
    pub by: Option<&'a BotSpec>,
    /// The assumed bots of partner and opponents.
    pub models: &'a Models,
    /// The random key.
    pub key: Key,
}

/// A call or card with its estimates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighed {
    /// What it chooses.
    pub choice: Choice,
    /// The chance of making the contract, 0 to 1: the one bid or taken by the call if it becomes that of the deal, else the standing one.
    pub chance: Option<f64>,
    /// How often the contract bid or taken, else the standing one, becomes that of the deal after this call, 0 to 1; `None` of cards.
    pub is_final: Option<f64>,
    /// The expected score of the deal, own side less other side, with half of its 95 % interval.
    pub score: Option<[f64; 2]>,
    /// The gain in score over a pass, with half of its 95 % interval.
    pub gain: Option<[f64; 2]>,
    /// The share of worlds in which no other choice is better.
    pub best: Option<f64>,
    /// The number of worlds evaluated.
    pub worlds: u64,
}

/// The call that the assumed bidder would make.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assumed {
    /// The call.
    pub call: Call,
    /// What the recommended call gains over it, with half of its 95 % interval.
    pub gain: [f64; 2],
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The recommended call or card.
    pub choice: Choice,
    /// The name of the adviser.
    pub by: String,
    /// Whether the figures come from elsewhere, since the adviser has none.
    pub figures_of_others: bool,
    /// The choices, best first.
    pub options: Vec<Weighed>,
    /// What the assumed bidder would call; `None` of cards, and where a bot was asked.
    pub assumed: Option<Assumed>,
    /// What the others hold.
    pub holdings: Holdings,
    /// The rules of its system by which the partner made its calls; empty if it has no system.
    pub agreed: Vec<Agreed>,
    /// How the others are assumed to bid and play.
    pub basis: Basis,
    /// The strains in question.
    pub strains: Vec<Strain>,
}

/// The share of the time budget spent on estimating the other hands.
const FOR_HOLDINGS: f64 = 0.15;
/// Draws for that estimate per world searched.
const DRAWS: u32 = 100;

/// Answers a question.
pub fn advise(question: &Question, adviser: &Adviser<'_>) -> Advice {
    answer(question, adviser, DRAWS)
}

/// Answers a question as [`advise`] does, but for the estimate of the other hands, which is coarse: most of the time of an answer of few
/// worlds goes into it.
pub fn advise_choice(question: &Question, adviser: &Adviser<'_>) -> Advice {
    answer(question, adviser, 0)
}

fn answer(question: &Question, adviser: &Adviser<'_>, draws: u32) -> Advice {
    let (began, view) = (Instant::now(), question.view());
    let (most, until) = match adviser.budget {
        Budget::Worlds(worlds) => (worlds.saturating_mul(draws), None),
        Budget::Time(time) => (u32::MAX, Some(began + time.mul_f64(FOR_HOLDINGS))),
    };
    let holdings = Holdings::find(&view, adviser.models.read_by(&view), adviser.key.and(1), most, until);
    let agreed = agreed::find(&view, adviser.models, adviser.key.and(2));
    let budget = match adviser.budget {
        Budget::Time(time) => Budget::Time(time.saturating_sub(began.elapsed())),
        count @ Budget::Worlds(_) => count,
    };
    let adviser = Adviser { budget, ..*adviser };
    let mut advice = if view.contract().is_some() {
        cards::advise(&view, question.legal_cards(), &adviser, holdings)
    } else {
        calls::advise(&view, &adviser, holdings)
    };
    advice.agreed = agreed;
    // Best first; ties in the order of the game.
    advice.options.sort_by(|a, b| {
        let score = |it: &Weighed| it.score.map_or(f64::NEG_INFINITY, |[score, _]| score);
        let is_other = |it: &Weighed| it.choice != advice.choice;
        score(b).total_cmp(&score(a)).then(is_other(a).cmp(&is_other(b)))
    });
    advice
}

/// The choice of a bot, and its thought if it has one.
type Said<T> = (T, Option<Thought>);

fn ask<A: Agent + ?Sized, T>(agent: &mut A, choose: impl FnOnce(&mut A) -> T) -> Said<T> {
    agent.start();
    let choice = choose(agent);
    (choice, agent.thought().filter(|_| agent.thinks()).cloned())
}

/// Converts the options that a bot considered.
fn weighed(thought: &Thought) -> Vec<Weighed> {
    let is_pass = |option: &&Considered| option.choice == Choice::Call(Call::Pass);
    let pass = thought.options.iter().find(is_pass);
    // Without an interval: each sampled call may have been evaluated in other deals.
    let gain = |option: &Considered| {
        let pass = pass.filter(|pass| option.worlds + pass.worlds == 0 && option.choice != pass.choice)?;
        Some([option.mean - pass.mean, f64::INFINITY])
    };
    let options = thought.options.iter().map(|option| Weighed {
        choice: option.choice,
        chance: option.chance,
        is_final: None,
        score: Some([option.mean, option.half_width]),
        gain: gain(option),
        best: Some(option.best),
        worlds: option.worlds,
    });
    options.collect()
}
