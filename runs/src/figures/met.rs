//! Who met whom in a run, of two bots and of more.

use coinche_inference::Estimate;

use super::{Figures, RunJson};

/// Two bots that met, and how it ended.
#[derive(Debug, Clone, Copy)]
pub struct Met<'a> {
    /// The numbers of both bots.
    pub ends: [usize; 2],
    /// Points per deal.
    pub points: Option<Estimate>,
    /// The points with what a control explains taken out.
    adjusted: Option<Estimate>,
    /// Matches won, where matches were played.
    pub wins: Option<Estimate>,
    /// All figures.
    pub figures: &'a Figures,
}

impl<'a> Met<'a> {
    fn new(ends: [usize; 2], figures: &'a Figures) -> Self {
        Self { ends, points: figures.points, adjusted: None, wins: figures.wins, figures }
    }

    /// Returns the difference as it is reported: adjusted where there is a control.
    pub fn reported(&self) -> Option<Estimate> {
        self.adjusted.or(self.points)
    }
}

/// Returns the difference of two bots that met and half the width of its interval, from the first one's side.
pub fn between(met: &[Met<'_>], bot: usize, other: usize) -> Option<(f64, Option<f64>)> {
    met.iter().find_map(|met| {
        let points = met.points?;
        match met.ends {
            [a, b] if [a, b] == [bot, other] => Some((points.mean, points.half_width)),
            [a, b] if [b, a] == [bot, other] => Some((-points.mean, points.half_width)),
            _ => None,
        }
    })
}

impl RunJson {
    /// Tests if a control played the same deals, in tables and records behind the pairings.
    pub fn has_control(&self) -> bool {
        self.control.is_some() || self.pairings.iter().any(|pairing| pairing.control.is_some())
    }

    /// Returns who met whom, in the order of the pairings' numbers.
    pub fn met(&self) -> Vec<Met<'_>> {
        match &self.figures {
            Some(figures) => {
                let met = Met::new([0, 1], figures);
                let adjusted = self.control.as_ref().zip(met.points).map(|(control, plain)| Estimate {
                    mean: control.adjusted,
                    half_width: Some(control.half_width),
                    interval: Some(control.interval),
                    ..plain
                });
                vec![Met { adjusted, ..met }]
            }
            None => self
                .pairings
                .iter()
                .map(|pairing| Met::new([pairing.a, pairing.b], &pairing.figures))
                .collect(),
        }
    }

    /// Tests if whole matches were played.
    pub fn of_matches(&self) -> bool {
        self.unit == "match"
    }

    /// Returns the name of a bot, with its number where another has the same.
    pub fn name(&self, bot: usize) -> String {
        let name = &self.bots[bot];
        let twice = self.bots.iter().filter(|other| *other == name).count() > 1;
        if twice { format!("{name} #{}", bot + 1) } else { name.clone() }
    }

    /// Returns the bots in order of their joint rating, the best first; in their own order where there is none.
    pub fn by_strength(&self) -> Vec<usize> {
        let mut order: Vec<_> = (0..self.bots.len()).collect();
        if let Some(joint) = &self.joint {
            order.sort_by(|a, b| joint.bots[*b].rating.total_cmp(&joint.bots[*a].rating));
        }
        order
    }

    /// Names a pairing.
    pub fn versus(&self, ends: [usize; 2]) -> String {
        let [a, b] = ends.map(|bot| self.name(bot));
        format!("{a} − {b}")
    }
}
