//! Bots in this process that decide for many deals at once, and the legs that wait for them.

use coinche_bots::{BatchBot, BatchMaker, Question};
use coinche_engine::encoding::ActionSpace;

use crate::programs::failures::Failures;
use crate::programs::leg::LegSlot;

/// The outcome of a question.
#[derive(Debug)]
pub(super) struct BatchAnswer {
    /// The leg that asked.
    pub(super) slot: usize,
    /// The action or the error.
    pub(super) action: Result<i64, String>,
    /// The same of a copy that was asked again, alone.
    pub(super) again: Option<Result<i64, String>>,
}

impl BatchAnswer {
    const fn new(slot: usize, action: Result<i64, String>) -> Self {
        Self { slot, action, again: None }
    }
}

/// The copy of a bot that is asked again. Of each deal it is asked about one seat of one leg.
#[derive(Debug)]
pub(super) struct Copy {
    pub(super) maker: BatchMaker,
    bot: Box<dyn BatchBot>,
}

impl Copy {
    pub(super) fn new(maker: &BatchMaker) -> Self {
        Self { maker: maker.clone(), bot: maker.make() }
    }
}

/// The object of one seat, in one of the two seatings, of a bot that decides for many deals at once.
#[derive(Debug)]
pub(super) struct BatchQueue {
    bot: Box<dyn BatchBot>,
    /// Which copy is asked again.
    pub(super) copy: usize,
    pub(super) name: String,
    /// Its failures since its last answer.
    pub(super) failures: Failures,
    /// The legs that wait for its answer.
    waiting: Vec<usize>,
    actions: Vec<i64>,
}

impl BatchQueue {
    pub(super) fn new(maker: &BatchMaker, copy: usize, name: &str) -> Self {
        Self {
            bot: maker.make(),
            copy,
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
        copy: &mut Copy,
        forfeits: bool,
        answers: &mut Vec<BatchAnswer>,
    ) {
        if self.waiting.is_empty() {
            return;
        }
        let waiting = core::mem::take(&mut self.waiting);
        match self.act(space, slots, &waiting) {
            Ok(()) => {
                for (slot, action) in waiting.iter().copied().zip(core::mem::take(&mut self.actions)) {
                    let is_sampled = slots[slot].is_asked_again();
                    let again =
                        is_sampled.then(|| act(copy.bot.as_mut(), space, slots, &[slot], &mut self.actions));
                    let again = again.map(|acted| acted.map(|()| self.actions[0]));
                    answers.push(BatchAnswer { slot, action: Ok(action), again });
                }
            }
            Err(error) if waiting.len() == 1 => answers.push(BatchAnswer::new(waiting[0], Err(error))),
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
                    answers.push(BatchAnswer::new(*slot, alone));
                }
            }
        }
        self.waiting = waiting;
        self.waiting.clear();
    }

    fn act(&mut self, space: &ActionSpace, slots: &[LegSlot], waiting: &[usize]) -> Result<(), String> {
        act(self.bot.as_mut(), space, slots, waiting, &mut self.actions)
    }
}

fn questions<'a>(slots: &'a [LegSlot], waiting: &[usize]) -> Vec<Question<'a>> {
    waiting.iter().map(|slot| slots[*slot].batch_question()).collect()
}

fn act(
    bot: &mut dyn BatchBot,
    space: &ActionSpace,
    slots: &[LegSlot],
    waiting: &[usize],
    actions: &mut Vec<i64>,
) -> Result<(), String> {
    let questions = questions(slots, waiting);
    actions.clear();
    bot.act(space, &questions, actions)?;
    if actions.len() == questions.len() {
        Ok(())
    } else {
        Err(format!("{} actions for {} questions", actions.len(), questions.len()))
    }
}
