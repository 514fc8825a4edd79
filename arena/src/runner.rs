//! Many threads play, one writer takes the results in order.
//!
//! Each thread takes the next few pairs, plays them and hands over their totals and lines as a
//! [`Batch`]; the batches are put back in order, so everything written is the same for any number of
//! threads and any size of batch. No thread runs further ahead of the writer than a window, which bounds
//! the memory; a request to stop lets the batches at work finish, so what is written is a prefix of the
//! run without a gap.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::ArenaError;
use crate::config::{Records, RunConfig};
use crate::schedule::Unit;
use crate::table::{PlayedDeal, Scribe, Table};
use crate::tally::Tally;
use crate::write::{JsonLines, SummaryTable};

/// The most pairs in a batch of deals.
const BATCH: u64 = 256;
/// How many full batches the fastest thread may be ahead of the writer.
const WINDOW: u64 = 32;
/// What a batch should take, so that a run of slow bots stops soon when asked to.
const BATCH_TIME: Duration = Duration::from_millis(50);

/// The results of some pairs in a row.
#[derive(Debug)]
pub struct Batch {
    /// The first pair.
    pub start: u64,
    /// The first pair after these.
    pub end: u64,
    /// The totals.
    pub tally: Tally,
    /// Rows of the summary table.
    pub summary: Vec<u8>,
    /// Lines of records.
    pub records: Vec<u8>,
}

/// What the threads write with: the forms that the run asks for.
struct Forms {
    summary: Option<SummaryTable>,
    records: Option<JsonLines>,
}

impl Forms {
    fn new(config: &RunConfig) -> Self {
        let bots = [config.bots[0].as_str(), config.bots[1].as_str()];
        let wants = |records: Records| config.records == records;
        Self {
            summary: (!wants(Records::None)).then(|| SummaryTable::new(&config.rules, config.unit, bots)),
            records: wants(Records::Full).then(|| JsonLines::new(&config.rules, bots)),
        }
    }
}

struct BatchScribe<'a> {
    forms: &'a Forms,
    batch: &'a mut Batch,
}

impl Scribe for BatchScribe<'_> {
    #[inline]
    fn deal(&mut self, deal: &PlayedDeal<'_>) {
        self.batch.tally.add_deal(deal);
        if let Some(summary) = &self.forms.summary {
            summary.push(&mut self.batch.summary, deal);
        }
        if let Some(records) = &self.forms.records {
            records.push(&mut self.batch.records, deal);
        }
    }
}

/// Hands out pairs.
struct Dispatch<'a> {
    pairs: u64,
    window: u64,
    stop: &'a AtomicBool,
    /// The next pair to play, and the first that is not yet written.
    at: Mutex<(u64, u64)>,
    advanced: Condvar,
    /// Buffers of batches that are written, to be used again.
    buffers: Mutex<Vec<[Vec<u8>; 2]>>,
}

impl Dispatch<'_> {
    fn lock(&self) -> MutexGuard<'_, (u64, u64)> {
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up to `size` pairs; none when all are taken or the run is to stop.
    fn take(&self, size: u64) -> Option<(u64, u64)> {
        let mut at = self.lock();
        loop {
            if self.stop.load(Ordering::Relaxed) || at.0 >= self.pairs {
                return None;
            }
            if at.0 < at.1 + self.window {
                let start = at.0;
                at.0 = self.pairs.min(start + size);
                return Some((start, at.0));
            }
            let waited = self.advanced.wait_timeout(at, Duration::from_millis(100));
            at = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn buffers(&self) -> MutexGuard<'_, Vec<[Vec<u8>; 2]>> {
        self.buffers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn written(&self, end: u64) {
        self.lock().1 = end;
        self.advanced.notify_all();
    }
}

/// Stops the other threads when one panics, which is a bug, instead of letting them wait for ever.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

fn work(config: &RunConfig, forms: &Forms, dispatch: &Dispatch<'_>, results: &Sender<Batch>) {
    let _guard = StopOnPanic(dispatch.stop);
    let mut table = Table::new(&config.rules, config.schedule(), config.bots.clone());
    let mut size = 1;
    while let Some((start, end)) = dispatch.take(size) {
        let began = Instant::now();
        let [summary, records] = dispatch.buffers().pop().unwrap_or_default();
        let tally = Tally::new(&config.rules, config.unit);
        let mut batch = Batch { start, end, tally, summary, records };
        for index in start..end {
            let legs = table.play_pair(index, &mut BatchScribe { forms, batch: &mut batch });
            batch.tally.add_pair(&legs);
        }
        size = if began.elapsed() < BATCH_TIME { 2 * size } else { size / 2 }.clamp(1, largest_batch(config));
        if results.send(batch).is_err() {
            return;
        }
    }
}

/// A match is a dozen deals: fewer of them make a batch.
const fn largest_batch(config: &RunConfig) -> u64 {
    match config.unit {
        Unit::Deal => BATCH,
        Unit::Match => BATCH / 16,
    }
}

/// Plays a run: `write` gets the batches in order, without a gap, on the calling thread. Returns the
/// number of pairs written, which is less than asked for when `stop` was set.
///
/// # Errors
///
/// The first error of `write`, after which nothing more is written; and when the threads cannot start.
pub fn play(
    config: &RunConfig,
    stop: &AtomicBool,
    mut write: impl FnMut(&Batch) -> Result<(), ArenaError>,
) -> Result<u64, ArenaError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(config.threads)
        .build()
        .map_err(|_| ArenaError::Threads(config.threads))?;
    let forms = Forms::new(config);
    let dispatch = Dispatch {
        pairs: config.deals,
        window: WINDOW * largest_batch(config),
        stop,
        at: Mutex::new((0, 0)),
        advanced: Condvar::new(),
        buffers: Mutex::new(Vec::new()),
    };
    let (sender, results) = mpsc::channel();
    pool.in_place_scope(|scope| {
        for _ in 0..config.threads {
            let (sender, forms, dispatch) = (sender.clone(), &forms, &dispatch);
            scope.spawn(move |_| work(config, forms, dispatch, &sender));
        }
        drop(sender);
        let (mut done, mut failed) = (0, None);
        let mut waiting = BTreeMap::new();
        for batch in results {
            waiting.insert(batch.start, batch);
            while let Some(batch) = waiting.remove(&done) {
                if failed.is_some() {
                    break;
                }
                match write(&batch) {
                    Ok(()) => done = batch.end,
                    Err(error) => {
                        stop.store(true, Ordering::Relaxed);
                        failed = Some(error);
                    }
                }
                let Batch { mut summary, mut records, .. } = batch;
                summary.clear();
                records.clear();
                dispatch.buffers().push([summary, records]);
            }
            dispatch.written(done);
        }
        failed.map_or(Ok(done), Err)
    })
}
