//! The analysis board: any position, from text; nothing is kept.

use std::collections::BTreeMap;

use coinche_analysis::advise::{Asked, Question, follow};
use coinche_analysis::system::{SystemFile, explain, print};
use coinche_analysis::typed::{self, CardReader, Language};
use coinche_bots::search::opponent_model;
use coinche_bots::{Agent as _, BotSpec, Choice, Thought};
use coinche_engine::record::Record;
use coinche_engine::rules::DealMethod;
use coinche_engine::solver::{DealPoints, Solver};
use coinche_engine::{
    BySeat, Call, Card, CardSet, Deal, DealState, Key, Outcome, RuleSet, Seat, Strain, Team, Turn,
    parse_hands,
};
use coinche_inference::student_t;
use coinche_runs::nearest_preset;
use coinche_selfplay::Solvers;
use coinche_selfplay::records::pbn::{self, Kept};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::{Answer, Refusal};
use crate::view::{self, Choices};

/// A position as the page's address has it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Position {
    /// A preset.
    pub(crate) rules: String,
    /// Fields that differ, separated by `;`.
    pub(crate) set: String,
    /// The dealer.
    pub(crate) dealer: String,
    /// Four hands joined by `|`, of which cards may be missing, or one.
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
    /// The bidding system that is to explain calls.
    pub(crate) system: String,
}

