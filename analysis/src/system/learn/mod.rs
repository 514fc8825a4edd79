//! `arena system learn`: writes a system that people can learn, from a bidder and by exact comparison on deals.
//!
//! A round takes fresh deals. On half of them it fits rules to what a teacher thinks of each call (`teach`, `sum`). On the
//! others it tests a cap on bids over the opponents, these rules, whether each rule decides anything, and then every number, part
//! of a condition, rule and order (`draft`) in random order; what gains more points than its words cost is kept (`ground`). A system is simple in company of its like, so that both partners always
//! bid by it.

mod draft;
mod ground;
mod sum;
mod teach;
mod tell;

use core::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use coinche_bots::BotSpec;
use coinche_bots::system::SystemError;
use coinche_engine::{Purpose, Secrets};
use coinche_inference::PairedSums;
use serde::{Deserialize, Serialize};

use super::meeting::Meeting;
pub(super) use draft::{Called, Draft, Move, Rule, parts};
use ground::mean;
pub(super) use ground::{Change, Example, Ground};
pub use tell::document;

/// The file to start from if none is given.
pub const START: &str = include_str!("start.toml");

/// The number of the first deal that no round sees: there the result is judged.
const HELD: u64 = 1 << 40;
/// How many standard errors a change must gain that makes the system longer.
const SURE: f64 = 2.0;

/// The settings of a search.
#[derive(Debug)]
pub struct Settings {
    /// Who is met, and on how many deals a round.
    pub meeting: Meeting,
    /// Who teaches what calls are worth: a bidder that reports its thoughts.
    pub teacher: BotSpec,
    /// The most rules.
    pub most: usize,
    /// What a word of the system costs, in points per deal.
    pub price: f64,
    /// Deals on which the result is judged.
    pub held: u64,
}

/// A gain in points per deal with its 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Points {
    /// The mean.
    pub mean: f64,
    /// Half the width of the interval.
    pub half_width: f64,
}

impl From<&PairedSums> for Points {
    fn from(sums: &PairedSums) -> Self {
        let estimate = sums.estimate();
        let figures = estimate.map_or([0.0; 2], |it| [it.mean, it.half_width.unwrap_or_default()]);
        // To a millionth, so that a file of them is read as it was written.
        let [mean, half_width] = figures.map(|figure| (figure * 1e6).round() / 1e6);
        Self { mean, half_width }
    }
}

/// A change that was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// The round, from 1.
    pub round: u64,
    /// The change.
    pub what: String,
    /// What it gained on the deals of its round, the best of many: it is less on others.
    pub gain: Points,
}

/// A system after a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The number of its rules.
    pub rules: usize,
    /// The words, numbers and signs of its file.
    pub words: usize,
    /// Its score on deals that no round sees.
    pub score: Points,
}

/// What was learned so far.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learned {
    /// The file of the system.
    pub text: String,
    /// The system at the start and after each complete round.
    pub stages: Vec<Stage>,
    /// The changes that were kept.
    pub kept: Vec<Kept>,
}

impl Learned {
    /// Starts from the file of a system.
    ///
    /// # Errors
    ///
    /// When it is no system, or none for the rules.
    pub fn new(settings: &Settings, text: &str) -> Result<Self, SystemError> {
        let mut draft = read(text)?;
        draft.system()?.check(&settings.meeting.rules)?;
        if draft.presets.is_empty() {
            draft.presets = settings.meeting.rules.preset_name().map(str::to_owned).into_iter().collect();
        }
        Ok(Self { text: draft.text(), stages: vec![settings.judge(&draft)?], kept: Vec::new() })
    }

    /// Returns the number of complete rounds.
    pub fn rounds(&self) -> u64 {
        self.stages.len().saturating_sub(1) as u64
    }
}

impl Settings {
    /// Judges a system on the deals that no round sees.
    fn judge(&self, draft: &Draft) -> Result<Stage, SystemError> {
        let score = self.meeting.ground(HELD, self.held).set(&draft.system()?);
        Ok(Stage { rules: draft.rules.len(), words: draft.length(), score: (&score).into() })
    }
}

/// A search at work.
struct Search<'a> {
    settings: &'a Settings,
    secrets: Secrets,
    stop: &'a AtomicBool,
    draft: Draft,
    kept: Vec<Kept>,
}

/// Plays the next round; `None` if it was interrupted.
///
/// # Errors
///
/// When the text is no system.
pub fn round(
    settings: &Settings,
    so_far: &Learned,
    stop: &AtomicBool,
) -> Result<Option<Learned>, SystemError> {
    let draft = read(&so_far.text)?;
    let secrets = Secrets::from(&settings.meeting.seed);
    let mut search = Search { settings, secrets, stop, draft, kept: so_far.kept.clone() };
    if !search.round(so_far.rounds()) {
        return Ok(None);
    }
    let mut stages = so_far.stages.clone();
    stages.push(settings.judge(&search.draft)?);
    Ok(Some(Learned { text: search.draft.text(), stages, kept: search.kept }))
}

