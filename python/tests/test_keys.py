"""Random choices as the engine makes them: a `random` in Python plays like the built-in one."""

from __future__ import annotations

import os
import pathlib
import subprocess
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import coinche
from coinche import keys
from conftest import states

ARENA = os.environ.get("COINCHE_ARENA")
SILENT = slice(32, 40)
PASS = 40


@coinche.keyed
def python_random(
    obs: NDArray[np.uint8], mask: NDArray[np.bool_], player: NDArray[np.uint8], key: NDArray[np.uint64]
) -> NDArray[np.int64]:
    """Passes three times in four, else any legal call; any legal card, and every belote announced."""
    said = mask.copy()
    said[:, SILENT] = False
    chosen = keys.below(key, said.sum(axis=1))
    uniform = (said.cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
    in_auction = mask[:, PASS]
    return np.where(in_auction & keys.happens(key, 0.75), PASS, uniform)


@pytest.mark.parametrize("preset", coinche.presets())
def test_python_random_is_random_in_environments(preset: str) -> None:
    def run(opponent: Any) -> list[NDArray[Any]]:
        env = coinche.VecEnv(30, preset, seed="keys", opponents=dict.fromkeys([0, 1, 3], opponent))
        shown = []
        for step in range(60):
            noise = np.random.default_rng(step).random(env.mask.shape)
            env.actions[:] = np.where(env.mask, noise, -1).argmax(axis=1)
            env.step()
            arrays = [env.obs, env.mask, env.reward, env.returns, env.done, env.player, env.deal, env.keys()]
            shown += [array.copy() for array in arrays]
        return shown

    ours, theirs = run(python_random), run("random")
    assert all((a == b).all() for a, b in zip(ours, theirs, strict=True))


@pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
@pytest.mark.parametrize(
    ("preset", "options"),
    # The choice of melds takes a key, too.
    [(preset, {}) for preset in coinche.presets()] + [("coinche-melds", {"melds.announce": "voluntary"})],
)
def test_python_random_is_random_in_the_arena(preset: str, options: dict[str, str], tmp_path: pathlib.Path) -> None:
    """Deal by deal, the calls, cards and scores of its records."""
    assert ARENA is not None
    command = [ARENA, "run", "random", "random:pass=0.75", "--rules", preset, "--deals", "40", "--seed", "arena"]
    command += [word for path, value in options.items() for word in ("--set", f"{path}={value}")]
    command += ["--records", "full", "--out", str(tmp_path / "run"), "--progress", "none"]
    subprocess.run(command, check=True, capture_output=True)
    rows = coinche.data.record_array(tmp_path / "run")[::2]
    env = coinche.VecEnv(40, coinche.Rules(preset, **options), seed="arena", obs=None)
    nothing = np.zeros((40, 0), np.uint8)
    played: list[list[int]] = [[] for _ in range(40)]
    scores: dict[int, tuple[int, int]] = {}
    while len(scores) < 40:
        env.actions[:] = python_random(nothing, env.mask, env.player, env.keys())
        for row, deal in enumerate(env.deal):
            if deal == row:
                played[row].append(int(env.actions[row]))
        env.step()
        for row in np.flatnonzero(env.done):
            scores.setdefault(int(row), tuple(env.returns[row]))
    for row, actions in zip(rows, played):
        assert [action for action in actions if action < 32] == row["cards"][row["cards"] >= 0].tolist()
        # Declined offers are not in records.
        calls = [action for action in actions if action > PASS]
        assert calls == [call for call in row["calls"] if call > PASS]
        assert scores[int(row["deal"])] == tuple(row["score"])


def test_keys_of_an_environment_are_those_of_its_decisions() -> None:
    env = coinche.VecEnv(5, "bga", seed=3)
    made = np.zeros((5, 4), np.int64)
    for step in range(120):
        expected = [
            coinche.decision_key(3, int(deal), int(seat), int(made[row, seat]))
            for row, (deal, seat) in enumerate(zip(env.deal, env.player))
        ]
        assert env.keys().dtype == np.uint64 and env.keys().tolist() == expected
        made[np.arange(5), env.player] += 1
        env.actions[:] = python_random(env.obs, env.mask, env.player, env.keys())
        env.step()
        made[env.done] = 0
    assert env.deal.min() > 5


def test_draws_are_those_of_the_engine() -> None:
    key = coinche.decision_key("a", 1, 2, 0)
    # A key and the next: what `derive` does with the key of the seat.
    many = np.array([coinche.decision_key("a", 1, 2, n) for n in range(1000)], np.uint64)
    assert len(set(many.tolist())) == 1000
    assert keys.below(key, 10) == (key >> 32) * 10 >> 32 and keys.below(many, 7).max() == 6
    assert abs(keys.happens(many, 0.3).mean() - 0.3) < 0.05 and not keys.happens(many, 0).any() and keys.happens(many, 1).all()
    word = np.arange(4)

    def mix(z: int) -> int:
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        return z ^ z >> 31

    golden = 0x9E3779B97F4A7C15
    expected = [mix((key + golden) % 2**64 ^ int(n) * golden % 2**64) for n in word]
    assert keys.derive(key, word).tolist() == expected and keys.derive(key, 1) == expected[1]
    with pytest.raises(ValueError, match="seat: 4"):
        coinche.decision_key(1, 0, 4, 0)


def test_bots_that_are_asked_together_answer_as_when_alone() -> None:
    some = states("contree", 2)[::5]
    bot = coinche.Bot("rules+pimc:worlds=3")
    together = bot.think(some, seed=5, threads=2)
    assert [thought["action"] for thought in together] == bot.act(some, seed=5).tolist()
    assert together == bot.think(some, seed=5)
    assert together[0] == bot.think(some[:1], seed=5)[0]
