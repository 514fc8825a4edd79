"""The network of the card player in Python: the same as in Rust, from the rows to the file.

Needs no PyTorch but for what learns. Rows need the program: `COINCHE_ARENA=../target/release/arena pytest`.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from conftest import ARENA, arena, needs_arena, states

import coinche
from coinche import data, train

def plays(preset: str, deals: int) -> list[coinche.State]:
    return [state for state in states(preset, deals) if not state.is_auction]


@pytest.mark.parametrize("preset", ["bga", "contree", "coinche-melds", "belote"])
def test_numpy_says_what_the_bot_says(preset: str, tmp_path: pathlib.Path) -> None:
    some = plays(preset, 12)
    assert len(some) > 60
    said = train.forward(train.rounded(train.read()), train.inputs(some))
    assert said.shape == (len(some), 96) and said.std() > 0.1
    np.testing.assert_allclose(said, train.outputs(some), rtol=0, atol=1e-4)
    # And of a network of one's own, through its file.
    mine = train.random(seed=3)
    train.write(tmp_path / "mine.safetensors", mine)
    said = train.outputs(some, str(tmp_path / "mine.safetensors"))
    np.testing.assert_allclose(train.forward(train.rounded(mine), train.inputs(some)), said, rtol=0, atol=1e-4)
    # Rounding changes little.
    np.testing.assert_allclose(train.forward(mine, train.inputs(some)), said, rtol=0, atol=0.05)


def test_the_bot_plays_the_best_card() -> None:
    """Suits of inputs and outputs are those of `State.suit_order`; it plays by what playing out says."""
    bot, some = coinche.Bot("rules+net"), plays("bga", 20)
    said, played = train.outputs(some), bot.act(some)
    for state, outputs, action in zip(some, said, played):
        order = state.suit_order()
        legal = [card for card in state.legal_actions() if card < 32]
        place = {card: 8 * order.index("CDHS"[card // 8]) + card % 8 for card in legal}
        values = {card: outputs[32 + place[card]] for card in legal}
        assert values[action % 32] == max(values.values())


def test_files_are_read_again(tmp_path: pathlib.Path) -> None:
    mine, path = train.random(seed=1), tmp_path / "mine.safetensors"
    assert {name: array.shape for name, array in mine.items()} == train.shapes()
    train.write(path, mine, {"seed": 1, "rows": "none"})
    again = train.read(path)
    assert list(again) == list(mine) and all((again[name] == mine[name]).all() for name in mine)
    said = train.metadata(path)
    assert said["inputs"] == train.fingerprint() and said["seed"] == "1" and len(said["sum"]) == 16
    assert [file.name for file in tmp_path.iterdir()] == ["mine.safetensors"]
    # Big-endian, strided and Fortran arrays are arrays all the same.
    train.write(path, {name: np.asfortranarray(array) for name, array in mine.items()})
    assert (train.read(path)["first.weight"] == mine["first.weight"]).all()


def test_what_is_no_network_is_named(tmp_path: pathlib.Path) -> None:
    mine, path = train.random(), tmp_path / "mine.safetensors"
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"third.bias": np.full(96, np.nan, np.float32)}, "`third.bias` has the weight NaN"),
        ({"third.bias": np.full(96, 1e5, np.float32)}, "`third.bias` has the weight 100000"),
        ({"third.bias": np.zeros(95, np.float32)}, r"`third.bias` is not a float32 array of the shape \[96\]"),
        ({"third.bias": np.zeros(96)}, "`third.bias` is not a float32 array"),
        ({"third.bias": None}, "`third.bias` is not a float32 array"),
    ]
    for change, why in wrong:
        with pytest.raises(ValueError, match=why):
            train.write(path, {**mine, **change})
    with pytest.raises(ValueError, match="there is no tensor `first.weight`"):
        train.write(path, {"first.bias": mine["first.bias"]})
    with pytest.raises(ValueError, match="made: `inputs` is written by itself"):
        train.write(path, mine, {"inputs": "mine"})
    assert not path.exists()
    train.write(path, mine)
    written = path.read_bytes()
    changes = [
        (written[:-4], "is no cards network"),
        (written[:-1] + bytes([written[-1] ^ 1]), "is damaged"),
        (written.replace(train.fingerprint().encode(), b"0123456789abcdef"), "it was trained on other inputs"),
        (b"nothing", "is no cards network"),
    ]
    for changed, why in changes:
        path.write_bytes(changed)
        with pytest.raises(ValueError, match=why):
            train.read(path)
        with pytest.raises(coinche.BotError, match=why):
            coinche.Bot(f"rules+net:cards={path}")
    with pytest.raises(ValueError, match="no file of a network"):
        train.metadata(path)
    with pytest.raises(ValueError, match="cannot read the network"):
        train.read(tmp_path / "gone")
    with pytest.raises(ValueError, match=r"states\[0\]: no card is to be played"):
        train.inputs([coinche.State("bga", seed=1)])
    with pytest.raises(ValueError, match=r"states\[0\]: no card is to be played"):
        train.outputs([coinche.State("bga", seed=1)])


@needs_arena
def test_rows_are_choices(rows: pathlib.Path) -> None:
    """Each row is of a deal of its seed, and has the inputs and values of a position in it."""
    choices = data.choices(rows)
    assert len(choices) > 1_500 and len(choices.ones) == choices.offsets[-1]
    assert (np.diff(choices.deal.astype(np.int64)) >= 0).all() and choices.deal.max() < 150
    presets = {coinche.presets()[rules] for rules in np.unique(choices.rules)}
    assert {"bga", "contree", "coinchee", "belote"} <= presets
    # Whole deals are held out.
    for deal in np.unique(choices.deal):
        assert len(set(choices.held_out[choices.deal == deal])) == 1
    assert 0.05 < choices.held_out.mean() < 0.4
    legal = choices.legal()
    for row in range(0, len(choices), 7):
        ones = choices.ones[choices.offsets[row] : choices.offsets[row + 1]]
        hand = ones[ones < 32]
        assert len(hand) == 8 - choices.trick[row] and set(choices.cards[row][legal[row]]) <= set(hand)
        played = choices.cards[row].tolist().index(choices.played[row])
        assert choices.same[row] >> played & 1
    # Targets are less their mean, and what chance played is no example.
    solved, played_out, chosen = choices.targets()
    assert abs(solved.sum(axis=1)).max() < 1e-3 and abs(played_out.sum(axis=1)).max() < 1e-3
    assert (chosen.any(axis=1) == ~choices.stray).all() and choices.stray.any()
    is_solved = choices.is_solved()
    assert (is_solved == (choices.trick >= 3)).all() and not solved[~is_solved].any() and solved[is_solved].any(axis=1).mean() > 0.1
    legal, best = legal[is_solved], np.where(legal, choices.solved, -30_000)[is_solved].max(axis=1)
    assert (best >= np.where(legal, choices.played_out[is_solved], -30_000).min(axis=1)).mean() > 0.9


@needs_arena
def test_some_of_the_rows(rows: pathlib.Path) -> None:
    choices = data.choices(str(rows))
    mask = choices.held_out
    for some, at in [(choices[10:20], np.arange(10, 20)), (choices[mask], np.flatnonzero(mask)), (choices[:0], np.arange(0))]:
        assert len(some) == len(at) and (some.cards == choices.cards[at]).all() and some.offsets[0] == 0
        for row, of in enumerate(at):
            mine = some.ones[some.offsets[row] : some.offsets[row + 1]]
            assert mine.tolist() == choices.ones[choices.offsets[of] : choices.offsets[of + 1]].tolist()


def test_units_begin_in_their_middle() -> None:
    """Of a random network with the positions, about half of the units say something in most of them."""
    rows = train.inputs(plays("bga", 40))
    plain, network = train.random(2), train.random(2, rows)
    assert all((plain[name] == network[name]).all() for name in plain if name.endswith("weight"))
    hidden = np.stack([row @ network["first.weight"] for row in dense(rows)]) + network["first.bias"]
    assert abs(hidden.mean(axis=0)).max() < 1e-3
    second = np.maximum(hidden, 0) @ network["second.weight"] + network["second.bias"]
    assert abs(second.mean(axis=0)).max() < 1e-3 and 0.25 < (second > 0).mean(axis=0).min()


def dense(rows: train.Inputs) -> np.ndarray:
    """All inputs, one by one."""
    values = np.zeros((len(rows.numbers), train.shapes()["first.weight"][0]), np.float32)
    for row, numbers in enumerate(rows.numbers):
        for one in rows.ones[rows.offsets[row] : rows.offsets[row + 1]]:
            values[row, one] += 1
        values[row, -5:] = numbers
    return values


@needs_arena
def test_rust_learns_what_numpy_measures(rows: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The losses on what is held out, to the digits that are printed."""
    told = arena(tmp_path, f"train cards --from-rows {rows} --seed 1 --epochs 2 --out mine.safetensors")
    lines = re.findall(r"held out +([\d.]+) +([\d.]+) +([\d.]+)", told)
    choices = data.choices([rows])
    off = train.losses(train.read(tmp_path / "mine.safetensors"), choices[choices.held_out])
    assert len(lines) == 2
    for number, mine, unit in zip(lines[1], off, (0.1, 0.1, 0.0001)):
        # The exponential function of the program is an approximation of its own, the same on every machine.
        assert abs(float(number) - mine) < 2 * unit
    assert train.losses(train.read(), choices).solved < 0.97 * train.losses(train.random(), choices).solved
    assert train.losses(train.read(), choices[:0]) == (0, 0, 0)
    assert train.metadata(tmp_path / "mine.safetensors")["rows_seed"] == "5"


