//! What decisions cost: by the solver, which knows all hands, and by the advice for what the seat knew.
//!
//! The figures are those of `arena judge` and `arena advise`.

use coinche_analysis::advise::{self, Adviser, Budget, Models, Question};
use coinche_analysis::judge;
use coinche_analysis::play::game::Step;
use coinche_bots::{Choice, Registry};
use coinche_engine::record::Record;
use coinche_engine::solver::Solver;
use coinche_engine::{DealState, Key, Seat, Seed, Team};
use coinche_inference::student_t;
use coinche_selfplay::Solvers;
use serde_json::{Value, json};

/// The deals sampled for a decision: as `arena advise --worlds`.
pub(crate) const WORLDS: u32 = 100;

/// Answers for a seat: the bots' models, and how many deals are sampled.
#[derive(Debug)]
pub(crate) struct Coach<'a> {
    /// The threads.
    pub(crate) solvers: &'a Solvers,
    /// How the others bid and play.
    pub(crate) models: &'a Models,
    /// The seed of the sampling.
    pub(crate) seed: &'a Seed,
}

impl Coach<'_> {
    /// Advises a seat.
    pub(crate) fn advise(&self, state: &DealState, seat: Seat, worlds: u32) -> Value {
        let question = Question::at_table(state, seat);
        let advice = advise::advise(
            &question,
            &Adviser {
                solvers: self.solvers,
                budget: Budget::Worlds(worlds),
                by: None,
                models: self.models,
                key: Key::decisions(self.seed, 0, seat),
            },
        );
        let mut json = advise::json(&question, &advice);
        json["seed"] = json!(self.seed);
        json["worlds"] = json!(worlds);
        json
    }

    /// Returns what a decision cost with what the seat knew; `None` without a choice.
    pub(crate) fn known(&self, state: &DealState, seat: Seat, step: Step) -> Option<Value> {
        let choice = match step {
            Step::Call(call) => Choice::Call(call),
            Step::Play(play) if state.legal_plays().len() > 1 => Choice::Card(play.card),
            Step::Play(_) => return None,
        };
        let advice = self.advise(state, seat, WORLDS);
        let options = advice["options"].as_array()?;
        let mean = |option: &Value| option["score"][0].as_f64();
        let best = options.iter().filter_map(mean).fold(f64::NEG_INFINITY, f64::max);
        let chosen = options.iter().find(|option| option["choice"] == choice.to_string());
        let cost = chosen.and_then(mean).filter(|_| best.is_finite()).map(|chosen| best - chosen);
        Some(json!({
            "choice": choice.to_string(),
            "cost": cost,
            "advice": advice["advice"],
            "sentence": advice["sentence"],
            "options": options,
        }))
    }
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

/// Returns the models of the bots at a table, as `arena play` has them.
pub(crate) fn models(
    partner: &coinche_bots::BotSpec,
    others: &coinche_bots::BotSpec,
    registry: &Registry,
) -> Option<Models> {
    let model = |bot: &coinche_bots::BotSpec| {
        if bot.has_program() { registry.parse("rules").ok() } else { advise::quick(bot, registry).ok() }
    };
    Some(Models::new(model(partner)?, model(others)?))
}

/// A mean over deals with half of its 95 % interval.
pub(crate) fn mean(values: &[f64]) -> Value {
    let n = values.len() as f64;
    if values.is_empty() {
        return json!({ "deals": 0 });
    }
    let mean = values.iter().sum::<f64>() / n;
    let half = (values.len() > 1).then(|| {
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        student_t(0.95, n - 1.0) * (squares / (n - 1.0) / n).sqrt()
    });
    json!({ "deals": values.len(), "mean": mean, "half": half })
}

/// Returns the figures of a team over the records of a table: points a deal, declaring and defending.
pub(crate) fn figures(records: &str, team: Team) -> Value {
    let [mut all, mut declaring, mut defending] = [const { Vec::new() }; 3];
    let mut made = 0;
    for record in records.lines().filter_map(|line| Record::from_json(line).ok()) {
        let points = f64::from(record.score[team] - record.score[team.other()]);
        all.push(points);
        match record.contract {
            Some(contract) if contract.declarer.team() == team => {
                declaring.push(points);
                made += u32::from(record.made == Some(true));
            }
            Some(_) => defending.push(points),
            None => {}
        }
    }
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
