//! A bot's evaluation of each decision, from what the seat could know.

use coinche_bots::search::same_card;
use coinche_bots::{Agent as _, Bot, BotSpec, Choice, Thought};
use coinche_engine::record::{Record, Step, replay_steps};
use coinche_engine::{Call, Card, DealState, Key, Seat, Turn};

/// Fractions of a score point in which losses are counted: sums stay integers, and exact.
pub(super) const PARTS: i32 = 1000;

/// The losses of one record according to a bot, in [`PARTS`] of a score point; `None` if the bot has no
/// opinion.
#[derive(Debug, Clone, Default)]
pub(super) struct Losses {
    /// By card chosen among several legal ones, in playing order.
    pub(super) cards: Vec<Option<i32>>,
    /// By call, in order, declined offers included.
    pub(super) calls: Vec<(Seat, Call, Option<i32>)>,
}

/// Asks the bot, in the place of each seat, to evaluate what was done there.
///
/// The bot gets the events so far, and restarts with every record. Its random key depends on the deal only, so
/// that all legs of a deal are judged alike.
pub(super) fn losses(spec: &BotSpec, record: &Record) -> Losses {
    let mut bots = Seat::ALL.map(|_| spec.build());
    let mut losses = Losses::default();
    let mut decision = 0;
    let mut watch = |state: &DealState, step: &Step| {
        let (Turn::Call(seat) | Turn::Play(seat)) = state.turn() else { return };
        let key = Key::decisions(0, record.deal, seat).and(decision);
        decision += 1;
        let bot = &mut bots[seat.index()];
        match step {
            Step::Call(call) => losses.calls.push((seat, *call, of_call(bot, state, seat, *call, key))),
            Step::Play(play) if state.legal_plays().len() > 1 => {
                losses.cards.push(of_card(bot, state, seat, play.card, key));
            }
            Step::Play(_) => {}
        }
    };
    replay_steps(record, &mut watch);
    losses
}

fn of_call(bot: &mut Bot, state: &DealState, seat: Seat, call: Call, key: Key) -> Option<i32> {
    if !bot.bidder.thinks() {
        return None;
    }
    let _ = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
    loss(bot.bidder.thought()?, |choice| choice == Choice::Call(call))
}

fn of_card(bot: &mut Bot, state: &DealState, seat: Seat, card: Card, key: Key) -> Option<i32> {
    let _ = bot.player.play(state, seat, state.legal_plays(), key);
    let view = state.view(seat);
    match bot.player.thought() {
        // Nothing to think of where all cards are equivalent; else the bot has no opinion, as before the trick of `from`.
        None => state.legal_plays().into_iter().all(|other| same_card(&view, other, card)).then_some(0),
        Some(thought) => loss(
            thought,
            |choice| matches!(choice, Choice::Card(other) if other == card || same_card(&view, other, card)),
        ),
    }
}

/// Returns the mean of the best option less that of the chosen one.
fn loss(thought: &Thought, is_chosen: impl Fn(Choice) -> bool) -> Option<i32> {
    let best = thought.options.iter().map(|option| option.mean).fold(f64::NEG_INFINITY, f64::max);
    let chosen = thought.options.iter().find(|option| is_chosen(option.choice))?;
    let loss = (best - chosen.mean) * f64::from(PARTS);
    #[expect(clippy::cast_possible_truncation, reason = "a score has a few thousand points at most")]
    loss.is_finite().then(|| loss.round() as i32)
}
