//! The figures of a run as they are published: `run.json`.

mod control;
mod crossplay;
mod joint;
mod met;
mod opponents;
mod split;
mod timing;

use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::record::RulesRecord;
use coinche_engine::{Seed, Strain};
use coinche_inference::Estimate;
use coinche_selfplay::base::files::checksums::sealed;
use coinche_selfplay::base::files::read_json;
use coinche_selfplay::play::tally::{Contracts, FAULT_KINDS, Role};
use coinche_selfplay::{ArenaError, Encounter, Format, FreezeText, Result, Side, SideTally, Tally, VERSION};
use serde::{Deserialize, Serialize};

use crate::commit::COMMIT;
use crate::config::RunConfig;
use crate::totals::Totals;

pub use crate::mean::Mean;
pub use control::ControlFigures;
pub use crossplay::{CrossplayFigures, Strangers};
pub use joint::{JointBot, JointFigures, nash};
pub use met::{Met, between};
pub use opponents::Opponents;
pub use split::SplitFigures;
pub use timing::Timing;

/// What `run.json` holds. Everything but `timing` is the same for the same command and commit.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct RunJson {
    /// The version of this form.
    pub v: u32,
    /// The program's version.
    pub version: String,
    /// The commit that it was built from.
    pub commit: String,
    /// The command line that gives the same results.
    pub command: String,
    /// The bots; of two, A and B.
    pub bots: Vec<String>,
    /// Their specifications, where a name is another.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub specs: Vec<String>,
    /// Those of them that see all hands, where some do: their results are bounds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cheaters: Vec<String>,
    /// Where there are programs, how they ran: `unconfined`, or in the sandbox `full` or `network`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub programs: Option<String>,
    /// The bots of which one process answered for all seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub one_process: Vec<String>,
    /// Those of which all seats share a process, where some do: they could tell each other their hands.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseparated: Vec<String>,
    /// Who met whom, where there are more than two bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// What was the same for all bots, where something was: `auction=BIDDER` or `play=PLAYER`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub freeze: Option<FreezeText>,
    /// A preset's name, or all fields.
    pub rules: RulesRecord,
    /// The seed.
    pub seed: Seed,
    /// What is played in pairs: `deal` or `match`.
    pub unit: String,
    /// The share of the run that was played, where it is not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// How many of them were asked for, here.
    pub asked: u64,
    /// How many were played, each in two legs.
    pub done: u64,
    /// Whether the run ended before all were played.
    pub interrupted: bool,
    /// The figures, of a match of two bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// The difference of the two bots with what their control explains taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlFigures>,
    /// The figures of every encounter, where there are more than two bots.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pairings: Vec<PairingFigures>,
    /// The figures of all bots together, where there are more than two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<JointFigures>,
    /// Of a gauntlet, how every two opponents compare.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opponents: Vec<Opponents>,
    /// Of cross-play, what partnerships are worth and what a stranger costs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crossplay: Option<CrossplayFigures>,
    /// Of two bots with their halves exchanged (`--split`), what is due to bidding and what to card play.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<SplitFigures>,
    /// When and how fast; this part differs from run to run.
    pub timing: Timing,
}

/// The figures of one encounter.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PairingFigures {
    /// The number of bot A in the list of bots, from 0.
    pub a: usize,
    /// The number of bot B.
    pub b: usize,
    /// The figures.
    pub figures: Figures,
    /// The difference with what the control explains taken out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlFigures>,
}

/// The figures of a run.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Figures {
    /// Points: A − B, by deal or match in pairs.
    pub points: Option<Estimate>,
    /// Matches won: A − B, by match in pairs, where a leg is 1, 0 or −1.
    pub wins: Option<Estimate>,
    /// Legs of deals.
    pub legs: u64,
    /// Legs that nobody bid on.
    pub thrown_in: u64,
    /// Legs forfeited: by a crash, silence or what could not be understood.
    pub forfeited: u64,
    /// Legs of matches without a winner.
    pub drawn: u64,
    /// By bot, A first.
    pub by_bot: [BotFigures; 2],
}

/// The figures of one bot.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    pub faults: BTreeMap<String, u64>,
    /// Contracts by level and strain, those that occurred.
    pub contracts: Vec<ContractFigures>,
}

/// Legs in a role and the mean of the points scored in it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct RoleFigures {
    /// Legs.
    pub legs: u64,
    /// The side's own points a leg.
    pub mean_points: Option<f64>,
}

