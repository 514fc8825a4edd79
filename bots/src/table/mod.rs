//! `table`: bids by a small table of what hands make.
//!
//! A decision takes four steps, a file each: what the own hand is worth in a strain (`holding`), what the
//! auction has told (`told`), how the points of the side are distributed then (`points`), and what a
//! contract scores under the rules (`payoff`). What a call gains over a pass is a weighted sum of these
//! (`advantage`), fitted to the scores of completed auctions. The numbers are in a [`Table`], which
//! `arena fit` makes; docs/bidders.md tells how.

mod advantage;
mod bidder;
mod evidence;
mod file;
mod hearing;
mod holding;
mod likelihood;
mod melds;
mod model;
mod payoff;
mod points;
mod solved;
mod told;
mod turn;

pub use advantage::{CONTEXTS, Context, TERMS, Terms};
pub use bidder::TableBidder;
pub(crate) use bidder::model as model_of;
pub use evidence::Evidence;
pub use file::{SLAM_SPREADS, SPREADS, Table, TableError};
pub use hearing::Hearing;
pub use holding::{EVALUATIONS, Holdings, Role, is_trump_suit, kind, suit_byte};
pub use melds::{MELD_CLASSES, meld_class};
pub use model::{Considered, Model};
pub use points::{BINS, BINS_FROM, BINS_STEP, CHANCES, GRID, GRID_FROM, GRID_STEP, Points, Spread};
pub use solved::SolvedFit;
pub use told::{TOLD, Told};
