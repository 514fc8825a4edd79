"""Which file of a directory is meant, and how it is opened."""

from __future__ import annotations

import io
import pathlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from coinche._sums import checked

ARROW = "needs PyArrow: pip install 'coinche[arrow]'"


def pyarrow(what: str) -> Any:
    """The module, or an ImportError that says what needs it."""
    try:
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError as error:
        raise ImportError(f"{what} {ARROW}", name="pyarrow") from error
    return pyarrow


def pick(path: str | pathlib.Path, names: list[str], remedy: str) -> pathlib.Path:
    """The file itself, or the first of these in a directory.

    Raises:
        FileNotFoundError: with what was looked for and how to write it.
        ValueError: when it is not as the arena wrote it.
    """
    path = pathlib.Path(path)
    if path.is_dir():
        for name in names:
            if (path / name).is_file():
                return checked(path / name)
        raise FileNotFoundError(f"{path}: no {' or '.join(names)}; {remedy}")
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file or directory")
    return checked(path)


def mapped(path: pathlib.Path) -> NDArray[Any]:
    """An array of a file, mapped into memory."""
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError) as error:
        raise ValueError(f"{path}: {error}") from error
    return array


@contextmanager
def text_of(path: pathlib.Path) -> Iterator[io.TextIOBase]:
    """A text file, decompressed if its name ends in `.zst`."""
    if path.suffix != ".zst":
        with path.open(encoding="utf-8", newline="") as text:
            yield text
        return
    arrow = pyarrow(f"{path}: zstd")
    with arrow.input_stream(str(path), compression="zstd") as stream:
        # Buffered: PyArrow reads a few bytes at a time for whoever asks for lines.
        yield io.TextIOWrapper(io.BufferedReader(stream, 1 << 20), encoding="utf-8", newline="")
