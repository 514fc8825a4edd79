"""Data sets of decisions that the arena wrote.

Needs the program: `COINCHE_ARENA=../target/release/arena pytest`.
"""

from __future__ import annotations

import os
import pathlib
import subprocess

import numpy as np
import pytest

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


def test_what_is_no_data_set_is_named(tmp_path: pathlib.Path) -> None:
    with pytest.raises(FileNotFoundError, match="label --decisions"):
        data.decisions(tmp_path)
    (tmp_path / "part-000000.npy").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="part-000000.npy"):
        data.decisions(tmp_path)
    np.save(tmp_path / "part-000000.npy", np.zeros(3))
    with pytest.raises(ValueError, match="not a part"):
        data.decisions(tmp_path)
