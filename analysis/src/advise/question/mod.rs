//! The question: a hand with what its seat knows, parsed from the command line.

mod auction;
mod error;
mod french;
mod spoken;
#[cfg(test)]
mod tests;
mod tricks;

use coinche_bots::worlds::{Worlds, retell};
use coinche_engine::observation::Observation;
use coinche_engine::rules::DealMethod;
use coinche_engine::{
    AuctionTurn, Bid, ByTeam, Call, Card, CardSet, Contract, DealState, Goal, Key, RuleSet, Seat, View,
};

use crate::texts::{fill, stake, texts};
use crate::typed::{CardReader, Language, TypedError, hand_by_suit};
use error::CardPlace;
pub use error::QuestionError;
pub use tricks::follow;

/// Number of attempts before concluding that no deal fits.
const TRIES: u32 = 4000;
/// Maximum draws per attempt.
const DRAWS: u32 = 1000;

/// What is read, or what is wrong with it.
type Checked<T = ()> = Result<T, QuestionError>;

/// A question as typed: the values of the flags of `arena advise`.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// The cards in hand.
    pub hand: &'a str,
    /// The calls so far.
    pub auction: &'a str,
    /// The cards played so far, in card play.
    pub tricks: Option<&'a str>,
    /// The card turned up, under rules with one.
    pub turned: Option<&'a str>,
    /// The dealer.
    pub dealer: Seat,
    /// The seat that is asked.
    pub seat: Option<Seat>,
    /// Who was offered the turned card.
    pub offered: Option<Seat>,
    /// The score of the match: own side, other side, as `340,-20`.
    pub score: &'a str,
    /// The melds that were announced.
    pub melds: Option<&'a str>,
    /// The melds that were shown.
    pub shown: Option<&'a str>,
    /// Who announced belote.
    pub belotes: &'a [String],
}

/// A position in which a seat must decide, built from what the seat knows.
///
/// The other hands are placeholders; callers only get the [`View`] of the seat.
#[derive(Debug)]
pub struct Question {
    state: DealState,
    seat: Seat,
}

impl Question {
    /// Parses a question.
    pub fn read(rules: &RuleSet, asked: &Asked<'_>) -> Result<Self, QuestionError> {
        let score = read_score(asked.score)?;
        let hand = read_hand(asked.hand)?;
        let turned = read_turned(rules, asked.turned)?;
        let auction = auction::speak(rules, asked, turned)?;
        let (turn, contract) = (auction.state().turn(), auction.state().contract());
        let mut observation = Observation::new(asked.dealer.next(), asked.dealer, hand);
        observation.turned = turned;
        observation.calls = auction.calls().to_vec();
        observation.offered = asked.offered.is_some();
        match (turn, contract, asked.tricks) {
            (AuctionTurn::Over, None, _) => return Err(QuestionError::ThrownIn),
            (AuctionTurn::Over, Some(contract), None) => {
                let leader = asked.dealer.next();
                return Err(QuestionError::AuctionOver { contract, leader });
            }
            (AuctionTurn::Over, Some(contract), Some(tricks)) => {
                let table = PlayStart { rules, contract, dealer: asked.dealer, turned, hand };
                tricks::play(&table, asked, tricks, &mut observation)?;
            }
            (turn, _, Some(_)) => {
                return Err(QuestionError::AuctionOpen(turn.seat().unwrap_or(asked.dealer)));
            }
            (turn, _, None) => speaks(asked, turn, &mut observation)?,
        }
        let own = observation.seat.team();
        observation.match_score = ByTeam::from_fn(|team| score[usize::from(team != own)]);
        let this = Self { state: observation.state(rules)?, seat: observation.seat };
        if this.fits() { Ok(this) } else { Err(QuestionError::NoDeal) }
    }

    /// Creates a question from a deal that is being played.
    pub fn at_table(state: &DealState, seat: Seat) -> Self {
        Self { state: state.clone(), seat }
    }

    /// Returns what the seat knows.
    pub const fn view(&self) -> View<'_> {
        self.state.view(self.seat)
    }

    /// Returns a state with the same view: the other hands are placeholders.
    pub fn into_state(self) -> DealState {
        self.state
    }

    /// Returns the cards that the seat may play.
    pub const fn legal_cards(&self) -> CardSet {
        self.state.legal_plays()
    }

    /// Tests if some deal is consistent with all of this.
    fn fits(&self) -> bool {
        let view = self.view();
        let Some(worlds) = Worlds::try_of(&view) else { return false };
        let mut rng = Key::from_bits(0).rng();
        for _ in 0..TRIES {
            let Some(deal) = worlds.try_deal(&mut rng, DRAWS) else { return false };
            if retell(&view, &deal, |_, _, _| {}).is_some() {
                return true;
            }
        }
        false
    }
}

