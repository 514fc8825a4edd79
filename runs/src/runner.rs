//! Plays on many threads; one writer receives the results in order.
//!
//! Each thread takes the next few pairs, plays them at its tables and sends their totals, rows and lines as a
//! [`Batch`]; the batches are reordered, so the output is the same for any number of threads and any batch size. A
//! window limits how far a thread can run ahead of the writer, which bounds the memory; a request to stop lets the
//! batches in flight finish (with programs, within a grace period), so the output is a prefix of the run without gaps.
//! When a program fails for good, its batch is dropped and the run stops: it can be resumed at the first missing deal.

mod again;
mod seats;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::config::{Records, RunConfig, TimesMode};
use crate::totals::Totals;
use coinche_inference::Merge;
use coinche_protocol::{Halted, StderrLog};
use coinche_selfplay::base::threads;
use coinche_selfplay::records::summary::{Rows, SummaryTable};
use coinche_selfplay::{
    BotTimes, JsonLines, LegResult, PlayedDeal, Result, Schedule, Scribe, TableForm, Tally, Unit,
};
use seats::Seats;

/// The most legs in a batch of deals.
const BATCH: u64 = 512;
/// The number of full batches that the fastest thread may be ahead of the writer.
const WINDOW: u64 = 32;
/// The target duration of a batch, so that a run of slow bots stops soon when asked to.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// The results of consecutive pairs, for all encounters.
#[derive(Debug)]
pub struct Batch {
    /// The first pair.
    pub start: u64,
    /// The end of the range of pairs (exclusive).
    pub end: u64,
    /// The totals by encounter.
    pub tallies: Vec<Tally>,
    /// By pair, then encounter: twice the paired difference.
    doubled: Vec<i64>,
    /// By pair, then encounter: legs of matches won by A and B. Empty if single deals are played.
    won: Vec<[u8; 2]>,
    /// Rows of the summary table.
    pub rows: Rows,
    /// Lines of records.
    pub lines: Vec<u8>,
    /// The measured times of decisions, by bot.
    pub times: Vec<BotTimes>,
}

impl Batch {
    /// Adds the totals of the batch to those of the run.
    pub fn add_to(&self, totals: &mut Totals) {
        totals.tallies.merge(&self.tallies);
        totals.covariance.add(self.start, &self.doubled, &self.won);
    }

    /// Iterates over the pairs, from [`Batch::start`]: twice the paired differences of their encounters.
    pub fn doubled(&self) -> impl Iterator<Item = &[i64]> {
        self.doubled.chunks_exact(self.tallies.len())
    }
}

/// The writers of a thread for one encounter, in the requested formats.
struct Forms {
    table: Option<SummaryTable>,
    lines: Option<JsonLines>,
}

impl Forms {
    fn new(config: &RunConfig) -> Vec<Self> {
        let encounters = config.encounters();
        let several = encounters.len() > 1;
        let forms = |(n, encounter)| {
            let names = config.names(encounter);
            let place = several.then_some(n);
            let table = SummaryTable::new(&config.rules, names, place);
            let lines = JsonLines::of_teams(&config.rules, names, place);
            Self {
                table: config.records.has_table().then_some(table),
                lines: config.records.has_lines().then_some(lines),
            }
        };
        encounters.into_iter().enumerate().map(forms).collect()
    }
}

struct BatchScribe<'a> {
    forms: &'a Forms,
    tally: &'a mut Tally,
    rows: &'a mut Rows,
    /// `None` if the records of this deal are not wanted.
    lines: Option<&'a mut Vec<u8>>,
}

impl Scribe for BatchScribe<'_> {
    #[inline]
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.tally.add_deal(deal);
        if let Some(table) = &self.forms.table {
            table.push(self.rows, deal);
        }
        if let (Some(form), Some(lines)) = (&self.forms.lines, &mut self.lines) {
            form.push(lines, deal);
        }
    }
}

/// Distributes pairs to the threads.
struct Dispatch<'a> {
    end: u64,
    window: u64,
    /// No batch crosses a multiple of one of these.
    align: [u64; 2],
    /// Set when the user asks to stop.
    stop: &'a AtomicBool,
    /// Set when there is another reason to stop.
    halt: AtomicBool,
    /// The next pair to play, and the first that is not yet written.
    at: Mutex<(u64, u64)>,
    advanced: Condvar,
    /// Buffers of written batches, for reuse.
    buffers: Mutex<Vec<(Rows, Vec<u8>)>>,
}

