"""A PettingZoo AEC environment: four agents, `seat_0` to `seat_3`, one deal an episode.

    env = CoincheAEC("bga")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        action = None if termination else env.action_space(agent).sample(observation["action_mask"])
        env.step(action)

For speed use `coinche.VecEnv`; this is for programs that expect PettingZoo.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # type: ignore[import-untyped, unused-ignore]

from coinche import OBSERVATION_BITS, Rules, State


class CoincheAEC(AECEnv[str, dict[str, Any], int]):  # type: ignore[misc, unused-ignore]
    """One deal an episode.

    Observations are {"observation": int8 (1344,), "action_mask": int8 (n,)}, actions the numbers of `rules.actions`.
    Rewards are 0 until the deal ends, then the score of the agent's team less the other's. An action that is not legal
    raises IllegalAction.

    Args:
        rules: `Rules`, or the name of a preset.
    """

    metadata: dict[str, Any] = {"name": "coinche_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, rules: Rules | str = "bga", render_mode: str | None = None) -> None:
        super().__init__()
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(4)]
        observation = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, (OBSERVATION_BITS,), np.int8),
                "action_mask": spaces.Box(0, 1, (len(self.rules.actions),), np.int8),
            }
        )
        action = spaces.Discrete(len(self.rules.actions))
        self.observation_spaces: dict[str, Any] = {agent: observation for agent in self.possible_agents}
        self.action_spaces: dict[str, Any] = {agent: action for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.state_ = State(
            self.rules, seed=int(self._random.integers(2**62)), deal=int(self._random.integers(4))
        )
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._next_agent()

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        # Only the agent whose turn it is has something to choose from.
        is_turn = self.state_.current_player == seat
        mask = self.state_.mask() if is_turn else np.zeros(len(self.rules.actions), np.bool_)
        return {
            "observation": self.state_.observation(seat).view(np.int8),
            "action_mask": mask.view(np.int8),
        }

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent}: an action is expected, not None")
        self.state_.apply(action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.state_.is_over:
            for other, gain in zip(self.possible_agents, self.state_.returns()):
                self.rewards[other] = gain
                self.terminations[other] = True
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._next_agent()
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The deal as text, all hands included."""
        return str(self.state_) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """There is nothing to release."""

    def _next_agent(self) -> str:
        player = self.state_.current_player
        assert player is not None
        return self.possible_agents[player]
