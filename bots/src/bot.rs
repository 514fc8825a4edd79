//! What a bot is.

use core::any::Any;
use core::fmt;

use coinche_engine::encoding::Action;
use coinche_engine::{Call, Card, CardSet, DealState, Key, LegalCalls, Melds, Seat, Turn, View};

/// Standard errors in half of a 95 % interval, where many worlds make the error known well.
pub const Z_95: f64 = 1.96;

/// What a bot thought of a decision.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thought {
    /// The score expected of the deal: the own side's less the other's.
    pub points: Option<f64>,
    /// The chance that the contract is made, 0 to 1: that of the play, or the one that is bid or doubled. Of a bid: that it is made
    /// if it becomes the contract, coinched or not.
    pub chance: Option<f64>,
    /// What was considered, in no order.
    pub options: Vec<Considered>,
}

/// A choice that a bot considered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Considered {
    /// The call or card.
    pub choice: Choice,
    /// The mean score of the deal after it: the own side's less the other's.
    pub mean: f64,
    /// Half the width of the 95 % interval of the mean, as sampling alone makes it.
    pub half_width: f64,
    /// The chance, 0 to 1, that the contract is made after it: the one that is bid or taken, else the standing one.
    /// `None` where there is none, or the bot does not tell.
    pub chance: Option<f64>,
    /// The share of worlds in which no other choice is better, 0 to 1.
    pub best: f64,
    /// In how many worlds it was looked at.
    pub worlds: u64,
}

/// A call or a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// A call.
    Call(Call),
    /// A card.
    Card(Card),
}

impl From<Card> for Choice {
    fn from(card: Card) -> Self {
        Self::Card(card)
    }
}

impl From<Call> for Choice {
    fn from(call: Call) -> Self {
        Self::Call(call)
    }
}

impl core::fmt::Display for Choice {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Call(call) => call.fmt(f),
            Self::Card(card) => card.fmt(f),
        }
    }
}

/// What bidders and card players have in common: they forget at the start of a deal, and may tell what they thought.
///
/// An agent sits at one seat for one deal at a time. It may keep what it has thought during a deal, never
/// anything from one deal to the next: [`Agent::start`] must forget all. Its answers may depend on the
/// arguments and on that memory alone; randomness comes from the key, which is different for every decision.
///
/// A bot without a memory, which tells nothing, needs `impl Agent for MyBot {}` and no more.
pub trait Agent: Send {
    /// A new deal begins: forgets the last.
    fn start(&mut self) {}

    /// Tests if it can tell what it thinks: who does not is not asked.
    fn thinks(&self) -> bool {
        false
    }

    /// Returns what it thought of the last decision, where it thinks; `None` of a decision that took no thought.
    fn thought(&self) -> Option<&Thought> {
        None
    }
}

impl<T: Agent + ?Sized> Agent for Box<T> {
    fn start(&mut self) {
        (**self).start();
    }

    fn thinks(&self) -> bool {
        (**self).thinks()
    }

    fn thought(&self) -> Option<&Thought> {
        (**self).thought()
    }
}

/// Makes the calls of one seat.
///
/// It is [`Any`], so that code that knows the type of a bidder can find out more about it.
pub trait Bidder: Agent + Any {
    /// Makes a call out of `legal`, which is never empty.
    ///
    /// With an any-time coinche this is also the answer to an offer: `legal` then has a pass, which
    /// declines, and the coinche or surcoinche.
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call;
}

/// What the bids of a bidder must show.
pub trait BidStyle: fmt::Debug + Send + Sync {
    /// Returns the calls among which the bidder chooses: those that are legal, without bids that would show what the hand has not.
    fn allowed(&self, view: &View<'_>, legal: LegalCalls) -> LegalCalls;
}

/// Plays the cards of one seat.
pub trait CardPlayer: Agent {
    /// Plays a card out of `legal`, which is never empty.
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card;

    /// Decides whether to announce a belote with `card`, the first of its two cards; asked only where the
    /// rules leave the choice.
    fn announce_belote(&mut self, _view: &View<'_>, _card: Card, _key: Key) -> bool {
        true
    }

    /// Chooses among the announcements of melds that the hand leaves, by index; asked before the first
    /// card, and only where there are two or more. The first has the most points.
    fn choose_melds(&mut self, _view: &View<'_>, _options: &[Melds], _key: Key) -> usize {
        0
    }

