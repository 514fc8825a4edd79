//! `arena bidding`: the benchmark of bidders.
//!
//! All bidders play the same deals with the same card play: every two against each other, as in `arena run --freeze
//! play`, and each with itself at all seats, where its auction is held against the best contracts that existed. The
//! definitions are in `docs/strategy.md`.
//!
//! | module | |
//! |---|---|
//! | `tables` | plays deals, many threads at a time |
//! | `loss` | what an auction lost, by cause |
//! | `parts` | one shard of the deals in a directory, and all put together |
//! | `totals` | adds the deals up, with the deal as the unit |
//! | `sections` | all of it as a [`Document`](coinche_selfplay::document::model::Document), a section a file |

mod loss;
mod parts;
mod sections;
mod tables;
mod totals;

use std::sync::{Mutex, PoisonError};

use coinche_selfplay::base::error::ArenaError;
use coinche_selfplay::base::progress::Meter;
use coinche_selfplay::base::threads;
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use crate::protocol::ProgramLost;
use crate::run::config::RunConfig;
use crate::run::part::Pace;
use crate::run::runner::Next;
use tables::{Chunk, Tables};

pub(crate) use parts::{check as check_part, make as make_part, merge as merge_parts};
pub(crate) use sections::document;
pub(crate) use totals::BiddingTotals;

/// The most deals in a chunk: what one thread plays before it is asked for more.
const MOST: u64 = 16;
/// How many chunks are at work for each thread before the next ones are handed out.
const AHEAD: u64 = 8;

/// Plays the deals of a run in which two or more bidders meet with a frozen play, and adds them up; of every two
/// bidders `show` deals with the largest differences are kept.
///
/// Memory does not grow with the number of deals.
///
/// # Errors
///
/// When the threads cannot start, and when a program fails for good.
pub(crate) fn play(config: &RunConfig, show: usize) -> Result<BiddingTotals, ArenaError> {
    let meter = Meter::new(config.progress, config.deals);
    let mut totals = BiddingTotals::new(config, show);
    play_on(config, 0, &meter, &mut totals, |_, _| Ok(Next::GoOn))?;
    meter.finish();
    Ok(totals)
}

/// Goes on with a deal, to the end of the range of the run; `after` gets the totals up to a deal once in a while.
///
/// # Errors
///
/// When the threads cannot start, when a program fails for good, and those of `after`.
fn play_on(
    config: &RunConfig,
    from: u64,
    meter: &Meter,
    totals: &mut BiddingTotals,
    mut after: impl FnMut(&BiddingTotals, u64) -> Result<Next, ArenaError>,
) -> Result<(), ArenaError> {
    let last = config.range().end;
    let pool = threads::pool(config.threads)?;
    let threads = config.threads as u64;
    let mut pace = Pace::new(threads..=MOST * threads * AHEAD);
    let tables: Vec<Mutex<Tables<'_>>> = (0..threads).map(|_| Mutex::new(Tables::new(config))).collect();
    let mut start = from;
    while start < last {
        let end = last.min(start + pace.step());
        let size = ((end - start) / (threads * AHEAD)).clamp(1, MOST);
        let starts: Vec<u64> = (start..end).step_by(usize::try_from(size).unwrap_or(1)).collect();
        let chunks: Result<Vec<Chunk>, Box<ProgramLost>> = pool.install(|| {
            let chunks = starts.into_par_iter().with_max_len(1).map(|first| {
                let thread = rayon::current_thread_index().unwrap_or_default();
                // Each thread has its own: nobody waits.
                let mut tables = tables[thread].lock().unwrap_or_else(PoisonError::into_inner);
                let last = end.min(first + size);
                let chunk = tables.play(first..last);
                meter.add(last - first);
                chunk
            });
            chunks.collect()
        });
        for chunk in &chunks? {
            totals.add(chunk);
        }
        start = end;
        pace.is_over();
        if after(totals, end)? == Next::Stop {
            break;
        }
    }
    Ok(())
}
