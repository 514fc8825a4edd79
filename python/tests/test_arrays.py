"""Exact scores of many deals: the same that the arena writes and prints.

Needs the program: `COINCHE_ARENA=../target/release/arena pytest`.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any, cast

import numpy as np
import pytest
from conftest import on_linux

import coinche
from coinche import data, train

ARENA = os.environ.get("COINCHE_ARENA")
needs_arena = pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
STRAINS = ["C", "D", "H", "S", "SA", "TA"]


def arena(*arguments: str, given: str | None = None) -> str:
    assert ARENA is not None
    return subprocess.run([ARENA, *arguments], check=True, capture_output=True, text=True, input=given).stdout


@pytest.mark.parametrize("preset", coinche.presets())
def test_deals_are_those_of_states(preset: str) -> None:
    hands = coinche.deals(9, "cards", preset, first=3)
    assert hands.shape == (9, 4) and hands.dtype == np.uint32
    for row, deal in zip(hands, range(3, 12)):
        state = coinche.State(preset, seed="cards", deal=deal)
        if state.hands[0].bit_count() == 8:
            assert row.tolist() == state.hands
        assert (np.bitwise_or.reduce(row), [int(hand).bit_count() for hand in row]) == (2**32 - 1, [8] * 4)


@needs_arena
@pytest.mark.parametrize(("preset", "table"), [("bga", "csv"), ("contree", "parquet"), ("belote", "csv")])
def test_labels_are_those_of_the_arena(preset: str, table: str, tmp_path: pathlib.Path) -> None:
    if table == "parquet":
        pytest.importorskip("pyarrow")
    command = ["label", "--rules", preset, "--deals", "6", "--chunk", "4", "--seed", "s", "--leaders", "all"]
    out = tmp_path / "labels"
    arena(*command, "--strains", "H,S,TA", "--table", table, "--out", str(out), "--progress", "none")
    rows = data.labels(out)
    assert len(rows) == 24 and rows["deal"].tolist() == np.repeat(np.arange(6), 4).tolist()
    hands = coinche.deals(6, "s", preset)
    assert (rows["hands"].reshape(6, 4, 4) == hands[:, None]).all()
    for threads in (1, 2):
        found = coinche.label(hands, preset, strains=["H", "S", "TA"], threads=threads)
        assert (found.points == rows["points"].reshape(6, 4, 6)).all()
        assert (found.slams == rows["slams"].reshape(6, 4, 2)).all()
    mapped = data.labels(out, npy=tmp_path / "rows.npy")
    assert isinstance(mapped, np.memmap) and (mapped == rows).all()
    assert (data.labels(out, npy=tmp_path / "rows.npy") == rows).all()


def test_leaders() -> None:
    hands = coinche.deals(5, seed=1)
    every = coinche.label(hands, strains=["D"])
    leader = (np.arange(5) + 1) % 4
    some = coinche.label(hands, strains=["D"], leader=leader)
    rows = np.arange(5)
    assert (some.points[rows, leader] == every.points[rows, leader]).all()
    assert (some.points != -1).sum() == 5 and some.points.dtype == np.int16 and some.slams.dtype == np.uint8
    assert (coinche.solve(hands, leader=leader, strains=["D"])[:, 1] == every.points[rows, leader, 1]).all()
    assert (coinche.label(hands, leader=2, strains=["D"]).points[:, 2] == every.points[:, 2]).all()


@needs_arena
@pytest.mark.parametrize("preset", ["bga", "contree", "belote"])
def test_par_is_that_of_the_arena(preset: str) -> None:
    hands, actions = coinche.deals(4, "par", preset), coinche.Rules(preset).actions
    leader = [0, 1, 2, 3]
    found = coinche.par(hands, preset, leader=leader, threads=2)
    assert (found.contract == coinche.par(hands, preset, leader=leader).contract).all()
    assert found.contract.dtype == found.score.dtype == found.scores.dtype == np.int32
    texts = [" | ".join(" ".join(actions.name(card) for card in range(32) if hand >> card & 1) for hand in deal)
             for deal in hands.tolist()]  # fmt: skip
    positions = "".join(f"H {seat} | {text}\n" for seat, text in zip(leader, texts))
    answers = [json.loads(line) for line in arena("solve", "--par", "--json", "--rules", preset, given=positions).splitlines()]
    made = 0
    for row, answer in enumerate(answers):
        for side, best in enumerate(answer["best"]):
            contract = found.contract[row, side]
            if best is None:
                assert contract == -1 and not found.score[row, side].any()
                continue
            made += 1
            bid = best["bid"]
            assert actions.name(int(contract)) == (f"TAKE {bid[4:]}" if bid.startswith("TAKE") else bid)
            assert found.score[row, side].tolist() == best["score"]
            own, other = best["score"][side], best["score"][1 - side]
            scores = found.scores[row, side]
            # A contract that fails may not score more, since then it would not be the best.
            assert scores[contract] == own - other == scores[scores != data.NONE].max() or own < other
            assert (scores[:44] == data.NONE).all()
    assert made >= 4


def test_what_is_no_deal_is_named() -> None:
    hands = coinche.deals(3)
    wrong = hands.copy()
    wrong[2, 0] = wrong[2, 1]
    for ask in (coinche.par, coinche.label):
        assert ask(hands[:0])[0].shape[0] == 0
        with pytest.raises(ValueError, match=r"hands\[2\]"):
            ask(wrong)
        with pytest.raises(ValueError, match="columns, expected 4"):
            ask(hands[:, :3])
        with pytest.raises(ValueError, match="leader: 2 seats, expected one or 3"):
            ask(hands, leader=[0, 1])
        with pytest.raises(ValueError, match=r"leader\[1\]: 4"):
            ask(hands, leader=[0, 4, 0])
        with pytest.raises(ValueError, match="threads"):
            ask(hands, threads=0)
        with pytest.raises(coinche.RulesError):
            ask(hands, "poker")
        with pytest.raises(TypeError):
            ask(hands.astype(np.int64))
    with pytest.raises(ValueError):
        coinche.label(hands, strains=["Z"])
    with pytest.raises(ValueError, match="n: 1099511627776, expected 0 to"):
        coinche.deals(2**40)


class Endless:
    """Says that it has more than any memory, and gives what one asks for."""

    def __init__(self, item: object, length: int = 1 << 60) -> None:
        self.item, self.length = item, length

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, _: int) -> object:
        return self.item


def test_what_is_too_much_is_an_exception() -> None:
    """An allocation that fails would end the interpreter."""
    many = np.broadcast_to(coinche.deals(1), (10**9, 4))
    state, anything = coinche.State("bga", seed=1), cast("Any", Endless)
    bot = coinche.Bot("rules")
    for call in [
        lambda: coinche.solve(many),
        lambda: coinche.label(many),
        lambda: coinche.par(many),
        lambda: coinche.solve(coinche.deals(1), leader=anything(0)),
        lambda: coinche.solve(coinche.deals(1), strains=anything("C")),
        lambda: coinche.label(coinche.deals(1), leader=range(10**9)),
        lambda: coinche.values(anything(state)),
        lambda: coinche.values(anything(state, 10**9)),
        lambda: coinche.deals(10**9),
        lambda: state.resample(2**32),
        lambda: bot.act(anything(state)),
        lambda: bot.think(anything(state)),
        lambda: train.inputs(anything(state)),
        lambda: coinche.VecEnv(2**32),
    ]:
        with pytest.raises((TypeError, ValueError), match=r"expected (at most|[01] to) \d+"):
            call()
    with pytest.raises(ValueError, match="^n: .*expected 0 to"):
        state.resample(2**64)


@on_linux
def test_what_memory_does_not_hold_is_an_exception(tmp_path: pathlib.Path) -> None:
    """As many as are legal, where the system gives no more than a gigabyte."""
    code = """
import resource
import numpy as np, coinche
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
many = np.broadcast_to(coinche.deals(1), (1 << 24, 4))
state = coinche.State("bga", seed=1)
calls = [coinche.solve, coinche.label, coinche.par]
calls = [lambda call=call: call(many) for call in calls]
for call in [*calls, lambda: coinche.deals(1 << 27), lambda: state.resample(1 << 20), lambda: coinche.VecEnv(1 << 24)]:
    try:
        call()
    except MemoryError as error:
        assert "ask for fewer in one call" in str(error), error
    else:
        raise AssertionError("no exception")
print("as it should be")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.stdout == "as it should be\n", done.stderr
