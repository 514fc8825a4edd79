"""Random choices from the keys of decisions, as the bots of the engine make them.

    @coinche.keyed
    def uniform(obs, mask, player, key):
        chosen = keys.below(key, mask.sum(axis=1))      # the how manieth of the legal actions
        return (mask.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)

A key is 64 uniform bits (`coinche.decision_key`, `VecEnv.keys`). All functions take and return NumPy arrays or single numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

_GOLDEN = np.uint64(0x9E37_79B9_7F4A_7C15)


def below(key: ArrayLike, n: ArrayLike) -> NDArray[np.int64]:
    """A number in 0..n, from the upper 32 bits of each key; the bias is below n / 2^32."""
    bounds = np.asarray(n)
    if bounds.size and (bounds.dtype.kind not in "biu" or bounds.min() < 0 or bounds.max() > 1 << 32):
        raise ValueError(f"n: {n!r}, expected whole numbers, 0 to 2^32")
    upper = np.asarray(key, np.uint64) >> np.uint64(32)
    return np.asarray(upper * bounds.astype(np.uint64) >> np.uint64(32), np.int64)


def happens(key: ArrayLike, probability: ArrayLike) -> NDArray[np.bool_]:
    """Whether an event of this probability happens, from the lower 32 bits of each key, which `below` does not use."""
    lower = np.asarray(key, np.uint64) & np.uint64(0xFFFF_FFFF)
    return np.asarray(lower.astype(np.float64) < np.asarray(probability, np.float64) * 4_294_967_296.0)


def derive(key: ArrayLike, word: ArrayLike) -> NDArray[np.uint64]:
    """Keys that also depend on `word`: for more than one random choice in a decision (the finaliser of SplitMix64)."""
    # As arrays of one dimension at least: those wrap around in silence.
    start, words = np.atleast_1d(np.asarray(key, np.uint64)), np.atleast_1d(np.asarray(word, np.uint64))
    mixed: NDArray[np.uint64] = (start + _GOLDEN) ^ (words * _GOLDEN)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58_476D_1CE4_E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D0_49BB_1331_11EB)
    mixed ^= mixed >> np.uint64(31)
    return np.asarray(mixed, np.uint64).reshape(np.broadcast_shapes(np.shape(key), np.shape(word)))
