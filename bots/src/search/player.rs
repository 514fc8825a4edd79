//! The card player that all searches are.

use coinche_engine::{Card, CardSet, Key, View};

use super::{DealClock, Decision, Limits, Reads, Source, wants_equity};
use crate::worlds::OpponentModel;
use crate::{Agent, CardPlayer, NetPlayer, ParamError, ParamInfo, Params, Thought};

/// The parameter that says where the search begins.
pub(crate) const FROM_PARAM: ParamInfo = params! {
    "from" = "1", "1 to 8", "the first trick that is searched; the cards before it are those of the bot net";
}[0];

/// The parameter that says whether cards are pruned that are behind.
pub(crate) const PRUNE_PARAM: ParamInfo = params! {
    "prune" = "yes", "yes or no", "stop searching cards that are clearly behind; use no for judging";
}[0];

/// Reads whether cards are pruned.
pub(crate) fn prunes(params: &Params) -> Result<bool, ParamError> {
    params.either(PRUNE_PARAM.name, ["yes", "no"])
}

/// What all searches get.
#[derive(Debug, Clone)]
pub(crate) struct SearchSettings {
    /// What a decision may cost.
    pub(crate) limits: Limits,
    /// How many worlds may be drawn for it.
    pub(crate) worlds: Limits,
    pub(crate) reads: Reads,
    /// The most draws for a world that is searched, where worlds are weighed.
    pub(crate) pool: u32,
    /// Whether the match is to be won.
    pub(crate) equity: bool,
    /// The first trick that is searched, from 1 on.
    from: usize,
}

impl SearchSettings {
    /// Reads the parameters; `count` names the one that limits a decision.
    pub(crate) fn from_params(params: &Params, count: &str) -> Result<Self, ParamError> {
        Ok(Self {
            limits: Limits::from_params(params, count)?,
            worlds: Limits::from_params(params, "worlds")?,
            reads: Reads::from_params(params)?,
            pool: params.number("pool", 1..=1_000_000)?,
            equity: wants_equity(params)?,
            from: params.number(FROM_PARAM.name, 1..=8)?,
        })
    }
}

/// A way to choose a card by searching worlds.
pub trait Search: Send {
    /// A new deal begins: forgets the last.
    fn start(&mut self) {}

    /// Chooses between the candidates, and says what it thought of them.
    fn decide(&mut self, decision: &mut Decision<'_, '_>) -> (Card, Thought);
}

/// A card player that searches worlds which fit what its seat knows.
#[derive(Debug)]
pub struct SearchPlayer<S> {
    settings: SearchSettings,
    source: Source,
    search: S,
    /// Who plays the tricks that are not searched.
    early: Option<NetPlayer>,
    /// Where its time is a mean over the deal.
    clock: Option<DealClock>,
    /// Whether it throws no points into tricks that are lost.
    thrifty: bool,
    thought: Option<Thought>,
}

impl<S> SearchPlayer<S> {
    /// Makes a player.
    pub(crate) fn new(settings: SearchSettings, search: S) -> Self {
        let (source, early) = (Source::new(&settings), (settings.from > 1).then(NetPlayer::default));
        Self { settings, source, search, early, clock: None, thrifty: false, thought: None }
    }

    /// Takes its time to be a mean over the cards of a deal, and no limit for each.
    #[must_use]
    pub(crate) fn sharing_time(mut self) -> Self {
        self.clock = self.settings.limits.time().map(DealClock::new);
        self
    }

    /// Plays the cheapest card of the suit where it loses a trick in any case ([`View::cheaper_loser`]).
    ///
    /// The search errs by more than such a card gains.
    #[must_use]
    pub(crate) fn keeping_points(mut self) -> Self {
        self.thrifty = true;
        self
    }

    /// Reads the calls and cards of the others by another model than that of its parameters.
    #[must_use]
    pub fn reading(mut self, others: OpponentModel) -> Self {
        self.source.set_model(others);
        self
    }
}

impl<S: Search> Agent for SearchPlayer<S> {
    fn start(&mut self) {
        self.thought = None;
        self.search.start();
        self.clock.iter_mut().for_each(DealClock::start);
    }

    fn thinks(&self) -> bool {
        true
    }

    fn thought(&self) -> Option<&Thought> {
        self.thought.as_ref()
    }
}

impl<S: Search> CardPlayer for SearchPlayer<S> {
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        let card = self.choose(view, legal, key);
        view.cheaper_loser(card).filter(|_| self.thrifty).unwrap_or(card)
    }
}

impl<S: Search> SearchPlayer<S> {
    fn choose(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        self.thought = None;
        if let Some(clock) = &mut self.clock {
            let time = clock.allows(view.tricks().len());
            self.settings.limits = self.settings.limits.within(time);
            self.source.set_time(time);
        }
        let is_early = view.tricks().len() + 1 < self.settings.from;
        if let Some(net) = self.early.as_mut().filter(|_| is_early) {
            return net.play(view, legal, key);
        }
        match Decision::new(view, legal, key, &self.settings, &mut self.source) {
            Err(card) => card,
            Ok(mut decision) => {
                let (card, thought) = self.search.decide(&mut decision);
                self.clock.iter_mut().for_each(|clock| clock.take(decision.watch.elapsed()));
                self.thought = Some(decision.situation.in_units(thought));
                card
            }
        }
    }
}
