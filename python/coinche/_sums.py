"""Sums of files: no file that the arena wrote is read where it is not as it was written."""

from __future__ import annotations

import pathlib
import re
import zlib

_END = re.compile(rb'(?:,(?:\n  )?"crc": ?"([0-9a-f]{8})"\n?\}|# crc ([0-9a-f]{8}))\n\Z')
_PIECE = 1 << 24


def sealed(file: pathlib.Path) -> str:
    """The text of a file that ends with its own CRC-32: JSON with the field `crc`, or TOML with a comment.

    Raises:
        ValueError: when it is that of another text.
    """
    data = file.read_bytes()
    end = _END.search(data, max(0, len(data) - 40))
    if end is None or f"{zlib.crc32(data[: end.start()]):08x}" != (end[1] or end[2]).decode():
        raise ValueError(f"{file}: damaged; restore it, or repeat the command that made it in another directory")
    return data.decode()


def sums(directory: pathlib.Path) -> dict[str, tuple[str, str]]:
    """CRC-32 and size of each file of a directory, from `checksums.txt`; empty while a command is writing there.

    Raises:
        ValueError: when its last line is not the sum of those before it.
    """
    path = directory / "checksums.txt"
    if not path.is_file():
        return {}
    data = path.read_bytes()
    start = data.rfind(b"\n", 0, -1) + 1
    if data[start:] != f"{zlib.crc32(data[:start]):08x} {start} checksums.txt\n".encode():
        raise ValueError(f"{path}: damaged; remove it and repeat the command that made it")
    lines = (line.split(" ", 2) for line in data[:start].decode().splitlines())
    return {name: (crc, size) for crc, size, name in lines}


def check(file: pathlib.Path, written: tuple[str, str] | None) -> None:
    """Compares a file with its CRC-32 and size."""
    crc = size = 0
    with file.open("rb") as data:
        while piece := data.read(_PIECE):
            crc, size = zlib.crc32(piece, crc), size + len(piece)
    if written != (f"{crc:08x}", str(size)):
        raise ValueError(f"{file}: damaged; remove it and repeat the command that made it")


def checked(file: pathlib.Path) -> pathlib.Path:
    """The file; where it is one of the directory of a command, it must be as it was written.

    Raises:
        ValueError: when it is not, or a command is writing there.
    """
    directory = file.parent
    if (directory / "part.json").is_file():
        written = sums(directory)
        if not written:
            raise ValueError(f"{directory}: not finished; repeat the command that makes it")
        check(file, written.get(file.name))
    return file
