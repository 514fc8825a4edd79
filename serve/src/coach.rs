//! What decisions cost: by the solver, which knows all hands, and by the advice for what the seat knew.
//!
//! The figures are those of `arena judge` and `arena advise`.

use coinche_analysis::advise;
use coinche_analysis::coach::{Coach, Figures, WORLDS};
use coinche_analysis::judge;
use coinche_engine::record::{Record, Step};
use coinche_engine::solver::Solver;
use coinche_engine::{DealState, Seat, Team};
use coinche_inference::ratio::Ratio;
use coinche_selfplay::Solvers;
use serde_json::{Value, json};

/// The advice for a seat as JSON, and how it was sampled.
pub(crate) fn advice(coach: &Coach<'_>, state: &DealState, seat: Seat, worlds: u32) -> Value {
    let (question, advice) = coach.advise(state, seat, worlds);
    let mut json = advise::json(&question, &advice);
    json["seed"] = json!(coach.seed);
    json["worlds"] = json!(worlds);
    json
}

/// The advice for a seat at a table, without where the hidden cards are.
pub(crate) fn hint(coach: &Coach<'_>, state: &DealState, seat: Seat) -> Value {
    let (question, advice) = coach.hint(state, seat);
    let mut json = advise::json(&question, &advice);
    if let Value::Object(json) = &mut json {
        for coarse in ["others", "draws", "effective_draws"] {
            json.remove(coarse);
        }
    }
    (json["seed"], json["worlds"]) = (json!(coach.seed), json!(WORLDS));
    json
}

/// What a decision cost with what the seat knew; `None` without a choice.
pub(crate) fn known(coach: &Coach<'_>, state: &DealState, seat: Seat, step: Step) -> Option<Value> {
    let known = coach.known(state, seat, step)?;
    let advice = advise::json(&known.question, &known.advice);
    Some(json!({
        "choice": known.choice.to_string(),
        "cost": known.cost(),
        "advice": advice["advice"],
        "sentence": advice["sentence"],
        "options": advice["options"],
    }))
}

/// Returns what the last card cost double dummy: the same as of a record, before the deal is over.
pub(crate) fn open_cost(solver: &mut Solver, state: &DealState, step: Step) -> Option<Value> {
    let (Step::Play(play), Some(before)) = (step, state.play_state()) else { return None };
    let mut values = Vec::new();
    solver.set_prizes(coinche_engine::ByTeam([0; 2]));
    solver.values(state.rules(), before, |card, value| values.push((card, value)));
    let (best, most) = *values.iter().rev().max_by_key(|(_, value)| *value)?;
    let own = values.iter().find(|(card, _)| *card == play.card)?.1;
    Some(
        json!({ "card": play.card, "best": if own == most { play.card } else { best }, "points": most - own }),
    )
}

/// Returns what the cards and the auction of a record cost, of one seat: `arena judge`.
pub(crate) fn of_record(solver: &mut Solver, line: &[u8], seat: Seat) -> Value {
    let Some((cards, auction)) = judge::one_deal(solver, line) else { return Value::Null };
    let cards = cards.iter().filter(|it| it.seat == seat).map(|it| {
        json!({ "trick": it.trick + 1, "card": it.card, "best": it.best_card, "points": it.loss(), "score": it.score_loss })
    });
    let own = seat.team().index();
    json!({
        "cards": cards.collect::<Vec<_>>(),
        "auction": auction.map(|losses| [losses[own], losses[1 - own]]),
    })
}

/// A mean over deals with half of its 95 % interval.
pub(crate) fn mean(of: &Ratio) -> Value {
    let Some(mean) = of.mean() else { return json!({ "deals": 0 }) };
    json!({ "deals": of.deals, "mean": mean.mean, "half": mean.half_width })
}

/// Returns the figures of a team over the records of a table: points a deal, declaring and defending.
pub(crate) fn figures(records: &str, team: Team) -> Value {
    let mut figures = Figures::default();
    for record in records.lines().filter_map(|line| Record::from_json(line).ok()) {
        figures.add(&record, team);
    }
    let Figures { all, declaring, made, defending } = figures;
    json!({ "all": mean(&all), "declaring": mean(&declaring), "made": made, "defending": mean(&defending) })
}

/// Returns the figures of `arena judge` for a file of records.
pub(crate) fn judged(path: &std::path::Path, solvers: &Solvers) -> coinche_selfplay::Result<Value> {
    if path.metadata().map_or(0, |it| it.len()) == 0 {
        return Ok(Value::Null);
    }
    let settings =
        judge::Settings { file: path.to_owned(), sample: 1.0, seed: 0.into(), audit: false, by: None };
    let mut files = judge::DecisionFiles::create(None, None)?;
    let totals = judge::judge(&settings, solvers, &mut files, coinche_selfplay::ProgressMode::None)?;
    Ok(judge::json(&settings, &totals))
}
