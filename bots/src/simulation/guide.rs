//! Who says what calls are worth a thought, how likely the others make theirs, and what is forecast.

use coinche_engine::{Call, LegalCalls, RuleSet};

use crate::net::bidding::NetModel;
use crate::table::{
    BiddingContext, BiddingTable, CallForecast, Company, ConsideredCall, Model, best_of, likelihood_of,
};

/// What calls gain, by the table or by the network.
#[derive(Debug, Clone)]
pub enum Guide {
    Table(Box<Model>),
    Net(Box<NetModel>),
}

impl Guide {
    pub(crate) fn table(model: &Model) -> Self {
        Self::Table(Box::new(model.clone()))
    }

    /// How far what it says of gains is usually off, in points.
    pub(super) const fn deviation(&self) -> f64 {
        match self {
            Self::Table(_) => 40.0,
            Self::Net(_) => 25.0,
        }
    }

    /// Returns what turns solved points into played ones.
    pub(crate) fn bidding_table(&self) -> &BiddingTable {
        match self {
            Self::Table(model) => model.table(),
            Self::Net(model) => model.table().table(),
        }
    }

    /// Tests if the network says what is forecast under these rules.
    pub(crate) fn is_net(&self, rules: &RuleSet) -> bool {
        matches!(self, Self::Net(model) if model.is_network(rules))
    }

    /// Considers the calls that are legal.
    pub(super) fn consider(&mut self, bidding: &BiddingContext<'_>, legal: &LegalCalls) -> &[ConsideredCall] {
        match self {
            Self::Table(model) => model.consider(bidding, legal),
            Self::Net(model) => model.consider(bidding, legal),
        }
    }

    /// Returns the call that gains most.
    pub(super) fn best(&mut self, bidding: &BiddingContext<'_>, legal: &LegalCalls) -> Call {
        best_of(self.consider(bidding, legal), bidding.hand)
    }

    /// Returns how likely a call is.
    pub(super) fn likelihood(
        &mut self,
        bidding: &BiddingContext<'_>,
        legal: &LegalCalls,
        call: Call,
        softness: f32,
    ) -> f32 {
        likelihood_of(self.consider(bidding, legal), legal, call, softness)
    }

    /// Returns the call that gains most, and the calls that were considered, with what is forecast of them.
    pub(super) fn forecasts(
        &mut self,
        bidding: &BiddingContext<'_>,
        legal: &LegalCalls,
    ) -> (Call, Vec<(ConsideredCall, CallForecast)>) {
        let (best, told, considered) = match self {
            Self::Table(model) => {
                let best = model.best(bidding, legal);
                let told: Vec<_> = model.forecasts(bidding.rules, best, Company::Table).collect();
                (best, told, model.considered())
            }
            Self::Net(model) => {
                let (best, told) = model.forecasts(bidding, legal);
                (best, told, model.considered())
            }
        };
        (best, considered.iter().copied().zip(told).collect())
    }
}
