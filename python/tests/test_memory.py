"""Memory stays flat. `COINCHE_STEPS=10000000 pytest tests/test_memory.py` takes ten million steps of each kind."""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import random
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

import coinche
from conftest import play_out

STEPS = int(os.environ.get("COINCHE_STEPS", "200000"))


def used() -> int:
    """Kilobytes of memory in use now."""
    gc.collect()
    with open("/proc/self/statm") as numbers:
        return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def steps_of_environments(steps: int) -> None:
    env = coinche.VecEnv(1024, obs="bits")
    for _ in range(steps // 1024):
        env.actions[:] = env.mask.argmax(axis=1)
        env.step()


def steps_against_bots_and_functions(steps: int) -> None:
    def first(obs: object, mask: NDArray[np.bool_], player: object) -> NDArray[np.int64]:
        return mask.argmax(axis=1)

    env = coinche.VecEnv(1024, "coinche-melds", opponents={1: "rules", 2: first, 3: "random"}, threads=2, canonical=True)
    for _ in range(steps // 4096):
        env.actions[:] = env.mask.argmax(axis=1)
        env.step()


def steps_of_states(steps: int) -> None:
    rng, left, deal = random.Random(1), steps, 0
    while left > 0:
        state = coinche.State("contree", seed=1, deal=deal)
        play_out(state, rng)
        left -= len(state.history)
        deal += 1


def steps_that_fail(steps: int) -> None:
    env, state = coinche.VecEnv(16), coinche.State("bga", seed=1)
    env.actions[:] = 3
    for _ in range(steps // 200):
        with contextlib.suppress(coinche.IllegalAction):
            env.step()
        for wrong in (3, "JS", "nonsense", -1, None):
            with contextlib.suppress(ValueError, TypeError):
                state.apply(wrong)  # type: ignore[arg-type]
        with contextlib.suppress(ValueError):
            coinche.State.from_bytes(b"nothing")
        with contextlib.suppress(coinche.RulesError):
            coinche.Rules("poker")


def everything_else(steps: int) -> None:
    bot = coinche.Bot("table+pimc:worlds=2")
    for number in range(steps // 20_000):
        state = coinche.State("coinche", seed=number)
        some = [state.clone() for _ in range(20)] + state.resample(20, seed=number)
        bot.think(some)
        for other in some:
            assert pickle.loads(pickle.dumps(other)) == coinche.State.from_bytes(other.to_bytes())
            assert str(other) and other._repr_html_() and other.observation().any() and other.mask().any()
        coinche.par(coinche.deals(2, seed=number), leader=number % 4)
        coinche.VecEnv(20, opponents={1: bot, 2: "rules"}, threads=3).step


KINDS = [steps_of_environments, steps_against_bots_and_functions, steps_of_states, steps_that_fail, everything_else]


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="reads /proc")
@pytest.mark.parametrize("steps_of", KINDS)
def test_memory_is_flat(steps_of: Callable[[int], None]) -> None:
    steps_of(STEPS)
    before = used()
    steps_of(STEPS)
    steps_of(STEPS)
    grown = used() - before
    # A state that is lost for every deal would be 8,000.
    assert grown < 4_000, f"{grown} kB more after {2 * STEPS} steps"
