//! Deals that fit what a seat knows, the likelier the calls of the others are in them the more often.

use coinche_engine::{DealState, View};
use rand_xoshiro::rand_core::Rng;

use super::policy::Policy;
use crate::worlds::{Worlds, retell};
use crate::{Choice, ParamError, ParamInfo, Params};

/// How soft the calls of the others are, in points.
const SOFTNESS: f32 = 30.0;

/// How many deals are drawn for one that is looked at, where nothing else is said.
const POOL: usize = 12;

/// The parameter that says what is evidence.
pub(crate) const READ_PARAM: ParamInfo = ParamInfo {
    name: "read",
    default: "calls",
    legal: "none or calls",
    about: "evidence about the hidden cards: none, or the calls as `table` makes them",
};

/// The parameter that says how many deals are drawn for one.
pub(crate) const POOL_PARAM: ParamInfo = ParamInfo {
    name: "pool",
    default: "12",
    legal: "1 to 1000",
    about: "worlds sampled for each one searched; likely ones are taken more often",
};

/// Draws worlds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sampler {
    /// How many deals are drawn for one that is looked at.
    pool: usize,
}

impl Default for Sampler {
    fn default() -> Self {
        Self { pool: POOL }
    }
}

impl Sampler {
    /// Reads the parameters.
    ///
    /// # Errors
    ///
    /// When one of them is not legal.
    pub(crate) fn from_params(params: &Params) -> Result<Self, ParamError> {
        let pool = params.number("pool", 1..=1000)?;
        Ok(Self { pool: if params.either("read", ["calls", "none"])? { pool } else { 1 } })
    }

    /// Draws a few deals that fit, and returns the state of one of them: the likelier the calls of the others are in it, the
    /// more often.
    pub(super) fn draw(
        self,
        view: &View<'_>,
        worlds: &Worlds<'_>,
        policy: &mut Policy,
        rng: &mut impl Rng,
    ) -> Option<DealState> {
        let mut chosen = None;
        let mut sum = 0.0;
        let own = view.seat();
        let silent = view.auction().calls().iter().all(|(seat, _)| *seat == own);
        for _ in 0..if silent { 1 } else { self.pool } {
            let deal = worlds.deal(rng);
            let mut weight = 1.0;
            let state = retell(view, &deal, |state, seat, decision| {
                if let (true, Choice::Call(call)) = (seat != own, decision) {
                    weight *= f64::from(policy.likelihood(state, seat, call, SOFTNESS));
                }
            });
            let Some(state) = state else { continue };
            sum += weight;
            #[expect(clippy::cast_precision_loss, reason = "a number of 53 bits")]
            let draw = (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            if draw * sum < weight || chosen.is_none() {
                chosen = Some(state);
            }
        }
        chosen
    }
}
