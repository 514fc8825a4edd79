//! Decides when a bot that fails repeatedly has failed for good.

/// A bot that fails in this many deals in a row has failed for good.
const MAX_DEALS: usize = 3;

/// The deals in which a bot has failed since its last answer.
///
/// The count is of deals, not of questions: both legs of a deal share its cards and the seeds of questions, so a bot
/// that fails at a question of one leg fails at the same question of the other, which is no new evidence.
#[derive(Debug, Clone, Default)]
pub(super) struct Failures {
    deals: Vec<u64>,
}

impl Failures {
    /// Counts a failure in a deal.
    pub(super) fn add(&mut self, deal: u64) {
        if !self.is_final() && !self.deals.contains(&deal) {
            self.deals.push(deal);
        }
    }

    /// Resets the count: the bot has answered.
    pub(super) fn reset(&mut self) {
        self.deals.clear();
    }

    /// Tests if there are failures, so that the bot might fail for good.
    pub(super) fn is_any(&self) -> bool {
        !self.deals.is_empty()
    }

    /// Tests if the bot has failed for good.
    pub(super) fn is_final(&self) -> bool {
        self.deals.len() >= MAX_DEALS
    }
}

#[cfg(test)]
mod tests {
    use super::Failures;

    /// Returns whether the bot has failed for good after failures in these deals; `None` is an answer.
    fn is_final(events: &[Option<u64>]) -> bool {
        let mut failures = Failures::default();
        for event in events {
            match event {
                Some(deal) => failures.add(*deal),
                None => failures.reset(),
            }
        }
        failures.is_final()
    }

    #[test]
    fn both_legs_of_a_deal_count_once() {
        assert!(!is_final(&[]));
        assert!(!is_final(&[Some(7), Some(7), Some(8), Some(8)]));
        // In any order, as results arrive when many legs are in flight.
        assert!(!is_final(&[Some(7), Some(8), Some(7), Some(8)]));
        assert!(is_final(&[Some(7), Some(8), Some(9)]));
        assert!(is_final(&[Some(7), Some(7), Some(8), Some(8), Some(9)]));
        assert!(!is_final(&[Some(7), Some(8), None, Some(9), Some(7)]));
    }
}
