"""One deal, step by step."""

from __future__ import annotations

import copy
import os
import pickle
import random
import threading

import numpy as np
import pytest

import coinche
from conftest import play_out, states

DEALS = int(os.environ.get("COINCHE_DEALS", "10"))
HANDS = "JS 9S AS TS AD KD 7C 8C | 9C TC JC QC KC AC 7D 8D | 9D TD JD QD 7H 8H 9H TH | JH QH KH AH 7S 8S QS KS"


@pytest.mark.parametrize("preset", coinche.presets())
def test_masks_lists_and_history_agree(preset: str) -> None:
    rng = random.Random(preset)
    for deal in range(DEALS):
        state = coinche.State(preset, seed="masks", deal=deal)
        again = state.clone()
        out = np.zeros(len(state.rules.actions), np.bool_)
        while not state.is_over:
            legal = state.legal_actions()
            assert state.mask(out=out) is out
            assert np.flatnonzero(out).tolist() == legal
            state.apply(rng.choice(legal))
        assert not state.mask().any() and state.legal_actions() == []
        for seat, action in state.history:
            assert again.current_player == seat
            again.apply(state.rules.actions.name(action))
        assert again == state and again.score == state.score
        assert sum(state.returns()) == 0


@pytest.mark.parametrize("preset", coinche.presets())
def test_bytes_and_pickles_come_back(preset: str) -> None:
    for state in states(preset, DEALS):
        for other in (pickle.loads(pickle.dumps(state)), copy.deepcopy(state), coinche.State.from_bytes(state.to_bytes())):
            assert other == state
            assert other.history == state.history and other.legal_actions() == state.legal_actions()
            assert (other.observation() == state.observation()).all()


def public(state: coinche.State) -> list[tuple[int, str]]:
    """What everyone saw: not whether a card had a belote about which its player kept silent."""
    names = state.rules.actions
    return [(seat, names.name(action).removesuffix(" silent")) for seat, action in state.history]


def test_deals_are_drawn_by_the_seed() -> None:
    state = coinche.State("bga", seed=1)
    drawn = [state.resample(20, seed=seed) for seed in (1, 2, "text")]
    assert state.resample(20, seed=1) == drawn[0] and state.resample(5, seed=1) == drawn[0][:5]
    hands = {tuple(deal.hands) for deals in drawn for deal in deals}
    assert len(hands) == 60 and {deal[1] for deal in hands} == {state.hand(1)}
    assert {deal.hand(2) for deal in state.resample(5, seat=2)} == {state.hand(2)}


@pytest.mark.parametrize("preset", coinche.presets())
def test_an_observation_does_not_tell_hidden_cards(preset: str) -> None:
    """The same for every deal that fits what the seat knows, and so are the legal actions."""
    exchanged = 0
    for number, state in enumerate(states(preset, DEALS)):
        seat = state.current_player
        for other in state.resample(2, seed=number):
            exchanged += other.hands != state.hands
            assert other.hands[seat] == state.hands[seat] and public(other) == public(state)
            for canonical in (False, True):
                observed = [it.observation(canonical=canonical, bits=True) for it in (state, other)]
                assert (observed[0] == observed[1]).all()
            assert other.legal_actions() == state.legal_actions()
    assert exchanged > 20 * DEALS


def test_bits_are_packed_bytes_and_features_name_them() -> None:
    state = states("coinche-melds", 1)[-5]
    observed = state.observation()
    unpacked = np.unpackbits(state.observation(bits=True), bitorder="little")
    assert observed.shape == (coinche.OBSERVATION_BITS,) and (observed == unpacked).all()
    places = {name: slice(start, start + length) for name, start, length, _ in coinche.features()}
    hand = state.hands[state.current_player]
    assert sum(int(bit) << place for place, bit in enumerate(observed[places["hand"]])) == hand
    assert observed[places["turn"]].tolist() == [1, 0, 0, 0]
    own = state.observation(seat=(state.current_player + 1) % 4)
    assert own[places["turn"]].tolist() == [0, 0, 0, 1]