/// Reads the file of a system, as text and as a system.
pub(super) fn read(text: &str) -> Result<Draft, SystemError> {
    coinche_bots::system::System::read(text, &[])?;
    Ok(Draft::read(text).expect("a system is a draft"))
}

impl Search<'_> {
    fn ground(&self, deals: Range<u64>) -> Ground {
        let mut ground = self.settings.meeting.ground(deals.start, deals.end - deals.start);
        if let Ok(system) = self.draft.system() {
            ground.set(&system);
        }
        ground
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Plays a round; returns whether it is whole.
    fn round(&mut self, round: u64) -> bool {
        let deals = self.settings.meeting.deals;
        let first = round * deals;
        let (field, test) = (first..first + deals / 2, first + deals / 2..first + deals);
        let mut field = self.ground(field);
        let mut ground = self.ground(test);
        for Move { what, draft } in self.draft.capped() {
            self.keep(&mut ground, round, &what, draft);
        }
        let Settings { teacher, price, .. } = self.settings;
        let lessons = teach::teach(&mut field, &self.draft, teacher, *price, round + 1);
        // All moments at once, as they suit each other, and then one by one.
        for lesson in [lessons.concat()].into_iter().chain(lessons) {
            if self.is_stopped() {
                return false;
            }
            let Some(name) = lesson.first().and_then(|rule| rule.name.clone()) else { continue };
            let mut draft = self.draft.clone();
            lesson.into_iter().rev().for_each(|rule| draft.insert(rule));
            draft.tidy();
            if let Ok(system) = draft.system() {
                field.set(&system);
                let mut applied = field.applied(draft.rules.len()).0.into_iter();
                draft.rules.retain(|_| applied.next().is_some_and(|times| times > 0));
                self.keep(&mut ground, round, &format!("taught: {name} and on"), draft);
            }
        }
        drop(field);
        // A lesson may leave rules that never decide, such as one pass after another.
        for n in (0..self.draft.rules.len()).rev() {
            if self.is_stopped() {
                return false;
            }
            let Move { what, draft } = self.draft.without(n);
            self.keep(&mut ground, round, &what, draft);
        }
        let key = self.secrets.key(Purpose::Experiment, round, 2);
        for n in 0..self.moves().len() as u64 {
            if self.is_stopped() {
                return false;
            }
            // Those that are there now: some were kept.
            let mut moves = self.moves();
            let candidate = moves.swap_remove(key.and(n).below(moves.len()));
            self.keep(&mut ground, round, &candidate.what, candidate.draft);
        }
        self.shorten(&mut ground, round)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = self.draft.tuned();
        moves.extend(self.draft.restructured());
        moves
    }

    /// Keeps a candidate if it gains more than its words cost; those that make the system longer have to be sure of it.
    fn keep(&mut self, ground: &mut Ground, round: u64, what: &str, mut candidate: Draft) -> bool {
        candidate.tidy();
        let Some(system) = candidate.system().ok().filter(|system| system.check(ground.rules()).is_ok())
        else {
            return false;
        };
        let longer = candidate.length() as f64 - self.draft.length() as f64;
        let cost = self.settings.price * longer;
        let Some(gain) = ground.race(&system, cost) else { return false };
        let (mean, error) = mean(&gain);
        let is_sure = longer < 0.0 || mean > SURE * error;
        let is_kept = mean > cost && is_sure;
        if is_kept {
            self.replace(ground, round, what, candidate, &gain);
        }
        is_kept
    }

    fn replace(&mut self, ground: &mut Ground, round: u64, what: &str, draft: Draft, gain: &PairedSums) {
        if let Ok(system) = draft.system() {
            ground.set(&system);
        }
        self.draft = draft;
        self.kept.push(Kept { round: round + 1, what: what.to_owned(), gain: gain.into() });
    }

    /// Leaves out the rules that are worth least until there are not too many; returns whether it was interrupted not.
    fn shorten(&mut self, ground: &mut Ground, round: u64) -> bool {
        while self.draft.rules.len() > self.settings.most {
            if self.is_stopped() {
                return false;
            }
            let Some((candidate, gain)) = cheapest(ground, &self.draft) else { return true };
            self.replace(ground, round, &candidate.what, candidate.draft, &gain);
        }
        true
    }
}

/// Returns the system without the rule that is worth least, and what that gains.
fn cheapest(ground: &mut Ground, draft: &Draft) -> Option<(Move, PairedSums)> {
    let mut best: Option<(Move, PairedSums)> = None;
    for mut candidate in draft.without_one() {
        candidate.draft.tidy();
        let Ok(system) = candidate.draft.system() else { continue };
        let gain = ground.compare(&system);
        if best.as_ref().is_none_or(|(_, other)| mean(&gain).0 > mean(other).0) {
            best = Some((candidate, gain));
        }
    }
    best
}

#[cfg(test)]
mod tests;
