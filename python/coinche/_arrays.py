"""Exact scores of many deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from coinche import _coinche
from coinche._coinche import Rules, State


class Labels(NamedTuple):
    """What each side takes double dummy, as `arena label` writes it.

    Attributes:
        points: int16 (n, 4, 6), card points of seats 0 and 2, last trick included, by leader and strain (C D H S SA TA);
            -1 where a leader or strain was left out. Seats 1 and 3 have 162 less these.
        slams: uint8 (n, 4, 2), by leader and side: a bit for each strain in which seats 0 and 2, or 1 and 3, take all tricks
            against every defence.
    """

    points: NDArray[np.int16]
    slams: NDArray[np.uint8]


class Par(NamedTuple):
    """The best contract of each side, as `arena solve --par` prints it.

    Attributes:
        contract: int32 (n, 2), for seats 0 and 2, and for 1 and 3, the number of the bid (in the turn-up game of the take in a suit)
            that the side makes and that scores most for it, less the other's score; -1 where it makes none.
        score: int32 (n, 2, 2), what both sides score in that contract: [deal, side that plays it, side that scores]; 0 where
            there is none.
        scores: int32 (n, 2, actions), the score of every contract, made or not, of the side that plays it less the other's;
            `coinche.data.NONE` where an action is no contract. A générale is left out.
    """

    contract: NDArray[np.int32]
    score: NDArray[np.int32]
    scores: NDArray[np.int32]


class Seen(NamedTuple):
    """What the seat that must act knows in some states. Cards are 32-bit sets: bit 8 * suit + rank.

    Attributes:
        hand: uint32 (n,), what it holds.
        played: uint32 (n, 4), what each seat has played.
        certain: uint32 (n, 4), what each seat certainly holds: its own cards, and what others have shown.
        possible: uint32 (n, 4), what each seat may hold, by the rules and what it played.
        actor: int16 (n, most), the seats of all calls and cards so far, in order; -1 at the end of shorter rows.
        action: int16 (n, most), the numbers of these actions.
    """

    hand: NDArray[np.uint32]
    played: NDArray[np.uint32]
    certain: NDArray[np.uint32]
    possible: NDArray[np.uint32]
    actor: NDArray[np.int16]
    action: NDArray[np.int16]


def seen(states: Sequence[State]) -> Seen:
    """What the seat that must act knows in each state, as arrays: cards, and the auction and the play so far.

    Raises:
        ValueError: with the state in which the deal is over.
    """
    return Seen(*_coinche._seen(states))


def label(
    hands: NDArray[np.uint32],
    rules: Rules | str = "bga",
    *,
    leader: int | Sequence[int] | NDArray[np.integer] | None = None,
    strains: Sequence[str] | None = None,
    threads: int = 1,
) -> Labels:
    """The exact card points and slams of deals, with open cards and best play of all for card points.

    Some 5 ms a deal of four leaders and six strains on one thread; the interpreter's lock is not held.

    Args:
        hands: uint32 (n, 4), sets of eight cards, bit 8 * suit + rank; `coinche.deals` makes them.
        rules: the rules of play; how deals are bid and scored does not matter.
        leader: who leads the first trick: None for all four, a seat, or one for each deal.
        strains: those to solve, as ["H", "SA"]; all six if None.

    Raises:
        ValueError: with the row that is no deal.
    """
    return Labels(*_coinche._label(hands, rules, leader, strains, threads))


def par(
    hands: NDArray[np.uint32],
    rules: Rules | str = "bga",
    *,
    leader: int | Sequence[int] | NDArray[np.integer] = 0,
    threads: int = 1,
) -> Par:
    """The exact score of every contract, not coinched, and the best of each side.

    Both sides play for card points with open cards; belotes are announced, melds are left out. Some 2 ms a deal on one thread;
    the interpreter's lock is not held.

    Args:
        hands: uint32 (n, 4), sets of eight cards, bit 8 * suit + rank; `coinche.deals` makes them.
        leader: who leads the first trick: a seat, or one for each deal. Deal i of `coinche.deals` is led by seat (i + 1) % 4.

    Raises:
        ValueError: with the row that is no deal.
    """
    return Par(*_coinche._par(hands, rules, leader, threads))
