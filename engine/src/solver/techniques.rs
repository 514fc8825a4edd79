//! What the search is made of, each part to be left out by itself.

/// The parts of the search that save time and change no value.
///
/// All are on in [`Solver::new`](super::Solver::new), whose code is compiled without a question about them; a solver
/// with some of them off is for measuring what each is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Techniques {
    /// Moves are tried in the order of their scores; else from the lowest card up.
    pub ordering: bool,
    /// The lead that last caused a cutoff is tried early.
    pub killer: bool,
    /// Moves after the first are tried with a window of zero width first.
    pub scout: bool,
    /// The table is asked and filled.
    pub table: bool,
    /// Entries of the same shape with other cards bound the value as well.
    pub shapes: bool,
    /// Of neighbours in a hand the better one is enough once it is settled who takes the trick.
    pub settled: bool,
    /// A card is left out when a neighbour failed by more than their points differ.
    pub neighbours: bool,
    /// Without a trump suit the leader's highest cards are counted as taken.
    pub sure_tricks: bool,
    /// The last two tricks are played in all sixteen lines at once.
    pub endings: bool,
}

impl Techniques {
    /// All of them.
    pub const ALL: Self = Self {
        ordering: true,
        killer: true,
        scout: true,
        table: true,
        shapes: true,
        settled: true,
        neighbours: true,
        sure_tricks: true,
        endings: true,
    };
}
