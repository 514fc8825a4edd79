//! Cross-play: every partnership of some bots against the same pair.

use coinche_bots::{BotSpec, Registry, TeamSpec};
use coinche_selfplay::Result;

use super::error::ConfigError;

/// The most bots for cross-play: they have 49 partnerships, each played in two legs.
pub(super) const MOST_BOTS: usize = 7;

/// The bots whose partnerships are compared, and their opponents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crossplay {
    /// The bots.
    pub bots: Vec<BotSpec>,
    /// The bot that sits at both seats of the other team.
    pub against: BotSpec,
}

impl Crossplay {
    /// Reads the bots and their opponent, by default the first of them.
    pub(super) fn new(bots: &[String], against: Option<&str>, registry: &Registry) -> Result<Self> {
        if bots.len() > MOST_BOTS || bots.len() < 2 {
            return Err(ConfigError::CrossplayBots(bots.len()).into());
        }
        let bots: Vec<BotSpec> = bots.iter().map(|bot| registry.parse(bot)).collect::<Result<_, _>>()?;
        let against = against.map_or_else(|| Ok(bots[0].clone()), |text| registry.parse(text))?;
        Ok(Self { bots, against })
    }

    /// Returns the teams that play: first the pair that all others play against, then the partnerships, ordered by the
    /// first partner, then the second. The partnership equal to this pair is left out: its difference against itself is
    /// 0.
    pub fn teams(&self) -> Vec<TeamSpec> {
        let against = TeamSpec::from(self.against.clone());
        let partnerships =
            self.partnerships().map(|[first, second]| TeamSpec::new(&self.bots[first], &self.bots[second]));
        core::iter::once(against.clone()).chain(partnerships.filter(|team| *team != against)).collect()
    }

    /// Returns the index of the encounter of a partnership; `None` for the opponents' own pair.
    pub fn encounter(&self, first: usize, second: usize) -> Option<usize> {
        let is_played = |[first, second]: &[usize; 2]| {
            [*first, *second].iter().any(|bot| self.bots[*bot] != self.against)
        };
        is_played(&[first, second]).then(|| {
            self.partnerships().take_while(|pair| *pair != [first, second]).filter(is_played).count()
        })
    }

    /// Iterates over the bot indices of all partnerships.
    fn partnerships(&self) -> impl Iterator<Item = [usize; 2]> {
        let bots = self.bots.len();
        (0..bots).flat_map(move |first| (0..bots).map(move |second| [first, second]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_partnership_but_the_pair_itself_is_an_encounter() {
        let bots = ["rules", "random", "rules:caution=5"].map(str::to_owned);
        let crossplay = Crossplay::new(&bots, None, &Registry::builtin()).unwrap();
        let teams = crossplay.teams();
        let names: Vec<_> = teams.iter().map(TeamSpec::as_str).collect();
        assert_eq!(names[..4], ["rules", "rules&random", "rules&rules:caution=5", "random&rules"]);
        assert_eq!(names.len(), 9);
        assert_eq!(crossplay.encounter(0, 0), None);
        let numbers: Vec<_> =
            crossplay.partnerships().filter_map(|[a, b]| crossplay.encounter(a, b)).collect();
        assert_eq!(numbers, (0..8).collect::<Vec<_>>());
        assert_eq!(names[1 + crossplay.encounter(1, 2).unwrap()], "random&rules:caution=5");

        let other = Crossplay::new(&bots, Some("random:pass=0.5"), &Registry::builtin()).unwrap();
        assert_eq!(other.teams().len(), 10);
        assert_eq!(other.encounter(0, 0), Some(0));
    }

    #[test]
    fn the_number_of_bots_is_checked() {
        for (bots, against) in [(vec!["rules"; 8], None), (vec!["rules"], Some("random"))] {
            let bots: Vec<_> = bots.into_iter().map(str::to_owned).collect();
            assert!(
                Crossplay::new(&bots, against, &Registry::builtin())
                    .unwrap_err()
                    .to_string()
                    .contains("two to 7")
            );
        }
        let bots = ["rules".to_owned(), "rules&random".to_owned()];
        assert!(Crossplay::new(&bots, None, &Registry::builtin()).is_err());
    }
}