/// A position: with all hands, with some cards of them, or with one hand.
#[derive(Debug)]
pub(crate) enum Board {
    /// All hands are known.
    Open(Box<DealState>),
    /// Some cards are.
    Partial(Box<Partial>),
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
        let is_whole =
            |hand: &str| [8, rules.deal.method.cards().1].contains(&CardReader::of(hand).cards(hand).len());
        let first = position.hands.split('|').find(|hand| !hand.trim().is_empty()).unwrap_or_default();
        if known == 1 && (!position.hands.contains('|') || is_whole(first)) {
            let place = position.hands.split('|').position(|hand| !hand.trim().is_empty());
            let place = place.filter(|_| position.hands.contains('|')).map(Seat::from_index);
            let seat = match position.seat.as_str() {
                "" => place,
                text => Some(text.parse().map_err(|error| Refusal::wrong(format!("seat: {error}")))?),
            };
            let asked = Asked {
                hand: first.trim(),
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
            let read = Question::read(rules, &asked);
            // After an auction that is over, no card is the first lead.
            let question = match read {
                Err(_) if asked.tricks.is_none() => {
                    Question::read(rules, &Asked { tricks: Some(""), ..asked.clone() }).or(read)
                }
                other => other,
            };
            return Ok(Self::Closed(Box::new(question?)));
        }
        let hands = parse_hands(&position.hands.replace('?', " "));
        let hands = hands.map_err(|error| Refusal::wrong(format!("hands: {error}")))?;
        if hands.iter().all(|(_, hand)| hand.len() == 8) {
            return Ok(Self::Open(Box::new(open(rules, dealer, hands, turned, position)?)));
        }
        Ok(Self::Partial(Box::new(Partial::read(rules, dealer, hands, turned, position)?)))
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
            Self::Partial(partial) => partial.json(),
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
        match self {
            Self::Open(state) => view::to_act(state.turn()),
            Self::Partial(partial) => view::to_act(partial.state.turn()),
            Self::Closed(question) => Some(question.view().seat()),
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
    let mut words: Vec<&str> = position.auction.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let (mut at, mut number) = (0, 0);
    while at < words.len() {
        number += 1;
        let wrong = |why: String| Refusal::wrong(format!("auction, call {number}: {why}"));
        let seat: Option<Seat> = words[at].split_once(':').and_then(|(seat, _)| seat.parse().ok());
        words[at] = words[at].split_once(':').filter(|_| seat.is_some()).map_or(words[at], |(_, call)| call);
        let (length, call) = typed::next_call(&words[at..]);
        at += length;
        let call = call.map_err(|error| wrong(error.to_string()))?;
        say(&mut state, seat, call).map_err(wrong)?;
    }
    for (n, card) in played(position)?.into_iter().enumerate() {
        let wrong = |why: String| Refusal::wrong(format!("card {}: {why}", n + 1));
        while state.auction().state().turn().is_offer() {
            state.call(Call::Pass).map_err(|error| wrong(error.to_string()))?;
        }
        state.play(card).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(state)
}

/// Makes a call. Declined offers of a coinche are not written: `seat` says whose coinche it is, if it is not the first's.
fn say(state: &mut DealState, seat: Option<Seat>, call: Call) -> Result<(), String> {
    loop {
        let offer = state.auction().state().turn();
        let own = offer.seat().is_some_and(|turn| seat.is_none_or(|seat| seat == turn));
        let takes = own && matches!(call, Call::Coinche | Call::Surcoinche);
        let now = if offer.is_offer() && !takes { Call::Pass } else { call };
        state.call(now).map_err(|error| error.to_string())?;
        if now == call && (takes || !offer.is_offer()) {
            return Ok(());
        }
    }
}

/// Reads the cards played.
fn played(position: &Position) -> Answer<Vec<Card>> {
    let text = position.tricks.replace('/', " ");
    let cards = CardReader::of(&text).cards(&text).into_iter().enumerate();
    cards.map(|(n, card)| card.map_err(|error| Refusal::wrong(format!("card {}: {error}", n + 1)))).collect()
}

/// Reads a pasted text: the record of a deal, the same in PBN-like form, or four hands.
pub(crate) fn pasted(text: &str) -> Answer<Position> {
    let text = text.trim();
    let kept = if text.starts_with('{') {
        let line = text.lines().next().unwrap_or_default();
        Some(Kept::from_json(line.as_bytes()).map_err(Refusal::wrong)?)
    } else if text.starts_with(['[', '%']) {
        let mut reader = pbn::Reader::new(text.as_bytes());
        let read = reader.next_record().map_err(|error| format!("line {}: {error}", reader.line()));
        read.map_err(Refusal::wrong)?
    } else {
        None
    };
    if let Some(kept) = kept {
        return of_record(&kept.record);
    }
    let hand = |text: &str| -> Answer<CardSet> {
        if text.contains(':') {
            return typed::hand_by_suit(text).map_err(Refusal::wrong);
        }
        let text = text.replace('?', " ");
        CardReader::of(&text).cards(&text).into_iter().map(|card| card.map_err(Refusal::wrong)).collect()
    };
    let hands = text.split('|').map(hand).collect::<Answer<Vec<_>>>()?;
    if ![1, 4].contains(&hands.len()) || hands.iter().all(|hand| hand.is_empty()) {
        let why = "expected a record (a line of JSON), a deal in the form of `arena show --pbn`, or four hands joined by `|`";
        return Err(Refusal::wrong(why));
    }
    Ok(Position { hands: joined(hands.into_iter().map(view::list), " | "), ..Position::default() })
}

fn joined(lists: impl Iterator<Item = Vec<String>>, between: &str) -> String {
    lists.map(|list| list.join(" ")).collect::<Vec<_>>().join(between)
}

/// Returns the end of a recorded deal.
pub(crate) fn of_record(record: &Record) -> Answer<Position> {
    let (base, set) = nearest_preset(&record.rules.rules().map_err(Refusal::wrong)?);
    let call = |(seat, call): &(Seat, Call)| match call {
        // Which of two may, where both may.
        Call::Coinche | Call::Surcoinche => format!("{seat}:{call}"),
        _ => call.to_string(),
    };
    let cards = record.tricks.iter().map(|trick| trick.cards.iter().map(Card::to_string).collect());
    Ok(Position {
        rules: base.to_owned(),
        set: set.join(";"),
        dealer: record.dealer.to_string(),
        hands: joined(record.hands.0.into_iter().map(view::list), " | "),
        turned: record.turned.map_or_else(String::new, |card| card.to_string()),
        auction: record.auction.iter().map(call).collect::<Vec<_>>().join(" "),
        tricks: joined(cards, " / "),
        ..Position::default()
    })
}

/// Hands of which cards are missing: deals that fit are drawn.
#[derive(Debug)]
pub(crate) struct Partial {
    position: Position,
    turned: Option<String>,
    /// The cards of the text, and those that were played.
    known: BySeat<CardSet>,
    /// What plays have shown not to be in a hand.
    without: BySeat<CardSet>,
    /// One deal that fits.
    state: DealState,
    /// The cards that are legal in some of them.
    legal: CardSet,
}

/// How often cards are dealt before none is said to fit, and how many deals say what may be played.
const TRIES: u64 = 20_000;
const SAMPLE: u64 = 100;

impl Partial {
    fn read(
        rules: &RuleSet,
        dealer: Seat,
        hands: BySeat<CardSet>,
        turned: Option<&str>,
        position: &Position,
    ) -> Answer<Self> {
        let none = || Refusal::wrong("hands: no deal has these cards, calls and plays");
        if let Some((seat, _)) = hands.iter().find(|(_, hand)| hand.len() > 8) {
            return Err(Refusal::wrong(format!("hands: seat {seat} has more than 8 cards")));
        }
        let before = Position { tricks: String::new(), ..position.clone() };
        let nothing = BySeat([CardSet::EMPTY; 4]);
        let (mut known, mut without) = (hands, nothing);
        let any = fill(&known, &without, Key::from_bits(0)).ok_or_else(none)?;
        let mut state = open(rules, dealer, any, turned, &before)?;
        let cards = played(position)?;
        if !cards.is_empty() {
            while state.auction().state().turn().is_offer() {
                state.call(Call::Pass).map_err(Refusal::wrong)?;
            }
            let Some(play) = state.play_state() else {
                return Err(Refusal::wrong("card 1: the auction is not over"));
            };
            if cards.len() > 31 || cards.iter().copied().collect::<CardSet>().len() < cards.len() {
                return Err(Refusal::wrong("tricks: a card is there twice, or all have been played"));
            }
            follow(*play, &cards, |seat, card, excluded| {
                without[seat] |= excluded;
                known[seat] |= CardSet::only(card);
            });
        }
        let this = Self {
            position: position.clone(),
            turned: turned.map(str::to_owned),
            known,
            without,
            state,
            legal: CardSet::EMPTY,
        };
        let fitting: Vec<_> = (0..SAMPLE).filter_map(|n| this.draw(Key::from_bits(n))).collect();
        // The reason is that of any deal: a card that its seat may not play, or does not have.
        let Some(state) = fitting.first().cloned() else {
            let any = fill(&this.known, &this.without, Key::from_bits(0)).ok_or_else(none)?;
            return Err(open(rules, dealer, any, turned, position).err().unwrap_or_else(none));
        };
        let legal = fitting.iter().fold(CardSet::EMPTY, |legal, state| legal | state.legal_plays());
        Ok(Self { state, legal, ..this })
    }

    /// Draws a deal that fits the cards and plays; `None` where it does not.
    fn draw(&self, key: Key) -> Option<DealState> {
        let hands = fill(&self.known, &self.without, key)?;
        let dealer = self.state.deal().dealer();
        open(self.state.rules(), dealer, hands, self.turned.as_deref(), &self.position).ok()
    }

    /// Returns one deal that fits.
    pub(crate) const fn state(&self) -> &DealState {
        &self.state
    }

    /// Tests if all cards of a seat are known.
    pub(crate) fn knows(&self, seat: Seat) -> bool {
        self.known[seat].len() == 8
    }

    fn json(&self) -> Value {
        let seat = view::to_act(self.state.turn()).unwrap_or(Seat::S0);
        let choices = Choices { cards: self.legal, ..Choices::default() };
        let mut json = view::deal(&self.state.view(seat), &choices, Some(&self.state), false);
        let held =
            |seat: Seat| self.state.play_state().map_or(self.state.hands()[seat], |play| play.hand(seat));
        json["hands"] = json!(Seat::ALL.map(|seat| view::list(held(seat) & self.known[seat])));
        json["unknown"] = json!(Seat::ALL.map(|seat| (held(seat) - self.known[seat]).len()));
        json["first"] = json!(Seat::ALL.map(|seat| view::list(self.known[seat])));
        // These follow from hands that are made up.
        for (name, value) in
            [("melds", json!([[], [], [], []])), ("shown", Value::Null), ("meld_choice", json!([]))]
        {
            json[name] = value;
        }
        // Without a play it does not depend on the hands.
        json["over"] = self.state.play_state().map_or_else(|| view::outcome(&self.state), |_| Value::Null);
        json
    }

    /// Returns the mean of the exact values over deals that fit, weighed by the others' calls where the seat to act is known.
    pub(crate) fn solved(&self, solvers: &Solvers, worlds: u32) -> Value {
        let mut model = opponent_model("read=calls,model=net").ok().flatten();
        let weighed = |n: u32| {
            let state = self.draw(Key::from_bits(u64::from(n)))?;
            let seat = view::to_act(state.turn())?;
            let model = model.as_mut().filter(|_| self.knows(seat));
            let weight = model.map_or(1.0, |model| model.weight(&state.view(seat), state.deal()));
            Some((state, weight))
        };
        let mut deals: Vec<_> = (0..worlds).filter_map(weighed).collect();
        if deals.iter().all(|(_, weight)| *weight <= 0.0) {
            for (_, weight) in &mut deals {
                *weight = 1.0;
            }
        }
        deals.retain(|(_, weight)| *weight > 0.0);
        let values = solvers.map(deals, |solver, (state, weight)| (solved(solver, &state), weight));
        let (list, name) =
            if self.state.play_state().is_some() { ("cards", "card") } else { ("strains", "strain") };
        let mut sums: BTreeMap<String, Vec<(Value, f64)>> = BTreeMap::new();
        for (value, weight) in &values {
            for it in value[list].as_array().into_iter().flatten() {
                let key = it[name].as_str().unwrap_or_default().to_owned();
                sums.entry(key).or_default().push((it["points"].clone(), *weight));
            }
        }
        let of = |(key, values): (&String, &Vec<(Value, f64)>)| {
            let team = |n: usize| estimate(&values.iter().map(|(it, w)| (it.get(n).unwrap_or(it), *w)));
            let [first, second] = [team(0), team(1)];
            let points = if list == "cards" { json!(first[0]) } else { json!([first[0], second[0]]) };
            json!({ name: key, "points": points, "half": first[1], "deals": first[2] })
        };
        json!({ list: sums.iter().map(of).collect::<Vec<_>>(), "deals": values.len(), "par": [] })
    }
}

/// Returns the weighted mean, half of its 95 % interval, and of how many equal weights it is worth.
fn estimate<'a>(values: &(impl Iterator<Item = (&'a Value, f64)> + Clone)) -> [Option<f64>; 3] {
    let of =
        |f: fn(f64, f64) -> f64| values.clone().map(|(it, w)| f(it.as_f64().unwrap_or(0.0), w)).sum::<f64>();
    let (weights, squares) = (of(|_, w| w), of(|_, w| w * w));
    let mean = of(|x, w| w * x) / weights;
    let number = weights * weights / squares;
    let spread = (of(|x, w| w * x * x) / weights - mean * mean).max(0.0);
    let half = (number > 2.0).then(|| student_t(0.95, number - 1.0) * (spread / (number - 1.0)).sqrt());
    [Some(mean), half, Some(number.round())]
}

