"""Tables that the commands of the arena write, as columns."""

from __future__ import annotations

import csv
import html
import importlib
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coinche._run import _native


class Table(Mapping[str, NDArray[Any]]):
    """A table: arrays by the names of their columns, which `docs/user/data.md` explains.

    Whole numbers are int64, other numbers float64 with NaN where there is none, texts are objects with None where there is none.
    """

    def __init__(self, name: str, columns: Mapping[str, NDArray[Any]]) -> None:
        self.name = name
        self._columns = dict(columns)

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self._columns[column]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """The number of columns."""
        return len(self._columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self._columns.values()), []))

    def to_pandas(self) -> Any:
        """The table as a `pandas.DataFrame`."""
        pandas = importlib.import_module("pandas")
        return pandas.DataFrame(self._columns)

    def to_polars(self) -> Any:
        """The table as a `polars.DataFrame`."""
        polars = importlib.import_module("polars")
        return polars.DataFrame(self._columns, nan_to_null=True)

    def to_arrow(self) -> Any:
        """The table as a `pyarrow.Table`."""
        pyarrow = importlib.import_module("pyarrow")
        columns = {name: pyarrow.array(column, from_pandas=True) for name, column in self._columns.items()}
        return pyarrow.table(columns)

    def __repr__(self) -> str:
        return f"<Table {self.name}: {self.rows} rows of {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        most = 20

        def cell(value: object) -> str:
            if value is None or (isinstance(value, float) and value != value):
                return "<td></td>"
            return f"<td>{html.escape(f'{value:.4g}' if isinstance(value, float) else str(value))}</td>"

        head = "".join(f"<th>{html.escape(name)}</th>" for name in self._columns)
        lists = [column[:most].tolist() for column in self._columns.values()]
        body = "".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in zip(*lists))
        more = f"<p>{self.rows - most:,} more rows</p>" if self.rows > most else ""
        return f"<table><caption>{html.escape(self.name)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _column(texts: list[str]) -> NDArray[Any]:
    """A column of a CSV file with its type. An empty cell is a missing value."""
    there = [text for text in texts if text]
    if there and set(there) <= {"true", "false"}:
        if len(there) == len(texts):
            return np.array([text == "true" for text in texts])
        return np.array([None if not text else text == "true" for text in texts], dtype=object)
    for kind in (np.int64, np.float64):
        if kind is np.int64 and (len(there) < len(texts) or not there):
            continue
        try:
            return np.array([text or "nan" for text in texts], dtype=kind)
        except (ValueError, OverflowError):
            pass
    return np.array([text or None for text in texts], dtype=object)


def read_csv(path: pathlib.Path) -> Table:
    """Reads a table that the arena wrote as CSV."""
    with path.open(newline="", encoding="utf-8") as file:
        reader = csv.reader(file)
        head = next(reader, [])
        rows = list(reader)
    return Table(path.stem, {name: _column([row[at] for row in rows]) for at, name in enumerate(head)})


def _words(flags: Mapping[str, object]) -> list[str]:
    """Flags of a command: `worlds=20` is `--worlds 20`, and True stands for a flag without a value."""
    words = []
    for name, value in flags.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)):
            words += [word for one in value for word in (flag, str(one))]
        elif value is not None and value is not False:
            words += [flag, str(value)]
    return words


def _run_command(words: list[str]) -> str:
    _native()
    # A process of its own, so that Ctrl-C ends it, and what it prints is not lost in a notebook.
    called = subprocess.run(
        [sys.executable, "-m", "coinche_arena", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False
    )
    if called.returncode != 0:
        error = called.stderr.strip().removeprefix("error: ") or f"exit code {called.returncode}"
        raise ValueError(f"arena {words[0]}: {error}")
    return called.stdout


def tables(command: str, *arguments: object, **flags: object) -> dict[str, Table]:
    """Runs a command of the arena that writes tables (`stats`, `judge`, `bidding`, `report`, `compare`, …), and returns them by name.

        coinche.tables("stats", "runs/mine")["levels"]
        coinche.tables("judge", "runs/mine", sample=0.1, seed=1)["decisions"]

    Args:
        command: the command, as on the command line.
        arguments: its arguments: directories of runs, names of bots.
        flags: its flags; `deals=100` is `--deals 100`, `match=True` is `--match`.

    Raises:
        ValueError: with what the command says is wrong.
        ModuleNotFoundError: without the arena (`pip install coinche[arena]`).
    """
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "tables"
        words = [*command.split(), *(str(argument) for argument in arguments), *_words(flags)]
        _run_command([*words, "--csv", str(out)])
        return {path.stem: read_csv(path) for path in sorted(out.glob("*.csv"))}


def stats(*arguments: object, **flags: object) -> dict[str, Table]:
    """The tables of `arena stats`: what bots bid, lead, answer and make. Of runs with records, or `"rules", "table", deals=1000`."""
    return tables("stats", *arguments, **{"progress": "none", **flags})


def judge(*arguments: object, **flags: object) -> dict[str, Table]:
    """The tables of `arena judge`: what each decision of runs with records cost against double-dummy play."""
    return tables("judge", *arguments, **{"progress": "none", **flags})


def bidding(*bots: object, **flags: object) -> dict[str, Table]:
    """The tables of `arena bidding`: points, losses by cause and agreement of bidders."""
    return tables("bidding", *bots, **{"progress": "none", **flags})
