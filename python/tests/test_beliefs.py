"""Worlds as arrays: what fits, how likely it is, what it is worth."""

import math
import random

import numpy as np
import pytest
from conftest import states

import coinche

READS = ["calls", "all", "all,model=rules", "calls,model=table,partner=net"]


def late(rules="bga", seed=1, left=3):
    """A state in which each seat has some cards, after cards by `rules`."""
    state, bot = coinche.State(rules, seed=seed), coinche.Bot("rules")
    while not state.is_over and (state.is_auction or len(state.history) - sum(1 for _, it in state.history if it > 39) < 32 - 4 * left):
        state.apply(int(bot.act([state])[0]))
    assert not state.is_over
    return state


@pytest.mark.parametrize("rules", coinche.presets())
def test_worlds_fit_what_the_seat_knows(rules):
    for state in states(rules, 3)[::3]:
        seat = state.current_player
        drawn = coinche.worlds(state, 5, seed=3)
        again = coinche.worlds(state.view(), 5, seed=3)
        assert (drawn.hands == again.hands).all() and drawn.seat == again.seat == seat and len(drawn) == 5
        assert (drawn.weights == 1).all() and (drawn.hands[:, seat] == state.hand()).all()
        seen = coinche.seen([state])
        for other in range(4):
            if other != seat:
                assert (drawn.hands[:, other] & ~seen.possible[0, other] == 0).all()
        if rules not in ("belote", "belote-melds", "belot") or not state.is_auction:
            for world, hands in zip(drawn.states(), drawn.hands):
                assert world.hands == hands.tolist() and world.view() == state.view()
    assert "worlds of" in repr(drawn)


def test_all_worlds_are_listed_once_and_drawn_evenly():
    state = late()
    listed = coinche.worlds(state, None)
    assert listed.total == len(listed) == len({tuple(row) for row in listed.hands.tolist()})
    drawn = coinche.worlds(state, 4000, seed=1)
    assert drawn.total == listed.total and {tuple(row) for row in drawn.hands.tolist()} <= {tuple(row) for row in listed.hands.tolist()}
    exact, found = listed.marginals(), drawn.marginals()
    assert np.abs(exact - found).max() < 0.05
    assert exact.sum(axis=1) == pytest.approx([1.0 if exact[card].any() else 0 for card in range(32)])
    with pytest.raises(ValueError, match="n: there are too many deals to list them all: give a number"):
        coinche.worlds(coinche.State("bga", seed=1), None)


@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("rules", ["bga", "contree", "coinchee", "belote"])
def test_weights_are_the_products_of_likelihoods(rules, read):
    state = late(rules, seed=2)
    worlds = coinche.worlds(state, 40, seed=1, read=read)
    found = coinche.likelihoods(state, worlds.hands, read)
    assert found.values.shape == (40, len(found.actor)) and (found.actor != state.current_player).all()
    said = list(zip(found.actor, found.action))
    told = [(actor, action) for actor, action in state.view().history if actor != state.current_player]
    assert [it for it in said if it[1] < 32] == [it for it in told if it[1] < 32]
    if rules != "belote":  # there which cards were dealt first is drawn
        assert worlds.weights == pytest.approx(found.values.prod(axis=1), rel=1e-9)
    assert worlds.weights.std() > 0
    if read.startswith("calls"):
        assert (found.values[:, found.action < 32] == 1).all()


def test_a_reading_expects_real_deals_more_than_none():
    losses = {read: [] for read in (None, "calls", "all,model=rules")}
    for seed in range(30):
        state = late(seed=seed, left=4)
        for read, found in losses.items():
            worlds = coinche.worlds(state, None, read=read)
            (loss,) = worlds.log_loss(np.array([state.hands], np.uint32))
            found.append(loss)
            # The slow way: the share of the world among all of them.
            at = worlds.hands.tolist().index(state.hands)
            assert loss == pytest.approx(-math.log(worlds.weights[at] / worlds.weights.sum()))
            if read is None:
                assert loss == pytest.approx(math.log(len(worlds)))
    assert np.mean(losses[None]) > np.mean(losses["calls"]) > np.mean(losses["all,model=rules"])
    drawn = coinche.worlds(state, 3000, read="calls")
    assert drawn.log_loss(np.array([state.hands], np.uint32)) == pytest.approx(losses["calls"][-1], abs=0.2)


def test_worlds_are_solved_in_one_call():
    state = late()
    worlds = coinche.worlds(state, 20, seed=1)
    scores, points = worlds.values(threads=2), worlds.values(score=False)
    assert scores.shape == points.shape == (20, 32) and (scores.dtype, points.dtype) == (np.int32, np.int16)
    legal = state.mask()[:32]
    assert (points[:, ~legal] == -1).all() and (scores[:, ~legal] == coinche.data.NONE).all()
    assert (points == coinche.values(worlds.states())).all()
    solver = coinche.Bot("rules+open")
    for world, row in zip(worlds.states(), scores):
        expected = row[legal].max()
        side = world.current_player % 2
        while not world.is_over:
            world.apply(int(solver.act([world])[0]))
        assert (world.score[0] - world.score[1]) * (1 - 2 * side) == expected
    bot = coinche.Bot("rules+pimc:worlds=100,read=none").think([state])[0]
    values = coinche.worlds(state, None).values().mean(axis=0)
    for card, (mean, half_width) in bot["values"].items():
        assert abs(values[card] - mean) <= 2 * half_width + 1e-6


def test_what_is_wrong_is_named():
    state = late()
    hands = coinche.worlds(state, 2).hands
    other = random.Random(1).choice([seat for seat in range(4) if seat != state.current_player])
    for wrong, error in [
        (hands[:, :3], "hands: 3 columns, expected 4"),
        (np.roll(hands, 1, axis=1), rf"hands\[0\]: not the cards of seat {state.current_player}, which knows them"),
        (np.where(np.arange(4) == other, 0, hands).astype(np.uint32), r"hands\[0\]: "),
        (np.where(np.arange(4) == other, coinche.seen([state]).played.max(), hands).astype(np.uint32), r"hands\[0\]: .*played before"),
    ]:
        with pytest.raises(ValueError, match=error):
            coinche.likelihoods(state, wrong)
    for read, error in [("some", "read"), ("all,model=mine", "model"), ("all,worlds=3", "worlds"), ("", "read")]:
        with pytest.raises(coinche.BotError, match=error):
            coinche.worlds(state, 2, read=read)
    with pytest.raises(ValueError, match="only what seat"):
        coinche.worlds(state.view(), 2, seat=other)
    with pytest.raises(ValueError, match="hands: cards are still to be dealt"):
        coinche.worlds(coinche.State("belote", seed=1), 2).states()
    with pytest.raises(ValueError, match="log_loss: it is not counted how many deals fit here"):
        coinche.worlds(coinche.State("belote", seed=1), 2).log_loss(hands)
    with pytest.raises(ValueError, match=r"n: \d+, expected 0 to"):
        coinche.worlds(state, 1 << 40)
