"""What a network says, in NumPy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from coinche import _coinche
from coinche._coinche import State
from coinche.data import Choices

Network = dict[str, NDArray[np.float32]]
"""Arrays by the names of `shapes()`."""

NUMBERS = 5
CHUNK = 1024


class Rows(Protocol):
    """The inputs of some positions: `Choices`, or `Inputs`."""

    @property
    def offsets(self) -> NDArray[np.int64]: ...
    @property
    def ones(self) -> NDArray[np.uint16]: ...
    @property
    def numbers(self) -> NDArray[np.float32]: ...


class Inputs(NamedTuple):
    """What a network sees of some states.

    Attributes:
        offsets: int64 (n + 1,), where the inputs of each state begin and end in `ones`.
        ones: uint16, the inputs that are 1, state after state.
        numbers: float32 (n, 5), the last five inputs.
    """

    offsets: NDArray[np.int64]
    ones: NDArray[np.uint16]
    numbers: NDArray[np.float32]


class Off(NamedTuple):
    """How far a network is off.

    Attributes:
        solved: the root of the mean squared error of what a card scores more than the mean, in points, double dummy.
        played_out: the same, as played out.
        played: the log loss of which card is played.
    """

    solved: float
    played_out: float
    played: float


def fingerprint() -> str:
    """The fingerprint of the inputs, which rows and files of networks must have."""
    return _coinche._card_network()[0]


def shapes() -> dict[str, tuple[int, ...]]:
    """The arrays of a network with their shapes."""
    _, inputs, (first, second), outputs = _coinche._card_network()
    return {
        "first.weight": (inputs, first),
        "first.bias": (first,),
        "second.weight": (first, second),
        "second.bias": (second,),
        "third.weight": (outputs, second),
        "third.bias": (outputs,),
    }


def random(seed: int = 0, rows: Rows | None = None) -> Network:
    """A network to begin with (He et al. 2015), of whose inputs some dozens are not zero.

    Args:
        seed: of its weights.
        rows: positions, of which the first four thousand are looked at. Their mean becomes the zero of every unit: else the sums of a unit are mostly of
            one sign in all positions, and many units of the second layer say nothing from the first steps on.
    """
    rng = np.random.default_rng(seed)
    most = {"first.weight": (6 / 70) ** 0.5, "second.weight": (6 / shapes()["first.bias"][0]) ** 0.5, "third.weight": 0.1}
    network = {
        name: rng.uniform(-1, 1, shape).astype(np.float32) * np.float32(most.get(name, 0)) for name, shape in shapes().items()
    }
    if rows is not None and len(rows.numbers):
        values = _dense(network, rows, 0, min(4 * CHUNK, len(rows.numbers)))
        for layer in ("first", "second"):
            sums = values @ network[f"{layer}.weight"]
            network[f"{layer}.bias"] = -sums.mean(axis=0)
            values = np.maximum(sums + network[f"{layer}.bias"], 0)
    return network


def inputs(states: Sequence[State]) -> Inputs:
    """What a network sees of states in which a card is to be played, suits in the order of `State.suit_order`.

    Raises:
        ValueError: with the state in which none is.
    """
    ones, offsets, numbers = _coinche._card_inputs(states)
    return Inputs(offsets, ones, numbers)


def outputs(states: Sequence[State], path: str | None = None) -> NDArray[np.float32]:
    """What the bot's own code says of states in which a card is to be played: (n, 96), as `forward` does of the network `rounded`; by the network of a file, or the
    one that comes with the package. Outputs of cards that are not legal mean nothing.

    Raises:
        ValueError: with the state in which no card is to be played, or what is wrong with the file.
    """
    return _coinche._card_outputs(states, path)


def by_card(states: Sequence[State], outputs: NDArray[np.floating]) -> NDArray[np.float32]:
    """Outputs for the 32 cards, suits in the order of the inputs, by the numbers of actions instead: (n, 32)."""
    suits = np.array([["CDHS".index(suit) for suit in state.suit_order()] for state in states], np.intp).reshape(-1, 4)
    cards = np.empty((len(states), 4, 8), np.float32)
    np.put_along_axis(cards, suits[:, :, None], outputs.reshape(-1, 4, 8), axis=1)
    return cards.reshape(-1, 32)


def rounded(network: Network) -> Network:
    """The network with the weights by which the bot plays: those of the first 1,108 inputs are rounded to 127ths of the largest of their unit."""
    first = network["first.weight"]
    ones = first[:-NUMBERS]
    steps = np.abs(ones).max(axis=0) / np.float32(127)
    whole = (ones / np.where(steps == 0, np.float32(1), steps)).astype(np.float64)
    rounded = np.trunc(whole + np.copysign(0.5, whole)).astype(np.float32) * steps
    return {**network, "first.weight": np.concatenate([rounded, first[-NUMBERS:]]).astype(np.float32)}


def forward(network: Network, rows: Rows) -> NDArray[np.float32]:
    """What a network says of positions: (n, 96)."""
    chunks = [_chunk(network, rows, at, min(at + CHUNK, len(rows.numbers))) for at in range(0, len(rows.numbers), CHUNK)]
    return np.concatenate(chunks) if chunks else np.zeros((0, len(network["third.bias"])), np.float32)


def _dense(network: Network, rows: Rows, first: int, last: int) -> NDArray[np.float32]:
    """All inputs of some positions."""
    inputs = len(network["first.weight"])
    offsets = rows.offsets[first : last + 1]
    row = np.arange(last - first).repeat(np.diff(offsets))
    # Counted, since an input may be there twice.
    places = row * inputs + rows.ones[offsets[0] : offsets[-1]]
    dense = np.bincount(places, minlength=(last - first) * inputs).astype(np.float32).reshape(last - first, -1)
    dense[:, -NUMBERS:] = rows.numbers[first:last]
    return dense


def _chunk(network: Network, rows: Rows, first: int, last: int) -> NDArray[np.float32]:
    values = _dense(network, rows, first, last)
    for layer in ("first", "second"):
        values = np.maximum(values @ network[f"{layer}.weight"] + network[f"{layer}.bias"], 0)
    outputs: NDArray[np.float32] = values @ network["third.weight"].T + network["third.bias"]
    return outputs


def losses(network: Network, choices: Choices) -> Off:
    """How far a network is off on some rows, as `arena train cards` reports it; 0 on none."""
    if not len(choices):
        return Off(0.0, 0.0, 0.0)
    predicted = forward(network, choices).reshape(len(choices), 3, -1)
    legal = choices.legal()
    cards = np.where(legal, choices.cards, 0)
    solved, played_out, chosen = choices.targets()
    of_cards = [np.take_along_axis(predicted[:, head], cards, axis=1) for head in range(3)]

    def off(values: NDArray[np.float32], targets: NDArray[np.float32], known: NDArray[np.bool_]) -> float:
        mean = float(np.square((values - targets)[known], dtype=np.float64).mean()) if known.any() else 0
        return 100 * math.sqrt(mean)

    meant = chosen.any(axis=1)
    shares = np.exp(of_cards[2] - of_cards[2].max(axis=1, keepdims=True, where=legal, initial=-np.inf)) * legal
    share = (shares * chosen).sum(axis=1)[meant] / shares.sum(axis=1)[meant]
    log_loss = -np.log(np.maximum(share, 1e-9)).mean() if meant.any() else 0
    return Off(
        off(of_cards[0], solved, legal & choices.is_solved()[:, None]),
        off(of_cards[1], played_out, legal),
        float(log_loss),
    )
