//! The hand, the table, legal calls and cards as text.

use coinche_engine::rules::Rotation;
use coinche_engine::{
    Bid, BidValue, Call, Card, CardSet, Contract, DealState, Goal, LegalCalls, Seat, Strain, Suit, View,
};
use coinche_selfplay::document::words;

use crate::texts::{Texts, fill, stake, texts};
use crate::typed::{Language, bids};

/// The person's view of the table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Picture {
    pub(crate) seat: Seat,
    pub(crate) rotation: Rotation,
    pub(crate) language: Language,
}

/// The width of a place at the table.
const PLACE: usize = 12;

impl Picture {
    pub(crate) fn texts(&self) -> &'static Texts {
        texts(self.language)
    }

    /// Names a seat from the person's view: the next to play is on the left if play is clockwise.
    pub(crate) fn who(&self, seat: Seat) -> &'static str {
        let next_is_left = self.rotation == Rotation::Clockwise;
        let texts = self.texts();
        match (self.seat.distance_to(seat), next_is_left) {
            (0, _) => texts.you,
            (2, _) => texts.partner,
            (1, true) | (3, false) => texts.left,
            _ => texts.right,
        }
    }

    /// Formats the hand by suits, the trump suit first, strong cards first.
    pub(crate) fn hand(&self, hand: CardSet, strain: Option<Strain>) -> String {
        let suits: Vec<String> = suits(strain)
            .into_iter()
            .filter(|suit| !hand.of(*suit).is_empty())
            .map(|suit| {
                let cards = by_strength(hand.of(suit), strain).into_iter();
                let ranks: Vec<_> = cards.map(|card| self.language.rank(card.rank())).collect();
                format!("{} {}", suit.symbol(), ranks.join(" "))
            })
            .collect();
        suits.join("   ")
    }

    /// Formats cards in the order of the hand.
    pub(crate) fn cards(&self, cards: CardSet, strain: Option<Strain>) -> String {
        let cards = suits(strain).into_iter().flat_map(|suit| by_strength(cards.of(suit), strain));
        cards.map(|card| self.language.card(card)).collect::<Vec<_>>().join(" ")
    }

    /// Formats a contract, as `110 ♠ by partner, coinched`.
    pub(crate) fn contract(&self, contract: &Contract) -> String {
        let what = match contract.goal {
            Goal::Bid(value) => self.language.call(Call::Bid(Bid::new(value, contract.strain))),
            Goal::Majority => self.language.strain(contract.strain).to_owned(),
        };
        let (who, stake) = (self.who(contract.declarer), stake(self.language, contract.stake));
        fill(self.texts().contract_by, &[("contract", &what), ("who", &who), ("stake", &stake)])
    }

    /// Formats the state of the deal, shown before the person plays a card.
    pub(crate) fn trick(&self, state: &DealState) -> String {
        let view = state.view(self.seat);
        let (taken, team) = (view.points_taken(), self.seat.team());
        let contract = view.contract().map(|contract| self.contract(&contract)).unwrap_or_default();
        let status = fill(
            self.texts().trick_status,
            &[
                ("n", &(view.tricks().len() + 1)),
                ("contract", &contract),
                ("own", &taken[team]),
                ("other", &taken[team.other()]),
            ],
        );
        format!("\n{status}\n{}", self.table(&view))
    }

    /// Formats the four places with the cards of the trick, the person's at the bottom.
    fn table(&self, view: &View<'_>) -> String {
        let texts = self.texts();
        let leader = view.trick().next().map(|(seat, _)| seat);
        let place = |wanted: &str| {
            let seat = Seat::ALL.into_iter().find(|seat| self.who(*seat) == wanted).unwrap_or(self.seat);
            let card =
                view.trick().find(|(player, _)| *player == seat).map(|(_, card)| self.language.card(card));
            let lead = if leader == Some(seat) { "›" } else { "" };
            [wanted.to_owned(), card.map_or_else(|| "·".to_owned(), |card| format!("{lead}{card}"))]
        };
        let [partner, left, right, you] = [texts.partner, texts.left, texts.right, texts.you].map(place);
        let middle = |text: &str| format!("{}{}\n", " ".repeat(PLACE), centred(text));
        let sides =
            |left: &str, right: &str| format!("{}{}{}\n", centred(left), " ".repeat(PLACE), centred(right));
        let [partner, you] = [partner, you].map(|[name, card]| middle(&name) + &middle(&card));
        let sides = sides(&left[0], &right[0]) + &sides(&left[1], &right[1]);
        let lines = format!("{partner}{sides}{you}");
        lines.lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

/// Formats legal calls: bids by their lowest and highest value.
pub(crate) fn legal_calls(language: Language, legal: &LegalCalls) -> String {
    let call = |call| language.call(call);
    let mut parts: Vec<String> =
        legal.iter().filter(|call| !matches!(call, Call::Bid(_))).map(call).collect();
    if let Some((low, high, strains)) = bids(legal) {
        let strains: Vec<_> = strains.map(Strain::symbol).collect();
        let strains = strains.join(" ");
        let range = match low {
            BidValue::NONE => strains,
            low => {
                let [low, high] = [low, high].map(words::bid_value);
                fill(texts(language).range, &[("low", &low), ("high", &high), ("strains", &strains)])
            }
        };
        parts.push(range);
    }
    parts.join(", ")
}

/// Returns the suits in print order, the trump suit first.
fn suits(strain: Option<Strain>) -> [Suit; 4] {
    let mut suits = [Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
    suits.sort_by_key(|suit| strain.and_then(Strain::trump) != Some(*suit));
    suits
}

fn by_strength(cards: CardSet, strain: Option<Strain>) -> Vec<Card> {
    let strain = strain.unwrap_or(Strain::NoTrump);
    let mut cards: Vec<Card> = cards.into_iter().collect();
    cards.sort_by_key(|card| core::cmp::Reverse(strain.strength(*card)));
    cards
}

/// Centres a text in a place.
fn centred(text: &str) -> String {
    format!("{text:^PLACE$}")
}
