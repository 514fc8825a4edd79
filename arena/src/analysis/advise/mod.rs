//! `arena advise`: what a player with a hand should call or play, and why.
//!
//! | module | |
//! |---|---|
//! | `question` | the hand and what its seat knows, read from the command line, with every mistake named |
//! | `calls` | what every call is worth, in deals that fit |
//! | `candidates` | which calls are looked at, and what is expected of them beforehand |
//! | `cards` | what every card is worth, in the eyes of a card player that thinks |
//! | `agreed` | by which rules of its system the partner called |
//! | `holdings` | what the others are taken to hold |
//! | `models` | how the others are taken to bid and play |
//! | `sentences` | the answer in sentences |
//! | `document`, `json` | all of it as a [`Document`](coinche_selfplay::document::model::Document), in brief too, and as JSON |
//!
//! An answer sees the [`View`] of one seat, as a bot does.

mod agreed;
mod calls;
mod candidates;
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

use coinche_bots::{Bidder, BotSpec, CardPlayer, Choice, Considered, Thought};
use coinche_engine::{Call, Key, Strain, View};
use coinche_selfplay::play::solvers::Solvers;

use agreed::Agreed;
pub(crate) use document::{brief, document};
use holdings::Holdings;
pub(crate) use json::json;
pub(crate) use models::{Models, quick, tells_at_once};
pub(crate) use question::{Asked, Question, QuestionError};

/// How long an answer is thought about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    /// Time of day, from the start of the answer.
    Time(Duration),
    /// So many deals: the same answer on every machine.
    Worlds(u32),
}

/// Who answers.
#[derive(Debug)]
pub(crate) struct Adviser<'a> {
    /// The solvers, a thread each.
    pub(crate) solvers: &'a Solvers,
    pub(crate) budget: Budget,
    /// The bot that is asked; `None`: every call in deals that fit, and `pimc` for cards.
    pub(crate) by: Option<&'a BotSpec>,
    /// How partner and opponents are taken to bid and play.
    pub(crate) models: &'a Models,
    /// All that is random follows from it.
    pub(crate) key: Key,
}

/// A call or card with what is known of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Weighed {
    pub(crate) choice: Choice,
    /// The chance that the contract is made, 0 to 1: the one that is bid or taken, else the standing one.
    pub(crate) chance: Option<f64>,
    /// The expected score of the deal, own side less other side, with half of its 95 % interval.
    pub(crate) score: Option<[f64; 2]>,
    /// How much that is more than after a pass, with half of its 95 % interval.
    pub(crate) gain: Option<[f64; 2]>,
    /// The share of worlds in which no other choice is better.
    pub(crate) best: Option<f64>,
    /// In how many worlds it was looked at.
    pub(crate) worlds: u64,
}

/// An answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Advice {
    /// What is advised.
    pub(crate) choice: Choice,
    /// Who advises it.
    pub(crate) by: String,
    /// Whether the figures are not those of the adviser, which has none.
    pub(crate) figures_of_others: bool,
    /// The choices, the best first.
    pub(crate) options: Vec<Weighed>,
    pub(crate) holdings: Holdings,
    /// By which rules of its system the partner made its calls; none where it has no system.
    pub(crate) agreed: Vec<Agreed>,
    /// How the others are taken to bid and play, in a sentence.
    pub(crate) models: String,
    /// What three quarters of the average of a call come from.
    pub(crate) expected_by: &'static str,
    /// The strains in question.
    pub(crate) strains: Vec<Strain>,
}

/// The share of the time in which it is found out what the others hold.
const FOR_HOLDINGS: f64 = 0.15;
/// How many draws that takes for each world that is searched.
const DRAWS: u32 = 100;

/// Answers a question.
pub(crate) fn advise(question: &Question, adviser: &Adviser<'_>) -> Advice {
    let (began, view) = (Instant::now(), question.view());
    let (most, until) = match adviser.budget {
        Budget::Worlds(worlds) => (worlds.saturating_mul(DRAWS), None),
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
    // The best first; of equal ones in the order of the game.
    advice.options.sort_by(|a, b| {
        let score = |it: &Weighed| it.score.map_or(f64::NEG_INFINITY, |[score, _]| score);
        let is_other = |it: &Weighed| it.choice != advice.choice;
        score(b).total_cmp(&score(a)).then(is_other(a).cmp(&is_other(b)))
    });
    advice
}

/// What a bot says of a call or card: its choice, and its thought if it has any.
type Said<T> = (T, Option<Thought>);

fn ask_bidder(bidder: &mut dyn Bidder, view: &View<'_>, key: Key) -> Said<Call> {
    bidder.start();
    let legal = view.auction().state().legal_calls();
    let call = bidder.call(view, &legal, key);
    (call, bidder.thought().filter(|_| bidder.thinks()).cloned())
}

fn ask_player(
    player: &mut dyn CardPlayer,
    view: &View<'_>,
    legal: coinche_engine::CardSet,
    key: Key,
) -> Said<coinche_engine::Card> {
    player.start();
    let card = player.play(view, legal, key);
    (card, player.thought().filter(|_| player.thinks()).cloned())
}

/// Takes over what a bot considered.
fn weighed(thought: &Thought) -> Vec<Weighed> {
    let is_pass = |option: &&Considered| option.choice == Choice::Call(Call::Pass);
    let pass = thought.options.iter().find(is_pass);
    // Without an interval. Calls that were sampled may have been looked at in other deals each.
    let gain = |option: &Considered| {
        let pass = pass.filter(|pass| option.worlds + pass.worlds == 0 && option.choice != pass.choice)?;
        Some([option.mean - pass.mean, f64::INFINITY])
    };
    let options = thought.options.iter().map(|option| Weighed {
        choice: option.choice,
        chance: option.chance,
        score: Some([option.mean, option.half_width]),
        gain: gain(option),
        best: Some(option.best),
        worlds: option.worlds,
    });
    options.collect()
}