@needs_arena
def test_what_are_no_rows_is_named(rows: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def copy(name: str) -> pathlib.Path:
        shutil.copytree(rows, tmp_path / name)
        return tmp_path / name

    with pytest.raises(FileNotFoundError, match="arena train cards --rows"):
        data.choices(tmp_path)
    with pytest.raises(ValueError, match="no directory is given"):
        data.choices([])
    with pytest.raises(ValueError, match="has the same deals as .*: give it once"):
        data.choices([rows, rows])
    short = copy("short") / "part-000001.parquet"
    short.write_bytes(short.read_bytes()[:-1])
    with pytest.raises(ValueError, match="part-000001.parquet: damaged; remove it and repeat the command"):
        data.choices(tmp_path / "short")
    short.unlink()
    with pytest.raises(ValueError, match="part-000001.parquet: missing; repeat the command"):
        data.choices(tmp_path / "short")
    begun = copy("begun")
    (begun / "checksums.txt").unlink()
    with pytest.raises(ValueError, match="begun: not finished; repeat the command"):
        data.choices(begun)
    arena(tmp_path, "label --decisions --deals 3 --seed 1 --out decisions")
    with pytest.raises(ValueError, match="part-000000.parquet: not rows of choices among cards"):
        data.choices(tmp_path / "decisions")
    arena(tmp_path, "train cards --rows --deals 150 --chunk 40 --held-out 0.2 --seed 5 --bidders rules table --shard 1/2 --out one")
    with pytest.raises(ValueError, match="one has the same deals as"):
        data.choices([rows, tmp_path / "one"])
    arena(tmp_path, "train cards --rows --deals 150 --chunk 40 --held-out 0.2 --seed 5 --bidders rules table --shard 2/2 --out two")
    both, whole = data.choices([tmp_path / "one", tmp_path / "two"]), data.choices(rows)
    assert (both.ones == whole.ones).all() and (both.offsets == whole.offsets).all() and len(both.settings) == 2
    arena(tmp_path, "train cards --rows --deals 20 --seed 5 --held-out 0.3 --out half")
    with pytest.raises(ValueError, match="are of one seed, and hold out other shares"):
        data.choices([rows, tmp_path / "half"])


@needs_arena
def test_rows_of_other_inputs_are_refused(rows: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = coinche._coinche._card_network()
    monkeypatch.setattr(coinche._coinche, "_card_network", lambda: ("0123456789abcdef", *real[1:]))
    with pytest.raises(ValueError, match=rf"other inputs \({real[0]}\) than this version \(0123456789abcdef\)"):
        data.choices(rows)
    # Written by a build in which there were fewer.
    monkeypatch.setattr(coinche._coinche, "_card_network", lambda: (real[0], 900, *real[2:]))
    with pytest.raises(ValueError, match="`ones` has a value that it cannot have"):
        data.choices(rows)


def test_learning_needs_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install 'coinche\[train\]'"):
        train.fit(None)  # type: ignore[arg-type]


@needs_arena
@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_torch_learns(rows: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """The same losses as in NumPy, the same network from a seed, a file that is played by."""
    choices = data.choices(rows)
    learnt = choices[~choices.held_out]
    seen: list[tuple[int, train.Off, train.Off | None]] = []
    settings: dict[str, Any] = {"epochs": 12, "batch": 64, "rates": (1e-3, 1e-4), "warm": 5, "seed": 1, "device": "cpu"}
    network = train.fit(choices, **settings, after=lambda epoch, _, off, held_out: seen.append((epoch, off, held_out)))
    assert [epoch for epoch, *_ in seen] == list(range(1, 13))
    assert all(last < 0.9 * first for last, first in zip(seen[-1][1], seen[0][1]))
    assert seen[-1][2] == train.losses(network, choices[choices.held_out])
    again = train.fit(choices, **settings)
    assert all((again[name] == network[name]).all() for name in network)
    # Hardly a step: what is told while it learns are the losses of the network that it began with.
    told: list[train.Off] = []
    settings.update(epochs=1, batch=len(learnt), rates=(1e-12, 1e-12), start=network)
    train.fit(choices, **settings, after=lambda epoch, _, off, held_out: told.append(off))
    np.testing.assert_allclose(told[0], train.losses(network, learnt), rtol=1e-4)
    train.write(tmp_path / "mine.safetensors", network)
    out = arena(tmp_path, "run rules+net:cards=mine.safetensors rules --deals 4 --seed 1")
    assert "of 4 pairs differ" in out
    for wrong, why in [({"epochs": 0}, "expected numbers above 0"), ({"rates": (1e30, 1e30), "epochs": 3}, "the weights ran away in pass")]:
        with pytest.raises(ValueError, match=why):
            train.fit(choices, **{**settings, **wrong})
    with pytest.raises(ValueError, match="no row to learn from"):
        train.fit(choices[choices.held_out])


@needs_arena
@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_the_command(rows: pathlib.Path, tmp_path: pathlib.Path) -> None:
    def command(*words: object) -> subprocess.CompletedProcess[str]:
        called = [sys.executable, "-m", "coinche.train", *map(str, words)]
        return subprocess.run(called, capture_output=True, text=True, check=False, cwd=tmp_path)

    done = command(rows, "--out", "mine.safetensors", "--epochs", 2, "--seed", 3)
    assert done.returncode == 0 and done.stdout.count("held out  ") == 2, done.stderr
    said = train.metadata(tmp_path / "mine.safetensors")
    assert said["epochs"] == "2 of 2" and said["rows_seed"] == "5" and said["bidders"] == "rules table" and said["seed"] == "3"
    for words, why in [(["gone"], "gone: no part-"), ([rows, "--from", "gone"], "cannot read the network gone")]:
        failed = command(*words, "--out", "other.safetensors")
        assert failed.returncode == 2 and failed.stderr.startswith("error: ") and why in failed.stderr
        assert not (tmp_path / "other.safetensors").exists()
