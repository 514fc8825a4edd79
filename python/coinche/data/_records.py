"""Records of deals: every call and card."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from coinche._coinche import Rules, State, _record_states
from coinche.data._files import pick, text_of

NAMES = ["records.jsonl", "records.jsonl.zst"]
STAKES = {"plain": 0, "coinche": 1, "surcoinche": 2}


def records(path: str | pathlib.Path) -> Iterator[dict[str, Any]]:
    """The records of a run, one after the other, as `docs/formats.md` describes them.

        for record in coinche.data.records("results/runs/mine"):
            print(record["deal"], record["contract"], record["score"])

    Args:
        path: the directory of a run, or a file: `.jsonl` or `.jsonl.zst` (which needs PyArrow).

    Raises:
        FileNotFoundError: when there are none.
        ImportError: when they are compressed and PyArrow is not installed.
        ValueError: when a line is no record, with its number.
    """
    file = pick(path, NAMES, "write them with `arena run --records full`")
    return _read(file)


def _read(file: pathlib.Path) -> Iterator[dict[str, Any]]:
    with text_of(file) as text:
        for number, line in enumerate(text, 1):
            try:
                record = json.loads(line)
            except ValueError as error:
                raise ValueError(f"{file}: line {number}: {error}") from error
            if not isinstance(record, dict) or record.get("v") != 1:
                raise ValueError(f"{file}: line {number}: not a record of version 1")
            yield record


def states(
    path: str | pathlib.Path, when: Literal["start", "lead", "calls", "cards"] = "lead"
) -> Iterator[State]:
    """States of the deals of a run, in its order, as `VecEnv(positions=…)` and `rollout` take them.

        leads = list(coinche.states("runs/mine"))

    Args:
        path: as of `records`.
        when: before the first call ("start") or the first card ("lead"), or before each call or card. What is not in a deal is left out.

    Raises:
        FileNotFoundError, ImportError: as of `records`.
        ValueError: when a record is not what the rules allow, with its number.
    """
    if when not in ("start", "lead", "calls", "cards"):
        raise ValueError(f"when: '{when}', expected 'start', 'lead', 'calls' or 'cards'")
    return _states(path, when)


def _states(path: str | pathlib.Path, when: str) -> Iterator[State]:
    for number, record in enumerate(records(path), 1):
        try:
            before = _record_states(json.dumps(record))
        except ValueError as error:
            raise ValueError(f"{path}: record {number}: {error}") from error
        wanted = [state for state in before if state.is_auction == (when in ("start", "calls"))]
        yield from wanted[: 1 if when in ("start", "lead") else None]


def _options(rules: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """The options of a rule set by their paths."""
    for name, value in rules.items():
        if isinstance(value, dict):
            yield from _options(value, f"{before}{name}.")
        else:
            yield before + name, "none" if value is None else value


class _Numbers:
    """The numbers of calls and cards, under the rules of each record."""

    def __init__(self) -> None:
        self.by_rules: dict[str, dict[str, int]] = {}

    def of(self, rules: str | dict[str, Any]) -> dict[str, int]:
        name = rules if isinstance(rules, str) else json.dumps(rules)
        if name not in self.by_rules:
            if isinstance(rules, str):
                actions = Rules(rules).actions
            else:
                actions = Rules("bga", **dict(_options(rules))).actions
            self.by_rules[name] = {name: number for number, name in enumerate(actions.names())}
        return self.by_rules[name]


def _hand(text: str, numbers: dict[str, int]) -> int:
    return sum(1 << numbers[card] for card in text.split())


def _row(record: dict[str, Any], numbers: dict[str, int]) -> dict[str, Any]:
    contract, turned, made = record["contract"], record["turned"], record["made"]
    tricks = record["tricks"]
    row = {name: record[name] for name in ("deal", "leg", "dealer", "tricks_won", "card_points", "score")}
    row["hands"] = [_hand(hand, numbers) for hand in record["hands"]]
    row["turned"] = -1 if turned is None else numbers[turned]
    row["callers"] = [seat for seat, _ in record["auction"]]
    row["calls"] = [numbers[call] for _, call in record["auction"]]
    row["contract"], row["declarer"], row["stake"] = -1, -1, 0
    if contract is not None:
        bid = contract["bid"]
        row["contract"] = numbers[_call_of(bid, numbers)]
        row["declarer"], row["stake"] = contract["declarer"], STAKES[contract["stake"]]
    row["made"] = -1 if made is None else int(made)
    row["leaders"] = [trick["leader"] for trick in tricks]
    row["cards"] = [[numbers[card] for card in trick["cards"]] for trick in tricks]
    row["winners"] = [trick["winner"] for trick in tricks]
    row["faults"] = len(record["faults"])
    return row


def _call_of(bid: str, numbers: dict[str, int]) -> str:
    """The call that made a contract: of one without a value the take, or the bid of its strain."""
    strain = bid.removeprefix("TAKE")
    return next((call for call in (bid, strain) if call in numbers), f"TAKE {strain}")


def record_array(path: str | pathlib.Path) -> NDArray[np.void]:
    """All records of a run as a structured array, a row for each leg.

    Calls and cards are the numbers of `Rules.actions`. -1 stands where there is none: of the contract, declarer and cards of a deal that
    was passed out, after the last call, of a `turned` card.

    | field | type | meaning |
    |---|---|---|
    | `deal`, `leg`, `dealer` | int64, int8, int8 | number of the deal, the seating, who dealt |
    | `hands` | uint32 (4,) | when play began, bit 8 * suit + rank |
    | `turned` | int8 | the card turned up |
    | `callers`, `calls` | int8 (m,), int16 (m,) | the auction: seat and call; m is that of the longest |
    | `contract`, `declarer`, `stake` | int16, int8, int8 | the bid or take; the seat; 0 plain, 1 coinched, 2 surcoinched |
    | `leaders`, `cards`, `winners` | int8 (8,), int8 (8, 4), int8 (8,) | the tricks; cards in the order played |
    | `tricks_won`, `card_points`, `score` | int8 (2,), int16 (2,), int32 (2,) | by side, seats 0 and 2 first |
    | `made` | int8 | 1, 0; -1 when passed out |
    | `faults` | int16 | how many answers were wrong |

    Args:
        path: as of `records`.

    Raises:
        FileNotFoundError, ImportError: as of `records`.
        ValueError: when a record lacks a field, or has a card or call that its rules do not have, with its number.
    """
    known, rows = _Numbers(), []
    for number, record in enumerate(records(path), 1):
        try:
            rows.append(_row(record, known.of(record["rules"])))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path}: record {number}: {error!r}") from error
    longest = max((len(row["calls"]) for row in rows), default=0)
    dtype = [
        ("deal", "<i8"), ("leg", "i1"), ("dealer", "i1"), ("hands", "<u4", (4,)), ("turned", "i1"),
        ("callers", "i1", (longest,)), ("calls", "<i2", (longest,)), ("contract", "<i2"), ("declarer", "i1"), ("stake", "i1"),
        ("leaders", "i1", (8,)), ("cards", "i1", (8, 4)), ("winners", "i1", (8,)), ("tricks_won", "i1", (2,)),
        ("card_points", "<i2", (2,)), ("score", "<i4", (2,)), ("made", "i1"), ("faults", "<i2"),
    ]  # fmt: skip
    array = np.zeros(len(rows), dtype)
    for name in ("callers", "calls", "leaders", "cards", "winners"):
        array[name] = -1
    for place, row in enumerate(rows):
        filled = array[place]
        for name, value in row.items():
            if isinstance(value, list):
                filled[name][: len(value)] = value if value else filled[name][:0]
            else:
                filled[name] = value
    return array
