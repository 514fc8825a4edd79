//! A deal as JSON: what a seat may know, or all of it.

use coinche_engine::{Card, CardSet, Contract, DealState, Melds, Outcome, Seat, Suit, Turn, View};
use serde_json::{Value, json};

/// Lists cards in the order of the set.
pub(crate) fn list(cards: CardSet) -> Vec<String> {
    cards.into_iter().map(|card| card.to_string()).collect()
}

/// Returns the seat that must decide; `None` when the deal is over.
pub(crate) const fn to_act(turn: Turn) -> Option<Seat> {
    match turn {
        Turn::Call(seat) | Turn::Play(seat) => Some(seat),
        Turn::Over => None,
    }
}

fn contract(contract: &Contract) -> Value {
    json!({ "bid": contract.bid_code(), "strain": contract.strain, "declarer": contract.declarer, "stake": contract.stake })
}

/// What the viewer of a deal may choose among.
#[derive(Debug, Clone, Default)]
pub(crate) struct Choices {
    /// The legal cards.
    pub(crate) cards: CardSet,
    /// The cards with which a belote may be announced.
    pub(crate) belotes: Vec<Card>,
}

impl Choices {
    /// Returns the choices of the seat whose turn it is.
    pub(crate) fn of(state: &DealState) -> Self {
        let cards = state.legal_plays();
        Self { cards, belotes: cards.into_iter().filter(|card| state.may_announce_belote(*card)).collect() }
    }
}

/// Returns a deal as a seat sees it, which knows no more than its [`View`]; with `open` as someone sees it who knows all
/// hands.
pub(crate) fn deal(view: &View<'_>, choices: &Choices, open: Option<&DealState>, is_over: bool) -> Value {
    let (rules, turn, own) = (view.rules(), view.turn(), view.seat());
    let asked = to_act(turn).filter(|_| !is_over);
    let hand = |seat: Seat| match open {
        Some(state) => Some(list(state.play_state().map_or(state.hands()[seat], |play| play.hand(seat)))),
        None => (seat == own).then(|| list(view.hand())),
    };
    let first = |seat: Seat| match open {
        Some(state) => Some(list(state.hands()[seat])),
        None => (seat == own).then(|| list(view.first_hand())),
    };
    let mut legal = json!({ "calls": [], "cards": [] });
    let mut melds = Vec::new();
    match turn {
        Turn::Call(seat) if asked == Some(own) && seat == own => {
            let calls = view.auction().state().legal_calls();
            legal["calls"] = json!(calls.iter().map(|it| it.to_string()).collect::<Vec<_>>());
        }
        Turn::Play(_) if asked == Some(own) => {
            legal["cards"] = json!(list(choices.cards));
            if view.tricks().is_empty() && rules.melds.enabled {
                let options = Melds::options(&rules.melds, view.first_hand());
                if options.len() > 1 {
                    melds = options.iter().map(|melds| list(melds.cards())).collect();
                }
            }
        }
        _ => {}
    }
    let strain = view.strain();
    let worth = |cards: &[Card], last: bool| {
        strain.map_or(0, |strain| {
            cards.iter().map(|card| rules.card_points(strain, *card)).sum::<u16>()
                + if last { rules.scoring.last_trick_in(strain) } else { 0 }
        })
    };
    let tricks = view.tricks().iter().enumerate().map(|(n, trick)| {
        json!({ "leader": trick.leader, "cards": trick.cards, "winner": trick.winner, "points": worth(&trick.cards, n == 7) })
    });
    let trick: Vec<_> = view.trick().collect();
    let announced = Seat::ALL
        .into_iter()
        .map(|seat| view.announced_kinds(seat).map(|kind| kind.to_string()).collect::<Vec<_>>());
    let shown = view.scored_melds().map(|scored| {
        let melds = scored.iter().flat_map(|(seat, melds)| melds.iter().map(move |meld| (seat, meld)));
        melds
            .map(|(seat, meld)| {
                json!({ "seat": seat, "kind": meld.kind, "cards": list(meld.cards), "points": meld.points(&rules.melds) })
            })
            .collect::<Vec<_>>()
    });
    let belote = Suit::ALL.into_iter().filter_map(|suit| {
        let belote = open.map_or_else(|| view.belote(suit), |state| state.belote(suit))?;
        (belote.announced == Some(true)).then(|| json!({ "seat": belote.seat, "suit": suit }))
    });
    let calls = view.auction();
    json!({
        "dealer": view.dealer(),
        "turned": view.turned(),
        "turn": asked.map(|seat| {
            json!({ "seat": seat, "kind": if matches!(turn, Turn::Call(_)) { "call" } else { "play" } })
        }),
        "hands": Seat::ALL.map(hand),
        "first": Seat::ALL.map(first),
        "legal": legal,
        "belote_choice": choices.belotes.iter().filter(|_| asked == Some(own)).collect::<Vec<_>>(),
        "meld_choice": melds,
        "auction": calls.calls(),
        "standing": calls.state().contract().as_ref().map(contract),
        "contract": view.contract().as_ref().map(contract),
        "tricks": tricks.collect::<Vec<_>>(),
        "trick": trick,
        "points": view.points_taken(),
        "melds": announced.collect::<Vec<_>>(),
        "shown": shown,
        "belote": belote.collect::<Vec<_>>(),
    })
}

/// Returns the outcome of a deal.
pub(crate) fn outcome(state: &DealState) -> Value {
    match state.outcome() {
        Some(Outcome::Played { result, score }) => json!({
            "made": score.made,
            "score": score.points,
            "held": score.held,
            "card_points": result.card_points,
            "tricks": result.tricks_won(),
            "belote": result.belote,
            "melds": result.melds,
        }),
        Some(Outcome::ThrownIn) => json!({ "score": [0, 0] }),
        None => Value::Null,
    }
}
