//! Processor time per decision, by bot.
//!
//! Reading a thread's clock costs more than a decision of a fast bot, so only a few deals are played at a table with
//! timed bots; all others are played without a clock. The measure is the work of the asking thread: a bot that thinks
//! on other threads or in other processes is not covered.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use coinche_bots::{Agent, Bidder, Bot, CardPlayer, OpenPlayer, Player, Thought};
use coinche_engine::{Call, Card, CardSet, DealState, Key, LegalCalls, Melds, View};

use crate::base::cpu::{Spread, thread_time};

/// The times of one bot's decisions: 16 classes to a power of two.
pub type BotTimes = Spread<16>;

/// Collects the times of one bot at one table.
#[derive(Debug, Clone, Default)]
pub struct Gathered(Arc<Mutex<BotTimes>>);

impl Gathered {
    fn add(&self, time: Duration) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).add(time);
    }

    /// Takes the collected times.
    pub fn take(&self) -> BotTimes {
        core::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the cost of reading the clock: the least difference of a few pairs of consecutive readings, measured once.
fn cost_of_reading() -> Duration {
    static COST: OnceLock<Duration> = OnceLock::new();
    let reading = || {
        let before = thread_time();
        thread_time().saturating_sub(before)
    };
    *COST.get_or_init(|| (0..16).map(|_| reading()).min().unwrap_or_default())
}

/// A bidder or a player, with a clock.
struct Timed<T> {
    inner: T,
    gathered: Gathered,
    /// The cost of reading the clock.
    idle: Duration,
}

impl<T> Timed<T> {
    fn time<R>(&mut self, decide: impl FnOnce(&mut T) -> R) -> R {
        let before = thread_time();
        let answer = decide(&mut self.inner);
        let time = thread_time().saturating_sub(before);
        self.gathered.add(time.saturating_sub(self.idle));
        answer
    }
}

impl<A: Agent> Agent for Timed<A> {
    fn start(&mut self) {
        self.inner.start();
    }

    fn thinks(&self) -> bool {
        self.inner.thinks()
    }

    fn thought(&self) -> Option<&Thought> {
        self.inner.thought()
    }
}

impl Bidder for Timed<Box<dyn Bidder>> {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        self.time(|inner| inner.call(view, legal, key))
    }
}

impl CardPlayer for Timed<Box<dyn CardPlayer>> {
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        self.time(|inner| inner.play(view, legal, key))
    }

    fn announce_belote(&mut self, view: &View<'_>, card: Card, key: Key) -> bool {
        self.time(|inner| inner.announce_belote(view, card, key))
    }

    fn choose_melds(&mut self, view: &View<'_>, options: &[Melds], key: Key) -> usize {
        self.time(|inner| inner.choose_melds(view, options, key))
    }
}

impl OpenPlayer for Timed<Box<dyn OpenPlayer>> {
    fn play(&mut self, state: &DealState, key: Key) -> Card {
        self.time(|inner| inner.play(state, key))
    }
}

/// Wraps the bidder and the player of a bot in clocks, as selected.
pub fn timed(bot: Bot, gathered: &Gathered, [calls, cards]: [bool; 2]) -> Bot {
    let idle = cost_of_reading();
    let name = bot.name().to_owned();
    let gathered = || gathered.clone();
    let (mut bidder, mut player) = (bot.bidder, bot.player);
    if calls {
        bidder = Box::new(Timed { inner: bidder, gathered: gathered(), idle });
    }
    if cards {
        let gathered = gathered();
        player = match player {
            Player::Fair(inner) => Player::fair(Timed { inner, gathered, idle }),
            Player::Open(inner) => Player::open(Timed { inner, gathered, idle }),
        };
    }
    Bot::new(name, bidder, player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use coinche_bots::Registry;
    use coinche_engine::RuleSet;

    use crate::play::schedule::{Schedule, Side, Unit};
    use crate::play::table::Table;

    #[test]
    fn a_clock_changes_no_result_and_counts_every_decision() {
        let schedule = Schedule { secrets: 3.into(), unit: Unit::Deal, pairs: 50 };
        let [a, b] = ["random:pass=0.6", "rules"].map(|bot| Registry::builtin().parse(bot).unwrap());
        let mut plain = Table::new(&RuleSet::BGA_JA, schedule, [a.clone(), b.clone()]);
        let gathered = [Gathered::default(), Gathered::default()];
        let clocks = gathered.clone();
        let mut clocked = Table::with_bots(&RuleSet::BGA_JA, schedule, move |side| {
            let spec = if side == Side::A { &a } else { &b };
            timed(spec.build(), &clocks[side.index()], [true; 2])
        });
        for index in 0..50 {
            assert_eq!(plain.play_pair(index, &mut ()), clocked.play_pair(index, &mut ()));
        }
        for gathered in gathered {
            let times = gathered.take();
            // Two legs, two seats, eight cards, and a call or more.
            assert!(times.number() > 50 * 2 * 2 * 8, "{}", times.number());
            assert!(times.quantile(50) <= times.quantile(95) && times.quantile(95) <= times.longest());
            assert_eq!(gathered.take().number(), 0);
        }
    }
}
