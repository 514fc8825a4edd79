//! The keys of decisions.

use coinche_engine::Key;
use pyo3::prelude::*;

use crate::sizes::Count;
use crate::state::seat_of;
use crate::vec_env::SeedLike;

/// The key of one decision: 64 random bits, which depend on the seed, the deal, the seat and how many keys it has used in the deal
/// before: one for each call, answer to an offer and card, and one more where there was the choice to announce a belote, or between
/// melds. The bots of the arena and of `VecEnv` get the same; `VecEnv.keys` counts.
///
/// Who has a seat's key can compute its other keys in the deal, and nothing else: neither other seats' nor the seed.
#[pyfunction]
pub(crate) fn decision_key(seed: SeedLike, deal: Count, seat: Count, decision: Count) -> PyResult<u64> {
    let key = Key::decisions(seed.secrets()?, deal.of("deal")?, seat_of("seat", seat)?);
    Ok(key.and(decision.of("decision")?).bits())
}