impl Dispatch<'_> {
    fn lock(&self) -> MutexGuard<'_, (u64, u64)> {
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tests if the run is to stop.
    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.halt.load(Ordering::Relaxed)
    }

    /// Takes up to `size` pairs; `ahead` ignores the window, for a thread that holds up the writer. Returns `None` if
    /// all are taken or the run is to stop.
    fn take(&self, size: u64, ahead: bool) -> Option<(u64, u64)> {
        let mut at = self.lock();
        loop {
            if self.is_over() || at.0 >= self.end {
                return None;
            }
            if ahead || at.0 < at.1 + self.window {
                let start = at.0;
                let next = self.align.map(|align| (start / align + 1).saturating_mul(align));
                at.0 = self.end.min(start + size).min(next[0]).min(next[1]);
                return Some((start, at.0));
            }
            let waited = self.advanced.wait_timeout(at, Duration::from_millis(100));
            at = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn buffers(&self) -> MutexGuard<'_, Vec<(Rows, Vec<u8>)>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn written(&self, end: u64) {
        self.lock().1 = end;
        self.advanced.notify_all();
    }
}

/// Stops the other threads if one panics, which is a bug, instead of letting them wait forever.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

/// Returns twice the paired difference A − B: in leg 0 side A is the even team, in leg 1 the odd one.
fn doubled(legs: &[LegResult; 2]) -> i64 {
    let [first, second] =
        [&legs[0], &legs[1]].map(|leg| i64::from(leg.score.0[0]) - i64::from(leg.score.0[1]));
    first - second
}

/// Returns the legs of a match won by A and B.
fn won(legs: &[LegResult; 2]) -> [u8; 2] {
    let mut won = [0; 2];
    for (leg, result) in legs.iter().enumerate() {
        if let Some(team) = result.winner {
            won[(team.index() + leg) % 2] += 1;
        }
    }
    won
}

/// A worker thread.
struct Worker<'a> {
    config: &'a RunConfig,
    schedule: Schedule,
    forms: &'a [Forms],
    seats: Seats<'a>,
}

impl Worker<'_> {
    /// Plays one pair at all tables.
    fn play(&mut self, index: u64, timed: bool, batch: &mut Batch) -> Result<(), Halted> {
        let wanted = match self.config.records {
            Records::None | Records::Summary => false,
            Records::Full | Records::Swing(_) => true,
            Records::Sample(share) => self.schedule.is_sampled(index, share),
        };
        let (whole, first) = (batch.lines.len(), batch.doubled.len());
        for (n, (forms, tally)) in self.forms.iter().zip(&mut batch.tallies).enumerate() {
            let lines = wanted.then_some(&mut batch.lines);
            let mut scribe = BatchScribe { forms, tally, rows: &mut batch.rows, lines };
            let legs = self.seats.play(n, index, timed, &mut scribe).map_err(Halted::Lost)?;
            tally.add_pair(&legs);
            batch.doubled.push(doubled(&legs));
            if self.config.unit == Unit::Match {
                batch.won.push(won(&legs));
            }
        }
        if let Records::Swing(points) = self.config.records {
            // The control's differences do not count.
            let own = self.forms.len() - usize::from(self.config.control.is_some());
            let largest = batch.doubled[first..][..own].iter().map(|doubled| doubled.unsigned_abs()).max();
            if largest.is_none_or(|largest| largest < 2 * u64::from(points)) {
                batch.lines.truncate(whole);
            }
        }
        Ok(())
    }

    /// Takes pairs and plays them until none are left, or the receiver is gone.
    fn work(mut self, dispatch: &Dispatch<'_>, results: &Sender<Result<Batch>>) {
        let _guard = StopOnPanic(&dispatch.halt);
        let block = self.seats.batch();
        let largest = block.unwrap_or_else(|| largest_batch(self.config));
        let fresh = vec![Tally::new(&self.config.rules, self.config.unit); self.forms.len()];
        let mut size = block.unwrap_or(1);
        // Batches with faults of a program are held back until it answers again, or all pairs are played.
        let mut held: Vec<Batch> = Vec::new();
        while let Some((start, end)) = dispatch.take(size, !held.is_empty()) {
            let began = Instant::now();
            let (rows, lines) =
                dispatch.buffers().pop().unwrap_or_else(|| (self.config.new_rows(), Vec::new()));
            let (tallies, doubled, won) = (fresh.clone(), Vec::new(), Vec::new());
            let mut batch = Batch { start, end, tallies, doubled, won, rows, lines, times: Vec::new() };
            let timed = self.seats.is_time_for_clocks();
            let ahead = self.seats.play_ahead(start..end, &|| dispatch.is_over());
            let played = ahead.and_then(|()| {
                (start..end).try_for_each(|index| {
                    let timed = timed && (index == start || self.config.times == TimesMode::All);
                    self.play(index, timed, &mut batch)
                })
            });
            match played {
                Ok(()) => {}
                Err(Halted::Interrupted) => return,
                Err(lost) => {
                    // If the receiver is gone, it has its own error to report.
                    let _ = results.send(Err(lost.into()));
                    return;
                }
            }
            batch.times = self.seats.take_times();
            if block.is_none() {
                size = if began.elapsed() < BATCH_TIME { 2 * size } else { size / 2 }.clamp(1, largest);
            }
            held.push(batch);
            if !self.seats.has_recent_failures()
                && !held.drain(..).all(|batch| results.send(Ok(batch)).is_ok())
            {
                return;
            }
        }
        if !dispatch.is_over() {
            held.drain(..).all(|batch| results.send(Ok(batch)).is_ok());
        }
    }
}

