//! Many decisions at once, each by itself.

use coinche_engine::encoding::Action;
use coinche_engine::{DealState, Key, Turn};

use crate::{Bot, Choice, Player, Thought};

/// A decision to make.
#[derive(Debug, Clone, Copy)]
pub struct Position<'a> {
    /// The deal; the seat whose turn it is decides.
    pub state: &'a DealState,
    /// The decision's key.
    pub key: Key,
}

/// A decision that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// What to do; `None` when the deal is over.
    pub action: Option<Action>,
    /// What the bot thought, where that was asked and it thinks.
    pub thought: Option<Thought>,
    /// What each choice considered is worth more than their mean, in points, where that was asked and it knows.
    pub advantages: Vec<(Choice, f64)>,
}

impl Bot {
    /// Makes decisions one after the other, each by itself: what the bot remembers of a deal is forgotten before each, so that
    /// no answer depends on another, nor on how the positions are divided among bots.
    ///
    /// Answers are as those of [`Bot::act`]; with `thoughts` they tell what the bot thought.
    ///
    /// ```
    /// use coinche_bots::{Position, Registry};
    /// use coinche_engine::{Deal, DealState, Deck, Key, RuleSet, Seat, Secrets};
    ///
    /// let rules = RuleSet::BGA;
    /// let states = [1, 2, 3].map(|n| {
    ///     DealState::new(&rules, &Deal::new(&rules.deal, Deck::shuffled(Secrets::from(7), n), Seat::S3))
    /// });
    /// let positions: Vec<_> =
    ///     states.iter().zip(0..).map(|(state, n)| Position { state, key: Key::from_bits(n) }).collect();
    /// let mut bot = Registry::builtin().parse("rules")?.build();
    /// assert_eq!(bot.act_all(&positions, false).len(), 3);
    /// # Ok::<(), coinche_bots::ParseBotError>(())
    /// ```
    pub fn act_all(&mut self, positions: &[Position<'_>], thoughts: bool) -> Vec<Answer> {
        let answer = |position: &Position<'_>| {
            let of_call = matches!(position.state.turn(), Turn::Call(_));
            self.start();
            let action = self.act(position.state, position.key);
            let thought = if thoughts && action.is_some() { self.thought(of_call).cloned() } else { None };
            let advantages =
                if thoughts { self.advantages(position.state, thought.as_ref()) } else { Vec::new() };
            Answer { action, thought, advantages }
        };
        positions.iter().map(answer).collect()
    }

    fn advantages(&mut self, state: &DealState, thought: Option<&Thought>) -> Vec<(Choice, f64)> {
        match (thought, state.turn(), &mut self.player) {
            (Some(Thought { options, .. }), ..) if !options.is_empty() => {
                let mean = options.iter().map(|it| it.mean).sum::<f64>() / options.len() as f64;
                options.iter().map(|it| (it.choice, it.mean - mean)).collect()
            }
            (_, Turn::Play(seat), Player::Fair(player)) => {
                let of_cards = player.advantages(&state.view(seat), state.legal_plays());
                of_cards.into_iter().map(|(card, value)| (Choice::Card(card), value)).collect()
            }
            _ => Vec::new(),
        }
    }
}
