"""Tables that commands write as CSV or Parquet."""

from __future__ import annotations

import csv
import importlib
import pathlib
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from coinche.data._files import pick, pyarrow, text_of

TRUTH = {"true": True, "false": False}


def _column(cells: list[str]) -> NDArray[Any]:
    """A column of a CSV by what is in it: integers, numbers, flags or text. Without a cell that is not empty: numbers."""
    given = [cell for cell in cells if cell]
    if given and all(cell in TRUTH for cell in given):
        if len(given) == len(cells):
            return np.array([TRUTH[cell] for cell in cells])
        return np.array([float(TRUTH[cell]) if cell else np.nan for cell in cells])
    try:
        if len(given) == len(cells) and all(cell.lstrip("-").isdigit() for cell in given):
            return np.array([int(cell) for cell in cells], np.int64)
        return np.array([float(cell) if cell else np.nan for cell in cells])
    except ValueError:
        return np.array(cells, np.str_)


def _of_csv(path: pathlib.Path) -> NDArray[np.void]:
    with text_of(path) as text:
        rows = list(csv.reader(text))
    if not rows:
        raise ValueError(f"{path}: there is not even a line of names")
    names, cells = rows[0], rows[1:]
    for number, row in enumerate(cells):
        if len(row) != len(names):
            raise ValueError(f"{path}: line {number + 2} has {len(row)} cells, expected {len(names)}")
    return _structured({name: _column([row[place] for row in cells]) for place, name in enumerate(names)})


def _of_arrow(columns: Any) -> NDArray[np.void]:
    """A table of PyArrow as a structured array."""
    types = pyarrow("a Parquet file").types
    arrays: dict[str, NDArray[Any]] = {}
    for name in columns.column_names:
        column = columns[name]
        if types.is_string(column.type) or types.is_large_string(column.type) or types.is_dictionary(column.type):
            arrays[name] = np.array(["" if cell is None else cell for cell in column.to_pylist()], np.str_)
        elif types.is_boolean(column.type) and column.null_count:
            arrays[name] = np.array([np.nan if cell is None else float(cell) for cell in column.to_pylist()])
        else:
            arrays[name] = column.to_numpy()
    return _structured(arrays)


def arrow_table(file: pathlib.Path) -> Any:
    """A file as a table of PyArrow."""
    arrow = pyarrow(f"{file}: this")
    try:
        if file.suffix == ".parquet":
            return importlib.import_module("pyarrow.parquet").read_table(str(file))
        csv_of_arrow = importlib.import_module("pyarrow.csv")
        with arrow.input_stream(str(file)) as stream:
            return csv_of_arrow.read_csv(stream)
    except arrow.ArrowInvalid as error:
        raise ValueError(f"{file}: {error}") from error


def _structured(columns: dict[str, NDArray[Any]]) -> NDArray[np.void]:
    length = len(next(iter(columns.values()))) if columns else 0
    # A text of no letters is no type of a column.
    types = [(name, column.dtype if column.dtype != np.dtype("<U0") else np.dtype("<U1")) for name, column in columns.items()]
    rows = np.zeros(length, types)
    for name, column in columns.items():
        rows[name] = column
    return rows


def table(path: str | pathlib.Path, to: Literal["numpy", "arrow", "pandas"] = "numpy") -> Any:
    """A table as a NumPy array with a field for each column, a `pyarrow.Table` or a pandas `DataFrame`.

        rows = coinche.data.table("results/runs/mine")
        rows["score0"][rows["strain"] == "H"].mean()

    `docs/user/data.md` lists the columns. In NumPy, integers and flags with missing values are `float64` with NaN, and a missing text
    is empty.

    Args:
        path: the directory of a run, of which the summary is read, or a file: `.csv`, `.csv.zst` or `.parquet`.
        to: what to return. "arrow", Parquet and zstd need PyArrow, "pandas" needs both.

    Raises:
        FileNotFoundError: when there is no table.
        ImportError: when PyArrow or pandas is needed and not installed.
        ValueError: when the file is none that the arena writes.
    """
    if to not in ("numpy", "arrow", "pandas"):
        raise ValueError(f"to: '{to}', expected 'numpy', 'arrow' or 'pandas'")
    remedy = "write it with `arena run --records summary`"
    file = pick(path, ["summary.parquet", "summary.csv", "summary.csv.zst"], remedy)
    if file.suffix != ".parquet" and to == "numpy":
        return _of_csv(file)
    columns = arrow_table(file)
    if to == "arrow":
        return columns
    if to == "pandas":
        return columns.to_pandas()
    return _of_arrow(columns)
