//! Threads for analyses: people who wait come first, the others take turns.

use std::sync::Arc;
use std::time::Duration;

use coinche_selfplay::{Result, Solvers};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::error::{Answer, Refusal};

/// How long an answer may wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// A person waits for it: a hint, what a decision cost.
    Person,
    /// The first thoughts of an analysis, which take a second at most.
    First,
    /// More of an analysis, or a slice of a run.
    Later,
}

/// How long an analysis pauses for people; after that it goes on beside them.
const PAUSE: Duration = Duration::from_secs(3);

/// Some threads, and how many answers are under way on them.
#[derive(Debug)]
struct Lane {
    solvers: Solvers,
    permits: Arc<Semaphore>,
}

impl Lane {
    fn new(threads: usize) -> Result<Self> {
        Ok(Self { solvers: Solvers::new(Some(threads))?, permits: Arc::new(Semaphore::new(threads)) })
    }
}

/// The threads for what takes longer than a card.
#[derive(Debug)]
pub(crate) struct Lanes {
    people: Lane,
    first: Lane,
    later: Lane,
    /// How many people wait for an answer.
    waiting: watch::Sender<usize>,
}

/// A permit to work at an answer.
#[derive(Debug)]
pub(crate) struct Permit {
    _permit: OwnedSemaphorePermit,
    /// Until the answer is there.
    _waits: Option<Waits>,
}

/// A person who waits, until it is dropped: also if the page is closed meanwhile.
#[derive(Debug)]
struct Waits(watch::Sender<usize>);

impl Waits {
    fn new(waiting: &watch::Sender<usize>) -> Self {
        waiting.send_modify(|people| *people += 1);
        Self(waiting.clone())
    }
}

impl Drop for Waits {
    fn drop(&mut self) {
        self.0.send_modify(|people| *people -= 1);
    }
}

impl Lanes {
    /// People have all threads when they wait; analyses have them otherwise, the first thoughts half of them.
    pub(crate) fn new(threads: usize) -> Result<Self> {
        let half = (threads / 2).max(1);
        let later = Lane::new((threads - half).max(1))?;
        let waiting = watch::Sender::new(0);
        Ok(Self { people: Lane::new(threads)?, first: Lane::new(half)?, later, waiting })
    }

    const fn of(&self, urgency: Urgency) -> &Lane {
        match urgency {
            Urgency::Person => &self.people,
            Urgency::First => &self.first,
            Urgency::Later => &self.later,
        }
    }

    /// Returns the threads for an answer.
    pub(crate) const fn solvers(&self, urgency: Urgency) -> &Solvers {
        &self.of(urgency).solvers
    }

    /// Waits until an answer may be worked at.
    pub(crate) async fn permit(&self, urgency: Urgency) -> Answer<Permit> {
        let waits = (urgency == Urgency::Person).then(|| Waits::new(&self.waiting));
        let permit = Arc::clone(&self.of(urgency).permits).acquire_owned().await.map_err(Refusal::failed)?;
        if urgency != Urgency::Person {
            // Whoever comes next in this lane would wait, too.
            let mut people = self.waiting.subscribe();
            let _ = tokio::time::timeout(PAUSE, people.wait_for(|people| *people == 0)).await;
        }
        Ok(Permit { _permit: permit, _waits: waits })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    #[tokio::test]
    async fn analyses_pause_while_people_wait() {
        let lanes = Arc::new(Lanes::new(2).unwrap());
        // Two answers for people at once; a third person waits.
        let first = lanes.permit(Urgency::Person).await.unwrap();
        let second = lanes.permit(Urgency::Person).await.unwrap();
        let third = tokio::spawn({
            let lanes = Arc::clone(&lanes);
            async move { lanes.permit(Urgency::Person).await.unwrap() }
        });
        let analysis = tokio::spawn({
            let lanes = Arc::clone(&lanes);
            async move { lanes.permit(Urgency::First).await.unwrap() }
        });
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!third.is_finished() && !analysis.is_finished());
        drop(first);
        let third = third.await.unwrap();
        drop(second);
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert!(!analysis.is_finished());
        drop(third);
        drop(analysis.await.unwrap());
        // Someone who leaves keeps nobody waiting.
        let held = [lanes.permit(Urgency::Person).await, lanes.permit(Urgency::Person).await];
        let left = tokio::spawn({
            let lanes = Arc::clone(&lanes);
            async move { lanes.permit(Urgency::Person).await.map(drop) }
        });
        tokio::task::yield_now().await;
        left.abort();
        let _ = left.await;
        drop(held);
        assert_eq!(*lanes.waiting.borrow(), 0);
        // An analysis is not put off for ever.
        let _person = lanes.permit(Urgency::Person).await.unwrap();
        let began = Instant::now();
        drop(lanes.permit(Urgency::Later).await.unwrap());
        assert!(began.elapsed() >= PAUSE);
    }
}