    /// Returns what each card is worth more than the mean of `legal`, in points, if that is all it knows of them: one that knows the scores of
    /// the deal tells these by its [`Thought`].
    fn advantages(&mut self, _view: &View<'_>, _legal: CardSet) -> Vec<(Card, f64)> {
        Vec::new()
    }
}

/// Plays the cards of one seat with all hands in sight: no fair player, but a bound for those that are.
///
/// It is a trait apart so that nothing a [`CardPlayer`] is given can lead to another hand. It announces every
/// belote, and the melds with the most points.
pub trait OpenPlayer: Agent {
    /// Plays a card for the seat whose turn it is.
    fn play(&mut self, state: &DealState, key: Key) -> Card;
}

/// Who plays the cards of a bot, by what it is shown.
pub enum Player {
    /// One that is shown what its seat may know.
    Fair(Box<dyn CardPlayer>),
    /// One that is shown all hands.
    Open(Box<dyn OpenPlayer>),
}

impl Player {
    /// Makes a player of one that plays by what its seat may know.
    pub fn fair(player: impl CardPlayer + 'static) -> Self {
        Self::Fair(Box::new(player))
    }

    /// Makes a player of one that sees all hands.
    pub fn open(player: impl OpenPlayer + 'static) -> Self {
        Self::Open(Box::new(player))
    }

    /// Returns the player, if it is one that plays by what its seat may know.
    pub fn into_fair(self) -> Option<Box<dyn CardPlayer>> {
        match self {
            Self::Fair(player) => Some(player),
            Self::Open(_) => None,
        }
    }

    /// Tests if it sees all hands.
    pub const fn sees_all(&self) -> bool {
        matches!(self, Self::Open(_))
    }

    fn agent(&self) -> &dyn Agent {
        match self {
            Self::Fair(player) => player.as_ref(),
            Self::Open(player) => player.as_ref(),
        }
    }

    /// Plays a card out of `legal` for the seat whose turn it is.
    #[inline]
    pub fn play(&mut self, state: &DealState, seat: Seat, legal: CardSet, key: Key) -> Card {
        match self {
            Self::Fair(player) => player.play(&state.view(seat), legal, key),
            Self::Open(player) => player.play(state, key),
        }
    }

    /// Decides whether to announce a belote: [`CardPlayer::announce_belote`].
    pub fn announce_belote(&mut self, state: &DealState, seat: Seat, card: Card, key: Key) -> bool {
        match self {
            Self::Fair(player) => player.announce_belote(&state.view(seat), card, key),
            Self::Open(_) => true,
        }
    }

    /// Chooses among announcements of melds: [`CardPlayer::choose_melds`].
    pub fn choose_melds(&mut self, state: &DealState, seat: Seat, options: &[Melds], key: Key) -> usize {
        match self {
            Self::Fair(player) => player.choose_melds(&state.view(seat), options, key),
            Self::Open(_) => 0,
        }
    }
}

impl Agent for Player {
    fn start(&mut self) {
        match self {
            Self::Fair(player) => player.start(),
            Self::Open(player) => player.start(),
        }
    }

    fn thinks(&self) -> bool {
        self.agent().thinks()
    }

    fn thought(&self) -> Option<&Thought> {
        self.agent().thought()
    }
}

/// A bidder and a card player at one seat.
pub struct Bot {
    name: String,
    /// Makes the calls.
    pub bidder: Box<dyn Bidder>,
    /// Plays the cards.
    pub player: Player,
}

impl Bot {
    /// Combines a bidder and a card player that plays by what its seat may know.
    pub fn fair(
        name: impl Into<String>,
        bidder: impl Bidder + 'static,
        player: impl CardPlayer + 'static,
    ) -> Self {
        Self::new(name, Box::new(bidder), Player::fair(player))
    }

    /// Combines a bidder and a card player under a name.
    pub fn new(name: impl Into<String>, bidder: Box<dyn Bidder>, player: Player) -> Self {
        Self { name: name.into(), bidder, player }
    }

    /// Returns the name: of a bot from a registry, its specification.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A new deal begins: forgets the last.
    pub fn start(&mut self) {
        self.bidder.start();
        self.player.start();
    }

    /// Decides for the seat whose turn it is; `None` when the deal is over.
    ///
    /// Where the rules leave the choice it is asked about a belote, with a key that follows from `key`; melds are announced
    /// as by default. The answer of a bot of one's own may be illegal.
    pub fn act(&mut self, state: &DealState, key: Key) -> Option<Action> {
        match state.turn() {
            Turn::Over => None,
            Turn::Call(seat) => {
                Some(Action::Call(self.bidder.call(&state.view(seat), &state.legal_calls(), key)))
            }
            Turn::Play(seat) => {
                let card = self.player.play(state, seat, state.legal_plays(), key);
                let silent = state.may_announce_belote(card)
                    && !self.player.announce_belote(state, seat, card, key.and(u64::MAX));
                Some(if silent { Action::SilentCard(card) } else { Action::Card(card) })
            }
        }
    }

    /// Returns what it thought of its last decision: a call, or else a card.
    pub fn thought(&self, of_call: bool) -> Option<&Thought> {
        if of_call { self.bidder.thought() } else { self.player.thought() }
    }
}

impl core::fmt::Debug for Bot {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Bot").field("name", &self.name).finish_non_exhaustive()
    }
}
