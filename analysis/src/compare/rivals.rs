//! Which results are compared: those of two bots against the same opponent.

use super::error::CompareError;

/// The maximum number of comparisons of a command.
const MOST: usize = 1000;

/// The result of a bot against another in a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    /// The number of the run, counted from 0.
    pub(super) run: usize,
    /// The number of the pairing in the run.
    pub(super) pairing: usize,
    /// The bot whose points count, and its opponent.
    pub(super) bots: [String; 2],
    /// Whether the bot was side B.
    pub(super) is_turned: bool,
}

impl Outcome {
    /// Returns the result from the opponent's side.
    fn turned(&self) -> Self {
        let [bot, opponent] = self.bots.clone();
        Self { bots: [opponent, bot], is_turned: !self.is_turned, ..*self }
    }

    /// Names both bots.
    pub(super) fn name(&self) -> String {
        format!("{} against {}", self.bots[0], self.bots[1])
    }
}

/// Two results against the same opponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rivals {
    pub(super) first: Outcome,
    pub(super) second: Outcome,
}

impl Rivals {
    /// Finds the comparable results of runs.
    ///
    /// * With an opponent: every two results against it.
    /// * For runs in which the same two bots met: these results.
    /// * Otherwise: every two results of different runs with a bot in common.
    pub(super) fn find(runs: &[Vec<Outcome>], against: Option<&str>) -> Result<Vec<Self>, CompareError> {
        let all: Vec<Outcome> = runs.iter().flatten().cloned().collect();
        let names = || all.iter().map(Outcome::name).collect::<Vec<_>>();
        let found = match against {
            Some(bot) => Self::against(&all, bot),
            None if runs.len() < 2 => return Err(CompareError::OneRun),
            None => {
                let fitting = |fits: fn(&Outcome, &Outcome) -> bool| {
                    Self::every_two(&all, |first, second| Self::of_runs(first, second, fits))
                };
                let same = fitting(|first, second| first.bots == second.bots);
                if same.is_empty() { fitting(|first, second| first.bots[1] == second.bots[1]) } else { same }
            }
        };
        match (found.len(), against) {
            (0, Some(bot)) => Err(CompareError::NotAgainst { bot: bot.to_owned(), results: names() }),
            (0, None) => Err(CompareError::NothingInCommon(names())),
            (MOST.., _) => Err(CompareError::TooMany { comparisons: found.len(), most: MOST }),
            _ => Ok(found),
        }
    }

    /// Returns every two results against an opponent.
    fn against(all: &[Outcome], opponent: &str) -> Vec<Self> {
        let of = |result: &Outcome| match result.bots.each_ref().map(|bot| bot == opponent) {
            [_, true] => Some(result.clone()),
            [true, false] => Some(result.turned()),
            [false, false] => None,
        };
        let found: Vec<Outcome> = all.iter().filter_map(of).collect();
        Self::every_two(&found, |first, second| Some(Self { first: first.clone(), second: second.clone() }))
    }

    fn every_two(all: &[Outcome], rivals: impl Fn(&Outcome, &Outcome) -> Option<Self>) -> Vec<Self> {
        let firsts = all.iter().enumerate();
        let pairs = firsts.flat_map(|(n, first)| all[n + 1..].iter().map(move |second| (first, second)));
        pairs.filter_map(|(first, second)| rivals(first, second)).collect()
    }

    /// Compares two results of different runs that fit, seen from either side.
    fn of_runs(first: &Outcome, second: &Outcome, fits: impl Fn(&Outcome, &Outcome) -> bool) -> Option<Self> {
        if first.run == second.run {
            return None;
        }
        let either = |result: &Outcome| [result.clone(), result.turned()];
        either(first).into_iter().find_map(|first| {
            let second = either(second).into_iter().find(|second| fits(&first, second));
            second.map(|second| Self { first: first.clone(), second })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(run: usize, pairing: usize, bots: &str) -> Outcome {
        let (a, b) = bots.split_once(' ').unwrap();
        Outcome { run, pairing, bots: [a.to_owned(), b.to_owned()], is_turned: false }
    }

    fn found(runs: &[&[&str]], against: Option<&str>) -> String {
        let of_run = |(run, pairings): (usize, &&[&str])| {
            pairings.iter().enumerate().map(|(n, bots)| result(run, n, bots)).collect()
        };
        let runs: Vec<Vec<Outcome>> = runs.iter().enumerate().map(of_run).collect();
        let shown = |result: &Outcome| {
            let [bot, opponent] = &result.bots;
            let turned = if result.is_turned { "-" } else { "" };
            format!("{}{bot}{opponent}{turned}", result.run)
        };
        match Rivals::find(&runs, against) {
            Ok(found) => {
                let each = found.iter().map(|it| format!("{}/{}", shown(&it.first), shown(&it.second)));
                each.collect::<Vec<_>>().join(" ")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn results_are_turned_to_the_common_opponent() {
        assert_eq!(found(&[&["a r"], &["b r"]], None), "0ar/1br");
        assert_eq!(found(&[&["a r"], &["r b"]], None), "0ar/1br-");
        assert_eq!(found(&[&["r a"], &["r b"]], None), "0ar-/1br-");
        assert_eq!(found(&[&["r a"], &["b r"]], None), "0ar-/1br");
        // The same bots, also the other way round.
        assert_eq!(found(&[&["a b"], &["b a"]], None), "0ab/1ab-");
        assert_eq!(found(&[&["r a", "r b"], &["r a", "r c"]], None), "0ra/1ra");
        assert_eq!(found(&[&["a r"], &["b r"], &["c r"]], None), "0ar/1br 0ar/2cr 1br/2cr");
    }

    #[test]
    fn an_opponent_can_be_named() {
        assert_eq!(found(&[&["r a", "r b"]], Some("r")), "0ar-/0br-");
        assert_eq!(found(&[&["a b", "a c", "b c"]], Some("c")), "0ac/0bc");
        assert!(
            found(&[&["a b", "a c"]], Some("d"))
                .contains("against `d`: the results are a against b; a against c")
        );
        assert!(found(&[&["a b", "a c"]], None).contains("--against BOT"));
        assert!(
            found(&[&["a b"], &["c d"]], None)
                .contains("no two results have a bot in common: a against b; c against d")
        );
    }
}
