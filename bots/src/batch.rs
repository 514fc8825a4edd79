//! Bots that decide for many deals at once: nets, and whatever else pays for each call and not for each deal.

use core::fmt;
use std::sync::Arc;

use coinche_engine::encoding::{Action, ActionSpace};
use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, RuleSet, View};

use crate::{Agent, Bidder, CardPlayer};

/// What precedes the name of a bot that is written in Python: `python:mine`.
pub(crate) const PYTHON: &str = "python:";

/// A decision that a [`BatchBot`] is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// What the seat that must act knows.
    pub view: View<'a>,
    /// The randomness of this decision: the same for any number of threads and any other questions beside it.
    pub key: Key,
}

/// A bot that decides for many deals at once.
///
/// The arena keeps hundreds of legs in flight, with an object for each seat and seating of a table: none is asked about a partner, an
/// opponent, or the other leg of a deal. It has no memory: what it decides may depend on the question alone, never on
/// the others beside it, else a run would not be the same on another machine. Actions are the numbers of an [`ActionSpace`]; melds
/// are announced as the rules' default has it.
///
/// ```
/// use coinche_bots::{BatchBot, BotInfo, Question, Registry};
/// use coinche_engine::encoding::ActionSpace;
///
/// /// Takes the first action that is legal.
/// struct First;
///
/// impl BatchBot for First {
///     fn act(
///         &mut self,
///         space: &ActionSpace,
///         questions: &[Question<'_>],
///         actions: &mut Vec<i64>,
///     ) -> Result<(), String> {
///         let mut mask = vec![0; space.len()];
///         for question in questions {
///             space.mask_of(&question.view, &mut mask);
///             actions.push(mask.iter().position(|legal| *legal == 1).map_or(-1, |first| first as i64));
///         }
///         Ok(())
///     }
/// }
///
/// let registry = Registry::builtin().with(BotInfo::new("first", "the first action").batch(|| First))?;
/// assert!(registry.parse("table+first")?.player_batch().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait BatchBot: Send {
    /// Appends one action for each question, in their order. A number that is not legal is a fault of the bot: the arena notes it and
    /// replaces it.
    ///
    /// # Errors
    ///
    /// What went wrong, for people. The questions are then asked one at a time, and the deals of those that fail again are
    /// forfeited.
    fn act(
        &mut self,
        space: &ActionSpace,
        questions: &[Question<'_>],
        actions: &mut Vec<i64>,
    ) -> Result<(), String>;

    /// Receives the questions of the next [`BatchBot::act`] in advance: all objects of a table receive theirs before the first must
    /// answer, so that those which decide elsewhere work at the same time.
    fn send(&mut self, _space: &ActionSpace, _questions: &[Question<'_>]) {}
}

impl fmt::Debug for dyn BatchBot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BatchBot")
    }
}

/// Makes the objects of a [`BatchBot`], each of them fresh. A closure that returns one does.
pub trait MakeBatchBot: Send + Sync {
    /// Makes the object of a seat.
    fn make(&self) -> Box<dyn BatchBot>;

    /// Returns how many legs are to be in flight: an object is asked about a quarter of them at a time. So many deals are lost where
    /// a run is stopped. Whatever the number of threads, the same questions are asked together.
    fn batch(&self) -> usize {
        512
    }

    /// Tests if each object is in a process of its own, so that none can learn what another was asked.
    fn is_apart(&self) -> bool {
        false
    }

    /// Tests if it can play at all: asked once before a run.
    ///
    /// # Errors
    ///
    /// Why not, and what to do.
    fn ready(&self) -> Result<(), String> {
        Ok(())
    }
}

impl<B: BatchBot + 'static, F: Fn() -> B + Send + Sync> MakeBatchBot for F {
    fn make(&self) -> Box<dyn BatchBot> {
        Box::new(self())
    }
}

/// What makes the objects of a bot that decides for many deals at once.
#[derive(Clone)]
pub struct BatchMaker(pub(crate) Arc<dyn MakeBatchBot>);

impl core::ops::Deref for BatchMaker {
    type Target = dyn MakeBatchBot;

    fn deref(&self) -> &Self::Target {
        self.0.as_ref()
    }
}

impl PartialEq for BatchMaker {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for BatchMaker {}

impl fmt::Debug for BatchMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BatchMaker")
    }
}

/// Stands for a bot in Python where there is no Python: a run of it can be read and checked, and not played.
pub(crate) struct Absent;

impl BatchBot for Absent {
    fn act(&mut self, _: &ActionSpace, _: &[Question<'_>], _: &mut Vec<i64>) -> Result<(), String> {
        self.ready()
    }
}

impl MakeBatchBot for Absent {
    fn make(&self) -> Box<dyn BatchBot> {
        Box::new(Self)
    }

    fn ready(&self) -> Result<(), String> {
        Err("it is a bot in Python: play it with coinche.run, from Python, or name its file: `python:FILE.py:NAME`".to_owned())
    }
}

/// One seat of a batch bot: each of its decisions is a batch of one.
///
/// A panic, which forfeits the deal, is how it says that the bot failed.
pub(crate) struct BatchSeat {
    bot: Box<dyn BatchBot>,
    /// For the rules of the last question.
    space: Option<(RuleSet, ActionSpace)>,
    /// Whether the card that was played last keeps its belote silent.
    silent: bool,
}

impl BatchSeat {
    pub(crate) const fn new(bot: Box<dyn BatchBot>) -> Self {
        Self { bot, space: None, silent: false }
    }

    /// Asks; an action that is not legal is `None`.
    fn act(&mut self, view: &View<'_>, key: Key) -> Option<Action> {
        let rules = view.rules();
        if self.space.as_ref().is_none_or(|(other, _)| other != rules) {
            self.space = Some((*rules, ActionSpace::new(rules)));
        }
        let (_, space) = self.space.as_ref()?;
        let mut actions = Vec::with_capacity(1);
        let acted = self.bot.act(space, &[Question { view: *view, key }], &mut actions);
        match (acted, &actions[..]) {
            (Ok(()), [action]) => {
                let mut mask = vec![0; space.len()];
                space.mask_of(view, &mut mask);
                let action = usize::try_from(*action).ok();
                action.filter(|action| mask.get(*action) == Some(&1)).and_then(|action| space.action(action))
            }
            (Ok(()), _) => panic!("{} actions for one question", actions.len()),
            (Err(error), _) => panic!("{error}"),
        }
    }
}

impl Agent for BatchSeat {}

impl Bidder for BatchSeat {
    /// What is not legal is given as a call that is not: the table notes the fault.
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        match self.act(view, key) {
            Some(Action::Call(call)) => call,
            _ => illegal_call(legal),
        }
    }
}

impl CardPlayer for BatchSeat {
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        let action = self.act(view, key);
        self.silent = matches!(action, Some(Action::SilentCard(_)));
        match action {
            Some(Action::Card(card) | Action::SilentCard(card)) => card,
            // The table notes the fault.
            _ => (!legal).first().expect("no hand has all cards"),
        }
    }

    fn announce_belote(&mut self, _view: &View<'_>, _card: Card, _key: Key) -> bool {
        !self.silent
    }
}

/// A call that is not legal now; there always is one.
fn illegal_call(legal: &LegalCalls) -> Call {
    let calls = [Call::Take, Call::Surcoinche, Call::Coinche];
    calls.into_iter().find(|call| !legal.contains(*call)).unwrap_or(Call::Take)
}
