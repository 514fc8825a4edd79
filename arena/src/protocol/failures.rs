//! When a bot that fails again and again fails for good.

/// A bot that fails in so many deals in a row answers nothing.
const MOST_DEALS: usize = 3;

/// The deals in which a bot has failed since its last answer.
///
/// Deals are counted and not questions: both legs of a deal share its cards and the seeds of questions, so that a bot that
/// fails at a question of one leg fails at that of the other, and says nothing new by it.
#[derive(Debug, Clone, Default)]
pub(super) struct Failures {
    deals: Vec<u64>,
}

impl Failures {
    /// Counts a failure in a deal.
    pub(super) fn add(&mut self, deal: u64) {
        if !self.are_final() && !self.deals.contains(&deal) {
            self.deals.push(deal);
        }
    }

    /// Begins anew: the bot has answered.
    pub(super) fn forget(&mut self) {
        self.deals.clear();
    }

    /// Tests if there is one, so that the bot may turn out to fail for good.
    pub(super) fn is_any(&self) -> bool {
        !self.deals.is_empty()
    }

    /// Tests if the bot fails for good.
    pub(super) fn are_final(&self) -> bool {
        self.deals.len() >= MOST_DEALS
    }
}

#[cfg(test)]
mod tests {
    use super::Failures;

    /// Whether it fails for good, after failures in these deals; `None`: an answer.
    fn is_final(events: &[Option<u64>]) -> bool {
        let mut failures = Failures::default();
        for event in events {
            match event {
                Some(deal) => failures.add(*deal),
                None => failures.forget(),
            }
        }
        failures.are_final()
    }

    #[test]
    fn both_legs_of_a_deal_count_once() {
        assert!(!is_final(&[]));
        assert!(!is_final(&[Some(7), Some(7), Some(8), Some(8)]));
        // In any order, as they come when many legs are in flight.
        assert!(!is_final(&[Some(7), Some(8), Some(7), Some(8)]));
        assert!(is_final(&[Some(7), Some(8), Some(9)]));
        assert!(is_final(&[Some(7), Some(7), Some(8), Some(8), Some(9)]));
        assert!(!is_final(&[Some(7), Some(8), None, Some(9), Some(7)]));
    }
}
