"""Many deals at once."""

from __future__ import annotations

import contextlib
import os
import pathlib
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conftest import needs_fork
from numpy.typing import NDArray

import coinche


def choose(mask: NDArray[np.bool_], step: int) -> NDArray[np.int64]:
    """A legal action of each row, another at each step."""
    noise = np.random.default_rng(step).random(mask.shape)
    return np.where(mask, noise, -1).argmax(axis=1)


def run(steps: int = 120, **settings: Any) -> list[NDArray[Any]]:
    env = coinche.VecEnv(40, seed="run", **settings)
    shown = []
    for step in range(steps):
        env.actions[:] = choose(env.mask, step)
        env.step()
        arrays = [env.mask, env.reward, env.returns, env.done, env.player, env.deal]
        if settings.get("obs", "bytes"):
            arrays.append(env.obs)
        shown.extend(array.copy() for array in arrays)
    return shown


@pytest.mark.parametrize("preset", coinche.presets())
def test_rows_are_states(preset: str) -> None:
    """Each row is what a `State` of the same deal shows, and what ends is followed by the next deal."""
    env = coinche.VecEnv(12, preset, seed="rows")
    twins = [coinche.State(preset, seed="rows", deal=deal) for deal in range(12)]
    ended = 0
    for step in range(150):
        for row, twin in enumerate(twins):
            assert env.player[row] == twin.current_player
            assert (env.mask[row] == twin.mask()).all() and (env.obs[row] == twin.observation()).all()
            assert env.state(row) == twin
        env.actions[:] = choose(env.mask, step)
        actor = env.player.copy()
        env.step()
        for row, twin in enumerate(twins):
            twin.apply(int(env.actions[row]))
            assert env.done[row] == twin.is_over
            if twin.is_over:
                ended += 1
                assert tuple(env.returns[row]) == twin.score
                assert env.reward[row] == twin.returns()[actor[row]]
                twins[row] = coinche.State(preset, seed="rows", deal=int(env.deal[row]))
            else:
                assert env.reward[row] == 0
    assert ended > 12


@pytest.mark.parametrize("settings", [
    {}, {"obs": "bits"}, {"obs": None}, {"canonical": True, "rules": "contree"},
    {"opponents": {1: "rules", 3: coinche.Bot("random")}, "rules": "coinche"},
])
def test_threads_do_not_matter(settings: dict[str, Any]) -> None:
    one = run(**settings)
    for threads in (2, 3):
        more = run(threads=threads, **settings)
        assert len(one) == len(more) and all((a == b).all() for a, b in zip(one, more))


def test_every_environment_is_stepped_once_however_few_they_are() -> None:
    for n in (*range(1, 12), 63, 64, 65, 129):
        envs = [coinche.VecEnv(n, seed=n, obs=None, threads=threads) for threads in (1, 2, 5)]
        for step in range(45):
            for env in envs:
                env.actions[:] = choose(env.mask, step)
                env.step()
        assert envs[0].deal.max() >= n
        for env in envs[1:]:
            assert (env.deal == envs[0].deal).all() and (env.mask == envs[0].mask).all()
            assert (env.returns == envs[0].returns).all()


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_name_the_first_illegal_action(threads: int) -> None:
    env = coinche.VecEnv(300, seed=1, obs=None, threads=threads)
    for step in range(20):
        env.actions[:] = choose(env.mask, step)
        env.step()
        wrong = 7 * step
        env.actions[:] = choose(env.mask, step)
        env.actions[wrong::5] = 3 if env.mask[wrong, 40] else 40
        first = next(row for row in range(300) if not env.mask[row, env.actions[row]])
        with pytest.raises(coinche.IllegalAction, match=f"env {first}:"):
            env.step()


def ticks_of_threads() -> dict[str, int]:
    """Processor time of each thread, in ticks of the clock."""
    ticks = {}
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(OSError), open(f"/proc/self/task/{task}/stat") as numbers:
            ticks[task] = int(numbers.read().rpartition(")")[2].split()[11])
    return ticks


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="reads /proc")
@pytest.mark.parametrize("threads", [2, 5])
def test_bots_that_think_are_shared_among_threads(threads: int) -> None:
    """Also where there are fewer processors than threads."""
    bot, others = "table+pimc:worlds=20", ticks_of_threads()
    env = coinche.VecEnv(24, seed=1, obs=None, threads=threads, opponents={1: bot, 3: bot})
    for _ in range(20):
        env.actions[:] = env.mask.argmax(axis=1)
        env.step()
    helped = {task: ticks for task, ticks in ticks_of_threads().items() if task not in others}
    assert len(helped) == threads - 1 and sum(helped.values()) >= 3