def test_a_state_from_hands_and_contract() -> None:
    state = coinche.State("bga", hands=HANDS, dealer=3, contract=("100S", 0))
    assert state.contract == ("100S", 0, "plain") and state.current_player == 0
    state.apply("JS")
    assert "100S by 0" in str(state) and "trick 1" in state._repr_html_()
    sets = coinche.State("bga", hands=HANDS).hands
    assert coinche.State("bga", hands=sets) == coinche.State("bga", hands=HANDS.split("|"))
    value = coinche.values([coinche.State("bga", hands=HANDS, contract=("100S", 0))])
    assert value.max() == coinche.solve(np.array([sets], np.uint32))[0, 3] == 162
    play_out(state, random.Random(1))
    assert state.score is not None and len(state.resample.__doc__) > 20


def test_what_is_wrong_is_named() -> None:
    state = coinche.State("bga", seed=1)
    with pytest.raises(coinche.IllegalAction, match="a call is expected") as error:
        state.apply(0)
    assert error.value.action == 0 and error.value.env is None
    with pytest.raises(coinche.IllegalAction, match="expected 0 to 108"):
        state.apply(109)
    with pytest.raises(coinche.IllegalAction):
        state.apply(-1)
    with pytest.raises(ValueError, match="neither a card nor a call"):
        state.apply("hello")
    with pytest.raises(ValueError, match="do not have the action"):
        state.apply("60H")
    assert state == coinche.State("bga", seed=1)
    with pytest.raises(coinche.RulesError, match="did you mean `bga`"):
        coinche.Rules("bgaa")
    with pytest.raises(coinche.RulesError, match="scoring.made"):
        coinche.Rules("bga", **{"scoring.mode": 1})
    with pytest.raises(coinche.RulesError, match="float"):
        coinche.Rules("bga", **{"scoring.solo_slam": 1.5})
    with pytest.raises(coinche.BotError, match="did you mean `rules`"):
        coinche.Bot("rulez")
    with pytest.raises(coinche.BotError, match="arena only"):
        coinche.Bot("cmd:true")
    with pytest.raises(coinche.BotError, match="turn-up game"):
        coinche.Bot("system:name=colver-balanced+rules").act([coinche.State("belote", seed=1)])
    with pytest.raises(coinche.BotError, match="turn-up game"):
        coinche.VecEnv(2, rules="belote", seed=1, opponents={1: "system:name=colver-balanced+rules"})
    with pytest.raises(ValueError, match="either seed= or hands="):
        coinche.State("bga")
    with pytest.raises(ValueError, match="in the hands of seats"):
        coinche.State("bga", hands=HANDS.replace("7C", "8C", 1).replace("8C", "9C", 1))
    with pytest.raises(ValueError, match="in which values are bid"):
        coinche.State("bga", hands=HANDS, contract=("TAKES", 0))
    with pytest.raises(ValueError, match="out: 5 places, expected 109"):
        state.mask(out=np.zeros(5, np.bool_))
    with pytest.raises(TypeError):
        state.mask(out=np.zeros(109, np.float32))  # type: ignore[arg-type]
    frozen = np.zeros(109, np.bool_)
    frozen.setflags(write=False)
    with pytest.raises(ValueError, match="out:"):
        state.mask(out=frozen)
    with pytest.raises(ValueError):
        coinche.State.from_bytes(state.to_bytes()[:-3])
    with pytest.raises(ValueError, match="columns, expected 4"):
        coinche.solve(np.zeros((2, 3), np.uint32))
    with pytest.raises(ValueError, match=r"hands\[0\]"):
        coinche.solve(np.zeros((1, 4), np.uint32))
    with pytest.raises(ValueError, match=r"states\[0\]: no card"):
        coinche.values([state])


def test_out_may_have_strides() -> None:
    state = coinche.State("bga", seed=3)
    wide = np.zeros((109, 3), np.bool_)
    state.mask(out=wide[:, 1])
    assert np.flatnonzero(wide[:, 1]).tolist() == state.legal_actions() and not wide[:, [0, 2]].any()


def test_rules_and_actions() -> None:
    rules = coinche.Rules("bga", **{"scoring.solo_slam": 500, "deal.packets": [2, 3, 3]})
    assert rules == coinche.Rules(rules.to_toml()) == pickle.loads(pickle.dumps(rules))
    assert rules.name is None and hash(rules) == hash(coinche.Rules(rules.to_toml()))
    actions = coinche.Rules("contree").actions
    assert [actions.index(name) for name in actions.names()] == list(range(len(actions)))
    assert actions.name(0) == "7C" and actions.index("P") == 40
    assert actions.fingerprint == coinche.Rules("coinche").actions.fingerprint
    with pytest.raises(IndexError):
        actions.name(len(actions))


