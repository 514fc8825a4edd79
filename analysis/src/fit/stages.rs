//! The stages of a fit: each collects rows of its deals, with the table so far, and fits them.

use std::borrow::Cow;

use coinche_bots::table::{BiddingTable, Company, Model, dd_rows};
use coinche_bots::{Bidder, DdBidder, RulesBidder, TableBidder};
use coinche_selfplay::Solvers;

use super::forecasts::{self, ForecastRow};
use super::sample::{Bidders, Played};
use super::solved::Pairs;
use super::{PART, collect_by, fit_gains, fit_points};

/// One in this many deals is solved.
const SOLVED: u64 = 12;

/// One in this many deals is bid by `dd`, and the number of worlds it searches. Each preset then has at least
/// 900 contracts: the standard error of the share made is at most 1.6 points.
const BY_DD: (u64, usize) = (10, 8);

/// A stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// How played points follow from solved ones, on the first deals.
    Solved,
    /// What seats knew in the auctions of a round, and the points made.
    Points(u64),
    /// What calls gain in the auctions of a round.
    Gains(u64),
    /// The outcomes of the calls of four bidders.
    Forecasts(Company),
    /// The outcomes of the calls of four `dd` bidders, on the first deals.
    Dd,
}

impl Stage {
    /// Returns all stages of a fit with this many rounds.
    pub(super) fn all(rounds: u64) -> Vec<Self> {
        let rounds = (0..rounds).flat_map(|round| [Self::Points(round), Self::Gains(round)]);
        let last = Company::ALL.map(Self::Forecasts).into_iter().chain([Self::Dd]);
        core::iter::once(Self::Solved).chain(rounds).chain(last).collect()
    }

    /// Returns how many of the deals the stage uses, from the first.
    pub(super) const fn deals(self, all: u64) -> u64 {
        match self {
            Self::Solved => all / SOLVED,
            Self::Dd => all / BY_DD.0,
            _ => all,
        }
    }

    /// Collects the rows of the deals of the stage, with the table so far, and fits the table to them.
    pub(super) fn fit(self, played: &[Played], table: &mut BiddingTable, solvers: &Solvers) {
        let model = Model::new(Cow::Owned(table.clone()));
        let seat = || (Bidders::new(&model), model.clone());
        let part = |round| if round == 0 { 1.0 } else { PART };
        match self {
            Self::Solved => {
                let pairs = solvers.map(played.iter().collect(), |solver, deal| deal.solved(solver));
                let mut fits = [(); 3].map(|()| Pairs::default());
                pairs.into_iter().flatten().for_each(|(kind, pair)| fits[kind].add(pair));
                for (solved, pairs) in table.solved.iter_mut().zip(&fits) {
                    *solved = pairs.fit();
                }
            }
            Self::Points(round) => {
                let rows = collect_by(played, solvers, seat, |deal, (bidders, model), rows| {
                    deal.points_rows(bidders, model, round, rows);
                });
                fit_points(table, &rows, part(round), solvers);
            }
            Self::Gains(round) => {
                let rows = collect_by(played, solvers, seat, |deal, (bidders, model), rows| {
                    deal.gain_rows(bidders, model, round, rows);
                });
                // The bidders are those of the round; calls are judged by what was just learnt.
                fit_gains(table, &rows, part(round));
            }
            Self::Forecasts(company) => {
                let bidder = || -> Box<dyn Bidder> {
                    match company {
                        Company::Rules => Box::new(RulesBidder::default()),
                        Company::Table => Box::new(TableBidder::new(model.clone())),
                    }
                };
                let seat = || (bidder(), model.clone());
                let rows = collect_by(played, solvers, seat, |deal, (bidder, model), rows| {
                    let calls = deal.calls(&mut **bidder, model).into_iter();
                    rows.extend(calls.map(|row| ForecastRow::new(&row, &deal.rules)));
                });
                forecasts::fit(table, &rows, company);
            }
            Self::Dd => {
                let seat = || (DdBidder::new(&model, BY_DD.1), model.clone());
                let rows = collect_by(played, solvers, seat, |deal, (bidder, model), rows| {
                    for row in deal.calls(bidder, model) {
                        let Some((_, made)) = row.contract else { continue };
                        let odds = model.odds(&row.option, &deal.rules, Company::Table);
                        let corrections = dd_rows(&deal.rules, row.option.context.is_bid());
                        rows.extend(corrections.map(|at| (at, odds, made)));
                    }
                });
                forecasts::fit_dd(table, &rows);
            }
        }
    }
}