/// The start of the play.
struct PlayStart<'a> {
    rules: &'a RuleSet,
    contract: Contract,
    dealer: Seat,
    turned: Option<Card>,
    hand: CardSet,
}

/// Prints cards: in English in the notation of records, which `advise` reads.
pub(super) fn cards_text(language: Language, cards: CardSet) -> String {
    match language {
        Language::English => cards.to_string(),
        Language::French => cards.natural().map(|card| language.card(card)).collect::<Vec<_>>().join(" "),
    }
}

/// Prints a contract likewise, with who plays it: `100S by seat 2, coinched`.
pub(super) fn contract_text(language: Language, contract: &Contract) -> String {
    let what = match (language, contract.goal) {
        (Language::English, _) => contract.bid_code(),
        (_, Goal::Bid(value)) => language.call(Call::Bid(Bid::new(value, contract.strain))),
        (_, Goal::Majority) => language.strain(contract.strain).to_owned(),
    };
    let stake = stake(language, contract.stake);
    fill(texts(language).by_seat, &[("contract", &what), ("seat", &contract.declarer), ("stake", &stake)])
}

/// The advised seat, which must hold the cards of the auction.
fn speaks(asked: &Asked<'_>, turn: AuctionTurn, observation: &mut Observation) -> Checked {
    let turn = turn.seat().unwrap_or(asked.dealer);
    if let Some(wanted) = asked.seat.filter(|wanted| *wanted != turn) {
        return Err(QuestionError::NotTheTurn { wanted, turn, plays: false });
    }
    let announced = [
        (asked.melds.is_some(), "--melds: melds are announced in the play: add --tricks"),
        (asked.shown.is_some(), "--shown: melds are shown in the play: add --tricks"),
        (!asked.belotes.is_empty(), "--belote: a belote is announced in the play: add --tricks"),
    ];
    if let Some((_, why)) = announced.into_iter().find(|(given, _)| *given) {
        return Err(QuestionError::NotInAuction(why));
    }
    observation.seat = turn;
    let hand = observation.first_hand;
    let expected = if observation.turned.is_some() { 5 } else { 8 };
    if let Some(turned) = observation.turned.filter(|turned| hand.contains(*turned)) {
        return Err(QuestionError::TurnedInHand(turned));
    }
    is_of_size(hand, expected)
}

fn is_of_size(hand: CardSet, expected: usize) -> Checked {
    let found = hand.len();
    if found == expected { Ok(()) } else { Err(QuestionError::HandSize { found, expected }) }
}

fn read_score(text: &str) -> Checked<[i32; 2]> {
    let number = |text: &str| text.trim().parse().ok().filter(|score: &i32| score.abs() <= 1_000_000);
    let score = text.split_once(',').and_then(|(us, them)| Some([number(us)?, number(them)?]));
    score.ok_or_else(|| QuestionError::Score(text.to_owned()))
}

/// Parses a hand in long or short form; an error names the wrong card.
fn read_hand(text: &str) -> Checked<CardSet> {
    if text.contains(':') {
        return Ok(hand_by_suit(text)?);
    }
    let mut cards: Vec<Card> = Vec::new();
    for card in CardReader::of(text).cards(text) {
        let place = CardPlace::Hand(cards.len() + 1);
        add(&mut cards, card, place, |n| CardPlace::Hand(n + 1))?;
    }
    Ok(cards.into_iter().collect())
}

/// Adds a card to those read before it, whose places follow from their numbers; none is given twice.
fn add(
    cards: &mut Vec<Card>,
    card: Result<Card, TypedError>,
    place: CardPlace,
    before: impl Fn(usize) -> CardPlace,
) -> Checked {
    let card = card.map_err(|error| QuestionError::Card { place, error })?;
    if let Some(first) = cards.iter().position(|other| *other == card) {
        return Err(QuestionError::Twice { card, first: before(first), second: place });
    }
    cards.push(card);
    Ok(())
}

fn read_turned(rules: &RuleSet, text: Option<&str>) -> Checked<Option<Card>> {
    let turns = rules.deal.method == DealMethod::TurnUp;
    match text {
        None if turns => Err(QuestionError::NoTurned),
        Some(_) if !turns => Err(QuestionError::NotTurnUp),
        None => Ok(None),
        Some(text) => {
            let error = |error| QuestionError::Card { place: CardPlace::Turned, error };
            Ok(Some(CardReader::single().card(text).map_err(error)?))
        }
    }
}

/// Splits a list at blanks or commas.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|word| !word.is_empty())
}
