"""Deals that the arena played and wrote: the same calls, cards and scores here.

Needs the program: `COINCHE_ARENA=../target/release/arena pytest`.
"""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
from typing import Any

import pytest

import coinche

ARENA = os.environ.get("COINCHE_ARENA")
DEALS = os.environ.get("COINCHE_DEALS", "50")


def kept_silent(record: dict[str, Any]) -> set[str]:
    """The suits of belotes that were not announced."""
    belotes = list(record.get("belotes") or [])
    if record["belote"]:
        belotes.append(record["belote"] | {"suit": record["contract"]["bid"][-1]})
    return {belote["suit"] for belote in belotes if not belote["announced"]}


@pytest.mark.skipif(ARENA is None, reason="COINCHE_ARENA is not set")
@pytest.mark.parametrize("preset", coinche.presets())
def test_records_of_the_arena(preset: str, tmp_path: pathlib.Path) -> None:
    assert ARENA is not None
    command = [ARENA, "run", "random", "rules", "--rules", preset, "--deals", DEALS, "--seed", "golden", "--records", "full"]
    subprocess.run([*command, "--out", str(tmp_path / "run"), "--progress", "none"], check=True, capture_output=True)
    lines = (tmp_path / "run" / "records.jsonl").read_text().splitlines()
    assert len(lines) == 2 * int(DEALS)
    played = 0
    for line in lines:
        record = json.loads(line)
        state = coinche.State(preset, seed="golden", deal=record["deal"])
        names = state.rules.actions
        dealt = [{names.name(card) for card in range(32) if bits >> card & 1} for bits in state.hands]
        if record["turned"] is None:
            hands = [set(hand.split()) for hand in record["hands"]]
            # Of a split deal the other cards come after the auction.
            assert hands == dealt or all(len(first) == 5 and first < hand for first, hand in zip(dealt, hands))
        assert record["dealer"] == state.dealer
        for seat, call in record["auction"]:
            # Offers of a coinche that were declined are not written.
            while state.current_player != seat or names.index(call) not in state.legal_actions():
                state.apply("P")
            state.apply(call)
        while not state.is_over and state.is_auction:
            state.apply("P")
        for trick in record["tricks"]:
            for card in trick["cards"]:
                silent = f"{card} silent"
                is_silent = card[1] in kept_silent(record) and card[0] in "KQ"
                state.apply(silent if is_silent and names.index(silent) in state.legal_actions() else card)
        assert state.is_over
        assert state.score == tuple(record["score"])
        played += 1
    assert played == 2 * int(DEALS)
