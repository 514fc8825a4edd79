//! The equilibria of a symmetric zero-sum game by the simplex method.
//!
//! With `M = A + 2` for an antisymmetric `A` of entries in −1 to 1, the largest `Σ y` with `M y ≤ 1`,
//! `y ≥ 0` is ½, and the `2 y` that reach it are the symmetric equilibria (von Neumann; Dantzig 1951). The
//! games are small: a dense tableau and Bland's rule, which cannot cycle.

/// What is taken as 0 among numbers of the size of 1.
pub(super) const ZERO: f64 = 1e-9;
/// A bound on the pivots of one objective, far above what games of some hundred bots take.
const MOST_PIVOTS: usize = 100_000;

struct Tableau {
    /// By row: the variables, the slacks, then the right-hand side.
    rows: Vec<Vec<f64>>,
    /// By row: the variable in the basis.
    basis: Vec<usize>,
    /// Whether a variable may enter.
    open: Vec<bool>,
}

impl Tableau {
    fn new(matrix: &[Vec<f64>]) -> Self {
        let n = matrix.len();
        let row = |index: usize, row: &Vec<f64>| {
            let slacks = (0..n).map(|slack| if slack == index { 1.0 } else { 0.0 });
            row.iter().map(|value| value + 2.0).chain(slacks).chain([1.0]).collect()
        };
        Self {
            rows: matrix.iter().enumerate().map(|(index, values)| row(index, values)).collect(),
            basis: (n..2 * n).collect(),
            open: vec![true; 2 * n],
        }
    }

    /// What a unit of each variable would add to the objective.
    fn gains(&self, objective: &[f64]) -> Vec<f64> {
        let gain = |column: usize| {
            let spent = self.rows.iter().zip(&self.basis).map(|(row, basic)| objective[*basic] * row[column]);
            objective[column] - spent.sum::<f64>()
        };
        (0..objective.len()).map(gain).collect()
    }

    /// Maximises an objective over the open variables and returns the gains at the end, none above zero.
    fn maximise(&mut self, objective: &[f64]) -> Vec<f64> {
        for _ in 0..MOST_PIVOTS {
            let gains = self.gains(objective);
            let enters = (0..gains.len()).find(|column| self.open[*column] && gains[*column] > ZERO);
            let Some(column) = enters else { return gains };
            let Some(row) = self.leaving(column) else { return gains };
            self.pivot(row, column);
        }
        self.gains(objective)
    }

    /// The row that limits a variable first, of equal ones the one with the lowest variable.
    fn leaving(&self, column: usize) -> Option<usize> {
        let limit = |row: usize| self.rows[row].last().map_or(0.0, |right| right / self.rows[row][column]);
        let rows = (0..self.rows.len()).filter(|row| self.rows[*row][column] > ZERO);
        rows.reduce(|best, row| {
            let difference = limit(row) - limit(best);
            let ties = difference.abs() <= ZERO * ZERO && self.basis[row] < self.basis[best];
            if difference < -ZERO * ZERO || ties { row } else { best }
        })
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let scale = self.rows[row][column];
        self.rows[row].iter_mut().for_each(|value| *value /= scale);
        let pivot = self.rows[row].clone();
        for (index, other) in self.rows.iter_mut().enumerate() {
            let factor = other[column];
            if index != row && factor != 0.0 {
                other.iter_mut().zip(&pivot).for_each(|(value, pivot)| *value -= factor * pivot);
            }
        }
        self.basis[row] = column;
    }

    fn solution(&self) -> Vec<f64> {
        let mut solution = vec![0.0; self.open.len()];
        for (row, basic) in self.rows.iter().zip(&self.basis) {
            solution[*basic] = row.last().copied().unwrap_or_default().max(0.0);
        }
        solution
    }
}

/// Returns an equilibrium in the relative interior of all: a bot has weight 0 in it only if it has in
/// every one, and a bot's gain against it is 0 only if it is against every one (up to rounding).
///
/// Each weight and each loss in turn is made as large as it can be among the equilibria; their mean is
/// inside (Goldman & Tucker 1956). The matrix is antisymmetric with entries from −1 to 1.
pub(super) fn inner_equilibrium(matrix: &[Vec<f64>]) -> Vec<f64> {
    let n = matrix.len();
    let mut tableau = Tableau::new(matrix);
    let sum: Vec<f64> = (0..2 * n).map(|column| if column < n { 1.0 } else { 0.0 }).collect();
    let gains = tableau.maximise(&sum);
    // What would lower the sum stays at 0: this leaves the equilibria.
    tableau.open = gains.iter().map(|gain| *gain > -ZERO).collect();
    let mut total = tableau.solution();
    for column in 0..2 * n {
        if tableau.open[column] && total[column] <= ZERO {
            let mut one = vec![0.0; 2 * n];
            one[column] = 1.0;
            tableau.maximise(&one);
            total.iter_mut().zip(tableau.solution()).for_each(|(total, value)| *total += value);
        }
    }
    total.truncate(n);
    let whole: f64 = total.iter().sum();
    total.iter().map(|value| if *value > ZERO { value / whole } else { 0.0 }).collect()
}
