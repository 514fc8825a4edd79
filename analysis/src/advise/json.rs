//! An answer as JSON.

use coinche_engine::View;
use serde_json::{Map, Value, json};

use super::agreed::Agreed;
use super::sentences::{others, sentences};
use super::{Advice, Question, Weighed};
use crate::typed::Language;

/// Returns the answer as one object for programs.
pub fn json(question: &Question, advice: &Advice) -> Value {
    let (view, held) = (question.view(), &advice.holdings);
    json!({
        "seat": view.seat() as u8,
        "dealer": view.dealer() as u8,
        "rules": view.rules(),
        "hand": view.hand().to_string(),
        "advice": advice.choice.to_string(),
        "by": advice.by,
        "models": advice.basis.sentence(Language::English),
        "assumed": advice.assumed.map(|it| json!({ "call": it.call.to_string(), "gain": pair(it.gain) })),
        "figures_of_others": advice.figures_of_others,
        "partner_rules": advice.agreed.iter().map(Agreed::json).collect::<Vec<_>>(),
        "options": advice.options.iter().map(|it| option(it, it.choice == advice.choice)).collect::<Vec<_>>(),
        "others": hands(&view, advice),
        "draws": held.draws,
        "effective_draws": held.effective(),
        "sentence": sentences(&view, advice, Language::English).join(" "),
    })
}

/// An estimate with half of its interval, `null` if unknown.
fn pair(pair: [f64; 2]) -> [Option<f64>; 2] {
    pair.map(|x| x.is_finite().then_some(x))
}

fn option(option: &Weighed, advised: bool) -> Value {
    json!({
        "choice": option.choice.to_string(),
        "advised": advised,
        "chance": option.chance,
        "final": option.is_final,
        "score": option.score.map(pair),
        "over_pass": option.gain.map(pair),
        "best": option.best,
        "worlds": option.worlds,
    })
}

/// Returns trumps and aces by strain and the chance of each hidden card, by seat.
fn hands(view: &View<'_>, advice: &Advice) -> Vec<Value> {
    let held = &advice.holdings;
    let hand = |(seat, who)| {
        let strains = advice.strains.iter().map(|strain| {
            let trumps = strain.trump().map(|trump| held.trumps(seat, trump));
            (strain.to_string(), json!({ "trumps": trumps, "aces_beside": held.aces_beside(seat, *strain) }))
        });
        let cards = view.unseen().into_iter().map(|card| (card.to_string(), json!(held.chance(seat, card))));
        let (strains, cards): (Map<_, _>, Map<_, _>) = (strains.collect(), cards.collect());
        json!({ "seat": seat as u8, "who": who, "strains": strains, "cards": cards })
    };
    others(view, Language::English).map(hand).to_vec()
}