/// Returns the largest batch size: a match is a dozen deals, and every encounter plays each, so such batches are
/// smaller.
fn largest_batch(config: &RunConfig) -> u64 {
    let legs = match config.unit {
        Unit::Deal => 2,
        Unit::Match => 32,
    };
    (BATCH / legs / config.encounters().len() as u64).max(1)
}

/// Plays pairs from `from` to the end of the run's range: `write` receives the batches in order, without gaps, on the
/// calling thread. Returns the first pair that was not written, which is less than the end of the range if `stop` was
/// set.
///
/// # Errors
///
/// The first error of `write`, after which nothing more is written; a program that fails for good, after the pairs
/// before it are written; and when the threads cannot start.
pub fn play(
    config: &RunConfig,
    from: u64,
    stop: &AtomicBool,
    mut write: impl FnMut(&Batch) -> Result<()>,
) -> Result<u64> {
    let write = |batch: &Batch| write(batch).map(|()| Next::GoOn);
    play_in_steps(config, from, u64::MAX, stop, &stderr_log(config), write)
}

/// What to do after a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// Continue.
    GoOn,
    /// Stop after the batches in flight.
    Stop,
}

/// Returns the stderr log of a run's programs: beside its files.
pub fn stderr_log(config: &RunConfig) -> StderrLog {
    config.out.as_ref().map_or_else(StderrLog::none, |out| StderrLog::in_directory(&out.join("stderr")))
}

/// Plays like [`play`], with batches that do not cross multiples of `every` pairs; the log receives the stderr of
/// programs.
pub fn play_in_steps(
    config: &RunConfig,
    from: u64,
    every: u64,
    stop: &AtomicBool,
    log: &StderrLog,
    mut write: impl FnMut(&Batch) -> Result<Next>,
) -> Result<u64> {
    let pool = threads::pool(config.threads)?;
    let forms = Forms::new(config);
    let dispatch = Dispatch {
        end: config.range().end,
        window: WINDOW * largest_batch(config),
        align: [lines_block(config), every],
        stop,
        halt: AtomicBool::new(false),
        at: Mutex::new((from, from)),
        advanced: Condvar::new(),
        buffers: Mutex::new(Vec::new()),
    };
    let (sender, results) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..config.threads {
            let (sender, forms, dispatch) = (sender.clone(), &forms[..], &dispatch);
            scope.spawn(move |_| {
                let (schedule, seats) = (config.schedule(), Seats::new(config, log));
                Worker { config, schedule, forms, seats }.work(dispatch, &sender);
            });
        }
        drop(sender);
        let halt = || dispatch.halt.store(true, Ordering::Relaxed);
        let (mut done, mut failed, mut lost, mut is_enough) = (from, None, None, false);
        let mut waiting = BTreeMap::new();
        for batch in results {
            match batch {
                Ok(batch) => drop(waiting.insert(batch.start, batch)),
                Err(error) => {
                    halt();
                    lost.get_or_insert(error);
                }
            }
            while let Some(batch) = waiting.remove(&done) {
                if failed.is_some() {
                    break;
                }
                match write(&batch) {
                    Ok(next) => {
                        done = batch.end;
                        if next == Next::Stop {
                            is_enough = true;
                            halt();
                        }
                    }
                    Err(error) => {
                        halt();
                        failed = Some(error);
                    }
                }
                let Batch { mut rows, mut lines, .. } = batch;
                rows.clear();
                lines.clear();
                dispatch.buffers().push((rows, lines));
            }
            dispatch.written(done);
        }
        // An error after the last wanted pair does not matter.
        failed.or(lost.filter(|_| !is_enough)).map_or(Ok(done), Err)
    })
}

/// Returns the number of consecutive deals in a block of so many legs: it depends on the settings of the run alone, and
/// so do the bytes of a file in blocks.
fn block(config: &RunConfig, legs: u64) -> u64 {
    let legs = match config.unit {
        Unit::Deal => legs,
        // A match is a dozen deals.
        Unit::Match => legs / 16,
    };
    (legs / 2 / (config.encounters().len() as u64).next_power_of_two()).max(1)
}

/// Returns the number of deals in a block of the summary table: a zstd frame, a Parquet row group.
pub fn table_block(config: &RunConfig) -> u64 {
    block(config, if config.table == TableForm::Parquet { 1 << 16 } else { 1 << 12 })
}

/// Returns the number of deals in a block of the records: a zstd frame. It divides that of the table.
pub fn lines_block(config: &RunConfig) -> u64 {
    block(config, 1 << 10)
}
