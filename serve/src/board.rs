//! The analysis board: any position, from text; nothing is kept.

use coinche_analysis::advise::{Asked, Question};
use coinche_analysis::typed::{self, CardReader};
use coinche_bots::{Agent as _, BotSpec, Choice, Thought};
use coinche_engine::rules::DealMethod;
use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{
    BySeat, Call, Card, CardSet, Deal, DealState, Key, Outcome, RuleSet, Seat, Strain, Team, Turn,
    parse_hands,
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{Answer, Refusal};
use crate::view::{self, Choices};

/// A position as the page's address has it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Position {
    /// A preset.
    pub(crate) rules: String,
    /// Fields that differ, separated by `;`.
    pub(crate) set: String,
    /// The dealer.
    pub(crate) dealer: String,
    /// Four hands joined by `|`, or one.
    pub(crate) hands: String,
    /// The seat of one hand.
    pub(crate) seat: String,
    /// The turned card.
    pub(crate) turned: String,
    /// The calls.
    pub(crate) auction: String,
    /// The cards played.
    pub(crate) tricks: String,
    /// The bots to ask, separated by blanks.
    pub(crate) bots: String,
}

/// A position: with all hands, or with one.
#[derive(Debug)]
pub(crate) enum Board {
    /// All hands are known.
    Open(Box<DealState>),
    /// One hand is known.
    Closed(Box<Question>),
}

impl Board {
    /// Reads a position.
    pub(crate) fn read(rules: &RuleSet, position: &Position) -> Answer<Self> {
        let longest =
            [&position.hands, &position.auction, &position.tricks].into_iter().map(String::len).max();
        if longest.is_some_and(|longest| longest > 2000) {
            return Err(Refusal::wrong("the position is too long"));
        }
        let dealer: Seat = match position.dealer.as_str() {
            "" => Seat::S3,
            text => text.parse().map_err(|error| Refusal::wrong(format!("dealer: {error}")))?,
        };
        let known = position.hands.split('|').filter(|hand| !hand.trim().is_empty()).count();
        let turned = Some(position.turned.trim()).filter(|text| !text.is_empty());
        if known == 1 {
            let hand = position.hands.split('|').find(|hand| !hand.trim().is_empty()).unwrap_or_default();
            let place = position.hands.split('|').position(|hand| !hand.trim().is_empty());
            let place = place.filter(|_| position.hands.contains('|')).map(Seat::from_index);
            let seat = match position.seat.as_str() {
                "" => place,
                text => Some(text.parse().map_err(|error| Refusal::wrong(format!("seat: {error}")))?),
            };
            let asked = Asked {
                hand: hand.trim(),
                auction: &position.auction,
                tricks: Some(position.tricks.as_str()).filter(|text| !text.trim().is_empty()),
                turned,
                dealer,
                seat,
                offered: None,
                score: "0,0",
                melds: None,
                shown: None,
                belotes: &[],
            };
            let first = Question::read(rules, &asked);
            // After an auction that is over, no card is the first lead.
            let question = match first {
                Err(_) if asked.tricks.is_none() => {
                    Question::read(rules, &Asked { tricks: Some(""), ..asked.clone() }).or(first)
                }
                other => other,
            };
            return Ok(Self::Closed(Box::new(question.map_err(Refusal::wrong)?)));
        }
        let hands =
            parse_hands(&position.hands).map_err(|error| Refusal::wrong(format!("hands: {error}")))?;
        Ok(Self::Open(Box::new(open(rules, dealer, hands, turned, position)?)))
    }

    /// Returns the position as JSON.
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::Open(state) => {
                let view = state.view(self.seat().unwrap_or(Seat::S0));
                let mut json = view::deal(&view, &Choices::of(state), Some(state), false);
                json["over"] = view::outcome(state);
                json
            }
            Self::Closed(question) => {
                let choices = Choices { cards: question.legal_cards(), ..Choices::default() };
                let mut json = view::deal(&question.view(), &choices, None, false);
                json["over"] = Value::Null;
                json
            }
        }
    }

    /// Returns the seat that must decide.
    pub(crate) fn seat(&self) -> Option<Seat> {
        let turn = match self {
            Self::Open(state) => state.turn(),
            Self::Closed(question) => return Some(question.view().seat()),
        };
        match turn {
            Turn::Call(seat) | Turn::Play(seat) => Some(seat),
            Turn::Over => None,
        }
    }
}

