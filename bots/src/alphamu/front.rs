//! Outcomes over worlds.

/// What a side can reach at a position, world by world, none of it nowhere better than the rest: a Pareto front.
///
/// A vector has an outcome for each world of the position, in their order.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Front(Vec<Vec<f32>>);

impl Front {
    /// A front of one vector.
    pub(super) fn of(vector: Vec<f32>) -> Self {
        Self(vec![vector])
    }

    /// Nothing yet, to which what can be chosen is added.
    pub(super) const fn nothing() -> Self {
        Self(Vec::new())
    }

    /// Adds what another choice of the player leads to, who does not know the world.
    pub(super) fn or(&mut self, other: Self) {
        for vector in other.0 {
            self.add(vector);
        }
    }

    /// Joins what another card of somebody who knows the world leads to, in the worlds of these numbers: in each
    /// of them the better or the worse of what is there and the new. Worlds not met so far are `NAN`.
    pub(super) fn join(&mut self, members: &[usize], other: &Self, better: bool) {
        let before = core::mem::take(&mut self.0);
        for vector in &before {
            for new in &other.0 {
                let mut joined = vector.clone();
                for (world, outcome) in members.iter().zip(new) {
                    let place = &mut joined[*world];
                    // A comparison with what is not there yet leaves the new.
                    *place = if better { outcome.max(*place) } else { outcome.min(*place) };
                }
                self.add(joined);
            }
        }
    }

    /// Keeps so many vectors at most: those of the best means.
    pub(super) fn limit(&mut self, most: usize, weight: impl Fn(usize) -> f64) {
        if self.0.len() > most {
            self.0.sort_by(|a, b| total(b, &weight).total_cmp(&total(a, &weight)));
            self.0.truncate(most);
        }
    }

    /// Returns the best sum over the worlds.
    pub(super) fn best(&self, weight: impl Fn(usize) -> f64) -> f64 {
        self.0.iter().map(|vector| total(vector, &weight)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Adds a vector unless another is nowhere worse; takes out those that are nowhere better.
    fn add(&mut self, vector: Vec<f32>) {
        let covers = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| a >= b || b.is_nan());
        if self.0.iter().any(|other| covers(other, &vector)) {
            return;
        }
        self.0.retain(|other| !covers(&vector, other));
        self.0.push(vector);
    }
}

fn total(vector: &[f32], weight: impl Fn(usize) -> f64) -> f64 {
    vector.iter().enumerate().map(|(world, outcome)| f64::from(*outcome) * weight(world)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn front(vectors: &[&[f32]]) -> Front {
        let mut front = Front::nothing();
        for vector in vectors {
            front.or(Front::of(vector.to_vec()));
        }
        front
    }

    #[test]
    fn what_is_nowhere_better_goes() {
        let kept = front(&[&[1.0, 0.0], &[0.0, 0.0], &[0.0, 1.0], &[1.0, 0.0]]);
        assert_eq!(kept, Front(vec![vec![1.0, 0.0], vec![0.0, 1.0]]));
        assert_eq!(front(&[&[1.0, 0.0], &[0.0, 1.0], &[1.0, 1.0]]), Front(vec![vec![1.0, 1.0]]));
        assert!((kept.best(|world| [1.0, 3.0][world]) - 3.0).abs() < 1e-9);
    }

    #[test]
    fn who_knows_the_world_chooses_in_each() {
        // Two cards, of which the second is legal in the last two worlds only.
        let mut worse = Front::of(vec![f32::NAN; 3]);
        worse.join(&[0, 1, 2], &front(&[&[1.0, 0.0, 1.0], &[0.0, 1.0, 1.0]]), false);
        worse.join(&[1, 2], &front(&[&[1.0, 0.0], &[0.0, 1.0]]), false);
        assert_eq!(worse, Front(vec![vec![1.0, 0.0, 1.0], vec![0.0, 1.0, 0.0]]));
    }
}
