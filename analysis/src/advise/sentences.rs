//! An answer in words: the situation, what others did, the advice.

use std::fmt::Write as _;

use coinche_bots::Choice;
use coinche_engine::rules::Rotation;
use coinche_engine::{AuctionTurn, Call, Card, CardSet, Seat, Suit, View};
use coinche_selfplay::{amount, plain, signed, thousands, with_half};

use super::question::{cards_text, contract_text};
use super::{Advice, Assumed, Weighed};
use crate::texts::{Texts, capital, fill, texts};
use crate::typed::Language;

/// Returns the other seats with their places: the next to play is on the left if play is clockwise, else on the
/// right.
pub(super) fn others(view: &View<'_>, language: Language) -> [(Seat, &'static str); 3] {
    let texts = texts(language);
    let seat = view.seat();
    let [left, right] = match view.rules().deal.rotation {
        Rotation::Clockwise => [seat.next(), seat.plus(3)],
        Rotation::Counterclockwise => [seat.plus(3), seat.next()],
    };
    [(seat.partner(), texts.partner), (left, texts.left), (right, texts.right)]
}

/// Prints a choice: in English in the notation of records, which `advise` reads.
pub(super) fn choice_text(language: Language, choice: Choice) -> String {
    match choice {
        Choice::Call(call) => language.typed(call),
        Choice::Card(card) => cards_text(language, CardSet::only(card)),
    }
}

/// Describes the position: the seat to play, its hand, and what has happened.
pub(super) fn situation(view: &View<'_>, language: Language) -> String {
    let texts = texts(language);
    let rules = view.rules().preset_name().unwrap_or(texts.of_ones_own);
    let score = view.match_score();
    let hand = cards_text(language, view.hand());
    let start: [(&str, &dyn std::fmt::Display); 4] =
        [("seat", &view.seat()), ("dealer", &view.dealer()), ("rules", &rules), ("hand", &hand)];
    let mut text = fill(texts.situation, &start);
    if let Some(turned) = view.turned().filter(|_| view.contract().is_none()) {
        text += &fill(texts.with_turned, &[("card", &choice_text(language, turned.into()))]);
    }
    if let Some(contract) = view.auction().state().contract() {
        let what = if view.contract().is_some() { texts.contract_now } else { texts.standing_now };
        text += &fill(what, &[("contract", &contract_text(language, &contract))]);
    }
    if view.contract().is_some() {
        let taken = view.points_taken();
        text += &fill(texts.in_trick, &[("n", &(view.tricks().len() + 1))]);
        let on_table: Vec<_> = view.trick().map(|(_, card)| choice_text(language, card.into())).collect();
        if !on_table.is_empty() {
            let _ = write!(text, "{}{}", language.of(": ", "\u{a0}: "), on_table.join(" "));
        }
        let team = view.seat().team();
        text += &fill(texts.points_so_far, &[("own", &taken[team]), ("other", &taken[team.other()])]);
    } else if matches!(view.auction().state().turn(), AuctionTurn::OfferCoinche(_)) {
        text.push_str(texts.offered_coinche);
    } else if matches!(view.auction().state().turn(), AuctionTurn::OfferSurcoinche(_)) {
        text.push_str(texts.offered_surcoinche);
    }
    let own = view.seat().team();
    if score[own] != 0 || score[own.other()] != 0 {
        text += &fill(texts.match_at, &[("own", &score[own]), ("other", &score[own.other()])]);
    }
    text
}