/// Plays calls and cards from all hands.
fn open(
    rules: &RuleSet,
    dealer: Seat,
    hands: BySeat<CardSet>,
    turned: Option<&str>,
    position: &Position,
) -> Answer<DealState> {
    let turned = turned.map(|text| CardReader::single().card(text)).transpose();
    let turned = turned.map_err(|error| Refusal::wrong(format!("turned: {error}")))?;
    if turned.is_none() && rules.deal.method == DealMethod::TurnUp {
        return Err(Refusal::wrong("turned: these rules turn a card; say which"));
    }
    let taker = |card: Card| Seat::ALL.into_iter().find(|seat| hands[*seat].contains(card));
    let turned = turned.and_then(|card| Some((card, taker(card)?)));
    let deal = Deal::from_hands(&rules.deal, dealer, hands, turned);
    let deal = deal.map_err(|error| Refusal::wrong(format!("hands: {error}")))?;
    let mut state = DealState::try_new(rules, &deal).map_err(Refusal::wrong)?;
    let words: Vec<&str> = position.auction.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let (mut at, mut number) = (0, 0);
    while at < words.len() {
        let (length, call) = typed::next_call(&words[at..]);
        at += length;
        number += 1;
        let wrong = |why: String| Refusal::wrong(format!("auction, call {number}: {why}"));
        let call = call.map_err(|error| wrong(error.to_string()))?;
        // Declined offers of a coinche are not written.
        while state.auction().state().turn().is_offer() && !matches!(call, Call::Coinche | Call::Surcoinche) {
            state.call(Call::Pass).map_err(|error| wrong(error.to_string()))?;
        }
        state.call(call).map_err(|error| wrong(error.to_string()))?;
    }
    let text = position.tricks.replace('/', " ");
    for (n, card) in CardReader::of(&text).cards(&text).into_iter().enumerate() {
        let wrong = |why: String| Refusal::wrong(format!("card {}: {why}", n + 1));
        let card = card.map_err(|error| wrong(error.to_string()))?;
        while state.auction().state().turn().is_offer() {
            state.call(Call::Pass).map_err(|error| wrong(error.to_string()))?;
        }
        state.play(card).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(state)
}

/// Returns the exact values of a position: of every card, or of every strain before the play.
pub(crate) fn solved(solver: &mut Solver, state: &DealState) -> Value {
    let rules = state.rules();
    let Some(play) = state.play_state() else {
        if state.turn() == Turn::Over {
            return Value::Null;
        }
        let first = state.deal().dealer().next();
        let strains: Vec<_> = Strain::ALL.into_iter().filter(|strain| rules.allows_strain(*strain)).collect();
        if rules.deal.method != DealMethod::Full {
            return Value::Null;
        }
        let points = DealPoints::solve(solver, rules, *state.hands(), &strains, &[first]);
        let of = |strain: &Strain| {
            let it = points.get(*strain, first)?;
            Some(json!({ "strain": strain, "points": it.points, "slam": it.slam }))
        };
        let par = Team::ALL.map(|team| {
            points
                .best_contract(rules, first, team)
                .map(|par| json!({ "bid": par.contract.bid_code(), "score": par.score.points }))
        });
        return json!({ "strains": strains.iter().filter_map(of).collect::<Vec<_>>(), "par": par });
    };
    if play.is_over() {
        return Value::Null;
    }
    let team = play.to_play().team();
    let won = i32::from(play.card_points(rules)[team]);
    solver.set_prizes(coinche_engine::ByTeam([0; 2]));
    let mut values = Vec::new();
    solver.values(rules, play, |card, value| values.push((card, value)));
    let cards: Vec<_> = values
        .iter()
        .map(|(card, value)| {
            let score = score_after(solver, state, *card);
            json!({
                "card": card,
                "points": won + value,
                "score": score.map(|score| score[team.index()] - score[1 - team.index()]),
            })
        })
        .collect();
    json!({ "cards": cards, "seat": play.to_play() })
}

/// Returns the score of the deal after a card and best play for points.
fn score_after(solver: &mut Solver, state: &DealState, card: Card) -> Option<[i32; 2]> {
    let mut end = state.clone();
    end.play(card).ok()?;
    let mut line = Vec::new();
    solver.line(state.rules(), end.play_state()?, |_, card| line.push(card));
    for card in line {
        end.play(card).ok()?;
    }
    match end.outcome()? {
        Outcome::Played { score, .. } => Some(score.points.0),
        Outcome::ThrownIn => None,
    }
}

/// Returns what a bot does in a position, and thinks of it.
pub(crate) fn asked(bot: &BotSpec, state: &DealState, seat: Seat, key: Key) -> Value {
    let mut bot = bot.build();
    bot.start();
    let (choice, thought): (Choice, Option<Thought>) = if matches!(state.turn(), Turn::Call(_)) {
        let call = bot.bidder.call(&state.view(seat), &state.legal_calls(), key);
        (call.into(), bot.bidder.thought().filter(|_| bot.bidder.thinks()).cloned())
    } else {
        let card = bot.player.play(state, seat, state.legal_plays(), key);
        (card.into(), bot.thought(false).cloned())
    };
    let options = thought.as_ref().map(|thought| {
        let mut options = thought.options.clone();
        options.sort_by(|a, b| b.mean.total_cmp(&a.mean));
        options
            .iter()
            .map(|it| {
                json!({
                    "choice": it.choice.to_string(), "score": [it.mean, it.half_width], "chance": it.chance,
                    "best": it.best, "worlds": it.worlds,
                })
            })
            .collect::<Vec<_>>()
    });
    json!({
        "choice": choice.to_string(),
        "points": thought.as_ref().and_then(|it| it.points),
        "chance": thought.as_ref().and_then(|it| it.chance),
        "options": options,
    })
}
