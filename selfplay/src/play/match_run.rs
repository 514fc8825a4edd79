//! One leg of a match, deal after deal.

use coinche_engine::{ByTeam, Deal, DealScore, DealState, Deck, MatchState, Outcome, PastDeal, RuleSet};

use crate::play::played::{Ending, InMatch, LegResult};
use crate::play::schedule::{Leg, MAX_DEALS_IN_MATCH, Schedule};
use crate::play::seating::KeyStream;

/// One leg of a match: the state from deal to deal.
#[derive(Debug)]
pub struct MatchRun {
    rules: RuleSet,
    schedule: Schedule,
    leg: Leg,
    game: MatchState,
    /// The number of the next deal.
    deal: u64,
    /// Where the deck is only cut: the deals from the last one that was played, inclusive; none when it is shuffled next.
    past: Vec<PastDeal>,
}

impl MatchRun {
    /// Starts a match; `past` is a list to reuse.
    pub fn new(rules: &RuleSet, schedule: &Schedule, leg: Leg, mut past: Vec<PastDeal>) -> Self {
        past.clear();
        let game = MatchState::new(rules, leg.dealer);
        Self { rules: *rules, schedule: *schedule, leg, game, deal: 0, past }
    }

    /// Sets up the next deal and returns its number in the run, its place in the match and the keys of the seats.
    pub fn next_deal(&self, state: &mut DealState) -> (u64, InMatch, [KeyStream; 4]) {
        let (secrets, number, deal) = (self.schedule.secrets, self.leg.index, self.deal);
        let deck = Deck::of_match(&self.rules.deal, &self.past, secrets, number, deal);
        state.restart(&Deal::new(&self.rules.deal, deck, self.game.dealer()));
        state.set_match(self.game.score(), self.game.held(), &self.past);
        state.set_deals_left(self.game.deals_left());
        let keys = self.schedule.match_keys(number, deal).0.map(KeyStream::new);
        let in_match = InMatch { number, deal, score: self.game.score() };
        (number * MAX_DEALS_IN_MATCH + deal, in_match, keys)
    }

    /// Adds the deal that was set up last and returns whether the match is over.
    pub fn add(&mut self, state: &DealState, ending: &Ending, score: ByTeam<i32>) -> bool {
        add_to_match(&mut self.game, ending, score);
        PastDeal::remember(&self.rules.deal, &mut self.past, state.to_past());
        self.deal += 1;
        self.game.winner().is_some() || self.deal == MAX_DEALS_IN_MATCH
    }

    /// Returns the list of past deals, for reuse.
    pub fn into_past(self) -> Vec<PastDeal> {
        self.past
    }

    /// Returns the result of the match.
    pub const fn result(&self) -> LegResult {
        LegResult { score: self.game.score(), winner: self.game.winner() }
    }
}

/// Adds a deal to the score of its match.
fn add_to_match(game: &mut MatchState, ending: &Ending, score: ByTeam<i32>) {
    match ending {
        Ending::Regular(Outcome::ThrownIn) => game.add_thrown_in(),
        Ending::Regular(Outcome::Played { result, score }) => {
            game.add(score, result.contract.declarer.team());
        }
        // The forfeiting bot's team loses the deal, like declarers who failed.
        Ending::Forfeit(seat) => {
            game.add(&DealScore { made: false, points: score, held: 0, slam: None }, seat.team());
        }
    }
}
