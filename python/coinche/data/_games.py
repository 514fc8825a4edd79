"""Data sets of games: deals with their exact points, the legs that two bots played, and every choice with its value."""

from __future__ import annotations

import hashlib
import json
import pathlib
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from coinche._sums import check, sealed, sums
from coinche.data._files import pyarrow
from coinche.data._tables import _of_arrow

TABLES = ("deals", "legs", "choices")
SPLITS = ("train",) * 8 + ("validation", "test")
"""By `deal // 4 % 10`: all that is played with a deck is in one of them, and each has every dealer as often."""


@dataclass(frozen=True)
class Games:
    """A data set of games, each file of which was compared with its sum.

    Attributes:
        path: the directory.
        settings: rules, bots, seed and number of deals.
        files: the Parquet files by table, in the order of the deals: what `polars.scan_parquet` and DuckDB take.
    """

    path: pathlib.Path
    settings: dict[str, Any]
    files: dict[str, list[pathlib.Path]]

    @property
    def sha256(self) -> str:
        """The SHA-256 of all files in the order of their names: `cat *.parquet | sha256sum`."""
        found = hashlib.sha256()
        for file in sorted(file for files in self.files.values() for file in files):
            found.update(file.read_bytes())
        return found.hexdigest()

    def table(
        self,
        name: Literal["deals", "legs", "choices"],
        split: Literal["train", "validation", "test"] | None = None,
        to: Literal["arrow", "numpy", "pandas"] = "arrow",
    ) -> Any:
        """One of the tables, all of it or the rows of a split. `docs/labels.md` lists the columns."""
        if name not in TABLES:
            raise ValueError(f"name: '{name}', expected 'deals', 'legs' or 'choices'")
        if split is not None and split not in SPLITS:
            raise ValueError(f"split: '{split}', expected 'train', 'validation', 'test' or None")
        if to not in ("arrow", "numpy", "pandas"):
            raise ValueError(f"to: '{to}', expected 'arrow', 'numpy' or 'pandas'")
        from pyarrow import concat_tables, parquet  # type: ignore[import-untyped, import-not-found, unused-ignore]

        rows = concat_tables([parquet.read_table(file) for file in self.files[name]])
        if split is not None:
            place = rows["deal"].to_numpy() // 4 % 10
            rows = rows.filter(np.array(SPLITS)[place.astype(np.int64)] == split)
        return rows if to == "arrow" else rows.to_pandas() if to == "pandas" else _of_arrow(rows)

    def pairs(self, split: Literal["train", "validation", "test"] | None = None) -> NDArray[np.void]:
        """A row for each deal: its number, what the first bot scored more than the second in leg 0 and in leg 1, and the mean of both,
        which is what a run compares."""
        legs = self.table("legs", split, "numpy")
        # The first bot has seats 0 and 2 in leg 0, and 1 and 3 in leg 1; the legs of a deal stand one behind the other.
        more = (legs["score0"] - legs["score1"]).reshape(-1, 2) * [1, -1]
        pairs = np.zeros(len(more), [("deal", "<i8"), ("leg0", "<i4"), ("leg1", "<i4"), ("difference", "<f8")])
        pairs["deal"], pairs["difference"] = legs["deal"][::2], more.mean(axis=1)
        pairs["leg0"], pairs["leg1"] = more.T
        return pairs


def load(directory: str | pathlib.Path) -> Games:
    """The games that `arena label --games` wrote. Needs PyArrow.

        games = coinche.data.load("results/2026-11-26-games")
        test = games.table("choices", split="test", to="pandas")

    Raises:
        FileNotFoundError: when the directory has none.
        ImportError: when PyArrow is not installed.
        ValueError: when they are unfinished or damaged, with the name of the file.
    """
    path = pathlib.Path(directory)
    remedy = "write games with `arena label --games --by A --by B --deals N --out DIR`"
    if not (path / "part.json").is_file():
        raise FileNotFoundError(f"{path}: no data set; {remedy}")
    state = json.loads(sealed(path / "part.json"))
    if state.get("job") != "games":
        raise ValueError(f"{path}: a data set of `{state.get('job')}`; {remedy}")
    written = sums(path)
    if not written or state["done"] < state["end"]:
        raise ValueError(f"{path}: not finished; repeat the command that makes it")
    files: dict[str, list[pathlib.Path]] = {name: [] for name in TABLES}
    for name, how in sorted(written.items()):
        table = name.partition("-")[0]
        if table in files:
            if not (path / name).is_file():
                raise ValueError(f"{path / name}: missing; repeat the command that made it")
            check(path / name, how)
            files[table].append(path / name)
    pyarrow("games are Parquet, which")
    return Games(path, state["identity"]["settings"], files)
