"""What a seat knows: states without other hands, arrays, and bots that are asked with them."""

import pickle
import random

import numpy as np
import pytest
from conftest import states

import coinche
from coinche import train

RULES = [*coinche.presets(), coinche.Rules("coinche-melds", **{"belote.announce": "voluntary", "auction.coinche": "any-time"})]


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: str(rules)[:15])
def test_a_view_has_what_the_seat_knows_and_nothing_else(rules):
    rng = random.Random(1)
    for state in states(rules, 12):
        seat, view = state.current_player, state.view()
        assert view.known_by == seat and state.known_by is None
        assert (view.observation() == state.observation()).all() and (view.mask() == state.mask()).all()
        assert view.suit_order() == state.suit_order() and view.hand() == state.hand() == state.hands[seat]
        # That a card was played in silence only its player knows.
        for (actor, action), real in zip(view.history, state.history, strict=True):
            assert (actor, action) == real or (actor != seat and 32 <= real[1] < 40 and action < 32)
        assert (view.legal_actions(), view.contract) == (state.legal_actions(), state.contract)
        assert (view.points, view.dealer, view.rules) == (state.points, state.dealer, state.rules)
        for got, expected in zip(coinche.seen([view]), coinche.seen([state])):
            assert (got == expected).all()
        # Whatever the others really hold.
        (other,) = state.resample(1, seed=rng.randrange(1000))
        assert other.view() == view and other.view().to_bytes() == view.to_bytes()
        assert [world.hands for world in view.resample(2)] == [world.hands for world in state.resample(2)]
        assert all(world.known_by is None and world.hands[seat] == view.hand() for world in view.resample(2))


def test_a_view_refuses_what_the_seat_does_not_know():
    state = coinche.State("bga", seed=1, contract=("100H", 0))
    view = state.view()
    for refused in (
        lambda: view.hands,
        lambda: view.hand(2),
        lambda: view.apply(view.legal_actions()[0]),
        lambda: view.observation(0),
        lambda: view.suit_order(3),
        lambda: view.resample(1, seat=2),
        lambda: coinche.values([view]),
        lambda: coinche.Bot("rules+open").act([view]),
    ):
        with pytest.raises(ValueError, match="only what seat 1 knows is in this state; `resample` draws deals that fit it"):
            refused()
    assert "seat 1 " in str(view) and "seat 0 " not in str(view) and str(view) in str(view.clone())
    assert view._repr_html_().count("<tr>") == 1 and state._repr_html_().count("<tr>") == 4
    assert repr(view) == "<State of bga: seat 1 to play, as seat 1 knows it>"
    assert pickle.loads(pickle.dumps(view)) == view != state and view.view() == view
    damaged = bytearray(view.to_bytes())
    for whose in (1, 3, 5, 200):
        damaged[3] = whose
        with pytest.raises(ValueError, match="not the bytes of a state"):
            coinche.State.from_bytes(bytes(damaged))
    over = coinche.State("bga", seed=1)
    for _ in range(4):
        over.apply("P")
    with pytest.raises(ValueError, match="the deal is over"):
        over.view()
    with pytest.raises(ValueError, match=r"states\[1\]: the deal is over"):
        coinche.seen([state, over])


def test_arrays_tell_who_did_what_and_who_may_hold_which_card():
    found = states("contree", 10)
    seen = coinche.seen(found)
    for row, state in enumerate(found):
        history = state.history
        assert seen.actor[row, : len(history)].tolist() == [seat for seat, _ in history]
        assert seen.action[row, : len(history)].tolist() == [action for _, action in history]
        assert (seen.actor[row, len(history) :] == -1).all() and (seen.action[row, len(history) :] == -1).all()
        me, hands = state.current_player, state.hands
        assert seen.hand[row] == hands[me]
        for seat in range(4):
            cards = [action for actor, action in history if actor == seat and action < 32]
            assert seen.played[row, seat] == sum(1 << card for card in cards)
            assert hands[seat] & int(seen.certain[row, seat]) == seen.certain[row, seat]
            assert hands[seat] & int(seen.possible[row, seat]) == hands[seat]
    assert coinche.seen([]).action.shape == (0, 0)


def test_bots_tell_what_choices_are_worth():
    state = coinche.State("bga", seed=1, contract=("100H", 0))
    (thought,) = coinche.Bot("rules+net").think([state.view()])
    advantages = thought["advantages"]
    assert thought["values"] == {} and sorted(advantages) == sorted(state.legal_actions())
    assert max(advantages, key=advantages.get) == thought["action"]
    # What the network's outputs say, which are relative to the mean up to what it is off.
    order = ["CDHS".index(suit) for suit in state.suit_order()]
    said = 100 * train.outputs([state])[0, 32:64].reshape(4, 8)
    for card, value in advantages.items():
        assert value == pytest.approx(said[order.index(card // 8), card % 8], abs=1e-3)
    (thought,) = coinche.Bot("table+pimc:worlds=10").think([coinche.State("bga", seed=1)])
    means = {action: mean for action, (mean, _) in thought["values"].items()}
    middle = sum(means.values()) / len(means)
    assert thought["advantages"] == {action: pytest.approx(mean - middle) for action, mean in means.items()}
    assert coinche.Bot("rules").think([state])[0]["advantages"] == {}


class Relay:
    """Plays as a bot of ours, by what its seat knows."""

    obs, states, batch = None, True, 64

    def __init__(self, name):
        self.bot = coinche.Bot(name)

    def act(self, questions):
        assert len(questions.states) == len(questions) == len(questions.mask)
        assert all(state.known_by == seat for state, seat in zip(questions.states, questions.player))
        assert all((state.mask() == mask).all() for state, mask in zip(questions.states, questions.mask))
        assert all(state.rules == questions.rules for state in questions.states)
        return self.bot.act(questions.states)


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: str(rules)[:15])
def test_a_bot_that_is_given_states_plays_as_the_built_in(rules):
    pytest.importorskip("coinche_arena")
    for processes in (True, False):
        verdict = coinche.run(
            Relay("rules"), "rules", rules=rules, deals=40, seed=1, progress=False, processes=processes, threads=2
        )
        assert (verdict.pairs == 0).all() and verdict.table[0]["forfeited"] == 0


def test_states_are_there_only_where_they_are_asked_for():
    pytest.importorskip("coinche_arena")
    seen = []

    class Plain:
        def act(self, questions):
            seen.append(len(questions.states))
            return questions.mask.argmax(axis=1)

    coinche.run(Plain(), "rules", deals=2, seed=1, progress=False, processes=False)
    assert set(seen) == {0}
    Plain.states = Plain.canonical = True
    with pytest.raises(ValueError, match="Plain: states have their suits as dealt"):
        coinche.run(Plain(), "rules", deals=2, seed=1, progress=False)
    with pytest.raises(ValueError, match="not the bytes of views"):
        coinche._coinche._views(coinche.Rules("bga"), np.array([9, 0, 1], np.uint8))
