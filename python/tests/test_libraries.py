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
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from coinche.gymnasium import FORFEIT, CoincheEnv

    check_env(CoincheEnv("bga"), skip_render_check=True)
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