def test_bots_think_and_do_not_depend_on_threads() -> None:
    some = states("bga", 3)[::7]
    for name in ("rules", "table+rules", "random", "table+pimc:worlds=4"):
        bot = coinche.Bot(name)
        acted = bot.act(some, seed="a")
        assert acted.dtype == np.int32 and (acted == bot.act(some, seed="a", threads=2)).all()
        for state, action in zip(some, acted):
            assert action in state.legal_actions()
    thoughts = coinche.Bot("rules+pimc:worlds=4").think(some)
    values = [thought["values"] for thought in thoughts if thought["values"]]
    assert values and all(isinstance(mean, float) for of in values for mean, _ in of.values())
    assert pickle.loads(pickle.dumps(coinche.Bot("table+rules"))).name == "table+rules"


def test_a_state_does_not_change_while_another_thread_draws_from_it():
    state, said = coinche.State("bga", seed=1), set()
    other = threading.Thread(target=state.resample, args=(50_000,))
    other.start()
    while other.is_alive():
        with pytest.raises(ValueError) as error:
            state.apply("JS")
        said.add(str(error.value))
    assert "apply: another thread is in a call of this State; act in a clone" in said


def test_numbers_out_of_range_are_named():
    state, hands = coinche.State("bga", seed=1), coinche.deals(2, seed=1)
    env = coinche.VecEnv(2)
    for call, name in [
        (lambda bad: coinche.VecEnv(bad), "n"),
        (lambda bad: coinche.VecEnv(2, threads=bad), "threads"),
        (lambda bad: coinche.deals(bad), "n"),
        (lambda bad: coinche.deals(1, first=bad), "first"),
        (lambda bad: coinche.deals(1, when="J", seat=bad), "seat"),
        (lambda bad: coinche.rollout([state], "rules", bad), "n"),
        (lambda bad: coinche.rollout([state], "rules", threads=bad), "threads"),
        (lambda bad: coinche.worlds(state, bad), "n"),
        (lambda bad: coinche.worlds(state, 2, seat=bad), "seat"),
        (lambda bad: coinche.solve(hands, leader=bad), "leader"),
        (lambda bad: coinche.solve(hands, threads=bad), "threads"),
        (lambda bad: coinche.label(hands, leader=[0, bad]), r"leader\[1\]"),
        (lambda bad: coinche.State("bga", seed=1, deal=bad), "deal"),
        (lambda bad: coinche.State("bga", seed=1, dealer=bad), "dealer"),
        (lambda bad: coinche.State("bga", seed=1, contract=("100H", bad)), "declarer"),
        (lambda bad: coinche.State("bga", hands=[bad] * 4), "hands"),
        (lambda bad: coinche.values([coinche.State("bga", seed=1, contract=("100H", 0))], bad), "threads"),
        (lambda bad: coinche.par(hands, leader=bad), "leader"),
        (lambda bad: coinche.Bot("rules").act([state], 0, bad), "threads"),
        (lambda bad: coinche.decision_key(1, bad, 0, 0), "deal"),
        (lambda bad: coinche.decision_key(1, 0, 0, bad), "decision"),
        (lambda bad: coinche.keys.below(np.uint64(1), bad), "n"),
        (lambda bad: state.hand(bad), "seat"),
        (lambda bad: state.apply(bad), "action .*"),
        (lambda bad: state.resample(bad), "n"),
        (lambda bad: env.state(bad), "env"),
        (lambda bad: env.reset_rows([bad], [state]), r"envs\[0\]"),
    ]:
        for bad in (-1, -(1 << 200), 1 << 200):
            with pytest.raises(ValueError, match=rf"^{name}: .*expected"):
                call(bad)
        with pytest.raises((TypeError, ValueError)):
            call(1.5)
    for seeded in (coinche.VecEnv(2).reset, lambda seed: coinche.deals(1, seed), lambda seed: state.resample(1, seed)):
        for bad in (-1, 1 << 200, ""):
            with pytest.raises(ValueError, match="^seed: "):
                seeded(bad)
    for bad in (1 << 200, -(1 << 200)):
        with pytest.raises(ValueError, match="^seats: .*, expected -2.63 to 2.63 - 1"):
            state.rotated(bad)
        with pytest.raises(ValueError, match="^score: .*, expected -2.31 to 2.31 - 1"):
            coinche.State("bga", seed=1, score=(0, bad))
    with pytest.raises(ValueError, match="^env: -1, expected 0 to 1$"):
        env.state(-1)
