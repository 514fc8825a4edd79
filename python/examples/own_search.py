"""A search of one's own in the arena: cards are solved in deals that fit what the seat knows; `rules` bids for both.

    python examples/own_search.py [--deals 200] [--worlds 10] [--prior 0.5]

With `--prior` it is a hybrid: what the network `net` expects of a card counts too, and only the best three cards are searched.
Needs the arena: `pip install ./python ./python/arena`.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import coinche


class OwnSearch:
    """A determinized search: of each card the mean score over some deals that fit, solved with open cards."""

    obs, states, batch = None, True, 64

    def __init__(self, worlds: int, prior: float = 0.0) -> None:
        self.worlds, self.prior, self.net = worlds, prior, coinche.Bot("rules+net")

    def act(self, questions: coinche.Questions) -> NDArray[np.intp]:
        """The action of each row."""
        values = np.where(questions.mask[:, :32], 0.0, -np.inf)
        if self.prior:
            for row, thought in zip(values, self.net.think(questions.states)):
                for card, worth in thought["advantages"].items():
                    row[card] = self.prior * worth
            # Only the best three are searched.
            values[values < np.sort(values, axis=1)[:, [-3]]] = -np.inf
        for row in np.flatnonzero(np.isfinite(values).sum(axis=1) > 1):
            # Drawn from the key of the decision alone, so that a run can be repeated.
            drawn = questions.states[row].resample(self.worlds, seed=int(questions.key[row]))
            values[row] += coinche.values(drawn, score=True).mean(axis=0)
        chosen: NDArray[np.intp] = values.argmax(axis=1)
        return chosen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--worlds", type=int, default=10)
    parser.add_argument("--prior", type=float, default=0.0)
    words = parser.parse_args()
    own = OwnSearch(words.worlds, words.prior)
    verdict = coinche.run(
        "rules+python:own", "rules", players={"own": own}, deals=words.deals, seed="own search", freeze="auction=rules+rules"
    )
    print(verdict)


if __name__ == "__main__":
    main()
