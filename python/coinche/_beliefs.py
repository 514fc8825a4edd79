"""Beliefs: the deals that fit what a seat knows, weighed by what the others did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coinche import _coinche
from coinche._coinche import State


@dataclass(frozen=True, repr=False)
class Worlds:
    """Deals that fit what a seat knows.

    Attributes:
        state: the state at whose moment they fit.
        seat: who knows.
        hands: uint32 (n, 4), what each seat holds now, as sets of cards: bit 8 * suit + rank.
        weights: float64 (n,), how likely what the others did is in each, up to a factor; all 1 where nothing is read.
        total: how many deals fit in all; None where that is not counted (announced melds, cards that are still to be dealt).
        read: what was read as evidence.
    """

    state: State
    seat: int
    hands: NDArray[np.uint32]
    weights: NDArray[np.float64]
    total: int | None
    read: str | None

    def __len__(self) -> int:
        return len(self.hands)

    def __repr__(self) -> str:
        return f"<{len(self)} worlds of {self.total or 'many'} that seat {self.seat} may be in>"

    def marginals(self) -> NDArray[np.float64]:
        """How likely each seat holds each card: (32, 4), by card and seat. Rows of cards that were played are 0.

        Raises:
            ValueError: when none of them is possible by this reading.
        """
        if not self.weights.any():
            raise ValueError("marginals: none of these deals is possible by this reading; draw more")
        bits = (self.hands[:, None, :] >> np.arange(32, dtype=np.uint32)[:, None]) & np.uint32(1)
        shares: NDArray[np.float64] = np.average(bits, axis=0, weights=self.weights)
        return shares

    def states(self) -> list[State]:
        """Each of them as a `State`, for bots and `coinche.values`."""
        return _coinche._states_of(self.state, self.hands, self.seat)

    def values(self, *, score: bool = True, threads: int = 1) -> NDArray[np.integer]:
        """What each card is worth in each of them when all hands are open, as `coinche.values` has it: (n, 32)."""
        if score:
            return _coinche.values(self.states(), threads, score=True)
        return _coinche.values(self.states(), threads)

    def log_loss(self, hands: NDArray[np.uint32]) -> NDArray[np.float64]:
        """How unexpected deals are, in nats: minus the logarithm of their probability by this reading, (m,) for hands (m, 4).

        Of a belief of one's own it is compared with the same for the deals that were really played. Exact where all worlds are listed
        (`n=None`), else an estimate from those that were drawn.

        Raises:
            ValueError: when it is not known how many deals fit, or a deal is none.
        """
        if self.total is None:
            raise ValueError("log_loss: it is not counted how many deals fit here; list them all with n=None")
        likely = np.ones(len(hands))
        if self.read is not None:
            likely = likelihoods(self.state, hands, self.read, seat=self.seat).values.prod(axis=1)
        else:
            _coinche._states_of(self.state, hands, self.seat)
        with np.errstate(divide="ignore"):
            loss: NDArray[np.float64] = np.log(self.total * self.weights.mean()) - np.log(likely)
        return loss


class Likelihoods(NamedTuple):
    """How likely actions were with hands.

    Attributes:
        actor: int16 (k,), the seats of the actions of the others, in order.
        action: int16 (k,), their numbers.
        values: float64 (n, k), how likely each was with each row of hands, after those before it; relative to the call that was expected
            where one bidder is the model. Their product is the weight of the world. From an action on that was not possible they are 0.
    """

    actor: NDArray[np.int16]
    action: NDArray[np.int16]
    values: NDArray[np.float64]


def worlds(state: State, n: int | None = 1000, seed: int | str = 0, *, seat: int | None = None, read: str | None = None) -> Worlds:
    """Deals that fit what a seat knows: drawn, all equally likely, or all of them; weighed by what the others called and played.

    Args:
        state: the moment: a `State`, or what a seat knows of it (`State.view`).
        n: how many to draw; None lists them all, where there are at most a million.
        seed: the same gives the same deals.
        seat: who knows; the seat that must act if none is given.
        read: what is evidence, in the words of the search `pimc`: None, "calls" or "all", with its model: "all,model=rules",
            "calls,model=table,partner=net". By default the others may be any bidders (`model=population`).

    Raises:
        BotError: when there is no such reading.
        ValueError: when the deal is over, or there are too many to list.
    """
    hands, weights, total = _coinche._worlds(state, n, seed, seat, read)
    knows = state.current_player if seat is None else seat
    assert knows is not None
    return Worlds(state, knows, hands, weights, total, read)


def likelihoods(state: State, hands: NDArray[np.uint32], read: str = "all", *, seat: int | None = None) -> Likelihoods:
    """How likely each call and card of the others is with some hands, which fit what a seat knows.

    Args:
        state: the moment, as in `worlds`.
        hands: uint32 (n, 4), what each seat holds now.
        read: the model, as in `worlds`.

    Raises:
        BotError: when there is no such reading.
        ValueError: with the row that is no deal at this moment.
    """
    actor, action, values = _coinche._likelihoods(state, hands, read, seat)
    return Likelihoods(np.array(actor, np.int16), np.array(action, np.int16), values)
