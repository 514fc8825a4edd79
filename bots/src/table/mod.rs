//! `table`: bids by a small table of what hands make.
//!
//! A decision takes four steps, a file each: what the own hand is worth in a strain (`holding`), what the
//! auction has shown (`auction`), how the points of the side are distributed then (`points`), and what a
//! contract scores under the rules (`payoff`). What a call gains over a pass is a weighted sum of these
//! (`advantage`), fitted to the scores of completed auctions; what is told of a call is fitted apart (`forecast`). The numbers are in a [`BiddingTable`], which
//! `arena fit` makes; docs/bidders.md describes the method.

mod advantage;
mod auction;
mod bidder;
mod context;
mod file;
mod forecast;
mod holding;
mod input;
mod likelihood;
mod melds;
mod model;
mod payoff;
mod points;
mod solved;
mod turn;

pub use crate::families::FAMILIES;
pub use advantage::{CONTEXTS, CallContext, TERMS, Terms};
pub(crate) use auction::AuctionSummary;
pub use auction::{AUCTION_FEATURES, AuctionFeatures};
pub(crate) use bidder::model as model_of;
pub use bidder::{BidderModel, ModelBidder, TableBidder};
pub use context::BiddingContext;
pub use file::{BiddingTable, SLAM_SPREADS, SPREADS, TableError};
pub(crate) use forecast::tell;
pub use forecast::{CallForecast, Company, DD_ROWS, dd_rows, logistic};
pub use holding::{EVALUATIONS, Holdings, Role, is_trump_suit, kind, suit_byte};
pub use input::PointsInput;
pub(crate) use likelihood::likelihood_of;
pub use melds::{MELD_CLASSES, meld_class};
pub use model::{ConsideredCall, Model};
pub(crate) use model::{best_of, tie};
pub(crate) use payoff::net_of_cards;
pub use points::{BINS, BINS_FROM, BINS_STEP, CHANCES, GRID, GRID_FROM, GRID_STEP, Points, Spread};
pub use solved::SolvedFit;
