//! The figures of a run as they are published: `run.json`.

use std::time::{Duration, SystemTime};

use coinche_engine::{DealMethod, RulesRecord, Strain};
use serde::Serialize;

use crate::config::RunConfig;
use crate::progress::rate;
use crate::run_dir::time_stamp;
use crate::schedule::Side;
use crate::stats::Estimate;
use crate::tally::{Contracts, FAULT_KINDS, Role, SideTally, Tally};

/// The commit that the program was built from; `+changes` behind it when the sources differed from it.
pub const COMMIT: &str = env!("ARENA_COMMIT");

/// The version of the program.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What `run.json` holds. Everything but `timing` is the same for the same command and commit.
#[derive(Debug, Clone, Serialize)]
pub struct RunJson {
    /// The version of this form.
    pub v: u32,
    /// The program's version.
    pub version: &'static str,
    /// The commit that it was built from.
    pub commit: &'static str,
    /// The command line that gives the same results.
    pub command: String,
    /// The two bots, A and B.
    pub bots: [String; 2],
    /// A preset's name, or all fields.
    pub rules: RulesRecord,
    /// The seed.
    pub seed: u64,
    /// What is played in pairs: `deal` or `match`.
    pub unit: &'static str,
    /// How many of them were asked for.
    pub asked: u64,
    /// How many were played, each in two legs.
    pub done: u64,
    /// Whether the run ended before all were played.
    pub interrupted: bool,
    /// The figures.
    pub figures: Figures,
    /// When and how fast; this part differs from run to run.
    pub timing: Timing,
}

/// When and how fast a run was.
#[derive(Debug, Clone, Serialize)]
pub struct Timing {
    /// When it ended, in UTC.
    pub ended: String,
    /// How long it took.
    pub seconds: f64,
    /// Legs of deals a second.
    pub legs_per_second: u64,
    /// Threads that played.
    pub threads: usize,
}

/// The figures of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Figures {
    /// Points: A − B, by deal or match in pairs.
    pub points: Option<Estimate>,
    /// Matches won: A − B, by match in pairs, where a leg is 1, 0 or −1.
    pub wins: Option<Estimate>,
    /// Legs of deals.
    pub legs: u64,
    /// Legs that nobody bid on.
    pub thrown_in: u64,
    /// Legs forfeited by a crash.
    pub forfeited: u64,
    /// Legs of matches without a winner.
    pub drawn: u64,
    /// By bot, A first.
    pub by_bot: [BotFigures; 2],
}

/// The figures of one bot.
#[derive(Debug, Clone, Serialize)]
pub struct BotFigures {
    /// The bot.
    pub bot: String,
    /// As declarers.
    pub declaring: RoleFigures,
    /// As defenders.
    pub defending: RoleFigures,
    /// Contracts that stayed plain, as declarers.
    pub plain: ContractFigures,
    /// Own contracts that were coinched.
    pub coinched: ContractFigures,
    /// Own contracts that were coinched and surcoinched.
    pub surcoinched: ContractFigures,
    /// Coinches said; `made` counts those after which the contract failed.
    pub coinches_said: ContractFigures,
    /// Capots bid.
    pub capots: ContractFigures,
    /// Générales bid.
    pub generales: ContractFigures,
    /// Deals in which the side took all eight tricks.
    pub all_tricks: u64,
    /// Belotes announced.
    pub belotes: u64,
    /// The points of melds that counted.
    pub meld_points: i64,
    /// Matches won.
    pub matches_won: u64,
    /// Faults by kind.
    pub faults: serde_json::Map<String, serde_json::Value>,
    /// Contracts by level and strain, those that occurred.
    pub contracts: Vec<ContractFigures>,
}

/// Legs in a role and the mean of the points scored in it.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct RoleFigures {
    /// Legs.
    pub legs: u64,
    /// The side's own points a leg.
    pub mean_points: Option<f64>,
}

/// Contracts of one kind.
#[derive(Debug, Clone, Serialize)]
pub struct ContractFigures {
    /// The level, in the table by level and strain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The strain, in the table by level and strain.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strain: Option<&'static str>,
    /// How many.
    pub played: u64,
    /// How many were made.
    pub made: u64,
    /// The mean of (own score − the other side's).
    pub mean_difference: Option<f64>,
}

#[expect(clippy::cast_precision_loss, reason = "averages are rounded once, here")]
fn mean(sum: i64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

impl From<&Contracts> for ContractFigures {
    fn from(contracts: &Contracts) -> Self {
        let Contracts { played, made, difference } = *contracts;
        Self { level: None, strain: None, played, made, mean_difference: mean(difference, played) }
    }
}

impl From<Role> for RoleFigures {
    fn from(role: Role) -> Self {
        Self { legs: role.legs, mean_points: mean(role.points, role.legs) }
    }
}

/// Returns the name of a level of the ladder; `TAKE` in the turn-up game.
pub(crate) fn level_name(config: &RunConfig, tally: &Tally, level: usize) -> String {
    if config.rules.deal.method == DealMethod::TurnUp {
        return "TAKE".to_owned();
    }
    tally.ladder().value(level).map_or_else(String::new, |value| value.to_string())
}

impl BotFigures {
    fn new(config: &RunConfig, tally: &Tally, side: Side) -> Self {
        let SideTally { stakes: [plain, coinched, surcoinched], .. } = &tally.sides[side.index()];
        let this = &tally.sides[side.index()];
        let faults = FAULT_KINDS.iter().zip(this.faults);
        let contracts = this.contracts.iter().enumerate().filter(|(_, contracts)| contracts.played > 0);
        Self {
            bot: config.bots[side.index()].to_string(),
            declaring: this.declaring.into(),
            defending: this.defending.into(),
            plain: plain.into(),
            coinched: coinched.into(),
            surcoinched: surcoinched.into(),
            coinches_said: (&this.coinches).into(),
            capots: (&this.capots).into(),
            generales: (&this.generales).into(),
            all_tricks: this.slams,
            belotes: this.belotes,
            meld_points: this.meld_points,
            matches_won: this.matches_won,
            faults: faults.map(|((_, name), count)| ((*name).to_owned(), count.into())).collect(),
            contracts: contracts
                .map(|(index, contracts)| ContractFigures {
                    level: Some(level_name(config, tally, index / 6)),
                    strain: Some(Strain::ALL[index % 6].code()),
                    ..contracts.into()
                })
                .collect(),
        }
    }
}

impl RunJson {
    /// Computes the figures of a run.
    pub fn new(config: &RunConfig, tally: &Tally, elapsed: Duration) -> Self {
        Self {
            v: 1,
            version: VERSION,
            commit: COMMIT,
            command: config.command(),
            bots: [0, 1].map(|side| config.bots[side].to_string()),
            rules: RulesRecord::new(&config.rules),
            seed: config.seed,
            unit: config.unit.singular(),
            asked: config.deals,
            done: tally.points.pairs,
            interrupted: tally.points.pairs < config.deals,
            figures: Figures {
                points: tally.points.estimate(),
                wins: tally.wins.estimate(),
                legs: tally.deals,
                thrown_in: tally.thrown_in,
                forfeited: tally.forfeited,
                drawn: tally.drawn,
                by_bot: Side::ALL.map(|side| BotFigures::new(config, tally, side)),
            },
            timing: Timing {
                ended: time_stamp(SystemTime::now()),
                seconds: elapsed.as_secs_f64(),
                legs_per_second: rate(tally.deals, elapsed),
                threads: config.threads,
            },
        }
    }

    /// Writes the figures as indented JSON.
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("figures are numbers, texts and lists");
        text.push('\n');
        text
    }
}
