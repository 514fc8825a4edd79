"""What the arena wrote: data sets of decisions, records, tables.

Needs the program: `COINCHE_ARENA=../target/release/arena pytest`.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import arena, needs_arena

import coinche
from coinche import data

ARENA = os.environ.get("COINCHE_ARENA")


@pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
@pytest.mark.parametrize("preset", ["bga", "coinche-melds", "belote"])
def test_rows_are_decisions(preset: str, tmp_path: pathlib.Path) -> None:
    """Played again, each row is what the state shows, and the values of the last trick are the outcome."""
    assert ARENA is not None
    command = [ARENA, "label", "--decisions", "--which", "all", "--rules", preset, "--deals", "30", "--chunk", "7"]
    command += ["--seed", "rows", "--stray", "0.2", "--table", "npy", "--out", str(tmp_path / "rows")]
    subprocess.run([*command, "--progress", "none"], check=True, capture_output=True)
    parts = data.decisions(tmp_path / "rows")
    assert len(parts) == 5
    state, names, valued = coinche.State(preset, seed="rows"), coinche.Rules(preset).actions, 0
    for row in np.concatenate(parts):
        if row["decision"] == 0:
            state = coinche.State(preset, seed="rows", deal=int(row["deal"]))
        assert state.current_player == row["seat"] and state.dealer == row["dealer"]
        assert (row["obs"] == state.observation(bits=True, canonical=True)).all()
        mask = data.unpack(row["mask"], len(names))
        assert mask.sum() == len(state.legal_actions()) and mask[row["played"]] == 1
        order, played = state.suit_order(), names.name(int(row["played"]))
        values = row["values"]
        if not state.is_auction and (values != data.NONE).any():
            assert ((values != data.NONE) == mask[:32].astype(bool)).all()
            valued += 1
        bare, silent = played.removesuffix(" silent"), " silent" if played.endswith(" silent") else ""
        if bare not in ("P", "X", "XX", "W", "TAKE") and not (len(bare) > 3 and bare.endswith(("SA", "TA"))):
            played = bare[:-1] + order["CDHS".index(bare[-1])] + silent
        state.apply(played)
        if state.is_over:
            assert row["outcome"] == state.returns()[row["seat"]]
            if values.max() != data.NONE and not silent:
                assert values[row["played"]] == row["outcome"]
    assert valued > 500


def run(out: pathlib.Path, *settings: str) -> pathlib.Path:
    assert ARENA is not None
    command = [ARENA, "run", "random", "rules", "--deals", "20", "--seed", "records", "--records", "full", *settings]
    subprocess.run([*command, "--out", str(out), "--progress", "none"], check=True, capture_output=True)
    return out


@pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
@pytest.mark.parametrize("settings", [
    ["--rules", "bga"], ["--rules", "coinche", "--set", "auction.highest=none"], ["--rules", "belote"],
])
def test_records_as_arrays_play_again(settings: list[str], tmp_path: pathlib.Path) -> None:
    directory = run(tmp_path / "run", *settings)
    listed, rows = list(data.records(directory)), data.record_array(directory)
    assert len(listed) == len(rows) == 40 and rows["deal"].tolist() == [record["deal"] for record in listed]
    rules = coinche.Rules(settings[1], **({"auction.highest": "none"} if "--set" in settings else {}))
    passed = 0
    for record, row in zip(listed, rows):
        state = coinche.State(rules, seed="records", deal=int(row["deal"]))
        assert state.dealer == row["dealer"] and record["leg"] == row["leg"]
        names = rules.actions
        for caller, call in zip(row["callers"], row["calls"]):
            if call == -1:
                break
            while state.current_player != caller:
                state.apply("P")
            state.apply(int(call))
        while not state.is_over and state.is_auction:
            state.apply("P")
        if row["contract"] == -1:
            passed += 1
            assert (row["cards"] == -1).all() and row["made"] == -1 and row["declarer"] == -1
            continue
        bid, declarer, stake = state.contract or ("", -1, "")
        assert names.index(bid.replace("TAKE", "TAKE ")) == row["contract"] and declarer == row["declarer"]
        assert ["plain", "coinche", "surcoinche"][row["stake"]] == stake
        assert row["hands"].tolist() == state.hands
        for leader, cards, winner in zip(row["leaders"], row["cards"], row["winners"]):
            assert state.current_player == leader
            for card in cards:
                state.apply(int(card))
            assert state.is_over or state.current_player == winner
        assert state.is_over and state.points == tuple(row["card_points"])
        assert row["made"] == record["made"] and tuple(row["score"]) == tuple(record["score"])
    assert passed < 40


@pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
def test_all_forms_hold_the_same(tmp_path: pathlib.Path) -> None:
    pytest.importorskip("pyarrow")
    plain = run(tmp_path / "plain", "--rules", "coinche-melds")
    other = run(tmp_path / "other", "--rules", "coinche-melds", "--table", "parquet", "--lines", "jsonl.zst")
    packed = run(tmp_path / "packed", "--rules", "coinche-melds", "--table", "csv.zst")
    assert list(data.records(plain)) == list(data.records(other))
    assert (data.record_array(plain) == data.record_array(other / "records.jsonl.zst")).all()
    rows = data.table(plain)
    assert rows.dtype.names == data.table(other).dtype.names and len(rows) == 40
    for again in (data.table(other), data.table(packed)):
        for name in rows.dtype.names:
            if rows[name].dtype.kind == "U":
                assert (rows[name] == again[name]).all(), name
            else:
                np.testing.assert_array_equal(rows[name].astype(float), again[name].astype(float), name)
    arrow = data.table(other, to="arrow")
    assert arrow.column_names == list(rows.dtype.names) and arrow["score0"].to_pylist() == rows["score0"].tolist()
    assert data.table(packed, to="arrow").column_names == arrow.column_names
    pytest.importorskip("pandas")
    assert data.table(plain, to="pandas")["score1"].tolist() == rows["score1"].tolist()


def test_what_needs_pyarrow_says_so(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name in ("records.jsonl.zst", "summary.parquet", "part-000000.parquet"):
        (tmp_path / name).write_bytes(b"")
    for ask in (lambda: list(data.records(tmp_path)), lambda: data.table(tmp_path), lambda: data.labels(tmp_path)):
        with pytest.raises(ImportError, match=r"pip install 'coinche\[arrow\]'"):
            ask()


def test_what_is_no_record_or_table_is_named(tmp_path: pathlib.Path) -> None:
    for ask, remedy in [(data.records, "--records full"), (data.table, "--records summary"), (data.labels, "arena label")]:
        with pytest.raises(FileNotFoundError, match=remedy):
            ask(tmp_path)
    with pytest.raises(FileNotFoundError, match="no such file"):
        data.table(tmp_path / "gone.csv")
    (tmp_path / "records.jsonl").write_text('{"v":1}\n[]\n')
    with pytest.raises(ValueError, match="line 2: not a record of version 1"):
        list(data.records(tmp_path))
    with pytest.raises(ValueError, match="record 1: KeyError"):
        data.record_array(tmp_path)
    (tmp_path / "records.jsonl").write_text("{")
    with pytest.raises(ValueError, match="line 1"):
        list(data.records(tmp_path))
    (tmp_path / "summary.csv").write_text("a,b\n1,2\n3\n")
    with pytest.raises(ValueError, match="line 3 has 1 cells, expected 2"):
        data.table(tmp_path)
    (tmp_path / "summary.csv").write_text("")
    with pytest.raises(ValueError, match="names"):
        data.table(tmp_path)
    with pytest.raises(ValueError, match="expected 'numpy'"):
        data.table(tmp_path, to="polars")
    (tmp_path / "part-000000.csv").write_text("a\n1\n")
    with pytest.raises(ValueError, match="part-000000.csv: not a part"):
        data.labels(tmp_path)
    np.save(tmp_path / "rows.npy", np.zeros(3))
    with pytest.raises(ValueError, match="rows.npy"):
        data.labels(tmp_path, npy=tmp_path / "rows.npy")


def test_what_is_no_data_set_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError, match="label --decisions"):
        data.decisions(tmp_path)
    (tmp_path / "part-000000.npy").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="part-000000.npy"):
        data.decisions(tmp_path)
    np.save(tmp_path / "part-000000.npy", np.zeros(3))
    with pytest.raises(ValueError, match="not a part"):
        data.decisions(tmp_path)


@pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
def test_damage_is_named(tmp_path: pathlib.Path) -> None:
    """A flipped bit in any file that is read."""
    for words in ("run rules random --deals 4 --seed 1 --records full --out run", "label --deals 4 --seed 1 --table csv --out labels"):
        subprocess.run([str(ARENA), *words.split(), "--progress", "none"], check=True, capture_output=True, cwd=tmp_path)
    readers = {
        "run/summary.csv": data.table,
        "run/records.jsonl": data.record_array,
        "labels/part-000000.csv": data.labels,
        "run/checksums.txt": data.table,
    }
    for name, read in readers.items():
        file = tmp_path / name
        whole = file.read_bytes()
        file.write_bytes(whole[:-9] + bytes([whole[-9] ^ 4]) + whole[-8:])
        with pytest.raises(ValueError, match=f"{file.name}: damaged"):
            read(file.parent)
        file.write_bytes(whole)
        read(file.parent)


GAMES = "label --games --by table+rules --by rules --deals 90 --chunk 25 --seed games --out games"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    pytest.importorskip("pyarrow")
    directory = tmp_path_factory.mktemp("games")
    arena(directory, GAMES)
    arena(directory, "run table+rules rules --deals 90 --seed games --records full --table parquet --out run")
    arena(directory, "label --deals 90 --seed games --table parquet --out labels")
    return directory


@needs_arena
def test_games_are_a_run_and_its_labels_with_values(games: pathlib.Path) -> None:
    whole = data.load(games / "games")
    assert whole.settings["bots"] == ["table+rules", "rules"]
    legs, summary = whole.table("legs"), data.table(games / "run", to="arrow")
    assert legs.to_pylist() == summary.to_pylist()
    deals, labels = whole.table("deals"), data.table(games / "labels" / "part-000000.parquet", to="arrow")
    assert deals.drop_columns("split").to_pylist() == labels.to_pylist()
    # Each choice, by single states: a card is worth what the solver says, a call what comes of it when the bots go on.
    rows, bots, met = iter(whole.table("choices").to_pylist()), ["table+rules", "rules"], [0, 0]
    for record in data.records(games / "run"):
        state = coinche.State("bga", seed="games", deal=record["deal"])
        playing = [coinche.Bot(bots[(seat + record["leg"]) % 2]) for seat in range(4)]
        for decision in range(100):
            if state.is_over:
                break
            # Whether a belote is announced is no choice among cards.
            names = (state.rules.actions.name(action) for action in state.legal_actions())
            legal = [name for name in names if not name.endswith(" silent")]
            seat = state.current_player
            here = [next(rows) for _ in legal]
            assert sorted(row["choice"] for row in here) == sorted(legal)
            assert {(row["deal"], row["leg"], row["decision"], row["seat"]) for row in here} == {(record["deal"], record["leg"], decision, seat)}
            solved = None if state.is_auction else coinche.values([state], score=True)[0]
            for row in here:
                if solved is None:
                    then = state.clone()
                    then.apply(row["choice"])
                    while then.is_auction and not then.is_over:
                        then.apply(int(playing[then.current_player].act([then])[0]))
                    expected = 0
                    if not then.is_over:
                        expected = coinche.values([then], score=True).max() * (1 if (then.current_player - seat) % 2 == 0 else -1)
                else:
                    expected = solved[state.rules.actions.index(row["choice"])]
                assert row["value"] == expected, row
                met[0] += 1
            taken = [row["choice"] for row in here if row["taken"]]
            assert len(taken) == 1
            state.apply(taken[0])
        assert list(state.score) == record["score"]
        met[1] += 1
        if met[1] == 6:
            break
    assert met[0] > 1000


@needs_arena
def test_splits_pairs_and_the_sum_of_games(games: pathlib.Path) -> None:
    whole = data.load(games / "games")
    files = sorted((games / "games").glob("*.parquet"))
    assert len(files) == 12 and whole.sha256 == hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    of_split = {split: set(whole.table("choices", split)["deal"].to_pylist()) for split in ("train", "validation", "test")}
    assert [len(deals) for deals in of_split.values()] == [74, 8, 8] and set.union(*of_split.values()) == set(range(90))
    deals = whole.table("deals", to="numpy")
    for split, found in of_split.items():
        assert set(deals["deal"][deals["split"] == split]) == found and {deal % 4 for deal in found} == {0, 1, 2, 3}
    pairs = whole.pairs()
    verdict = coinche.run("table+rules", "rules", deals=90, seed="games", progress=False)
    assert (pairs["difference"] == verdict.pairs[:, 0]).all()
    for wrong in (dict(name="cards"), dict(name="legs", split="all"), dict(name="legs", to="polars")):
        with pytest.raises(ValueError, match="expected"):
            whole.table(**wrong)


@needs_arena
def test_games_that_are_not_whole_are_refused(games: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError, match="arena label --games"):
        data.load(tmp_path)
    with pytest.raises(ValueError, match="a data set of `label`.*arena label --games"):
        data.load(games / "labels")
    copy = tmp_path / "copy"
    shutil.copytree(games / "games", copy)
    file = copy / "legs-000001.parquet"
    kept = file.read_bytes()
    file.write_bytes(kept[:-9] + b"?" + kept[-8:])
    with pytest.raises(ValueError, match="legs-000001.parquet: damaged"):
        data.load(copy)
    file.unlink()
    with pytest.raises(ValueError, match="legs-000001.parquet: missing"):
        data.load(copy)
    (copy / "checksums.txt").unlink()
    with pytest.raises(ValueError, match="not finished"):
        data.load(copy)


def test_the_games_of_the_repository_are_those_of_its_page() -> None:
    pytest.importorskip("pyarrow")
    place = pathlib.Path(__file__).parents[2] / "results/2026-11-26-games"
    games = data.load(place)
    assert games.sha256 in (place / "README.md").read_text()
    assert len(games.table("deals")) == 10_000
    # What a clone brings along.
    assert sum(file.stat().st_size for files in games.files.values() for file in files) < 7_000_000


@needs_arena
def test_ten_questions_are_answered_twice(games: pathlib.Path) -> None:
    pytest.importorskip("duckdb")
    pytest.importorskip("polars")
    file = pathlib.Path(__file__).parents[2] / "examples/analysis/ten_questions.py"
    said = subprocess.run([sys.executable, file, games / "games"], check=True, capture_output=True, text=True).stdout
    assert said.count("?") >= 10 and "10. " in said


@needs_arena
def test_states_of_records(games: pathlib.Path) -> None:
    listed = list(data.records(games / "run"))
    starts = list(coinche.states(games / "run", "start"))
    assert starts == [coinche.State("bga", seed="games", deal=record["deal"]) for record in listed]
    played = [record for record in listed if record["tricks"]]
    for record, lead in zip(played, coinche.states(games / "run"), strict=True):
        assert not lead.is_auction and len(lead.history) == len(record["auction"]) and lead.contract[0] == record["contract"]["bid"]
    assert sum(1 for _ in coinche.states(games / "run", "cards")) == 32 * len(played)
    assert sum(1 for _ in coinche.states(games / "run", "calls")) == sum(len(record["auction"]) for record in listed)
    with pytest.raises(ValueError, match="expected 'start'"):
        coinche.states(games / "run", "end")
    wrong = games / "wrong.jsonl"
    wrong.write_text(json.dumps({**played[0], "auction": [[0, "80H"]] * 4}) + "\n")
    with pytest.raises(ValueError, match="record 1: .*auction"):
        list(coinche.states(wrong))
