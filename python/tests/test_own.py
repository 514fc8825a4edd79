"""The examples of bots of one's own: a network of another shape, a search, and a hybrid of both."""

import importlib.util
import pathlib

import numpy as np
import pytest
from conftest import needs_arena, states

import coinche

pytest.importorskip("coinche_arena")
EXAMPLES = pathlib.Path(__file__).parent.parent / "examples"


def example(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("prior", [0, 0.5])
def test_a_search_of_ones_own_plays_and_can_be_repeated(prior):
    own = example("own_search").OwnSearch(worlds=4, prior=prior)
    settings = dict(players={"own": own}, deals=3, seed=1, freeze="auction=rules+rules", progress=False)
    first, again = (coinche.run("rules+python:own", "rules", threads=threads, **settings) for threads in (1, 2))
    assert (first.pairs == again.pairs).all() and first.table[0]["forfeited"] == 0 and (first.pairs != 0).any()


def test_a_search_of_ones_own_sees_only_what_its_seat_knows():
    own = example("own_search").OwnSearch(worlds=6)
    state = coinche.State("bga", seed=1, contract=("100H", 0))

    def chosen(state):
        mask = state.mask()[None]
        return own.act(coinche.Questions(np.zeros((1, 0), np.uint8), mask, np.array([1]), np.array([7]), state.rules, [state.view()]))

    assert all(chosen(world) == chosen(state) for world in state.resample(5))


@needs_arena
def test_a_network_of_another_shape_learns_and_plays(rows):
    pytest.importorskip("torch")
    module = example("own_net")
    choices = coinche.data.choices(rows)
    own = module.OwnNet(module.learn(choices, epochs=12, batch=64))
    verdict = coinche.run("rules+python:own", "rules", players={"own": own}, deals=10, seed=1, progress=False)
    assert verdict.interval is not None and verdict.table[0]["forfeited"] == 0
    # It learned what it was shown; for more there are too few deals.
    learnt = choices[~choices.held_out & choices.is_solved()]
    cards = np.where(learnt.legal(), learnt.cards, 0).astype(np.intp)
    of_cards = np.take_along_axis(own.net(learnt)[:, 0].detach().numpy(), cards, axis=1)
    assert np.corrcoef(of_cards[learnt.legal()], learnt.targets()[0][learnt.legal()])[0, 1] > 0.6


def test_values_of_cards_in_the_order_of_the_inputs_are_put_by_action():
    found = [state for state in states("contree", 20) if not state.is_auction]
    said = coinche.train.by_card(found, 100 * coinche.train.outputs(found)[:, 32:64])
    for row, thought in zip(said, coinche.Bot("rules+net").think(found)):
        for card, value in thought["advantages"].items():
            assert row[card] == pytest.approx(value, abs=1e-3)
