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
