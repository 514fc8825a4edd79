//! Self-play of Belote and Coinche bots: plays deals between them, counts the results, and writes and reads deal
//! records.
//!
//! These are the lower layers of the arena; above them `coinche-arena` has the commands, whole runs on many threads and
//! their analysis. They are a crate of their own so that they compile as one unit: the loops that play, count and write
//! every deal are inlined across modules, however the arena is divided.
//!
//! | module | |
//! |---|---|
//! | [`base`] | errors and exit codes, clocks, progress, threads, files; nothing that depends on the game |
//! | [`document`] | one model of a report, and its forms: terminal text, HTML, Markdown, SVG, CSV, Parquet |
//! | [`play`] | the schedule of legs, the table that plays them, the trait that receives them, and tallies |
//! | [`records`] | deal records and summary tables, written and read: JSON lines, CSV, Parquet, card notation |
//! | [`speed`] | the loops that `arena bench` times |
//!
//! # Example
//!
//! A deal is played in two legs, with the same cards and the teams exchanged; the paired difference is the mean of side
//! A's leads in both. A [`Scribe`] receives every leg and every pair:
//!
//! ```
//! use coinche_bots::Registry;
//! use coinche_engine::RuleSet;
//! use coinche_selfplay::play::played::{LegResult, PlayedDeal, Scribe};
//! use coinche_selfplay::play::schedule::{Schedule, Unit};
//! use coinche_selfplay::play::table::Table;
//! use coinche_selfplay::play::tally::Tally;
//!
//! struct Counter(Tally);
//!
//! impl Scribe for Counter {
//!     fn deal(&mut self, deal: &PlayedDeal<'_>) {
//!         self.0.add_deal(deal);
//!     }
//!
//!     fn pair(&mut self, _index: u64, legs: &[LegResult; 2]) {
//!         self.0.add_pair(legs);
//!     }
//! }
//!
//! let rules = RuleSet::BGA;
//! let registry = Registry::builtin();
//! let bots = [registry.parse("rules")?, registry.parse("random")?];
//! let schedule = Schedule { secrets: 42.into(), unit: Unit::Deal, pairs: 20 };
//! let mut counter = Counter(Tally::new(&rules, schedule.unit));
//! Table::new(&rules, schedule, bots).play_pairs(0..schedule.pairs, &mut counter);
//!
//! let Counter(tally) = counter;
//! assert_eq!(tally.deals, 40);
//! let points = tally.points.estimate().expect("pairs were counted");
//! assert_eq!(points.pairs, 20);
//! assert!(points.mean > 0.0);
//! # Ok::<(), coinche_bots::ParseBotError>(())
//! ```

pub mod base;
pub mod document;
pub mod play;
pub mod records;
pub mod speed;

// What those who use the crate name most.
pub use base::{
    ArenaError, Display, Exit, Meter, ModuleError, OutOfRange, ProgressMode, Result, VERSION, complain,
    finish, output, print, print_early, rate, span, tell, thousands,
};
pub use document::field::TableOf;
pub use document::text::Detail;
pub use document::{
    Block, Cell, Column, Document, Estimate, Forms, Picture, Section, Table, amount, bound, measured, micros,
    named, p_text, percent, plain, plus_minus, signed, with_half,
};
pub use play::freeze::{Freeze, FreezeText, FrozenPlayer};
pub use play::lineup::Lineup;
pub use play::played::{Ending, FinishedDeal, InMatch, LegResult, PlayedDeal, Scribe};
pub use play::schedule::{Encounter, Format, MAX_DEALS_IN_MATCH, Schedule, Side, Unit};
pub use play::seating::{KeyStream, Seating};
pub use play::solvers::Solvers;
pub use play::tally::{SideTally, Tally};
pub use play::times::{BotTimes, Gathered};
pub use records::forms::{LinesForm, TableForm};
pub use records::label::Label;
pub use records::lines::{next_line, open};
pub use records::summary::SummaryRow;
pub use records::write::JsonLines;
