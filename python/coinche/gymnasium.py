"""A Gymnasium environment: one seat learns, bots play the other three.

    env = CoincheEnv("bga", partner="rules", opponents="rules")
    obs, info = env.reset(seed=1)
    obs, reward, terminated, truncated, info = env.step(action)      # a legal one: info["action_mask"]

`gymnasium.make("coinche.gymnasium:Coinche-v0", rules="contree")` makes it, once imported also without the module's name. An episode is one deal. For speed use `coinche.VecEnv`; this is for programs that expect Gymnasium.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from coinche import OBSERVATION_BITS, Bot, IllegalAction, Rules, State

FORFEIT = -10_000.0
"""The reward of an illegal action, which ends the episode: no deal of the presets loses so much, so that it never pays."""


class CoincheEnv(gymnasium.Env[NDArray[np.int8], np.int64]):
    """One deal an episode, from one seat.

    Args:
        rules: `Rules`, or the name of a preset.
        seat: the seat that learns.
        partner: the bot opposite.
        opponents: the bot at the other two seats.
        illegal: what an illegal action does: "forfeit" ends the episode with a reward of -10,000 and the reason in
            `info["illegal"]`, "raise" raises IllegalAction.

    Observations are int8 (1344,), actions the numbers of `rules.actions`; `info["action_mask"]` says which are legal. The
    reward is 0 until the deal ends, then the own team's score less the other's.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        rules: Rules | str = "bga",
        seat: int = 0,
        partner: str | Bot = "rules",
        opponents: str | Bot = "rules",
        illegal: Literal["forfeit", "raise"] = "forfeit",
        render_mode: str | None = None,
    ) -> None:
        if seat not in (0, 1, 2, 3):
            raise ValueError(f"seat: {seat}, expected 0, 1, 2 or 3")
        if illegal not in ("forfeit", "raise"):
            raise ValueError(f"illegal: {illegal!r}, expected 'forfeit' or 'raise'")
        self.rules = rules if isinstance(rules, Rules) else Rules(rules)
        self.seat = seat
        self.illegal = illegal
        self.render_mode = render_mode
        partner = partner if isinstance(partner, Bot) else Bot(partner)
        opponent = opponents if isinstance(opponents, Bot) else Bot(opponents)
        self._bots = {(seat + 1) % 4: opponent, (seat + 2) % 4: partner, (seat + 3) % 4: opponent}
        self.observation_space = spaces.Box(0, 1, (OBSERVATION_BITS,), np.int8)
        self.action_space = spaces.Discrete(len(self.rules.actions))
        self._state: State | None = None
        self._seed = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.int8], dict[str, Any]]:
        super().reset(seed=seed)
        # All that is random follows from the generator that Gymnasium seeds.
        self._seed = int(self.np_random.integers(2**62))
        self._state = State(self.rules, seed=self._seed, deal=int(self.np_random.integers(4)))
        self._let_bots_act(self._state)
        return self._observation(self._state), self._info(self._state)

    def step(self, action: np.int64 | int) -> tuple[NDArray[np.int8], float, bool, bool, dict[str, Any]]:
        state = self._state
        if state is None or state.is_over:
            raise RuntimeError("the deal is over: call reset()")
        try:
            state.apply(action)
        except IllegalAction as error:
            if self.illegal == "raise":
                raise
            self._state = None
            return self._observation(state), FORFEIT, True, False, self._info(state) | {"illegal": error.why}
        self._let_bots_act(state)
        reward = state.returns()[self.seat]
        return self._observation(state), reward, state.is_over, False, self._info(state)

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal now, under the name that sb3-contrib looks for."""
        if self._state is None:
            return np.zeros(len(self.rules.actions), np.bool_)
        return self._state.mask()

    def render(self) -> str | None:
        """The deal as text, all hands included."""
        return str(self._state) if self.render_mode == "ansi" and self._state is not None else None

    def _let_bots_act(self, state: State) -> None:
        while not state.is_over and state.current_player != self.seat:
            player = state.current_player
            assert player is not None
            decision = f"{self._seed} {player} {len(state.history)}"
            state.apply(int(self._bots[player].act([state], seed=decision)[0]))

    def _observation(self, state: State) -> NDArray[np.int8]:
        return state.observation(self.seat).view(np.int8)

    def _info(self, state: State) -> dict[str, Any]:
        return {"action_mask": state.mask().view(np.int8)}


gymnasium.register("Coinche-v0", f"{__name__}:CoincheEnv")
