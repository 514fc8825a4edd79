"""Networks as files that the bot `net` reads."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

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
    _write(path, _coinche._card_network_bytes(network, _texts(made)))


def write_layers(
    path: str | pathlib.Path, layers: Sequence[tuple[NDArray[np.floating], NDArray[np.floating]]], made: Mapping[str, object] | None = None
) -> None:
    """Writes a network of another shape, to be played by as `net:cards=PATH`.

        layers = [(layer.weight.T.numpy(), layer.bias.numpy()) for layer in net if isinstance(layer, torch.nn.Linear)]

    Args:
        path: as in `write`.
        layers: weights, (inputs, units), and biases of each layer; units are rectified but for the last. The first has the inputs of `shapes()`,
            the last 32 units: what each card is worth more than the others in hundreds of points, suits in the order of `State.suit_order`.
        made: as in `write`.

    Raises:
        ValueError: when the layers do not fit together, or a weight is no number or above 10,000.
    """
    arrays = [tuple(np.ascontiguousarray(part, np.float32) for part in layer) for layer in layers]
    _write(path, _coinche._card_layers_bytes(arrays, _texts(made)))  # type: ignore[arg-type]


def _texts(made: Mapping[str, object] | None) -> list[tuple[str, str]]:
    return [(name, str(value)) for name, value in (made or {}).items()]


def _write(path: str | pathlib.Path, data: bytes) -> None:
    path = pathlib.Path(path)
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_bytes(data)
    unfinished.replace(path)
