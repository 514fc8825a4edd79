"""What several tests share."""

from __future__ import annotations

import random

import coinche


def play_out(state: coinche.State, rng: random.Random) -> None:
    """Plays legal actions at random to the end."""
    while not state.is_over:
        state.apply(rng.choice(state.legal_actions()))


def states(preset: str, deals: int, seed: int = 1) -> list[coinche.State]:
    """The states of all decisions of random deals."""
    rng, found = random.Random(seed), []
    for deal in range(deals):
        state = coinche.State(preset, seed=seed, deal=deal)
        while not state.is_over:
            found.append(state.clone())
            state.apply(rng.choice(state.legal_actions()))
    return found