/// Contracts of one kind.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ContractFigures {
    /// The level, in the table by level and strain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<String>,
    /// The strain, in the table by level and strain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strain: Option<String>,
    /// How many.
    pub played: u64,
    /// How many were made.
    pub made: u64,
    /// The mean of (own score − the other side's).
    pub mean_difference: Option<f64>,
}

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

/// Returns the name of a level of the ladder; `TAKE` where contracts have no value.
pub fn level_name(config: &RunConfig, tally: &Tally, level: usize) -> String {
    if !config.rules.has_values() {
        return "TAKE".to_owned();
    }
    tally.ladder().value(level).map_or_else(String::new, |value| value.to_string())
}

impl BotFigures {
    fn new(config: &RunConfig, encounter: Encounter, tally: &Tally, side: Side) -> Self {
        let SideTally { stakes: [plain, coinched, surcoinched], .. } = &tally.sides[side.index()];
        let this = &tally.sides[side.index()];
        let faults = FAULT_KINDS.iter().zip(this.faults);
        let contracts = this.contracts.iter().enumerate().filter(|(_, contracts)| contracts.played > 0);
        Self {
            bot: config.bots[encounter.bot(side)].to_string(),
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
            faults: faults.map(|((_, name), count)| ((*name).to_owned(), count)).collect(),
            contracts: contracts
                .map(|(index, contracts)| ContractFigures {
                    level: Some(level_name(config, tally, index / 6)),
                    strain: Some(Strain::ALL[index % 6].code().to_owned()),
                    ..contracts.into()
                })
                .collect(),
        }
    }
}

impl Figures {
    /// Computes the figures of an encounter.
    fn new(config: &RunConfig, encounter: Encounter, tally: &Tally) -> Self {
        Self {
            points: tally.points.estimate(),
            wins: tally.wins.estimate(),
            legs: tally.deals,
            thrown_in: tally.thrown_in,
            forfeited: tally.forfeited,
            drawn: tally.drawn,
            by_bot: Side::ALL.map(|side| BotFigures::new(config, encounter, tally, side)),
        }
    }
}

impl RunJson {
    /// Computes the figures of a run.
    pub fn new(config: &RunConfig, totals: &Totals, timing: Timing) -> Self {
        let range = config.range();
        let (asked, done) = (range.end - range.start, totals.pairs());
        let all = totals;
        let totals = &*totals.of_bots(config);
        let pairings = totals.encounters.iter().zip(&totals.tallies).enumerate();
        let mut figures: Vec<_> = pairings
            .map(|(pairing, (encounter, tally))| PairingFigures {
                a: encounter.a,
                b: encounter.b,
                figures: Figures::new(config, *encounter, tally),
                control: ControlFigures::new(config, all, pairing),
            })
            .collect();
        let several = config.format != Format::Match;
        let only = if several { None } else { figures.pop() };
        let (of_match, control) = only.map(|only| (only.figures, only.control)).unzip();
        Self {
            v: 1,
            version: VERSION.to_owned(),
            commit: COMMIT.to_owned(),
            command: config.command(),
            bots: config.bots.iter().map(ToString::to_string).collect(),
            specs: config.specs(),
            cheaters: config.cheaters(),
            programs: config.sandbox(),
            one_process: config.of_one_process(),
            unseparated: config.unseparated(),
            format: several.then(|| config.format.name().to_owned()),
            freeze: FreezeText::named(&config.freeze),
            rules: RulesRecord::new(&config.rules),
            seed: config.seed.clone(),
            unit: config.unit.singular().to_owned(),
            shard: config.shard.map(|shard| shard.to_string()),
            asked,
            done,
            interrupted: done < asked,
            figures: of_match,
            control: control.flatten(),
            pairings: figures,
            joint: if several { JointFigures::new(config, totals) } else { None },
            opponents: Opponents::of(config, totals),
            crossplay: CrossplayFigures::new(config, totals),
            split: SplitFigures::new(config, totals),
            timing,
        }
    }

    /// Reads the figures of a run.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or has something else.
    pub fn read(path: &Path) -> Result<Self> {
        serde_json::from_slice(&read_json(path)?).map_err(|error| ArenaError::input(path, error))
    }

    /// Writes the figures as indented JSON.
    pub fn to_json(&self) -> String {
        sealed(&serde_json::to_string_pretty(self).expect("figures are numbers, texts and lists"))
    }
}
