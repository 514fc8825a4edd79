//! `arena bidding`: the benchmark of bidders.
//!
//! All bidders play the same deals with the same card play: each pair against each other, as in
//! `arena run --freeze play`, and each with itself at all seats, where its auction is compared with the best
//! available contracts. The definitions are in `docs/strategy.md`.
//!
//! | module | |
//! |---|---|
//! | `tables` | plays deals on many threads |
//! | `loss` | the losses of an auction, by cause |
//! | `parts` | makes one shard of the deals in a directory, and merges all |
//! | `totals` | adds up the deals, with the deal as the unit |
//! | `sections` | the result as a [`Document`](coinche_selfplay::document::model::Document), one section per file |

mod loss;
mod parts;
mod sections;
mod tables;
mod totals;

use std::sync::{Mutex, PoisonError};

use coinche_selfplay::base::threads;
use coinche_selfplay::{Meter, Result};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use coinche_protocol::ProgramLost;
use coinche_runs::{Next, Pace, RunConfig};
use tables::{Chunk, Tables};

pub(crate) use tables::predicted_chance;

pub use parts::BiddingJob;
pub use sections::document;
pub use totals::BiddingTotals;

/// The maximum number of deals in a chunk, the unit of work of a thread.
const MOST: u64 = 16;
/// The number of chunks in flight per thread.
const AHEAD: u64 = 8;

/// Plays the deals of a run with two or more bidders and frozen play, and adds them up. For each two bidders,
/// the `show` deals with the largest differences are kept.
///
/// Memory does not grow with the number of deals.
pub fn play(config: &RunConfig, show: usize) -> Result<BiddingTotals> {
    let meter = Meter::new(config.progress, config.deals);
    let mut totals = BiddingTotals::new(config, show);
    play_on(config, 0, &meter, &mut totals, |_, _| Ok(Next::GoOn))?;
    meter.finish();
    Ok(totals)
}

/// Continues with a deal, to the end of the run's range; `after` periodically gets the totals up to a deal.
fn play_on(
    config: &RunConfig,
    from: u64,
    meter: &Meter,
    totals: &mut BiddingTotals,
    mut after: impl FnMut(&BiddingTotals, u64) -> Result<Next>,
) -> Result<()> {
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
                // One per thread: no lock is contended.
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
