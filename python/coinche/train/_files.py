"""Networks as files that the bot `net` reads."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping

from coinche import _coinche
from coinche.train._network import Network


def read(path: str | pathlib.Path | None = None) -> Network:
    """The network of a file, or without a path the one that comes with the package.

    Raises:
        ValueError: when it is none, was trained on other inputs, or is damaged.
    """
    return _coinche._read_card_network(None if path is None else str(path))


def metadata(path: str | pathlib.Path) -> dict[str, str]:
    """What a file says of its network: how it was made, its inputs, the checksum of its weights.

    Raises:
        ValueError: when it is no such file.
    """
    data = pathlib.Path(path).read_bytes()
    try:
        header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
        return dict(header["__metadata__"])
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: no file of a network") from error


def write(path: str | pathlib.Path, network: Network, made: Mapping[str, object] | None = None) -> None:
    """Writes a network, to be played by as `net:cards=PATH`.

    Args:
        path: the file; what was there is replaced by a whole file, or not at all.
        network: its arrays, float32, by the names of `shapes()`.
        made: how it was made, for the metadata. Format, fingerprint of the inputs and checksum are added.

    Raises:
        ValueError: when an array is missing or of another shape, or a weight is no number or above 10,000.
    """
    pairs = [(name, str(value)) for name, value in (made or {}).items()]
    data = _coinche._card_network_bytes(network, pairs)
    path = pathlib.Path(path)
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(path)
