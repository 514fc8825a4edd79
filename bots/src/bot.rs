//! What a bot is.

use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, Melds, View};

/// Makes the calls of one seat.
///
/// A bidder sits at one seat for one deal at a time. It may keep what it has thought during a deal, never
/// anything from one deal to the next: [`Bidder::start`] must forget all. Its answer may depend on the
/// arguments and on that memory alone; randomness comes from `key`, which is different for every decision.
pub trait Bidder: Send {
    /// A new deal begins: forgets the last.
    fn start(&mut self) {}

    /// Makes a call out of `legal`, which is never empty.
    ///
    /// With an any-time coinche this is also the answer to an offer: `legal` then has a pass, which
    /// declines, and the coinche or surcoinche.
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call;
}

/// Plays the cards of one seat.
///
/// What [`Bidder`] says of memory and randomness is true here too.
pub trait CardPlayer: Send {
    /// A new deal begins: forgets the last.
    fn start(&mut self) {}

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
}

/// A bidder and a card player at one seat.
pub struct Bot {
    name: String,
    /// Makes the calls.
    pub bidder: Box<dyn Bidder>,
    /// Plays the cards.
    pub player: Box<dyn CardPlayer>,
}

impl Bot {
    /// Combines a bidder and a card player under a name.
    pub fn new(name: impl Into<String>, bidder: Box<dyn Bidder>, player: Box<dyn CardPlayer>) -> Self {
        Self { name: name.into(), bidder, player }
    }

    /// Returns the name, which is the specification that the registry builds it from.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A new deal begins: forgets the last.
    pub fn start(&mut self) {
        self.bidder.start();
        self.player.start();
    }
}

impl core::fmt::Debug for Bot {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Bot").field("name", &self.name).finish_non_exhaustive()
    }
}