/// Lists what the others did, one line each, and by which rules the partner called.
pub(super) fn evidence(view: &View<'_>, advice: &Advice, language: Language) -> Vec<String> {
    let texts = texts(language);
    let line = |(seat, name): (Seat, &str)| {
        let calls = view.auction().calls().iter().filter(|(other, _)| *other == seat);
        let calls: Vec<_> = calls.map(|(_, call)| choice_text(language, (*call).into())).collect();
        let said = if calls.is_empty() { texts.nothing_yet.to_owned() } else { calls.join(", ") };
        let mut line = fill(texts.said_by, &[("who", &name), ("seat", &seat), ("calls", &said)]);
        let is_out_of = |suit: &Suit| view.contract().is_some() && view.is_void(seat, *suit);
        let shown = |suit: Suit| {
            if language == Language::English { suit.to_string() } else { suit.symbol().to_string() }
        };
        let voids: Vec<_> = Suit::ALL.into_iter().filter(is_out_of).map(shown).collect();
        if !voids.is_empty() {
            line += &fill(texts.out_of, &[("suits", &voids.join(" "))]);
        }
        line
    };
    let agreed = advice.agreed.iter().map(|agreed| agreed.line(language));
    others(view, language).map(line).into_iter().chain(agreed).collect()
}

/// Fewer deals of equal weight than this are said to be few.
const FEW: u64 = 20;

/// Describes how the evidence is weighted.
pub(super) fn source(view: &View<'_>, advice: &Advice, language: Language) -> String {
    let texts = texts(language);
    let cards = if view.contract().is_some() { texts.and_cards } else { "" };
    let effective = advice.holdings.effective();
    let few = if effective < FEW { texts.few } else { "" };
    let [draws, effective] =
        [advice.holdings.draws.into(), effective].map(|number| language.number(&thousands(number)));
    fill(
        texts.evidence_head,
        &[("cards", &cards), ("draws", &draws), ("effective", &effective), ("few", &few)],
    )
}

/// Returns the recommendation in words.
pub(super) fn sentences(view: &View<'_>, advice: &Advice, language: Language) -> Vec<String> {
    let texts = texts(language);
    let find = |choice: Choice| advice.options.iter().find(|option| option.choice == choice);
    let chosen = find(advice.choice);
    let mut sentence = match advice.choice {
        Choice::Card(card) => of_card(card, chosen, advice, language),
        Choice::Call(call) => of_call(view, call, chosen, advice, language),
    };
    if advice.figures_of_others {
        sentence += &fill(texts.figures_of_others, &[("bot", &advice.by)]);
    }
    let assumed = advice.assumed.as_ref();
    sentence.extend(assumed.map(|assumed| against(advice.choice, assumed, &advice.options, language)));
    std::iter::once(sentence).chain(why_not_the_best_in_most(advice, language)).collect()
}

/// Compares the recommended call with that of the assumed bidder.
fn against(choice: Choice, assumed: &Assumed, options: &[Weighed], language: Language) -> String {
    let is_alone = options.len() < 2;
    if choice != Choice::Call(assumed.call) {
        let (gain, call) = (more(language, assumed.gain), choice_text(language, assumed.call.into()));
        fill(texts(language).bidder_would, &[("choice", &call), ("gain", &gain)])
    } else if is_alone {
        String::new()
    } else {
        texts(language).bidder_would_too.to_owned()
    }
}

/// Explains why the recommended choice is not the one that is best in most deals.
pub(super) fn why_not_the_best_in_most(advice: &Advice, language: Language) -> Option<String> {
    let texts = texts(language);
    let chosen = advice.options.iter().find(|option| option.choice == advice.choice)?;
    let share = |option: &&Weighed| option.best.unwrap_or_default();
    let other = advice.options.iter().max_by(|a, b| share(a).total_cmp(&share(b)))?;
    let ([mean, _], [other_mean, _]) = (chosen.score?, other.score?);
    if share(&other) <= share(&chosen) {
        return None;
    }
    let [choice, advised] = [other, chosen].map(|option| choice_text(language, option.choice));
    let [best, own] = [other, chosen].map(|option| percent(share(&option)));
    let facts = fill(
        texts.best_in_more,
        &[("choice", &capital(&choice)), ("share", &best), ("own", &own), ("advised", &advised)],
    );
    let [other_score, score] = [other_mean, mean].map(|score| language.number(&signed(score)));
    let scores = fill(texts.against, &[("one", &other_score), ("other", &score)]);
    // Means that print alike are no reason.
    let less = (plain(mean) != plain(other_mean)).then_some(mean > other_mean);
    let why = match (advice.figures_of_others, less) {
        (true, _) => texts.bots_own,
        (_, None) => texts.scores_alike,
        (_, Some(false)) => texts.scores_more,
        (_, Some(true)) => texts.scores_less,
    };
    Some(facts + &fill(why, &[("scores", &scores)]))
}

