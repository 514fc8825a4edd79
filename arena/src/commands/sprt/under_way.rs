//! A running test: takes looks when due, at deals played here or elsewhere.

use std::time::Duration;

use coinche_inference::{Decision, Estimate, Merge, PairedSums, SequentialTest};
use coinche_selfplay::{Detail, Display, Exit, Result, Tally};

use super::asked::Asked;
use super::files::{self, Files};
use super::part::Standing;
use super::verdict;
use coinche_protocol::{ProgramInfo, STOP};
use coinche_runs::runner;
use coinche_runs::session::measure_control;
use coinche_runs::verdict::is_of_faults;
use coinche_runs::{Clock, Controlled, InCommon, Next, RunDir, Stretch};

/// A running test.
pub(super) struct Test {
    pub(super) asked: Asked,
    pub(super) dir: RunDir,
    pub(super) files: Files,
    pub(super) state: SequentialTest,
    /// The pairs since the last look that are not in the test yet.
    part: PairedSums,
    /// The sums of all pairs with the control, if there is one.
    pub(super) in_common: Option<InCommon>,
    pub(super) display: Display,
}

impl Test {
    /// Takes a look, if one is due.
    pub(super) fn look(&mut self) -> Result<()> {
        if self.state.next_look() == Some(self.state.sums().pairs + self.part.pairs) {
            let part = core::mem::take(&mut self.part);
            let look = match (&self.in_common, &self.dir.totals().control) {
                (Some(in_common), Some(known)) => self.state.feed_with(&part, &in_common.adjust(known)?)?,
                _ => self.state.feed(&part)?,
            };
            self.files.look(&look)?;
            let estimate = self.estimate();
            verdict::tell(&mut self.display, self.asked.config.unit, &self.state, &look, estimate.as_ref());
        }
        Ok(())
    }

    /// Returns the estimate at the last look.
    pub(super) fn estimate(&self) -> Option<Estimate> {
        match (&self.in_common, &self.dir.totals().control) {
            (Some(in_common), Some(known)) => Controlled::of(known, in_common).map(|it| it.estimate()),
            _ => self.state.estimate(),
        }
    }

    /// Adds deals that were played elsewhere. None of them is after the next look.
    pub(super) fn take(&mut self, stretch: &Stretch) -> Result<()> {
        self.dir.add_played(&stretch.totals, stretch.end, &Clock::default());
        self.part.merge(&self.asked.sums(stretch.totals.first()));
        self.in_common = InCommon::of(&self.asked.config, self.dir.totals(), 0);
        self.look()
    }

    /// Plays until the test is over or a stop is requested.
    pub(super) fn play(&mut self) -> Result<()> {
        if !measure_control(&self.asked.config, &mut self.dir, &STOP)? {
            return Ok(());
        }
        self.look()?;
        if self.state.next_look().is_none() {
            return Ok(());
        }
        let (config, every) = (self.asked.config.clone(), self.asked.plan.every);
        let log = runner::stderr_log(&config);
        let played = runner::play_in_steps(&config, self.dir.done(), every, &STOP, &log, |batch| {
            // Deals that other threads have played after the deciding look do not count.
            if self.state.next_look().is_some() {
                self.part.merge(&self.asked.sums(&batch.tallies[0]));
                self.in_common.iter_mut().for_each(|in_common| in_common.add(batch));
                self.look()?;
                self.dir.append(batch)?;
            }
            Ok(if self.state.next_look().is_none() { Next::Stop } else { Next::GoOn })
        });
        self.display.end();
        log.report_failures();
        played.map(drop)
    }

    /// Opens the directory of a test, or creates it.
    pub(super) fn open(asked: Asked, programs: Vec<ProgramInfo>) -> Result<Self> {
        // Whatever refuses it does so before anything changes.
        asked.config.out.as_deref().map(|path| Standing::read(path, &asked)).transpose()?;
        let mut dir = RunDir::open(&asked.config)?;
        dir.name_programs(programs);
        let (files, state) = Files::open(&mut dir, &asked)?;
        let first = Duration::from_millis(200);
        let (progress, unit) = (asked.config.progress, asked.config.unit);
        let mut display = Display::new(progress, asked.plan.most, unit.plural(), first).at_most();
        display.skip(dir.totals().pairs());
        let in_common = InCommon::of(&asked.config, dir.totals(), 0);
        let this = Self { asked, dir, files, state, part: PairedSums::default(), in_common, display };
        // From here on the directory is that of a test.
        this.save()?;
        Ok(this)
    }

    /// Closes the test, finished or stopped.
    pub(super) fn close(&mut self) -> Result<()> {
        let closed = self.dir.end();
        self.save()?;
        closed.and_then(|()| self.dir.seal(&[files::TABLE, files::RESULT]))
    }

    /// Returns the exit code of the decision.
    pub(super) fn exit(&self) -> Exit {
        match decision(&self.state, self.dir.totals().first()) {
            Decision::Upper => Exit::Done,
            Decision::Lower => Exit::Lower,
            Decision::Undecided => Exit::Undecided,
            Decision::GoOn => Exit::Interrupted,
        }
    }

    /// Returns the verdict in words.
    pub(super) fn verdict(&self) -> String {
        verdict::document(&self.asked, &self.state, self.dir.totals()).render(Detail::Full)
    }

    /// Writes `sprt.json`.
    fn save(&self) -> Result<()> {
        let elapsed = self.display.elapsed();
        self.files.finish(&files::to_json(&self.asked, &self.state, self.dir.totals(), elapsed))
    }
}

/// Returns the decision of a test: none if faults are tested.
pub(super) fn decision(test: &SequentialTest, tally: &Tally) -> Decision {
    match test.decision() {
        Decision::Upper | Decision::Lower if is_of_faults(tally) => Decision::Undecided,
        other => other,
    }
}