THREADS = """
import multiprocessing, os, sys, warnings
import numpy as np
import coinche

warnings.simplefilter("ignore")

def play(env, steps):
    for _ in range(steps):
        env.actions[:] = env.mask.argmax(axis=1)
        env.step()
    return env.mask.sum() + env.deal.sum() + env.returns.sum()

def child(env, expected):
    assert play(env, 50) == expected
    # What was made before the fork is dropped, and another made.
    del env
    play(coinche.VecEnv(64, threads=2), 5)

envs = [coinche.VecEnv(300, seed=seed, threads=2 + seed % 3) for seed in range(12)]
for round in range(20):
    for env in envs:
        play(env, 3)
for env in envs[:4]:
    twin = coinche.VecEnv(300, seed=str(envs.index(env)))
    play(twin, 60)
    fork = multiprocessing.get_context("fork").Process(target=child, args=(env, play(twin, 50)))
    fork.start()
    play(env, 50)
    fork.join()
    assert fork.exitcode == 0, fork.exitcode
# The program ends while helpers are awake.
play(envs[5], 3)
print("done")
"""


@needs_fork
def test_threads_survive_forks_many_environments_and_the_end_of_the_program(tmp_path: pathlib.Path) -> None:
    for _ in range(3):
        # Elsewhere, so that the installed package is meant and not its sources.
        command = [sys.executable, "-c", THREADS]
        told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert (told.returncode, told.stdout) == (0, "done\n"), told.stderr


def renamed(name: str, order: str) -> str:
    """The name of an action of which the canonical name is given: slot 0 is called clubs, and so on."""
    name, silent = name.removesuffix(" silent"), " silent" if name.endswith(" silent") else ""
    if name in ("P", "X", "XX", "W", "TAKE") or (len(name) > 3 and name.endswith(("SA", "TA"))):
        return name
    return name[:-1] + order["CDHS".index(name[-1])] + silent


def test_canonical_rows_are_renamed_states() -> None:
    env = coinche.VecEnv(30, "coinche", seed=5, canonical=True, obs="bits")
    twins = [coinche.State("coinche", seed=5, deal=deal) for deal in range(30)]
    names = coinche.Rules("coinche").actions
    for step in range(24):
        env.actions[:] = choose(env.mask, step)
        for row, twin in enumerate(twins):
            assert (env.obs[row] == twin.observation(bits=True, canonical=True)).all()
            assert env.mask[row].sum() == len(twin.legal_actions())
            twin.apply(renamed(names.name(int(env.actions[row])), twin.suit_order()))
        env.step()
        assert not env.done.any()


def test_illegal_actions_change_nothing() -> None:
    env = coinche.VecEnv(8, seed=1)
    before = [env.state(row) for row in range(8)]
    env.actions[:] = env.mask.argmax(axis=1)
    env.actions[5] = 3
    with pytest.raises(coinche.IllegalAction, match="env 5: action 3 is not legal: JC: a call is expected") as error:
        env.step()
    assert (error.value.env, error.value.action) == (5, 3)
    assert [env.state(row) for row in range(8)] == before
    env.actions[:] = -1
    env.step()
    assert [env.state(row) for row in range(8)] == before
    for wrong in (-2, 109, 2**31 - 1):
        env.actions[:] = wrong
        with pytest.raises(coinche.IllegalAction, match="env 0"):
            env.step()


def test_reset_starts_again() -> None:
    env = coinche.VecEnv(6, seed="a")
    first = env.mask.copy(), env.obs.copy()
    for step in range(50):
        env.actions[:] = choose(env.mask, step)
        env.step()
    assert env.returns.any()
    env.reset()
    assert not env.returns.any() and not env.done.any() and not env.reward.any()
    assert (env.mask == first[0]).all() and (env.obs == first[1]).all() and env.deal.tolist() == list(range(6))
    env.reset(seed="b")
    assert not (env.obs == first[1]).all()


def test_players_in_python_are_as_bots_of_ours() -> None:
    """A function at a seat that plays as a bot gives the same deals."""

    def first_legal(obs: object, mask: NDArray[np.bool_], player: NDArray[np.uint8]) -> NDArray[np.int64]:
        assert (player == 1).all() or (player == 2).all()
        return mask.argmax(axis=1)

    env = coinche.VecEnv(20, seed=9, opponents={1: first_legal, 2: first_legal, 3: "rules"})
    twin = coinche.VecEnv(20, seed=9, opponents={3: "rules"})
    total, twin_total, ended = 0.0, 0.0, 0
    for step in range(60):
        assert (env.player == 0).all()
        while (others := twin.player != 0).any():
            twin.actions[:] = np.where(others, twin.mask.argmax(axis=1), -1)
            before = twin.player.copy()
            twin.step()
            sign = np.where(before % 2 == 0, 1, -1)
            twin_total += float((twin.reward * sign).sum())
        assert (env.obs == twin.obs).all() and (env.deal == twin.deal).all()
        env.actions[:] = choose(env.mask, step)
        twin.actions[:] = env.actions
        env.step()
        twin.step()
        twin_total += float(twin.reward.sum())
        total += float(env.reward.sum())
        ended += int(env.done.sum())
    while (others := twin.player != 0).any():
        twin.actions[:] = np.where(others, twin.mask.argmax(axis=1), -1)
        before = twin.player.copy()
        twin.step()
        twin_total += float((twin.reward * np.where(before % 2 == 0, 1, -1)).sum())
    assert ended > 20 and total == twin_total


