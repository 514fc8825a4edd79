"""Labels: deals with exact points."""

from __future__ import annotations

import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coinche._coinche import Rules
from coinche._sums import checked
from coinche.data._files import mapped
from coinche.data._tables import _of_csv, arrow_table

DTYPE = np.dtype(
    [("deal", "<u8"), ("leader", "u1"), ("hands", "<u4", (4,)), ("points", "<i2", (6,)), ("slams", "u1", (2,))]
)
STRAINS = ["c", "d", "h", "s", "sa", "ta"]


def _sets(texts: NDArray[Any]) -> list[int]:
    actions = Rules("bga").actions
    numbers = {actions.name(card): card for card in range(32)}
    return [sum(1 << numbers[card] for card in text.split()) for text in texts]


def _rows(path: pathlib.Path) -> NDArray[np.void]:
    """One part."""
    columns: Any
    if path.suffix == ".csv":
        columns = _of_csv(path)
        names = columns.dtype.names or ()
    else:
        columns = arrow_table(path)
        names = columns.column_names
    if not {"deal", "leader", "hand0", "slams13", *STRAINS} <= set(names):
        raise ValueError(f"{path}: not a part of a data set of labels")
    rows = np.zeros(len(columns), DTYPE)
    for name in ("deal", "leader"):
        rows[name] = columns[name]
    for seat in range(4):
        hands = columns[f"hand{seat}"]
        rows["hands"][:, seat] = _sets(hands) if path.suffix == ".csv" else hands
    for place, strain in enumerate(STRAINS):
        points = np.asarray(columns[strain], np.float64)
        rows["points"][:, place] = np.where(np.isnan(points), -1, points)
    for side, name in enumerate(("slams02", "slams13")):
        rows["slams"][:, side] = columns[name]
    return rows


def _parts(directory: pathlib.Path) -> Iterator[pathlib.Path]:
    parquet, csv = sorted(directory.glob("part-*.parquet")), sorted(directory.glob("part-*.csv"))
    if not parquet and not csv:
        raise FileNotFoundError(f"{directory}: no part-*.parquet or part-*.csv; write them with `arena label`")
    yield from map(checked, parquet or csv)


def labels(directory: str | pathlib.Path, npy: str | pathlib.Path | None = None) -> NDArray[np.void]:
    """The labels that `arena label` wrote, a row for each deal and leader.

    Args:
        directory: where `arena label` wrote. Its Parquet parts are read (they need PyArrow), else those as CSV.
        npy: a file for these rows, 37 bytes each. It is written if it is not there, a part at a time, and then mapped into memory:
            nothing is read before it is used. It stays as it is when labels are added later.

    Returns:
        A structured array: `deal` uint64, `leader` uint8, `hands` uint32 (4,) (bit 8 * suit + rank), `points` int16 (6,) (card points of
        seats 0 and 2 by strain C D H S SA TA, -1 where one was left out), `slams` uint8 (2,) (by side, a bit for each strain).

    Raises:
        FileNotFoundError: when the directory has no parts.
        ImportError: when they are Parquet and PyArrow is not installed.
        ValueError: when a part is none, or `npy` is another array, with its name.
    """
    directory = pathlib.Path(directory)
    if npy is None:
        return np.concatenate([_rows(path) for path in _parts(directory)])
    npy = pathlib.Path(npy)
    if not npy.exists():
        _write(directory, npy)
    rows = mapped(npy)
    if rows.dtype != DTYPE:
        raise ValueError(f"{npy}: an array of something else than labels; delete it, or name another file")
    return rows


def _write(directory: pathlib.Path, npy: pathlib.Path) -> None:
    """Under another name at first, so that a file that is there is whole."""
    unfinished = npy.with_name(npy.name + ".part")
    length = 0
    with unfinished.open("wb") as file:

        def write_head() -> None:
            head = {"descr": np.lib.format.dtype_to_descr(DTYPE), "fortran_order": False, "shape": (length,)}
            np.lib.format.write_array_header_1_0(file, head)

        write_head()
        start = file.tell()
        for path in _parts(directory):
            rows = _rows(path)
            length += len(rows)
            file.write(rows.tobytes())
        file.seek(0)
        # The head has room for a longer number.
        write_head()
        assert file.tell() == start
    unfinished.replace(npy)
