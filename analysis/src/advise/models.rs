//! Models of how partner and opponents bid and play.

use coinche_bots::worlds::OpponentModel;
use coinche_bots::{
    Agent, Bidder, BotSpec, CardPlayer, ParseBotError, Player, Registry, RulesPlayer, complete_auction,
    play_on,
};
use coinche_engine::{
    Call, Card, CardSet, Contract, DealState, Key, LegalCalls, Outcome, Seat, Stake, Team, View,
};

use crate::texts::{fill, texts};
use crate::typed::Language;

/// The bot that partners are taken for where none is named: one whose bids a person can read.
pub const PARTNER: &str = "champion:style=natural+net";
/// The bot that opponents are taken for where none is named.
pub const OPPONENTS: &str = "champion+net";

/// The bots that partner and opponents are assumed to be; all answer at once.
#[derive(Debug, Clone)]
pub struct Models {
    partner: BotSpec,
    opponents: BotSpec,
}

/// What the figures of an answer rest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Basis {
    /// Bots that partner and opponents are assumed to be.
    Models([String; 2]),
    /// A bot that was asked, and reports them.
    Bot(String),
}

impl Basis {
    /// Returns it as a sentence.
    pub(super) fn sentence(&self, language: Language) -> String {
        let texts = texts(language);
        match self {
            Self::Models([partner, others]) if partner == others => {
                fill(texts.assumes_one, &[("partner", partner)])
            }
            Self::Models([partner, others]) => {
                fill(texts.assumes_two, &[("partner", partner), ("others", others)])
            }
            Self::Bot(bot) => fill(texts.reported_by, &[("bot", bot)]),
        }
    }
}

impl Models {
    /// Uses these bots as models.
    pub const fn new(partner: BotSpec, opponents: BotSpec) -> Self {
        Self { partner, opponents }
    }

    /// Returns the names of partner and opponents.
    pub fn names(&self) -> [&str; 2] {
        [self.partner.as_str(), self.opponents.as_str()]
    }

    /// Returns who the others are assumed to be.
    pub(super) fn basis(&self) -> Basis {
        Basis::Models(self.names().map(str::to_owned))
    }

    /// Seats the assumed bots.
    pub(super) fn table(&self, own: Seat) -> AssumedTable {
        AssumedTable { bidder: self.bidder(own), player: self.player(own) }
    }

    /// Creates the bidder for all seats; the own seat bids like its partner, since partners bid alike.
    fn bidder(&self, own: Seat) -> Box<dyn Bidder> {
        let agents = [&self.partner, &self.partner, &self.opponents].map(|spec| spec.build().bidder);
        Box::new(Seated { own, agents })
    }

    /// Creates the partner's bidder.
    pub(super) fn partners_bidder(&self) -> Box<dyn Bidder> {
        self.partner.build().bidder
    }

    /// Creates the card player for all seats, likewise.
    fn player(&self, own: Seat) -> Box<dyn CardPlayer> {
        let fair = |spec: &BotSpec| spec.build().player.into_fair().unwrap_or_else(|| Box::new(RulesPlayer));
        Box::new(Seated { own, agents: [&self.partner, &self.partner, &self.opponents].map(fair) })
    }

    /// Creates the model that weights deals by the calls of the others, and by their cards once play has begun.
    pub(super) fn read_by(&self, view: &View<'_>) -> OpponentModel {
        let plays = view.contract().is_some();
        let model = OpponentModel::new(self.bidder(view.seat()), plays.then(|| self.player(view.seat())));
        // Figures of calls are those of a table of these very bots. In the play only a system, which is agreed or disclosed, is taken at
        // its word; other bots' bidding is a guess.
        model.exact(!plays || is_system(&self.partner), !plays || is_system(&self.opponents))
    }
}

/// Tests if a bot bids by a system.
fn is_system(bot: &BotSpec) -> bool {
    bidder_name(bot) == "system"
}

/// Tests if the bidder of a bot reports its thoughts and yet answers at once.
pub fn tells_at_once(bot: &BotSpec) -> bool {
    ["champion", "table", "net"].contains(&bidder_name(bot))
}

/// Returns the bidder of a bot, with its parameters.
fn bidder_of(bot: &BotSpec) -> &str {
    bot.as_str().split('+').next().unwrap_or_default()
}

/// Returns the name of a bot's bidder.
fn bidder_name(bot: &BotSpec) -> &str {
    bidder_of(bot).split(':').next().unwrap_or_default()
}

