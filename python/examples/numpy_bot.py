"""A card player in NumPy, in the arena against the card player `rules`; `rules` bids for both.

    python examples/numpy_bot.py [--deals 4000]

It plays the legal card with the most points if its partner is winning the trick, and otherwise the one with the fewest.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import coinche

PLACES = {name: slice(start, start + length) for name, start, length, _ in coinche.features()}
POINTS = np.tile([0, 0, 0, 2, 3, 4, 10, 11], 4)
"""Card points in a plain suit, by rank: 7 8 9 J Q K T A."""


class Thrifty:
    """Decides for many deals at once. Observations are relative to the seat that acts, so it does not matter which one does."""

    def act(self, questions: coinche.Questions) -> NDArray[np.intp]:
        """The action of each row."""
        partner_wins = questions.obs[:, PLACES["winning"]][:, 2] == 1
        scores = np.full(questions.mask.shape, -100)
        scores[:, :32] = np.where(partner_wins[:, None], POINTS, -POINTS)
        choice: NDArray[np.intp] = np.where(questions.mask, scores, -1000).argmax(axis=1)
        return choice


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=4000)
    deals = parser.parse_args().deals
    verdict = coinche.run(
        "rules+python:thrifty", "rules", players={"thrifty": Thrifty()}, deals=deals, seed="numpy bot", freeze="auction"
    )
    print(verdict)


if __name__ == "__main__":
    main()
