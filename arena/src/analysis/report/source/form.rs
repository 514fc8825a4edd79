//! `run.json` as it is read again, and the blocks of `totals.json`.

use std::collections::BTreeMap;
use std::path::Path;

use coinche_engine::record::RulesRecord;
use coinche_inference::{Blocks, Estimate};
use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::play::freeze::FreezeText;
use serde::Deserialize;

use super::error::{FormError, unreadable};
use super::read_json;
use crate::protocol::ProgramInfo;
use crate::run::config::nearest_preset;
use crate::run::figures::CrossplayFigures;

/// `run.json`.
#[derive(Debug, Deserialize)]
pub(crate) struct RunForm {
    v: u32,
    pub(crate) version: String,
    pub(crate) commit: String,
    pub(crate) command: String,
    pub(crate) bots: Vec<String>,
    #[serde(default)]
    pub(crate) format: Option<String>,
    /// What was the same for all bots.
    #[serde(default)]
    pub(crate) freeze: Option<FreezeText>,
    #[serde(default)]
    pub(crate) crossplay: Option<CrossplayFigures>,
    pub(crate) rules: RulesRecord,
    pub(crate) seed: u64,
    pub(crate) unit: String,
    #[serde(default)]
    pub(crate) shard: Option<String>,
    pub(crate) asked: u64,
    pub(crate) done: u64,
    #[serde(default)]
    figures: Option<Figures>,
    #[serde(default)]
    pairings: Vec<PairingForm>,
    pub(crate) timing: Timing,
}

#[derive(Debug, Deserialize)]
struct PairingForm {
    a: usize,
    b: usize,
    figures: Figures,
}

/// The figures of an encounter.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Figures {
    points: Option<EstimateForm>,
    wins: Option<EstimateForm>,
    pub(crate) legs: u64,
    pub(crate) thrown_in: u64,
    pub(crate) forfeited: u64,
    #[serde(default)]
    pub(crate) drawn: u64,
    pub(crate) by_bot: [BotForm; 2],
}

#[derive(Debug, Clone, Copy, Deserialize)]
struct EstimateForm {
    pairs: u64,
    mean: f64,
    sd: Option<f64>,
    half_width: Option<f64>,
    interval: Option<[f64; 2]>,
    leg_means: [f64; 2],
    leg_sd: Option<f64>,
}

impl From<EstimateForm> for Estimate {
    fn from(form: EstimateForm) -> Self {
        let EstimateForm { pairs, mean, sd, half_width, interval, leg_means, leg_sd } = form;
        Self { pairs, mean, sd, half_width, interval, leg_means, leg_sd }
    }
}

/// The figures of one bot in an encounter.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct BotForm {
    pub(crate) declaring: RoleForm,
    pub(crate) defending: RoleForm,
    pub(crate) plain: Kind,
    pub(crate) coinched: Kind,
    pub(crate) surcoinched: Kind,
    pub(crate) coinches_said: Kind,
    pub(crate) matches_won: u64,
    pub(crate) faults: BTreeMap<String, u64>,
    pub(crate) contracts: Vec<Kind>,
}

/// Legs in a role.
#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct RoleForm {
    pub(crate) legs: u64,
    pub(crate) mean_points: Option<f64>,
}

/// Contracts of one kind.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Kind {
    #[serde(default)]
    pub(crate) level: String,
    #[serde(default)]
    pub(crate) strain: String,
    pub(crate) played: u64,
    pub(crate) made: u64,
    pub(crate) mean_difference: Option<f64>,
}

/// How fast it was.
#[derive(Debug, Deserialize)]
pub(crate) struct Timing {
    #[serde(default)]
    pub(crate) seconds: f64,
    #[serde(default)]
    pub(crate) threads: u32,
    #[serde(default)]
    pub(crate) decisions: Vec<Decisions>,
    #[serde(default)]
    pub(crate) programs: Vec<ProgramInfo>,
}

/// The times of a bot's decisions, in microseconds.
#[derive(Debug, Deserialize)]
pub(crate) struct Decisions {
    pub(crate) bot: String,
    pub(crate) timed: u64,
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p95: f64,
    pub(crate) max: f64,
}

