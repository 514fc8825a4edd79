//! `arena stats`: statistics of recorded deals, on the game and on the bots.
//!
//! | module | |
//! |---|---|
//! | `words`, `line`, `quick` | the contents of a record: as JSON, and byte by byte if `arena` wrote it |
//! | `record`, `rules` | a record checked for consistency, without a replay, and the common rules |
//! | `files`, `source` | files of records, in pieces of whole deals that many threads add up |
//! | `live`, `parts` | records of deals played for the statistics, at once or in shards |
//! | `cells` | shares and means with the deal as the unit |
//! | `totals` | all counts, by bot |
//! | `columns` | figures as cells of tables |
//! | `contracts`, `openings`, `responses`, `leads`, `tricks`, `rates`, `points`, `shapes` | one statistic each: its counts and its tables |
//! | `against` | two inputs side by side |
//!
//! All sums are integers, so that totals do not depend on the number of threads.

mod against;
mod cells;
mod columns;
mod contracts;
mod error;
mod leads;
mod level;
mod live;
mod openings;
mod parts;
mod points;
mod rates;
mod responses;
mod rules;
mod shapes;
mod source;
mod totals;
mod tricks;

use coinche_engine::RuleSet;
use coinche_selfplay::{Document, Section, Unit, thousands};

pub use error::StatsError;
pub use live::play;
pub use parts::{StatsJob, make as make_part};
pub use source::read;
pub use totals::Totals;

/// Totals with their source.
#[derive(Debug)]
pub struct Counted {
    /// The sums.
    pub totals: Totals,
    /// The rules.
    pub rules: RuleSet,
    /// The source of the records, in words.
    pub from: String,
    /// The independent unit.
    pub unit: Unit,
}

impl Counted {
    /// Keeps only one bot.
    pub fn keep(&mut self, bot: &str) -> Result<(), StatsError> {
        self.totals.keep(bot)
    }

    /// Describes what is counted, in a sentence.
    fn sentence(&self) -> String {
        let Totals { units, legs, forfeited, .. } = self.totals;
        let unit = if units == 1 { self.unit.singular() } else { self.unit.plural() };
        let forfeits = match forfeited {
            0 => String::new(),
            1 => ", 1 of them forfeited and omitted".to_owned(),
            n => format!(", {} of them forfeited and omitted", thousands(n)),
        };
        let ([units, legs], rules) = ([units, legs].map(thousands), rules::rules_name(&self.rules));
        format!("{units} {unit}, {legs} records{forfeits}, rules {rules}, {}.", self.from)
    }
}

/// Returns everything as sections of tables and pictures; with another input, both side by side.
pub fn document(counted: &Counted, other: Option<&Counted>) -> Document {
    let Counted { totals, rules, .. } = counted;
    let bots = &totals.bots;
    macro_rules! of {
        ($field:ident) => {
            &bots.iter().map(|(name, of_bot)| (name.as_str(), &of_bot.$field)).collect::<Vec<_>>()
        };
    }
    let sections = [
        ("contracts", "Contracts", contracts::blocks(of!(contracts))),
        ("openings", "Opening bids", openings::blocks(of!(openings))),
        ("answers", "Responses to partner's opening", responses::blocks(of!(responses))),
        ("leads", "Opening leads", leads::blocks(of!(leads))),
        ("tricks", "Tricks", tricks::blocks(of!(plays))),
        ("rates", "Belotes, slams and melds", rates::blocks(of!(rates), rules.melds.enabled)),
        ("points", "Declarers' points", points::blocks(of!(points))),
        ("shapes", "Hand shapes", shapes::blocks(&totals.shapes, rules)),
    ];
    let sections = sections.into_iter().map(|(id, title, blocks)| Section::new(id, title, blocks));
    let beside = other.map(|other| against::section(counted, other));
    let intervals = format!(
        "Intervals are 95 % confidence intervals with the {} as the unit, as its records are correlated.",
        counted.unit.singular()
    );
    Document {
        title: "Statistics of deals".to_owned(),
        command: "stats",
        verdicts: contracts::headline(of!(contracts)).into_iter().collect(),
        scope: vec![counted.sentence(), intervals],
        sections: beside.into_iter().chain(sections).collect(),
        ..Document::default()
    }
}
