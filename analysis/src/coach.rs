//! What the decisions of a seat cost, with all hands known and with what the seat knew: of a game of `arena serve`, and of the report of a
//! game.
//!
//! The figures are those of `arena judge` and `arena advise`.

use coinche_bots::{BotSpec, Choice, Registry};
use coinche_engine::record::{Record, Step};
use coinche_engine::{DealState, Key, Seat, Seed, Team};
use coinche_inference::ratio::{Part, Ratio};
use coinche_selfplay::Solvers;

use crate::advise::{self, Advice, Adviser, Budget, Models, Question};

/// The deals sampled for a decision: as `arena advise --worlds`.
pub const WORLDS: u32 = 100;

/// Answers for a seat: the bots' models, and how many deals are sampled.
#[derive(Debug)]
pub struct Coach<'a> {
    /// The threads.
    pub solvers: &'a Solvers,
    /// How the others bid and play.
    pub models: &'a Models,
    /// The seed of the sampling.
    pub seed: &'a Seed,
}

/// A decision, and the advice for what its seat knew.
#[derive(Debug)]
pub struct Known {
    /// The decision.
    pub choice: Choice,
    /// What was asked.
    pub question: Question,
    /// The advice.
    pub advice: Advice,
}

impl Known {
    /// Returns the choice of the highest score.
    pub fn best(&self) -> Option<Choice> {
        let scored = self.advice.options.iter().filter_map(|it| Some((it.choice, it.score?[0])));
        // Of equal ones the first, which the advice lists first.
        Some(scored.reduce(|best, next| if next.1 > best.1 { next } else { best })?.0)
    }

    /// Returns what the decision cost: the score expected of the best choice less that of this one.
    pub fn cost(&self) -> Option<f64> {
        let score = |choice| Some(self.advice.options.iter().find(|it| it.choice == choice)?.score?[0]);
        Some(score(self.best()?)? - score(self.choice)?)
    }
}

impl Coach<'_> {
    /// Advises a seat.
    pub fn advise(&self, state: &DealState, seat: Seat, worlds: u32) -> (Question, Advice) {
        let question = Question::at_table(state, seat);
        let advice = advise::advise(&question, &self.adviser(seat, worlds));
        (question, advice)
    }

    /// Advises a seat that does not ask where the hidden cards are: some ten times as fast.
    pub fn hint(&self, state: &DealState, seat: Seat) -> (Question, Advice) {
        let question = Question::at_table(state, seat);
        let advice = advise::advise_choice(&question, &self.adviser(seat, WORLDS));
        (question, advice)
    }

    fn adviser(&self, seat: Seat, worlds: u32) -> Adviser<'_> {
        Adviser {
            solvers: self.solvers,
            budget: Budget::Worlds(worlds),
            by: None,
            models: self.models,
            key: Key::decisions(self.seed, 0, seat),
        }
    }

    /// Returns a decision with the advice for it; `None` without a choice.
    pub fn known(&self, state: &DealState, seat: Seat, step: Step) -> Option<Known> {
        let choice = match step {
            Step::Call(call) => Choice::Call(call),
            Step::Play(play) if state.legal_plays().len() > 1 => Choice::Card(play.card),
            Step::Play(_) => return None,
        };
        let (question, advice) = self.hint(state, seat);
        Some(Known { choice, question, advice })
    }
}

/// Returns the models of the bots at a table, as `arena play` has them.
pub fn models(partner: &BotSpec, others: &BotSpec, registry: &Registry) -> Option<Models> {
    let model = |bot: &BotSpec| {
        if bot.has_program() { registry.parse("rules").ok() } else { advise::quick(bot, registry).ok() }
    };
    Some(Models::new(model(partner)?, model(others)?))
}

/// What a team scored more than the other side, a deal each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Figures {
    /// Of all deals.
    pub all: Ratio,
    /// Of those in which it declared.
    pub declaring: Ratio,
    /// How many of these contracts were made.
    pub made: u64,
    /// Of those in which the other side declared.
    pub defending: Ratio,
}

impl Figures {
    /// Adds a deal.
    pub fn add(&mut self, record: &Record, team: Team) {
        let mut part = Part::default();
        part.add(record.score[team] - record.score[team.other()]);
        self.all.add(part);
        match record.contract {
            Some(contract) if contract.declarer.team() == team => {
                self.declaring.add(part);
                self.made += u64::from(record.made == Some(true));
            }
            Some(_) => self.defending.add(part),
            None => {}
        }
    }
}