fn of_card(card: Card, chosen: Option<&Weighed>, advice: &Advice, language: Language) -> String {
    let texts = texts(language);
    let mut text = fill(texts.advice_for_play, &[("choice", &choice_text(language, card.into()))]);
    if advice.options.len() == 1 {
        return fill(texts.only, &[("advice", &text), ("why", &texts.no_other_card)]);
    }
    if let Some(chance) = chosen.and_then(|option| option.chance) {
        text += &fill(texts.made_in, &[("chance", &percent(chance))]);
    }
    if let Some([score, half]) = chosen.and_then(|option| option.score) {
        text += &fill(texts.for_score, &[("score", &estimate(language, score, half))]);
    }
    text.push('.');
    text
}

/// Tells somebody to call.
fn imperative(call: Call, texts: &Texts, language: Language) -> String {
    let choice = choice_text(language, call.into());
    match call {
        Call::Pass => texts.pass.to_owned(),
        Call::Wait => texts.wait.to_owned(),
        Call::Coinche => texts.coinche.to_owned(),
        Call::Surcoinche => texts.surcoinche.to_owned(),
        Call::Bid(_) => fill(texts.advice_for_bid, &[("choice", &choice)]),
        Call::Take | Call::TakeIn(_) => fill(texts.advice_for_call, &[("choice", &choice)]),
    }
}

fn of_call(
    view: &View<'_>,
    call: Call,
    chosen: Option<&Weighed>,
    advice: &Advice,
    language: Language,
) -> String {
    let texts = texts(language);
    let standing = view.auction().state().contract().map(|contract| contract_text(language, &contract));
    let chance = chosen.and_then(|option| option.chance).map(percent);
    let mut text = imperative(call, texts, language);
    match (call, chance, standing) {
        (Call::Bid(_) | Call::Take | Call::TakeIn(_), Some(chance), _) => {
            text += &fill(texts.made_with, &[("chance", &chance)]);
            if let Some(share) = chosen.and_then(|option| option.is_final) {
                text += &fill(texts.if_final, &[("chance", &percent(share))]);
            }
        }
        (_, Some(chance), Some(standing)) => {
            let comma = if standing.contains(',') { "," } else { "" };
            let standing = format!("{standing}{comma}");
            text += &fill(texts.standing_made_with, &[("standing", &standing), ("chance", &chance)]);
        }
        _ => {}
    }
    if let Some(gain) = chosen.and_then(|option| option.gain) {
        text += &fill(texts.more_than_pass, &[("gain", &more(language, gain))]);
    }
    // The options are sorted: this is the best one other than a pass.
    let other = advice.options.iter().find(|it| !matches!(it.choice, Choice::Call(other) if other.is_pass()));
    if let (true, Some(other)) = (call.is_pass(), other)
        && let Some([gain, half]) = other.gain
    {
        let choice = capital(&choice_text(language, other.choice));
        text += &fill(texts.best_other, &[("choice", &choice), ("gain", &estimate(language, gain, half))]);
    }
    text.push('.');
    text
}

/// Formats a share of 0 to 1.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Formats an estimate, with half of its interval if it has one.
pub(super) fn estimate(language: Language, mean: f64, half: f64) -> String {
    language.number(&with_half(mean, Some(half).filter(|half| half.is_finite())))
}

/// Does the same where words say the direction.
pub(super) fn more(language: Language, [mean, half]: [f64; 2]) -> String {
    language.number(&amount(mean, Some(half).filter(|half| half.is_finite())))
}
