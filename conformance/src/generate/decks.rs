//! `decks-*.jsonl`: dealing, and what becomes of the deck where it is only cut.

use serde::Serialize;

use super::deals::play;
use super::rng::Rng;
use super::{Lines, line};
use crate::cards::{cards_text, deck, hand_text};
use crate::dealing::{completed, cut, dealt, gathered, gathered_passed_out, turned};
use crate::options::{Method, Shuffle};
use crate::record::RecordTrick;
use crate::rules::NamedRules;

#[derive(Serialize)]
struct Line<'a> {
    rules: &'a NamedRules,
    dealer: usize,
    deck: String,
    hands: Vec<String>,
    turned: Option<String>,
    taker: Option<usize>,
    completed: Option<Vec<String>>,
    tricks: Option<Vec<RecordTrick>>,
    gathered: Option<String>,
    cut: Option<usize>,
    next: Option<String>,
}

pub(super) fn write(rules: &NamedRules, rng: &mut Rng, size: usize, lines: &mut Lines) {
    let set = &rules.rules;
    let texts = |hands: &[Vec<_>]| -> Vec<String> { hands.iter().map(|hand| hand_text(hand)).collect() };
    for number in 0..size {
        let dealer = number % 4;
        let mut cards = deck();
        rng.shuffle(&mut cards);
        // One deal in three is passed out.
        let taker = (number % 3 != 2).then(|| rng.below(4));
        let hands = taker.map(|taker| completed(set, &cards, dealer, taker));
        let mut text = Line {
            rules,
            dealer,
            deck: cards_text(&cards),
            hands: texts(&dealt(set, &cards, dealer)),
            turned: turned(set, &cards).map(|card| card.to_string()),
            taker: None,
            completed: None,
            tricks: None,
            gathered: None,
            cut: None,
            next: None,
        };
        if set.deal.method == Method::TurnUp {
            text.taker = taker;
            text.completed = hands.as_deref().map(texts);
        }
        if set.deal.shuffle == Shuffle::Cut {
            let strain = *rng.pick(&set.strains());
            let tricks = hands.map(|hands| play(set, rng, strain, (dealer + 1) % 4, &hands).0);
            let after = match &tricks {
                Some(tricks) => gathered(tricks),
                None => gathered_passed_out(set, &cards, dealer),
            };
            let top = 2 + rng.below(29);
            text.tricks = Some(tricks.unwrap_or_default());
            text.gathered = Some(cards_text(&after));
            text.cut = Some(top);
            text.next = Some(cards_text(&cut(&after, top)));
        }
        lines.push(line(&text));
    }
}