def test_bad_settings_are_named() -> None:
    for settings, text in [
        ({"n": 0}, "n: 0, expected 1 to"),
        ({"n": 1, "threads": 0}, "threads"),
        ({"n": 1, "obs": "floats"}, "obs"),
        ({"n": 1, "opponents": {4: "rules"}}, "seat 4"),
        ({"n": 1, "opponents": dict.fromkeys(range(4), "rules")}, "none is left"),
        ({"n": 1, "rules": "poker"}, "no preset"),
        ({"n": 1, "seed": ""}, "seed"),
    ]:
        with pytest.raises(ValueError, match=text):
            coinche.VecEnv(**settings)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"opponents\[1\]"):
        coinche.VecEnv(1, opponents={1: 7})  # type: ignore[dict-item]
    with pytest.raises(TypeError, match=r'expected a mapping of seats, as {1: "rules", 3: "rules"}, not list'):
        coinche.VecEnv(1, opponents=["rules", None, "rules", None])  # type: ignore[arg-type]


def test_arrays_that_were_tampered_with_are_named() -> None:
    env = coinche.VecEnv(4)
    env.actions[:] = env.mask.argmax(axis=1)
    env.reward.setflags(write=False)
    with pytest.raises(ValueError, match="reward"):
        env.step()
    env.reward.setflags(write=True)
    env.step()
    with pytest.raises(AttributeError):
        env.actions = np.zeros(4)  # type: ignore[misc, assignment]


def test_actions_that_change_during_a_step_are_those_that_were_checked() -> None:
    env = coinche.VecEnv(2048, obs=None)
    actions, stop = env.actions, threading.Event()

    def meddle() -> None:
        while not stop.is_set():
            actions[::7] = 3

    meddler = threading.Thread(target=meddle)
    meddler.start()
    try:
        for _ in range(300):
            actions[:] = env.mask.argmax(axis=1)
            with contextlib.suppress(coinche.IllegalAction):
                env.step()
    finally:
        stop.set()
        meddler.join()
    actions[:] = env.mask.argmax(axis=1)
    env.step()


def test_a_second_thread_in_a_call_is_told_so_and_changes_nothing() -> None:
    env, twin = (coinche.VecEnv(512, seed=1, opponents={1: "rules", 3: "rules"}, obs=None) for _ in range(2))
    found, stop = set(), threading.Event()

    def calls() -> None:
        while not stop.is_set():
            assert len(env.player) == len(env) == 512
            try:
                env.state(0)
            except ValueError as error:
                found.add(str(error))

    other = threading.Thread(target=calls)
    other.start()
    try:
        for _ in range(100):
            for one in (env, twin):
                one.actions[:] = one.mask.argmax(axis=1)
                one.step()
    finally:
        stop.set()
        other.join()
    assert found == {"another thread is in a call of this VecEnv: one at a time"}
    assert (env.mask == twin.mask).all() and (env.returns == twin.returns).all()


def test_errors_say_which_types_are_expected() -> None:
    hands, state = coinche.deals(2), coinche.State("bga", seed=1)
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: coinche.VecEnv(2, seed=1.5), "expected a number or a text, not float"),  # type: ignore[arg-type]
        (lambda: coinche.VecEnv(2, 3), "expected the name of a preset, the text of a rule file or Rules, not int"),  # type: ignore[arg-type]
        (lambda: coinche.VecEnv(2, calls=3), "expected the name of a bot or a Bot, not int"),  # type: ignore[arg-type]
        (lambda: coinche.VecEnv(2, positions=state), "expected a list, not State"),  # type: ignore[arg-type]
        (lambda: state.apply(None), "expected the number of an action, a call or a card, not NoneType"),  # type: ignore[arg-type]
        (lambda: coinche.State(contract=("90H", 1, "", 0), hands=hands[0].tolist()), r"expected \(bid, declarer\) or"),  # type: ignore[arg-type]
        (lambda: coinche.solve(hands, leader=0.5), "expected a seat or a list of seats, not float"),  # type: ignore[arg-type]
        (lambda: coinche.solve(hands, leader=[0, "x"]), "a list of seats, not list of int, str"),  # type: ignore[list-item]
        (lambda: coinche.solve(hands.astype(np.int64)), r"expected a uint32 array with the shape \(n, 4\), not ndarray of int64"),  # type: ignore[arg-type]
        (lambda: coinche.solve(hands[0]), r"not ndarray of uint32 with the shape \(4,\)"),
        (lambda: coinche.rollout([state], 3), "expected the name of a bot, a Bot, or a list of four, not int"),  # type: ignore[call-overload]
    ]
    for call, says in wrong:
        with pytest.raises(TypeError, match=says):
            call()
