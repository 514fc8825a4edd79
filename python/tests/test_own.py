"""The examples of bots of one's own: a network of another shape, a search, and a hybrid of both."""

import importlib.util
import multiprocessing
import pathlib

import numpy as np
import pytest
from conftest import needs_arena, states

import coinche
import coinche.train

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


@needs_arena
def test_a_network_of_another_shape_plays_in_the_program(rows, tmp_path):
    pytest.importorskip("torch")
    module = example("own_net")
    own = module.OwnNet(module.learn(coinche.data.choices(rows), epochs=2, batch=64))
    file = tmp_path / "mine.safetensors"
    coinche.train.write_layers(file, own.layers(), {"author": "me"})
    assert coinche.train.metadata(file)["author"] == "me"
    found = [state for state in states("bga", 30) if not state.is_auction and len(state.legal_actions()) > 1]
    values = own.values([state.view() for state in found])
    for row, thought in zip(values, coinche.Bot(f"rules+net:cards={file}").think(found)):
        for card, value in thought["advantages"].items():
            assert value == pytest.approx(100 * row[card], abs=0.02)


def test_layers_of_any_sizes_are_played_by(tmp_path):
    rng, sizes = np.random.default_rng(1), [1113, 24, 7, 32]
    layers = [(rng.normal(0, 0.1, (a, b)), rng.normal(0, 0.1, b)) for a, b in zip(sizes, sizes[1:])]
    coinche.train.write_layers(tmp_path / "mine.safetensors", layers)
    found = [state for state in states("contree", 8) if not state.is_auction and len(state.legal_actions()) > 1]
    inputs = coinche.train.inputs(found)
    units = np.zeros((len(found), sizes[0]))
    units[np.repeat(np.arange(len(found)), np.diff(inputs.offsets)), inputs.ones] = 1
    units[:, -5:] = inputs.numbers
    for number, (weights, bias) in enumerate(layers):
        units = np.maximum(units, 0 if number else -np.inf) @ weights + bias
    values = coinche.train.by_card(found, 100 * units)
    for row, thought in zip(values, coinche.Bot(f"rules+net:cards={tmp_path / 'mine.safetensors'}").think(found)):
        cards = list(thought["advantages"])
        assert len(cards) > 1 and [row[card] for card in cards] == pytest.approx(list(thought["advantages"].values()), abs=0.01)


def test_layers_that_do_not_fit_are_refused(tmp_path):
    first, last = np.zeros((1113, 16), np.float32), np.zeros((16, 32), np.float32)
    bias = lambda layer: np.zeros(layer.shape[1], np.float32)
    for layers, why in [
        ([(first, bias(first))], "its last layer has 16 units"),
        ([(first[1:], bias(first)), (last, bias(last))], "has 1112 inputs: expected 1113"),
        ([(first, bias(last)), (last, bias(last))], r"layers\[0\]: 1113 × 16 weights and 32 biases"),
        ([(first, bias(first)), (last * np.nan, bias(last))], "damaged"),
        ([], "its last layer"),
    ]:
        with pytest.raises(ValueError, match=why):
            coinche.train.write_layers(tmp_path / "mine.safetensors", layers)
    assert not list(tmp_path.iterdir())


def test_a_loop_in_jax_learns():
    pytest.importorskip("jax")
    # Elsewhere: the tests after this one fork.
    process = multiprocessing.get_context("spawn").Process(target=learns_in_jax)
    process.start()
    process.join()
    assert process.exitcode == 0


def learns_in_jax():
    import jax

    module = example("jax_loop")
    env, key = coinche.VecEnv(16, seed=1, obs="bits"), jax.random.key(1)
    net = module.net(key, [coinche.OBSERVATION_BITS, 32, env.mask.shape[1]])
    rows = module.play(net, env, 64, key)
    assert np.take_along_axis(rows[1], rows[2][..., None], axis=2).all() and (rows[3] != 0).any()

    def loss(net):
        shares = jax.nn.log_softmax(module.logits(net, rows[0], rows[1]))
        return -float((rows[3] * np.take_along_axis(np.asarray(shares), rows[2][..., None], axis=2)[..., 0]).mean())

    learnt = net
    for _ in range(5):
        learnt = module.learn(learnt, *rows)
    assert loss(learnt) < loss(net)
