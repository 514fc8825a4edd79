"""PettingZoo and Gymnasium accept the environments."""

from __future__ import annotations

import numpy as np
import pytest


def test_pettingzoo() -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    from coinche.pettingzoo import CoincheAEC

    api_test(CoincheAEC("bga"), num_cycles=2_000)
    seed_test(lambda: CoincheAEC("contree"), num_cycles=200)
    env = CoincheAEC("coinche", render_mode="ansi")
    env.reset(seed=3)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, _, _ = env.last()
        total[agent] += reward
        env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
    assert list(total.values()) == env.state_.returns() and "auction" in str(env.render())


@pytest.mark.filterwarnings("ignore")
def test_gymnasium() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from coinche.gymnasium import FORFEIT, CoincheEnv

    check_env(CoincheEnv("bga"), skip_render_check=True)
    gymnasium.make("coinche.gymnasium:Coinche-v0")
    made = gymnasium.make("Coinche-v0", rules="contree", seat=1)
    assert isinstance(made.unwrapped, CoincheEnv) and made.unwrapped.rules.name == "contree"
    env = CoincheEnv("contree", seat=2, partner="table+rules", opponents="random")
    for seed in range(5):
        _, info = env.reset(seed=seed)
        done = False
        while not done:
            assert (info["action_mask"].view(bool) == env.action_masks()).all()
            observation, reward, done, truncated, info = env.step(np.flatnonzero(info["action_mask"])[-1])
            assert env.observation_space.contains(observation) and not truncated
        with pytest.raises(RuntimeError):
            env.step(0)
    env.reset(seed=1)
    _, reward, done, _, info = env.step(0)
    assert (reward, done) == (FORFEIT, True) and "a call is expected" in info["illegal"]


def test_a_learner_may_keep_silent_about_a_belote() -> None:
    """Where the rules leave the choice, the cards without announcement are actions of their own, in all environments."""
    pytest.importorskip("gymnasium")
    import coinche
    from coinche.gymnasium import CoincheEnv

    env, silent, belotes = CoincheEnv("coinche"), slice(32, 40), 0
    for seed in range(60):
        _, info = env.reset(seed=seed)
        done = False
        while not done:
            legal = info["action_mask"].view(bool)
            assert (legal == env.action_masks()).all()
            if legal[silent].any():
                belotes += 1
                state = env._state
                assert state is not None
                number = 32 + int(np.flatnonzero(legal[silent])[0])
                name = state.rules.actions.name(number)
                said, kept = state.clone(), state.clone()
                said.apply(name.removesuffix(" silent"))
                kept.apply(number)
                assert said.history[:-1] == kept.history[:-1] and kept.history[-1] == (env.seat, number)
                seen = [it.observation((env.seat + 1) % 4) for it in (said, kept)]
                assert (seen[0] != seen[1]).any()
                action = number
            else:
                action = int(np.flatnonzero(legal)[-1])
            _, _, done, _, info = env.step(action)
    assert belotes > 1
    assert not coinche.State("bga", seed=1).mask()[silent].any()


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import random

    import coinche.openspiel
    from open_spiel.python import rl_environment
    from open_spiel.python.algorithms import ismcts, mcts

    coinche.openspiel.RULES["small"] = coinche.Rules("contree", **{"auction.highest": 80, "auction.capot": False})
    for rules in ("bga", "bga-ja", "coinche-melds", "small"):
        pyspiel.random_sim_test(pyspiel.load_game("coinche", {"rules": rules}), num_sims=3, serialize=False, verbose=False)
    with pytest.raises(ValueError, match="turn"):
        coinche.openspiel.CoincheGame({"rules": "belote"})
    game = pyspiel.load_game("coinche", {"rules": "small", "dealer": 1})
    state, rng = game.new_initial_state(), random.Random(1)
    while state.is_chance_node():
        state.apply_action(rng.choice([card for card, _ in state.chance_outcomes()]))
    assert state.current_player() == 2 and state.state.dealer == 1
    while not state.is_terminal():
        player = state.current_player()
        for drawn in (coinche.openspiel.resample(state, player, seed) for seed in range(2)):
            assert drawn.information_state_string(player) == state.information_state_string(player)
            assert drawn.observation_tensor(player) == state.observation_tensor(player)
            assert sorted(drawn.cards) == list(range(32)) and drawn.state.view() == state.state.view()
        state.apply_action(rng.choice(state.legal_actions()))
    # Generic algorithms: information-set MCTS against chance, and an agent that learns.
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)), 100.0, 20)
    bot.set_resampler(lambda state, player: coinche.openspiel.resample(state, player, rng.getrandbits(32)))
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(rng.choice([card for card, _ in state.chance_outcomes()]))
        else:
            state.apply_action(bot.step(state) if state.current_player() == 0 else rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0
    env = rl_environment.Environment(game, observation_type=rl_environment.ObservationType.OBSERVATION)
    spec = env.observation_spec()
    assert tuple(spec["info_state"]) == (1344,)
    step = env.reset()
    assert len(step.observations["info_state"][0]) == 1344
    pytest.importorskip("torch")
    from open_spiel.python.pytorch import policy_gradient

    agents = [policy_gradient.PolicyGradient(seat, 1344, game.num_distinct_actions(), hidden_layers_sizes=[16], batch_size=4) for seat in range(4)]
    for _ in range(8):
        step = env.reset()
        while not step.last():
            step = env.step([agents[step.observations["current_player"]].step(step).action])
        for agent in agents:
            agent.step(step)
    assert all(agent.loss is not None for agent in agents)
