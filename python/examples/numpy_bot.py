"""A player of one's own in NumPy, measured against `rules`: paired deals, each played twice with the seats exchanged.

    python examples/numpy_bot.py [--deals 4000]

It never bids. It plays the legal card with the most points if its partner is winning the trick, and otherwise the one with the
fewest.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

import coinche

PLACES = {name: slice(start, start + length) for name, start, length, _ in coinche.features()}
POINTS = np.tile([0, 0, 0, 2, 3, 4, 10, 11], 4)
"""Card points in a plain suit, by rank: 7 8 9 J Q K T A."""


def thrifty(
    obs: NDArray[np.uint8], mask: NDArray[np.bool_], player: NDArray[np.uint8]
) -> NDArray[np.intp]:
    """Decides for many deals at once; observations are relative to the seat that acts, so it does not matter which one does."""
    partner_wins = obs[:, PLACES["winning"]][:, 2] == 1
    worth = np.where(partner_wins[:, None], POINTS, -POINTS)
    scores = np.full(mask.shape, -100)
    scores[:, :32] = worth
    scores[:, 40] = 0  # Pass: a card is never legal beside it.
    choice: NDArray[np.intp] = np.where(mask, scores, -1000).argmax(axis=1)
    return choice


def leg(deals: int, seats: tuple[int, int], n: int = 500) -> NDArray[np.int64]:
    """The scores of `thrifty` at these seats less those of `rules` at the others, by deal."""
    others = {seat: "rules" for seat in range(4) if seat not in seats}
    env = coinche.VecEnv(n, "bga", seed="numpy bot", opponents=others)
    scores = np.zeros(deals, np.int64)
    left = deals
    while left:
        env.actions[:] = thrifty(env.obs, env.mask, env.player)
        deal = env.deal.copy()
        env.step()
        ended = env.done & (deal < deals)
        net = env.returns[:, 0] - env.returns[:, 1]
        scores[deal[ended]] = net[ended] if 0 in seats else -net[ended]
        left -= int(ended.sum())
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=4000)
    deals = parser.parse_args().deals
    paired = (leg(deals, (0, 2)) + leg(deals, (1, 3))) / 2
    half_width = 1.96 * paired.std(ddof=1) / np.sqrt(deals)
    print(f"thrifty - rules: {paired.mean():+.1f} ± {half_width:.1f} points a deal ({deals} paired deals)")


if __name__ == "__main__":
    main()
