"""Choices among cards, from which the network of the card player learns."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coinche import _coinche
from coinche._coinche import presets
from coinche._sums import check, sealed, sums
from coinche.data._files import pyarrow

HAND = 8
SCHEMA = 2
NO_CARD = 255
NOT_SOLVED = -32_768
REMEDY = "write them again with `arena train cards --rows`"


@dataclass
class Choices:
    """Choices among cards, a row each, as `docs/labels.md` describes them.

    Attributes:
        offsets: int64 (n + 1,), where the inputs of each row begin and end in `ones`.
        ones: uint16, the inputs that are 1, row after row.
        numbers: float32 (n, 5), the last five inputs.
        cards: uint8 (n, 8), the legal cards, 8 * suit + rank with the suits in the order of the input; then 255.
        solved: int16 (n, 8), the score of the deal after each of them, double dummy, the own side's less the other's; -32768 where cards
            were not solved.
        played_out: int16 (n, 8), the same, when four `rules` players continue, or the network (`policy` of the settings).
        same: uint8 (n,), which of `cards` do the same as the card that was played, a bit each.
        played: uint8 (n,), the card that was played.
        stray: bool (n,), whether it was random.
        held_out: bool (n,), whether nothing is to be learnt from the deal.
        rules: uint8 (n,), the place of the preset in `coinche.presets()`.
        deal: uint64 (n,), the number of the deal.
        seat: uint8 (n,), who plays.
        trick: uint8 (n,), how many tricks were finished.
        settings: for each directory what its rows say of how they were made.
    """

    offsets: NDArray[np.int64]
    ones: NDArray[np.uint16]
    numbers: NDArray[np.float32]
    cards: NDArray[np.uint8]
    solved: NDArray[np.int16]
    played_out: NDArray[np.int16]
    same: NDArray[np.uint8]
    played: NDArray[np.uint8]
    stray: NDArray[np.bool_]
    held_out: NDArray[np.bool_]
    rules: NDArray[np.uint8]
    deal: NDArray[np.uint64]
    seat: NDArray[np.uint8]
    trick: NDArray[np.uint8]
    settings: list[dict[str, Any]]

    def __len__(self) -> int:
        return len(self.cards)

    def __getitem__(self, rows: slice | NDArray[Any]) -> Choices:
        """Some of the rows: a slice, their numbers, or a mask."""
        at = np.arange(len(self))[rows]
        begin, length = self.offsets[at], self.offsets[at + 1] - self.offsets[at]
        offsets = np.concatenate([[0], length.cumsum()])
        picked = {name: getattr(self, name)[at] for name in COLUMNS}
        ones = self.ones[np.arange(offsets[-1]) + (begin - offsets[:-1]).repeat(length)]
        return Choices(offsets=offsets, ones=ones, settings=self.settings, **picked)

    def legal(self) -> NDArray[np.bool_]:
        """Which of `cards` are cards: bool (n, 8)."""
        legal: NDArray[np.bool_] = self.cards != NO_CARD
        return legal

    def is_solved(self) -> NDArray[np.bool_]:
        """In which rows the cards were solved: bool (n,)."""
        solved: NDArray[np.bool_] = self.solved[:, 0] != NOT_SOLVED
        return solved

    def targets(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
        """What the network learns: `solved` and `played_out` in hundreds of points less their means over the legal cards, float32
        (n, 8), 0 where there is no card, and in all of `solved` where cards were not solved; and which of the cards are examples of what is played, bool (n, 8), none where it was random."""
        legal = self.legal()

        def less_mean(points: NDArray[np.int16]) -> NDArray[np.float32]:
            values = np.where(legal, points.astype(np.float32) / 100, 0)
            mean = values.sum(axis=1, keepdims=True) / legal.sum(axis=1, keepdims=True)
            return np.where(legal, values - mean, 0).astype(np.float32)

        chosen = np.unpackbits(self.same[:, None], axis=1, bitorder="little").astype(bool) & ~self.stray[:, None]
        solved = np.where(self.is_solved()[:, None], self.solved, 0).astype(np.int16)
        return less_mean(solved), less_mean(self.played_out), chosen & legal


COLUMNS = ["numbers", "cards", "solved", "played_out", "same", "played", "stray", "held_out", "rules", "deal", "seat", "trick"]
FORMS: dict[str, tuple[str, int]] = {
    "numbers": ("<f4", 5), "cards": ("u1", HAND), "solved": ("<i2", HAND), "played_out": ("<i2", HAND)
}  # fmt: skip


def choices(directories: str | pathlib.Path | Sequence[str | pathlib.Path]) -> Choices:
    """The rows that `arena train cards --rows` wrote into one directory, or into several. Needs PyArrow.

    Every file is compared with its sum, and every row checked: what is learnt from is what was written.

    Raises:
        FileNotFoundError: when a directory has no rows.
        ImportError: when PyArrow is not installed.
        ValueError: when rows are unfinished, damaged, of other inputs than those of this version, or there twice.
    """
    given = [directories] if isinstance(directories, (str, pathlib.Path)) else list(directories)
    settings: list[dict[str, Any]] = []
    tables = []
    for directory in map(pathlib.Path, given):
        files = _files(directory)
        # Without rows there is nothing that the settings could be compared with.
        pyarrow("rows of choices are Parquet, which")
        read = [_table(file) for file in files]
        made = read[0][1]
        if any(other != made for _, other in read):
            raise ValueError(f"{directory}: its files are of different commands; {REMEDY} into another directory")
        made = {**made, **_shard(directory)}
        _check(directory, made, len(files), settings)
        settings.append({"directory": str(directory), **made})
        tables += [(file, table) for file, (table, _) in zip(files, read)]
    if not tables:
        raise ValueError("no directory is given; expected those that `arena train cards --rows` has written")
    parts = [_part(file, table) for file, table in tables]
    offsets = np.concatenate([[0], *(np.diff(part["offsets"]) for part in parts)]).cumsum()
    joined = {name: np.concatenate([part[name] for part in parts]) for name in ("ones", *COLUMNS)}
    return Choices(offsets=offsets, settings=settings, **joined)


def _files(directory: pathlib.Path) -> list[pathlib.Path]:
    """The parts, each as it was written."""
    files = sorted(directory.glob("part-*.parquet"))
    if not files:
        raise FileNotFoundError(f"{directory}: no part-*.parquet; write rows with `arena train cards --rows --out DIR`")
    listed = sums(directory)
    if not listed:
        raise ValueError(f"{directory}: not finished; repeat the command that makes it")
    there = {file.name for file in files}
    for name, written in listed.items():
        if name.startswith("part-") and name not in there:
            raise ValueError(f"{directory / name}: missing; repeat the command that made it")
        if name in there:
            check(directory / name, written)
    # A part that is not listed was being written.
    return [file for file in files if file.name in listed]


def _table(file: pathlib.Path) -> tuple[Any, dict[str, Any]]:
    """A part, with its settings."""
    from pyarrow import ArrowException, parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

    try:
        table = parquet.read_table(file)
        made = json.loads((table.schema.metadata or {}).get(b"coinche", b"{}"))
    except (ArrowException, OSError, ValueError) as error:
        raise ValueError(f"{file}: {error}; remove it and repeat the command that made it") from error
    if not isinstance(made, dict) or made.get("kind") != "choices":
        raise ValueError(f"{file}: not rows of choices among cards; write them with `arena train cards --rows --out DIR`")
    return table, made


def _shard(directory: pathlib.Path) -> dict[str, str]:
    """Which shard the directory has; nothing where it has all parts. The parts of the whole are those of its shards."""
    state = directory / "part.json"
    try:
        shard = json.loads(sealed(state)).get("shard") if state.is_file() else None
    except (ValueError, AttributeError) as error:
        raise ValueError(f"{state}: damaged; repeat the command that made it") from error
    return {"shard": shard} if shard else {}


def _check(directory: pathlib.Path, made: dict[str, Any], files: int, before: list[dict[str, Any]]) -> None:
    """Inputs, number of files, and that no deals are there twice."""
    fingerprint, *_ = _coinche._card_network()
    if made["schema"] != SCHEMA:
        raise ValueError(f"{directory}: its rows have the columns of another version ({made['schema']}, not {SCHEMA}); {REMEDY}")
    if made["inputs"] != fingerprint:
        raise ValueError(
            f"{directory}: its rows have other inputs ({made['inputs']}) than this version ({fingerprint}); {REMEDY}, or use"
            f" the package of the commit {made['commit']}"
        )
    deals, chunk = int(made["deals"]), int(made["chunk"])
    parts = -(-deals // chunk)
    if "shard" in made:
        number, of = map(int, made["shard"].split("/"))
        parts = parts * number // of - parts * (number - 1) // of
    if files < parts:
        raise ValueError(f"{directory}: {files} of {parts} parts are there; repeat the command that makes it")
    for other in before:
        if _same_deals(made, other):
            raise ValueError(f"{directory} has the same deals as {other['directory']}: give it once")
        if made["seed"] == other["seed"] and made["held_out"] != other["held_out"]:
            raise ValueError(f"{directory} and {other['directory']} are of one seed, and hold out other shares of its deals")


def _same_deals(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether some deals are in both, played by the same players: all but different shards of one data set."""

    def alike(*keys: str) -> bool:
        return all(one[key] == other[key] for key in keys)

    (n, of), (m, parts) = ((made.get("shard", "/")).split("/") for made in (one, other))
    apart = n != m and of == parts and alike("deals", "chunk")
    return alike("seed", "network", "bidders", "presets") and not apart


