"""Data sets of decisions."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coinche._sums import checked
from coinche.data._files import mapped

NONE = -32768
"""In `values`: a card that is not legal, or a decision without values."""


def decisions(directory: str | pathlib.Path) -> list[NDArray[np.void]]:
    """The parts of a data set of decisions, mapped into memory, after each was compared with its sum.

    Returns:
        Structured arrays, one for each part, in the order of the deals. `docs/labels.md` lists their columns.

    Raises:
        FileNotFoundError: when the directory has no parts as arrays (`arena label --decisions --table npy`).
        ValueError: when a part is no such array or not as it was written, with its name.
    """
    paths = sorted(pathlib.Path(directory).glob("part-*.npy"))
    if not paths:
        raise FileNotFoundError(f"{directory}: no part-*.npy; write it with `arena label --decisions --table npy`")
    parts: list[NDArray[Any]] = []
    for path in paths:
        part = mapped(checked(path))
        if part.dtype.names is None or "values" not in part.dtype.names:
            raise ValueError(f"{path}: not a part of a data set of decisions")
        if parts and part.dtype != parts[0].dtype:
            raise ValueError(f"{path}: other columns than {paths[0]}, so not of one data set")
        parts.append(part)
    return parts


def unpack(bits: NDArray[np.uint8], length: int | None = None) -> NDArray[np.uint8]:
    """The bits of `obs` or `mask` as bytes of 0 or 1, the lowest first; at most `length` of each row."""
    return np.unpackbits(bits, axis=-1, count=length, bitorder="little")
