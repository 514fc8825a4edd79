"""What several tests share."""

from __future__ import annotations

import os
import pathlib
import random
import subprocess

import pytest

import coinche


def play_out(state: coinche.State, rng: random.Random) -> None:
    """Plays legal actions at random to the end."""
    while not state.is_over:
        state.apply(rng.choice(state.legal_actions()))


def states(preset: str, deals: int, seed: int = 1) -> list[coinche.State]:
    """The states of all decisions of random deals."""
    rng, found = random.Random(seed), []
    for deal in range(deals):
        state = coinche.State(preset, seed=seed, deal=deal)
        while not state.is_over:
            found.append(state.clone())
            state.apply(rng.choice(state.legal_actions()))
    return found


ARENA = os.environ.get("COINCHE_ARENA")
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
on_linux = pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="for Linux")
needs_arena = pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")


def arena(directory: pathlib.Path, words: str) -> str:
    assert ARENA is not None
    command = [ARENA, *words.split(), "--progress", "none"]
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=directory).stdout


@pytest.fixture(scope="session")
def rows(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A directory with rows of 150 deals, a fifth of them held out, in four files."""
    pytest.importorskip("pyarrow")
    directory = tmp_path_factory.mktemp("train")
    arena(directory, "train cards --rows --deals 150 --chunk 40 --held-out 0.2 --seed 5 --bidders rules table --out rows")
    return directory / "rows"