/// Completes hands at random; `None` if that takes too many tries.
fn fill(known: &BySeat<CardSet>, without: &BySeat<CardSet>, mut key: Key) -> Option<BySeat<CardSet>> {
    let all = known.iter().fold(CardSet::EMPTY, |all, (_, hand)| all | *hand);
    let mut free: Vec<Card> = (!all).into_iter().collect();
    let fits = |free: &[Card]| {
        let mut rest = free.iter();
        let mut hands = *known;
        for seat in Seat::ALL {
            let missing = 8usize.checked_sub(known[seat].len())?;
            let cards: CardSet = rest.by_ref().take(missing).copied().collect();
            if !(cards & without[seat]).is_empty() {
                return None;
            }
            hands[seat] |= cards;
        }
        Some(hands)
    };
    (0..TRIES).find_map(|_| {
        for n in (1..free.len()).rev() {
            key = key.and(1);
            let at = usize::try_from(key.bits() % (n as u64 + 1)).unwrap_or(0);
            free.swap(n, at);
        }
        fits(&free)
    })
}

/// Explains the latest calls by a system, the last first: the rules that make the system's call with the caller's hand, where
/// that is known, and what the call that was made promises.
pub(crate) fn explained(
    file: &SystemFile,
    state: &DealState,
    known: impl Fn(Seat) -> bool,
    last: usize,
) -> Option<Value> {
    let calls = state.auction().calls();
    let at = calls.len().checked_sub(last)?;
    let mut before = DealState::try_new(state.rules(), state.deal()).ok()?;
    for (seat, call) in &calls[..at] {
        say(&mut before, Some(*seat), *call).ok()?;
    }
    let made = calls.get(at);
    while made.is_some_and(|(seat, _)| before.auction().state().turn().seat() != Some(*seat)) {
        before.call(Call::Pass).ok()?;
    }
    let Turn::Call(seat) = before.turn() else { return None };
    let explained = explain(file, &before.view(seat));
    let call = made.map_or(explained.call, |(_, call)| *call);
    let mut json = explained.json(file);
    // The texts of a file are in its author's language; what its rules say is known in both.
    if let Some(number) = json["rules"][0]["number"].as_u64().and_then(|number| usize::try_from(number).ok())
    {
        let words = [Language::English, Language::French]
            .map(|language| print::lines(file, language).ok()?.into_iter().nth(number - 1));
        json["rules"][0]["words"] = json!(words);
    }
    json["promise"] = json!(explained.promise(call));
    json["seat"] = json!(seat);
    json["made"] = json!(made.map(|(_, call)| call));
    if !known(seat) {
        (json["rules"], json["call"]) = (json!([]), Value::Null);
    }
    json["promises"].take();
    Some(json)
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
