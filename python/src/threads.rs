//! Threads of the engine.

use std::cell::Cell;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSlice;
use rayon::{ThreadPool, ThreadPoolBuilder, Yield};

use crate::errors::value_error;
use crate::sizes::Count;

/// The most threads.
const MOST: usize = 1024;

fn built(threads: usize) -> PyResult<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads).build().map_err(value_error)
}

fn checked(threads: Count) -> PyResult<usize> {
    threads.within("threads", 1..=MOST)
}

/// Gives a function the items in parts, so many for each thread, and returns what it makes of them, in order.
pub(crate) fn in_parts<T: Sync, R: Send>(
    items: &[T],
    (threads, for_each): (Count, usize),
    run: impl Fn(&[T]) -> Vec<R> + Sync,
) -> PyResult<Vec<R>> {
    let threads = checked(threads)?;
    if threads == 1 {
        return Ok(run(items));
    }
    let parts = items.par_chunks(items.len().div_ceil(for_each * threads).max(1));
    let done: Vec<Vec<R>> = built(threads)?.install(|| parts.map(&run).collect());
    Ok(done.into_iter().flatten().collect())
}

/// How long a helper looks for the next step before it sleeps. Waking one that sleeps takes 50 to 100 µs, in which one thread
/// takes a thousand steps; a helper that is awake begins within a microsecond. Longer than a small net takes for its answers
/// it would burn what the net could use.
const AWAKE: Duration = Duration::from_micros(300);

/// Work that takes longer is shared with helpers at once, asleep or not: waking them is little beside it.
pub(crate) const LONG: Duration = Duration::from_millis(1);

/// Threads that share the work of the one that calls.
///
/// Pieces of work are taken from one queue, by the caller too, so that a helper that comes late takes fewer. The caller never
/// waits for one that sleeps: it wakes them, begins alone, and lets in whoever is awake between two pieces.
#[derive(Debug)]
pub(crate) struct Helpers {
    /// Always there, but when it is dropped.
    pool: Option<ThreadPool>,
    awake: Arc<Awake>,
    /// Whether each thread can have a processor: if not, looking for work takes time from those that have some.
    may_spin: bool,
    /// The process that has the threads: a fork of it has none.
    process: u32,
}

/// The helpers that are awake.
#[derive(Debug, Default)]
struct Awake {
    count: AtomicUsize,
    no_more: AtomicBool,
}

/// Counts down when it is dropped, in a panic too.
struct Counted<'a>(&'a AtomicUsize);

impl<'a> Counted<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::AcqRel);
        Self(count)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Helpers {
    /// Makes helpers that are so many threads together with the caller; none for one.
    pub(crate) fn new(threads: Count) -> PyResult<Option<Self>> {
        Self::of(checked(threads)?)
    }

    fn of(threads: usize) -> PyResult<Option<Self>> {
        match threads {
            1 => Ok(None),
            threads => Ok(Some(Self {
                pool: Some(built(threads - 1)?),
                awake: Arc::default(),
                may_spin: threads <= std::thread::available_parallelism().map_or(1, NonZero::get),
                process: std::process::id(),
            })),
        }
    }

    fn helpers(&self) -> usize {
        self.pool.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Returns the threads, the caller included.
    pub(crate) fn threads(&self) -> usize {
        self.helpers() + 1
    }

    /// Starts new threads where a fork has left none.
    pub(crate) fn survive_fork(&mut self) -> PyResult<()> {
        if self.process != std::process::id()
            && let Some(new) = Self::of(self.threads())?
        {
            *self = new;
        }
        Ok(())
    }

    /// Wakes helpers that sleep, without waiting for them, and keeps them awake for a while.
    fn wake(&self) {
        if let Some(pool) = &self.pool
            && self.may_spin
            && self.awake.count.load(Ordering::Acquire) < pool.current_num_threads()
        {
            let awake = Arc::clone(&self.awake);
            pool.spawn_broadcast(move |_| stay_awake(&awake));
        }
    }

    /// Does all pieces of work, each once, in any order and by any thread. If it `takes` long, even those that sleep are called.
    pub(crate) fn share<T: Send>(&self, pieces: Vec<T>, takes: Duration, each: impl Fn(T) + Sync) {
        let Some(pool) = &self.pool else { return pieces.into_iter().for_each(each) };
        let queue = Mutex::new(pieces.into_iter());
        // From both ends: what a thread touched in one step it finds in its cache at the next.
        let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
        let last = || queue.lock().unwrap_or_else(PoisonError::into_inner).next_back();
        let unfinished = AtomicUsize::new(0);
        self.wake();
        pool.in_place_scope(|scope| {
            let mut called = 0;
            let mut call = |helpers: usize| {
                while called < helpers {
                    let counted = Counted::new(&unfinished);
                    let (last, each) = (&last, &each);
                    scope.spawn(move |_| {
                        let _counted = counted;
                        while let Some(piece) = last() {
                            each(piece);
                        }
                    });
                    called += 1;
                }
            };
            if takes > LONG {
                call(pool.current_num_threads());
            }
            call(self.awake.count.load(Ordering::Acquire));
            while let Some(piece) = next() {
                each(piece);
                call(self.awake.count.load(Ordering::Acquire));
            }
            // The end of the scope would sleep at once; the others are at their last pieces.
            let until = Instant::now() + AWAKE;
            while unfinished.load(Ordering::Acquire) > 0 && pause(until) {}
        });
    }
}

impl Drop for Helpers {
    fn drop(&mut self) {
        self.awake.no_more.store(true, Ordering::Release);
        // After a fork there is nothing to end, and a lock may be held by a thread that is no more.
        if self.process != std::process::id() {
            std::mem::forget(self.pool.take());
        }
    }
}

/// Looks for work on a thread of a pool until there was none for a while.
fn stay_awake(awake: &Awake) {
    thread_local! {
        static IS_AWAKE: Cell<bool> = const { Cell::new(false) };
    }
    // Asked twice, a thread is awake once.
    if IS_AWAKE.replace(true) {
        return;
    }
    let counted = Counted::new(&awake.count);
    let mut until = Instant::now() + AWAKE;
    while !awake.no_more.load(Ordering::Relaxed) {
        if rayon::yield_now() == Some(Yield::Executed) {
            until = Instant::now() + AWAKE;
        } else if !pause(until) {
            break;
        }
    }
    drop(counted);
    IS_AWAKE.set(false);
}

/// Waits for some hundred nanoseconds, and says whether there is time left.
fn pause(until: Instant) -> bool {
    std::hint::spin_loop();
    // Whoever else waits for this processor goes first.
    std::thread::yield_now();
    Instant::now() < until
}