def _part(file: pathlib.Path, table: Any) -> dict[str, NDArray[Any]]:
    """The columns of a part as arrays."""
    import pyarrow

    try:
        columns = {name: table[name].combine_chunks() for name in table.column_names}
        part: dict[str, Any] = {}
        for name in COLUMNS:
            if name in FORMS:
                form, length = FORMS[name]
                # Of bytes of one length there is no copy.
                data = np.frombuffer(columns[name].buffers()[1] or b"", form)
                part[name] = data.reshape(-1, length)[columns[name].offset :][: len(table)]
            elif name == "rules":
                names = columns[name].dictionary_encode()
                places = np.array([presets().index(preset) for preset in names.dictionary.to_pylist()], np.uint8)
                part[name] = places[names.indices.to_numpy()] if len(table) else places
            else:
                part[name] = columns[name].to_numpy(zero_copy_only=False)
        ones = columns["ones"]
        part["offsets"] = ones.offsets.to_numpy().astype(np.int64)
        part["ones"] = ones.values.to_numpy()
    except (KeyError, ValueError, AttributeError, pyarrow.ArrowException) as error:
        raise ValueError(f"{file}: not rows of choices among cards ({error})") from error
    _, inputs, _, _ = _coinche._card_network()
    legal = part["cards"] != NO_CARD
    wrong = {
        "ones": len(part["ones"]) and part["ones"].max() >= inputs - 5,
        "numbers": not np.isfinite(part["numbers"]).all(),
        "cards": (part["cards"][legal] >= 32).any() or (legal.sum(axis=1) < 2).any() or (legal[:, 1:] & ~legal[:, :-1]).any(),
        "same": (part["same"] == 0).any() or (np.unpackbits(part["same"][:, None], axis=1, bitorder="little") > legal).any(),
    }
    for name, is_wrong in wrong.items():
        if is_wrong:
            raise ValueError(f"{file}: `{name}` has a value that it cannot have; remove it and repeat the command that made it")
    return part
