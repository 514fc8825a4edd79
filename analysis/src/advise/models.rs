//! Models of how partner and opponents bid and play.

use coinche_bots::table::Company;
use coinche_bots::worlds::OpponentModel;
use coinche_bots::{Agent, Bidder, BotSpec, CardPlayer, ParseBotError, Player, Registry, RulesPlayer};
use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, Seat, View};

/// The bots that partner and opponents are assumed to be; all answer at once.
#[derive(Debug, Clone)]
pub struct Models {
    partner: BotSpec,
    opponents: BotSpec,
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

    /// Returns the source of chances and scores of calls: the company nearest to the opponents' bidding, since
    /// they overcall and coinche.
    pub(super) fn teller(&self) -> Teller {
        match bidder_name(&self.opponents) {
            "net" => Teller::Net,
            "table" => Teller::Table(Company::Table),
            _ => Teller::Table(Company::Rules),
        }
    }

    /// Names the auctions to which chances and scores of calls are calibrated.
    pub(super) fn calibrated(&self) -> String {
        let whose = match self.teller() {
            Teller::Table(Company::Rules) => "calibrated to four rules bidders".to_owned(),
            Teller::Table(Company::Table) => "calibrated to four table bidders".to_owned(),
            Teller::Net => format!("those that {} learned in training", bidder_of(&self.opponents)),
        };
        format!(" Chances and scores are {whose}, coinches included, with cards played by rules.")
    }

    /// Names the source of three quarters of an average.
    pub(super) fn expected_by(&self) -> &'static str {
        match self.teller() {
            Teller::Table(_) => "the bidding table",
            Teller::Net => "the bidding network",
        }
    }

    /// Returns a sentence on who the others are assumed to be.
    pub(super) fn sentence(&self, plays: bool) -> String {
        let what = if plays { "bid and play" } else { "bid" };
        match self.names() {
            [partner, others] if partner == others => {
                format!("Partner and opponents are assumed to {what} like {partner}.")
            }
            [partner, others] => {
                format!("The partner is assumed to {what} like {partner}, the opponents like {others}.")
            }
        }
    }

    /// Creates the bidder for all seats; the own seat bids like its partner, since partners bid alike.
    pub(super) fn bidder(&self, own: Seat) -> Box<dyn Bidder> {
        let agents = [&self.partner, &self.partner, &self.opponents].map(|spec| spec.build().bidder);
        Box::new(Seated { own, agents })
    }

    /// Creates the partner's bidder.
    pub(super) fn partners_bidder(&self) -> Box<dyn Bidder> {
        self.partner.build().bidder
    }

    /// Creates the opponents' bidder.
    pub(super) fn opponents_bidder(&self) -> Box<dyn Bidder> {
        self.opponents.build().bidder
    }

    /// Creates the card player for all seats, likewise.
    fn player(&self, own: Seat) -> Box<dyn CardPlayer> {
        let fair = |spec: &BotSpec| spec.build().player.into_fair().unwrap_or_else(|| Box::new(RulesPlayer));
        let [partner, opponents] = [&self.partner, &self.opponents].map(fair);
        Box::new(Seated { own, agents: [Box::new(RulesPlayer), partner, opponents] })
    }

    /// Creates the model that weights deals by the calls of the others, and by their cards once play has begun.
    pub(super) fn read_by(&self, view: &View<'_>) -> OpponentModel {
        let plays = view.contract().is_some();
        let model = OpponentModel::new(self.bidder(view.seat()), plays.then(|| self.player(view.seat())));
        // What a system says is agreed or disclosed; other bots' bidding is only a guess.
        model.exact(is_system(&self.partner), is_system(&self.opponents))
    }
}

/// The source of expectations for calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Teller {
    /// The table, for auctions among such bidders.
    Table(Company),
    /// The opponents' bidding network, for the auctions it was trained on.
    Net,
}

/// Tests if a bot bids by a system.
fn is_system(bot: &BotSpec) -> bool {
    bidder_name(bot) == "system"
}

/// Tests if the bidder of a bot reports its thoughts and yet answers at once.
pub fn tells_at_once(bot: &BotSpec) -> bool {
    ["table", "net"].contains(&bidder_name(bot))
}

/// Returns the bidder of a bot, with its parameters.
fn bidder_of(bot: &BotSpec) -> &str {
    bot.as_str().split('+').next().unwrap_or_default()
}

/// Returns the name of a bot's bidder.
fn bidder_name(bot: &BotSpec) -> &str {
    bidder_of(bot).split(':').next().unwrap_or_default()
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
        self.at(view.seat()).call(view, legal, key)
    }
}

impl CardPlayer for Seated<Box<dyn CardPlayer>> {
    fn play(&mut self, view: &View<'_>, legal: CardSet, key: Key) -> Card {
        self.at(view.seat()).play(view, legal, key)
    }
}

/// Returns the bot if its bidder and player answer at once; those that search are replaced by `rules`.
///
/// A model is queried thousands of times per answer, so a bot that searches cannot be one.
pub fn quick(spec: &BotSpec, registry: &Registry) -> Result<BotSpec, ParseBotError> {
    let bot = spec.build();
    let (bidder, name) = (bidder_of(spec), bidder_name(spec));
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
