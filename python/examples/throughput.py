"""How fast the environments are: million steps a second, by processor time and by the clock.

    python examples/throughput.py [--seconds 2]

Actions are drawn at random from the masks, outside of the measured time. If OpenSpiel is installed (`pip install open_spiel`), four of its
games of tricks for four are measured for comparison with `State`, in the same way.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import coinche


# OpenSpiel has no belote. Its bridge is played out here; by default it ends with the auction, and is scored double dummy.
OPEN_SPIEL = ["euchre", "hearts", "spades", "bridge(use_double_dummy_result=false)"]


# Deals between two looks at the clock.
BATCH = 50
# Steps before the first look where contracts are solved.
WARM = 400


def vec(seconds: float, n: int = 1024, **settings: Any) -> tuple[float, float]:
    """Steps a second of processor time and of the clock, `step` alone."""
    env = coinche.VecEnv(n, "bga", seed=1, **settings)
    rng = np.random.default_rng(1)
    noise = rng.random((16, *env.mask.shape), dtype=np.float32)
    steps, cpu, wall = 0, 0.0, 0.0
    # What is solved once is solved before.
    for step in range(WARM if "cards" in settings else 0):
        env.actions[:] = np.where(env.mask, noise[step % 16], -1).argmax(axis=1)
        env.step()
    while wall < seconds:
        env.actions[:] = np.where(env.mask, noise[steps % 16], -1).argmax(axis=1)
        began = time.process_time(), time.perf_counter()
        env.step()
        cpu += time.process_time() - began[0]
        wall += time.perf_counter() - began[1]
        steps += 1
    return n * steps / cpu, n * steps / wall


def scalar(seconds: float, deals: bool) -> tuple[float, float]:
    """Legal actions, a choice and `apply`, one state at a time; with `deals` the making of the states is counted, too."""
    rng, steps, deal, clock = random.Random(1), 0, 0, Clock()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        clock.run(deals)
        states = [coinche.State("bga", seed=1, deal=number) for number in range(deal, deal + BATCH)]
        deal += BATCH
        clock.run(True)
        for state in states:
            while not state.is_over:
                legal = state.legal_actions()
                state.apply(legal[int(rng.random() * len(legal))])
                steps += 1
        clock.run(False)
    return clock.rates(steps)


def open_spiel(seconds: float, name: str, deals: bool) -> tuple[float, float]:
    """The same of a game of OpenSpiel. Its chance nodes are the deal: they are no steps."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game(name)
    rng, steps, clock = random.Random(1), 0, Clock()
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        clock.run(deals)
        states = [game.new_initial_state() for _ in range(BATCH)]
        for state in states:
            while state.is_chance_node():
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
        clock.run(True)
        for state in states:
            while not state.is_terminal():
                legal = state.legal_actions()
                state.apply_action(legal[int(rng.random() * len(legal))])
                steps += 1
        clock.run(False)
    return clock.rates(steps)


class Clock:
    """Processor time and time that pass while it runs."""

    def __init__(self) -> None:
        self.passed = [0.0, 0.0]
        self.began: tuple[float, float] | None = None

    def run(self, run: bool) -> None:
        if run and self.began is None:
            self.began = time.process_time(), time.perf_counter()
        elif not run and self.began is not None:
            now = time.process_time(), time.perf_counter()
            self.passed = [before + to - since for before, to, since in zip(self.passed, now, self.began)]
            self.began = None

    def rates(self, steps: int) -> tuple[float, float]:
        return steps / self.passed[0], steps / self.passed[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row")
    seconds = parser.parse_args().seconds
    rules: dict[str, Any] = {"opponents": {1: "rules", 3: "rules"}}
    called = coinche.VecEnv(1024, "bga", seed=1, obs=None, calls="rules")
    leads = [called.state(env) for env in range(1024)]
    starts = [coinche.State("bga", seed=1, deal=deal) for deal in range(256)]
    rows: list[tuple[str, Callable[[], tuple[float, float]]]] = [
        ("VecEnv, masks", lambda: vec(seconds, obs=None)),
        ("VecEnv, masks and bits", lambda: vec(seconds, obs="bits")),
        ("VecEnv, masks and bytes", lambda: vec(seconds, obs="bytes")),
        ("VecEnv, masks and bits, canonical", lambda: vec(seconds, obs="bits", canonical=True)),
        ("VecEnv, masks, from the first card", lambda: vec(seconds, obs=None, positions=leads)),
        ("VecEnv, masks, one deal for all", lambda: vec(seconds, obs=None, positions=leads[:1])),
        ("VecEnv, masks, `rules` calls", lambda: vec(seconds, obs=None, calls="rules")),
        ("VecEnv, masks, auctions alone, solved", lambda: vec(seconds, obs=None, positions=starts, cards="solver")),
        ("VecEnv, masks, two threads", lambda: vec(seconds, obs=None, threads=2)),
        ("VecEnv, masks and bits, two threads", lambda: vec(seconds, obs="bits", threads=2)),
        ("VecEnv, masks, `rules` at two seats", lambda: vec(seconds, obs=None, **rules)),
        ("the same, n = 4,096", lambda: vec(seconds, n=4096, obs=None, **rules)),
        ("the same, two threads", lambda: vec(seconds, n=4096, obs=None, threads=2, **rules)),
        ("State, legal actions and apply", lambda: scalar(seconds, False)),
        *(
            (f"OpenSpiel, {name.partition('(')[0]}, the same", partial(open_spiel, seconds, name, False))
            for name in OPEN_SPIEL
        ),
        ("State, deals included", lambda: scalar(seconds, True)),
        *(
            (f"OpenSpiel, {name.partition('(')[0]}, deals included", partial(open_spiel, seconds, name, True))
            for name in OPEN_SPIEL
        ),
    ]
    print(f"{'':38} {'M steps/s of processor time':>28} {'by the clock':>14}")
    for name, measure in rows:
        try:
            by_processor, by_clock = measure()
        except ImportError:
            print(f"{name:38} {'not installed':>28}")
            continue
        print(f"{name:38} {by_processor / 1e6:28.2f} {by_clock / 1e6:14.2f}")


if __name__ == "__main__":
    main()
