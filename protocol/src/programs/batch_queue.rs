//! Bots in this process that decide for many deals at once, and the legs that wait for them.

use coinche_bots::{BatchBot, BatchMaker, Question};
use coinche_engine::encoding::ActionSpace;

use crate::programs::failures::Failures;
use crate::programs::leg::LegSlot;

/// The outcome of a question: the leg that asked, and the action or the error.
pub(super) type BatchAnswer = (usize, Result<i64, String>);

/// The object of one seat, in one of the two seatings, of a bot that decides for many deals at once.
#[derive(Debug)]
pub(super) struct BatchQueue {
    bot: Box<dyn BatchBot>,
    pub(super) name: String,
    /// Its failures since its last answer.
    pub(super) failures: Failures,
    /// The legs that wait for its answer.
    waiting: Vec<usize>,
    actions: Vec<i64>,
}

impl BatchQueue {
    pub(super) fn new(maker: &BatchMaker, name: &str) -> Self {
        Self {
            bot: maker.make(),
            name: name.to_owned(),
            failures: Failures::default(),
            waiting: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// Queues the question of a leg for the next batch.
    pub(super) fn ask(&mut self, slot: usize) {
        self.waiting.push(slot);
    }

    /// Passes the queued questions on, before any bot must answer.
    pub(super) fn send(&mut self, space: &ActionSpace, slots: &[LegSlot]) {
        if !self.waiting.is_empty() {
            self.bot.send(space, &questions(slots, &self.waiting));
        }
    }

    /// Asks all queued questions in one batch. If the bot fails, each is asked alone, so that the fault is attributed
    /// to the questions that cause it; but not once it fails for good, unless it `forfeits` its questions then.
    pub(super) fn answer(
        &mut self,
        space: &ActionSpace,
        slots: &[LegSlot],
        forfeits: bool,
        answers: &mut Vec<BatchAnswer>,
    ) {
        if self.waiting.is_empty() {
            return;
        }
        let waiting = core::mem::take(&mut self.waiting);
        match self.act(space, slots, &waiting) {
            Ok(()) => answers.extend(waiting.iter().copied().zip(self.actions.drain(..).map(Ok))),
            Err(error) if waiting.len() == 1 => answers.push((waiting[0], Err(error))),
            Err(_) => {
                let mut failures = self.failures.clone();
                for slot in &waiting {
                    if failures.is_final() && !forfeits {
                        break;
                    }
                    let alone = self.act(space, slots, &[*slot]).map(|()| self.actions[0]);
                    match alone {
                        Ok(_) => failures.reset(),
                        Err(_) => failures.add(slots[*slot].deal()),
                    }
                    answers.push((*slot, alone));
                }
            }
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    fn act(&mut self, space: &ActionSpace, slots: &[LegSlot], waiting: &[usize]) -> Result<(), String> {
        let questions = questions(slots, waiting);
        self.actions.clear();
        self.bot.act(space, &questions, &mut self.actions)?;
        if self.actions.len() == questions.len() {
            Ok(())
        } else {
            Err(format!("{} actions for {} questions", self.actions.len(), questions.len()))
        }
    }
}

fn questions<'a>(slots: &'a [LegSlot], waiting: &[usize]) -> Vec<Question<'a>> {
    waiting.iter().map(|slot| slots[*slot].batch_question()).collect()
}