/// Two bots that met, and what came of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Met<'a> {
    /// The numbers of both bots.
    pub(crate) ends: [usize; 2],
    pub(crate) points: Option<Estimate>,
    pub(crate) wins: Option<Estimate>,
    pub(crate) figures: &'a Figures,
}

impl<'a> Met<'a> {
    fn new(ends: [usize; 2], figures: &'a Figures) -> Self {
        let Figures { points, wins, .. } = figures;
        Self { ends, points: points.map(Into::into), wins: wins.map(Into::into), figures }
    }
}

impl RunForm {
    /// Checks what the rest relies on.
    pub(super) fn check(&self) -> Result<(), FormError> {
        if self.v != 1 {
            return Err(FormError::Version(self.v));
        }
        let pairings = self.met();
        let legal =
            |met: &Met<'_>| met.ends.iter().all(|bot| *bot < self.bots.len()) && met.ends[0] != met.ends[1];
        if self.bots.len() < 2 || pairings.is_empty() || !pairings.iter().all(legal) {
            return Err(FormError::Pairings);
        }
        if self.crossplay.as_ref().is_some_and(|figures| !figures.is_sound()) {
            return Err(FormError::Partnerships);
        }
        Ok(self.rules.rules().map(drop)?)
    }

    /// Returns who met whom, in the order of the pairings' numbers.
    pub(crate) fn met(&self) -> Vec<Met<'_>> {
        match &self.figures {
            Some(figures) => vec![Met::new([0, 1], figures)],
            None => self
                .pairings
                .iter()
                .map(|pairing| Met::new([pairing.a, pairing.b], &pairing.figures))
                .collect(),
        }
    }

    /// Tests if whole matches were played.
    pub(crate) fn of_matches(&self) -> bool {
        self.unit == "match"
    }

    /// Returns the name of a bot, with its number where another has the same.
    pub(crate) fn name(&self, bot: usize) -> String {
        let name = &self.bots[bot];
        let twice = self.bots.iter().filter(|other| *other == name).count() > 1;
        if twice { format!("{name} #{}", bot + 1) } else { name.clone() }
    }

    /// Names a pairing.
    pub(crate) fn versus(&self, ends: [usize; 2]) -> String {
        let [a, b] = ends.map(|bot| self.name(bot));
        format!("{a} − {b}")
    }
}

/// Names rules: the nearest preset, and in how many fields they differ from it; then these fields.
pub(crate) fn rules_text(rules: &RulesRecord) -> (String, Vec<String>) {
    let Ok(rules) = rules.rules() else { return ("unknown".to_owned(), Vec::new()) };
    let (name, settings) = nearest_preset(&rules);
    let changed = match settings.len() {
        0 => String::new(),
        1 => " with 1 field changed".to_owned(),
        n => format!(" with {n} fields changed"),
    };
    (format!("{name}{changed}"), settings)
}

#[derive(Deserialize)]
struct StateForm {
    totals: TotalsForm,
}

#[derive(Deserialize)]
struct TotalsForm {
    joint: JointForm,
}

#[derive(Deserialize)]
struct JointForm {
    blocks: BTreeMap<u64, BlockForm>,
}

#[derive(Deserialize)]
struct BlockForm {
    deals: u64,
    doubled: Vec<i64>,
}

/// Reads the sums by blocks of deals; `None` where there is no such file.
pub(super) fn read_blocks(directory: &Path, form: &RunForm) -> Result<Option<Blocks>, ArenaError> {
    let path = directory.join("totals.json");
    if !path.is_file() {
        return Ok(None);
    }
    let state: StateForm = read_json(&path)?;
    let ends: Vec<_> = form.met().iter().map(|met| met.ends).collect();
    let mut blocks = Blocks::new(form.bots.len(), &ends)?;
    let mut deals = 0;
    for block in state.totals.joint.blocks.values() {
        let sums: Vec<i128> = block.doubled.iter().map(|sum| i128::from(*sum)).collect();
        blocks.push(block.deals, &sums)?;
        deals += block.deals;
    }
    if deals != form.done {
        return Err(unreadable(&path, FormError::Deals { found: deals, told: form.done }));
    }
    Ok(Some(blocks))
}
