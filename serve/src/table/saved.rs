//! Who sits at a table under which rules: `table.json`.

use coinche_analysis::play::game::Cards;
use coinche_bots::{BotSpec, Registry};
use coinche_engine::record::RulesRecord;
use coinche_engine::{BySeat, Card, Deal, Deck, RuleSet, Seat, Seed};
use serde::{Deserialize, Serialize};

/// A table as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Saved {
    v: u32,
    /// When it was made, in seconds since 1970.
    pub(crate) made: u64,
    pub(crate) rules: RulesRecord,
    /// The bots by seat, also where people sit.
    pub(super) bots: [String; 4],
    /// The seed of the cards and of the bots.
    pub(crate) seed: Seed,
    /// The only deal, unless matches are played.
    pub(super) deal: Option<SavedDeal>,
    /// The people.
    pub(crate) seats: [Option<Person>; 4],
}

/// The cards of a table with one deal.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SavedDeal {
    deck: Vec<Card>,
    dealer: Seat,
    number: u64,
    pub(super) leg: u32,
}

/// Someone at a table.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Person {
    /// What proves that a request comes from this seat.
    pub(crate) token: String,
    /// The name in records.
    pub(crate) name: String,
    /// Whether the person plays; otherwise a bot does.
    pub(crate) here: bool,
}

/// What a table is made from.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The rules.
    pub(crate) rules: RuleSet,
    /// The bots by seat.
    pub(crate) bots: BySeat<BotSpec>,
    /// The seed.
    pub(crate) seed: Seed,
    /// Matches, or a deal.
    pub(crate) cards: Cards,
    /// The names of the people.
    pub(crate) people: BySeat<Option<String>>,
}

impl Saved {
    pub(super) fn new(plan: &Plan, token: &mut dyn FnMut() -> String, made: u64) -> Self {
        let deal = match &plan.cards {
            Cards::Matches => None,
            Cards::One { deal, number, leg } => Some(SavedDeal {
                deck: deal.deck().cards().to_vec(),
                dealer: deal.dealer(),
                number: *number,
                leg: *leg,
            }),
        };
        let mut person = |name: &String| Person { token: token(), name: name.clone(), here: true };
        Self {
            v: 1,
            made,
            rules: RulesRecord::new(&plan.rules),
            bots: plan.bots.0.each_ref().map(|bot| bot.as_str().to_owned()),
            seed: plan.seed.clone(),
            deal,
            seats: plan.people.0.each_ref().map(|name| name.as_ref().map(&mut person)),
        }
    }

    /// Returns what the table was made from.
    pub(crate) fn plan(&self, registry: &Registry, programs: &[BotSpec]) -> Result<Plan, String> {
        let rules = self.rules.rules().map_err(|error| error.to_string())?;
        let bot = |text: &String| match programs.iter().find(|bot| bot.as_str() == text) {
            Some(bot) => Ok(bot.clone()),
            None if text.contains("cmd:") => {
                Err(format!("it has the program `{text}`: name it again with --bot"))
            }
            None => registry.parse(text).map_err(|error| error.to_string()),
        };
        let [a, b, c, d] = self.bots.each_ref().map(bot);
        let cards = match &self.deal {
            None => Cards::Matches,
            Some(SavedDeal { deck, dealer, number, leg }) => {
                let deck = deck.clone().try_into().ok().and_then(Deck::from_cards);
                let deck = deck.ok_or("its deck is not one of 32 cards")?;
                let deal = Deal::try_new(&rules.deal, deck, *dealer).map_err(|error| error.to_string())?;
                Cards::One { deal: Box::new(deal), number: *number, leg: *leg }
            }
        };
        let people = BySeat(self.seats.each_ref().map(|it| it.as_ref().map(|it| it.name.clone())));
        Ok(Plan { rules, bots: BySeat([a?, b?, c?, d?]), seed: self.seed.clone(), cards, people })
    }
}
