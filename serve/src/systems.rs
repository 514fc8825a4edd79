//! Bidding systems that are edited: what is wrong with them, what they call in some deals, and how they do against others.
//!
//! A system is the text of a request, and is kept nowhere.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use coinche_analysis::system::print::lines;
use coinche_analysis::system::{BidDeal, Caller, SystemFile, bid};
use coinche_analysis::typed::Language;
use coinche_bots::Registry;
use coinche_bots::system::{System, SystemError};
use coinche_engine::{RuleSet, Seed};
use coinche_runs::{Next, Records, RulesText, RunConfig, RunFile, TimesMode, Totals, draw_seed, runner};
use coinche_selfplay::ProgressMode;
use serde_json::{Value, json};

use crate::error::{Answer, Refusal};
use crate::view;

/// The most bytes of a system: the largest that comes with the program has a fifth of it.
const MOST_BYTES: usize = 32_000;
/// The deals that a system bids as it is typed; always the same, so that a change shows.
const DEALS: u64 = 200;
/// The most deals of a run, and how many it has unless it is asked for others.
const MOST_DEALS: u64 = 200_000;
const USUAL_DEALS: u64 = 20_000;
/// The most time that a run plays.
const MOST_TIME: Duration = Duration::from_mins(2);
/// How long it plays before others have their turn.
const SLICE: Duration = Duration::from_millis(250);
/// The name of the edited system among the bots.
const EDITED: &str = "edited";

/// Reads a system; the inner error is what its author has to correct.
pub(crate) fn read(text: &str) -> Answer<Result<SystemFile, SystemError>> {
    if text.len() > MOST_BYTES {
        let why = format!("the system has more than {MOST_BYTES} bytes: leave out what no rule needs");
        return Err(Refusal::wrong(why));
    }
    let named = |system: System| SystemFile { name: system.name().to_owned(), text: text.to_owned(), system };
    Ok(System::read(text, &[]).map(named))
}

/// Reads a system that is right.
pub(crate) fn read_right(text: &str) -> Answer<SystemFile> {
    read(text)?.map_err(|error| Refusal::wrong(format!("system: {error}")))
}

/// Returns what is wrong, and where.
fn fault(error: &SystemError) -> Value {
    let (place, text) = match error {
        SystemError::At { place, fault } => (Some(place), fault.to_string()),
        other => (None, other.to_string()),
    };
    json!({ "error": {
        "line": place.map(|place| place.line), "column": place.map(|place| place.column), "text": text,
    } })
}

/// Checks a system: returns what is wrong with it, or its rules and what they call.
pub(crate) fn check(text: &str, rules: &RuleSet) -> Answer<Value> {
    let file = match read(text)? {
        Ok(file) => file,
        Err(error) => return Ok(fault(&error)),
    };
    let system = Arc::new(file.system.clone());
    if let Err(error) = system.check(rules) {
        return Ok(fault(&error));
    }
    let deals = bid(&system, rules, &Seed::from(0), DEALS);
    let callers = || deals.iter().flat_map(|deal| &deal.callers);
    let count = |wanted: Caller| callers().filter(|caller| **caller == wanted).count();
    let words =
        [Language::English, Language::French].map(|language| lines(&file, language).unwrap_or_default());
    let row = |(n, rule): (usize, &coinche_bots::system::Rule)| {
        json!({
            "name": rule.name, "line": rule.place.line, "says": rule.says,
            "words": words.each_ref().map(|words| words.get(n)),
            "calls": count(Caller::Rule(n)), "fits": system.is_for(rules, n),
        })
    };
    Ok(json!({
        "name": system.name(),
        "about": system.about(),
        "floor": system.floor().name(),
        "calls": callers().filter(|caller| **caller != Caller::Forced).count(),
        "floor_calls": count(Caller::Fallback),
        "rules": system.rules().iter().enumerate().map(row).collect::<Vec<_>>(),
        "deals": deals.iter().map(dealt).collect::<Vec<_>>(),
    }))
}

/// Returns a deal, its calls, and the number of the rule that made each: −1 for the fallback.
fn dealt(deal: &BidDeal) -> Value {
    let BidDeal { state, callers } = deal;
    let calls = state.auction().calls().iter().zip(callers).map(|((seat, call), caller)| match caller {
        Caller::Rule(rule) => json!([seat, call, rule]),
        Caller::Fallback => json!([seat, call, -1]),
        Caller::Forced => json!([seat, call, null]),
    });
    let dealer = state.deal().dealer();
    json!({
        "dealer": dealer,
        "hands": state.hands().0.map(view::list),
        "turned": state.view(dealer).turned(),
        "calls": calls.collect::<Vec<_>>(),
    })
}

/// What a run is asked for.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) text: &'a str,
    pub(crate) rules: &'a RuleSet,
    /// A bidder, which was checked.
    pub(crate) against: &'a str,
    pub(crate) deals: Option<u64>,
    pub(crate) seed: Option<Seed>,
}

/// A run of an edited system against another bidder: all cards are played by `rules`.
#[derive(Debug)]
pub(crate) struct Contest {
    config: RunConfig,
    totals: Totals,
    done: u64,
    spent: Duration,
}

impl Contest {
    pub(crate) fn new(asked: &Asked<'_>, registry: &Registry) -> Answer<Self> {
        let deals = asked.deals.unwrap_or(USUAL_DEALS);
        if !(2..=MOST_DEALS).contains(&deals) {
            return Err(Refusal::wrong(format!("deals: expected 2 to {MOST_DEALS}")));
        }
        let system = read_right(asked.text)?.system;
        system.check(asked.rules).map_err(|error| Refusal::wrong(format!("system: {error}")))?;
        let registry = registry.clone().with_system(EDITED, system).map_err(Refusal::failed)?;
        let run = RunFile {
            bots: Some([EDITED, asked.against].map(|bidder| format!("{bidder}+rules")).to_vec()),
            freeze: Some("play=rules".parse().map_err(Refusal::failed)?),
            deals: Some(deals),
            seed: Some(asked.seed.clone().unwrap_or_else(draw_seed)),
            rules: Some(RulesText::of(asked.rules)?),
            records: Some(Records::None),
            times: Some(TimesMode::None),
            threads: Some(1),
            progress: Some(ProgressMode::None),
            ..RunFile::default()
        };
        let config = run.check(&registry).map_err(Refusal::wrong)?;
        let totals = Totals::new(&config);
        Ok(Self { config, totals, done: 0, spent: Duration::ZERO })
    }

    /// Tests if there is nothing more to play.
    pub(crate) fn is_over(&self) -> bool {
        self.done >= self.config.deals || self.spent > MOST_TIME
    }

    /// Plays for a moment.
    pub(crate) fn go_on(&mut self) -> Answer<()> {
        let (began, never) = (Instant::now(), AtomicBool::new(false));
        let Self { config, totals, done, .. } = self;
        let log = runner::stderr_log(config);
        *done = runner::play_in_steps(config, *done, u64::MAX, &never, &log, |batch| {
            batch.add_to(totals);
            Ok(if began.elapsed() < SLICE { Next::GoOn } else { Next::Stop })
        })?;
        self.spent += began.elapsed();
        Ok(())
    }

    /// Returns the result so far: the verdict of `arena run`.
    pub(crate) fn json(&self) -> Value {
        let points = self.totals.first().points.estimate();
        json!({
            "deals": self.done,
            "asked": self.config.deals,
            "seed": self.config.seed,
            "points": points,
            "per_second": self.done as f64 / self.spent.as_secs_f64().max(1e-3),
        })
    }
}
