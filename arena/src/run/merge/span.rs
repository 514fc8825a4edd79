//! Which deals shards have: all of them once?

use std::path::PathBuf;

use super::error::ShardsError;

/// The deals of a shard.
#[derive(Debug)]
pub(crate) struct Span {
    /// Its directory.
    pub(crate) path: PathBuf,
    /// The first deal.
    pub(crate) start: u64,
    /// The first deal that is not there.
    pub(crate) done: u64,
    /// The first deal behind the shard.
    pub(crate) end: u64,
    /// The first deal behind the whole.
    pub(crate) asked: u64,
}

/// Checks that shards in the order of their deals have every deal from `first` on once. Returns the first deal behind
/// them.
///
/// # Errors
///
/// Names the deals that are missing or there twice, and the shards beside them.
pub(crate) fn check(spans: &[Span], first: u64, unit: &'static str) -> Result<u64, ShardsError> {
    let (mut next, mut last): (u64, Option<&Span>) = (first, None);
    for span in spans {
        let Span { start, done, .. } = *span;
        let (before, path) = (last.map(|last| last.path.clone()), span.path.clone());
        if start > next {
            return Err(ShardsError::Gap { unit, from: next, to: start - 1, before, path });
        }
        if start < next {
            let (to, first) = (next.min(done).max(start + 1) - 1, before.unwrap_or_default());
            return Err(ShardsError::Overlap { unit, from: start, to, first, second: path });
        }
        next = done;
        last = Some(span);
    }
    if let Some(Span { path, done, end, asked, .. }) = last {
        let path = path.clone();
        if done < end {
            return Err(ShardsError::NotAtEnd { unit, from: next, to: end - 1, path });
        }
        if end < asked {
            return Err(ShardsError::LastIsMissing { unit, from: next, to: asked - 1, path });
        }
    }
    Ok(next)
}