/// What came of a call in a world.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Played {
    /// The score of the deal, own side less other side.
    pub(super) score: f64,
    /// Whether the contract is that which stood after the call, whatever its stake, and whether it was made.
    pub(super) contract: [bool; 2],
}

/// The assumed bots at all four seats.
pub(super) struct AssumedTable {
    bidder: Box<dyn Bidder>,
    player: Box<dyn CardPlayer>,
}

impl AssumedTable {
    /// Returns the call of the bot at the seat of a view.
    pub(super) fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        self.bidder.start();
        self.bidder.call(view, legal, key)
    }

    /// Makes a call of a team and finishes the deal.
    pub(super) fn finish(&mut self, state: &DealState, call: Call, own: Team, key: Key) -> Played {
        self.bidder.start();
        self.player.start();
        let mut stood = None;
        let end = complete_auction(state, call, |state, seat| {
            stood = stood.or_else(|| Some(standing(state)));
            self.bidder.call(&state.view(seat), &state.legal_calls(), key)
        });
        let Some(mut end) = end else { return Played::default() };
        let is_contract = stood.is_none_or(|stood| stood == standing(&end));
        play_on(&mut *self.player, &mut end, 8, key);
        match end.outcome() {
            Some(Outcome::Played { score, .. }) => Played {
                score: f64::from(score.points[own] - score.points[own.other()]),
                contract: [is_contract, score.made],
            },
            _ => Played::default(),
        }
    }

    /// Returns whether the standing contract, if there is one, is made if all pass now.
    pub(super) fn as_it_stands(&mut self, state: &DealState) -> Option<bool> {
        standing(state)?;
        self.player.start();
        let mut end = complete_auction(state, Call::Pass, |_, _| Call::Pass)?;
        play_on(&mut *self.player, &mut end, 8, Key::from_bits(0));
        match end.outcome()? {
            Outcome::Played { score, .. } => Some(score.made),
            Outcome::ThrownIn => None,
        }
    }
}

/// The standing contract, whatever its stake.
fn standing(state: &DealState) -> Option<Contract> {
    state.auction().state().contract().map(|contract| Contract { stake: Stake::Plain, ..contract })
}

/// Three agents at four seats: the own one, the partner's and the opponents'.
struct Seated<T> {
    own: Seat,
    agents: [T; 3],
}

impl<T> Seated<T> {
    fn at(&mut self, seat: Seat) -> &mut T {
        let [own, partner, opponents] = &mut self.agents;
        match self.own.distance_to(seat) {
            0 => own,
            2 => partner,
            _ => opponents,
        }
    }
}

impl<T: Agent> Agent for Seated<T> {
    fn start(&mut self) {
        self.agents.iter_mut().for_each(Agent::start);
    }
}

impl Bidder for Seated<Box<dyn Bidder>> {
    fn call(&mut self, view: &View<'_>, legal: &LegalCalls, key: Key) -> Call {
        let key = key.and(view.auction().calls().len() as u64);
        self.at(view.seat()).call(view, legal, key)
    }
}

impl CardPlayer for Seated<Box<dyn CardPlayer>> {
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        let key = key.and(100 + view.played().len() as u64);
        self.at(view.seat()).play(view, legal, key)
    }
}

/// Returns the bot if its bidder and player answer at once; those that search are replaced by `rules`, and the cards of `champion` by
/// `net`, which it plays as without the search.
///
/// A model is queried thousands of times per answer, so a bot that searches cannot be one.
pub fn quick(spec: &BotSpec, registry: &Registry) -> Result<BotSpec, ParseBotError> {
    let bot = spec.build();
    let (bidder, name) = (bidder_of(spec), bidder_name(spec));
    if name == "champion" && bidder == spec.as_str() {
        let style = bidder.split([':', ',']).find(|param| param.starts_with("style="));
        return registry
            .parse(&format!("champion{}+net", style.map_or(String::new(), |it| format!(":{it}"))));
    }
    let [bids, plays] = [
        !bot.bidder.thinks() || tells_at_once(spec),
        matches!(&bot.player, Player::Fair(player) if !player.thinks()),
    ];
    match (bids, plays) {
        (true, true) => Ok(spec.clone()),
        (true, false) if name != "rules" => registry.parse(&format!("{bidder}+rules")),
        (true, false) => registry.parse(bidder),
        (false, _) => registry.parse("rules"),
    }
}
