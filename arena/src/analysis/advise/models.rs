//! How partner and opponents are taken to bid and play.

use coinche_bots::table::Company;
use coinche_bots::worlds::OpponentModel;
use coinche_bots::{Agent, Bidder, BotSpec, CardPlayer, ParseBotError, Player, Registry, RulesPlayer};
use coinche_engine::{Call, Card, CardSet, Key, LegalCalls, Seat, View};

/// Who the partner and the opponents are taken to be: bots that answer at once.
#[derive(Debug, Clone)]
pub(crate) struct Models {
    partner: BotSpec,
    opponents: BotSpec,
}

impl Models {
    /// Takes the others to be these bots.
    pub(crate) const fn new(partner: BotSpec, opponents: BotSpec) -> Self {
        Self { partner, opponents }
    }

    /// The names of partner and opponents.
    pub(crate) fn names(&self) -> [&str; 2] {
        [self.partner.as_str(), self.opponents.as_str()]
    }

    /// Who tells chances and scores of calls: by the company that comes nearest, since it is the opponents who overcall and coinche.
    pub(super) fn teller(&self) -> Teller {
        match bidder_name(&self.opponents) {
            "net" => Teller::Net,
            "table" => Teller::Table(Company::Table),
            _ => Teller::Table(Company::Rules),
        }
    }

    /// Says whose auctions chances and scores of calls are calibrated to.
    pub(super) fn calibrated(&self) -> String {
        let whose = match self.teller() {
            Teller::Table(Company::Rules) => "calibrated to four rules bidders".to_owned(),
            Teller::Table(Company::Table) => "calibrated to four table bidders".to_owned(),
            Teller::Net => format!("those that {} learned in training", bidder_of(&self.opponents)),
        };
        format!(" Chances and scores are {whose}, coinches included, with cards played by rules.")
    }

    /// Says what three quarters of an average come from.
    pub(super) fn expected_by(&self) -> &'static str {
        match self.teller() {
            Teller::Table(_) => "the bidding table",
            Teller::Net => "the bidding network",
        }
    }

    /// Says who the others are taken to be.
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

    /// Makes the bidder that bids for all seats: for the own one as the partner does, since partners bid alike.
    pub(super) fn bidder(&self, own: Seat) -> Box<dyn Bidder> {
        let agents = [&self.partner, &self.partner, &self.opponents].map(|spec| spec.build().bidder);
        Box::new(Seated { own, agents })
    }

    /// Makes the bidder that the partner is taken to be.
    pub(super) fn partners_bidder(&self) -> Box<dyn Bidder> {
        self.partner.build().bidder
    }

    /// Makes the bidder that the opponents are taken to be.
    pub(super) fn opponents_bidder(&self) -> Box<dyn Bidder> {
        self.opponents.build().bidder
    }

    /// Makes the card player that plays for all seats, likewise.
    fn player(&self, own: Seat) -> Box<dyn CardPlayer> {
        let fair = |spec: &BotSpec| spec.build().player.into_fair().unwrap_or_else(|| Box::new(RulesPlayer));
        let [partner, opponents] = [&self.partner, &self.opponents].map(fair);
        Box::new(Seated { own, agents: [Box::new(RulesPlayer), partner, opponents] })
    }

    /// Makes what the calls of the others are read by, and their cards once cards are played.
    pub(super) fn read_by(&self, view: &View<'_>) -> OpponentModel {
        let plays = view.contract().is_some();
        let model = OpponentModel::new(self.bidder(view.seat()), plays.then(|| self.player(view.seat())));
        // What a system says is agreed on, or disclosed; how other bots bid is a guess at how these do.
        model.exact(is_system(&self.partner), is_system(&self.opponents))
    }
}

/// Who tells what is expected of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Teller {
    /// The table, of auctions among such bidders.
    Table(Company),
    /// The network by which the opponents bid, of the auctions it was trained on.
    Net,
}

/// Tests if a bot bids by a system.
fn is_system(bot: &BotSpec) -> bool {
    bidder_name(bot) == "system"
}

/// Tests if the bidder of a bot answers at once although it tells what it thinks.
pub(crate) fn tells_at_once(bot: &BotSpec) -> bool {
    ["table", "net"].contains(&bidder_name(bot))
}

/// The bidder of a bot, with its parameters.
fn bidder_of(bot: &BotSpec) -> &str {
    bot.as_str().split('+').next().unwrap_or_default()
}

/// The name of the bidder of a bot.
fn bidder_name(bot: &BotSpec) -> &str {
    bidder_of(bot).split(':').next().unwrap_or_default()
}

/// Three agents at four seats, in the eyes of one: the own, the partner's, the opponents'.
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

/// Returns the bot itself where bidder and player answer at once; else one that bids and plays like `rules` where this one
/// searches.
///
/// A model is asked thousands of times for an answer, so that a bot that searches cannot be one.
///
/// # Errors
///
/// When the bot that is left is none of the registry.
pub(crate) fn quick(spec: &BotSpec, registry: &Registry) -> Result<BotSpec, ParseBotError> {
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
