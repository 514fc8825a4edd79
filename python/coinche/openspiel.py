"""A deal as a game of OpenSpiel: `import coinche.openspiel`, then `pyspiel.load_game("coinche", {"rules": "contree"})`.

Chance deals the 32 cards one by one to the seats in turn, eight each, all that are left equally likely; then actions are the numbers of
`rules.actions`. `rules` is a preset, or a name in `RULES`, where you put rules of your own, of games in which all cards are dealt before the
auction. Algorithms that search what a player may be in, as information-set MCTS, draw deals by `State.resample`: pass `resample` as their resampler.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found, unused-ignore]
from numpy.typing import NDArray

from coinche import OBSERVATION_BITS, Rules, State, seen

RULES: dict[str, Rules] = {}
"""Rules of your own, by the names that `pyspiel.load_game` knows them by: its parameters cannot hold the text of a rule file."""

MOST_POINTS = 10_000.0
MOST_ACTIONS = 400
"""No deal has so many calls and cards: each of some 100 bids may be offered a coinche."""

_TYPE = pyspiel.GameType(
    short_name="coinche",
    long_name="Belote and Coinche",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=4,
    min_num_players=4,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"rules": "bga", "dealer": 3},
)


class CoincheGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """One deal, dealt by seat `dealer`; returns are the own team's score less the other's."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = {"rules": "bga", "dealer": 3, **(params or {})}
        self.rules = RULES.get(params["rules"]) or Rules(params["rules"])
        self.dealer = int(params["dealer"])
        # Refuses rules that deal the last cards after the auction.
        self.deal(list(range(32)))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.rules.actions),
            max_chance_outcomes=32,
            num_players=4,
            min_utility=-MOST_POINTS,
            max_utility=MOST_POINTS,
            utility_sum=0.0,
            max_game_length=MOST_ACTIONS,
        )
        super().__init__(_TYPE, info, params)

    def __deepcopy__(self, memo: Any) -> CoincheGame:
        """The same: it does not change."""
        return self

    def deal(self, cards: list[int]) -> State:
        """The state after these cards were dealt."""
        hands = [sum(1 << card for card in cards[seat::4]) for seat in range(4)]
        return State(self.rules, hands=hands, dealer=self.dealer)

    def new_initial_state(self) -> CoincheState:
        """Before the first card is dealt."""
        return CoincheState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> CoincheObserver:
        """What a player sees: as bits what `State.observation` has, as text all that it knows."""
        return CoincheObserver(params)


class CoincheState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A deal: `cards` until all are dealt, then `state`."""

    def __init__(self, game: CoincheGame) -> None:
        super().__init__(game)
        self.game = game
        self.cards: list[int] = []
        self.state: State | None = None

    def current_player(self) -> int:
        """The seat that must act."""
        if self.state is None:
            return int(pyspiel.PlayerId.CHANCE)
        player = self.state.current_player
        return int(pyspiel.PlayerId.TERMINAL) if player is None else player

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The cards that are not dealt yet."""
        left = [card for card in range(32) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.state is None else self.state.legal_actions()

    def _apply_action(self, action: int) -> None:
        if self.state is not None:
            self.state.apply(action)
            return
        self.cards.append(action)
        if len(self.cards) == 32:
            self.state = self.game.deal(self.cards)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.rules.actions.name(action)

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self.state is not None and self.state.is_over

    def returns(self) -> list[float]:
        """What each seat gains; 0 before the end."""
        return [0.0] * 4 if self.state is None else list(self.state.returns())

    def __str__(self) -> str:
        return f"dealt {self.cards}" if self.state is None else str(self.state)


class CoincheObserver:
    """Writes what a player sees into `tensor`."""

    def __init__(self, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self.tensor = np.zeros(OBSERVATION_BITS, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {"observation": self.tensor}

    def set_from(self, state: CoincheState, player: int) -> None:
        """Writes what a player sees."""
        self.tensor[:] = 0 if state.state is None else state.state.observation(player)

    def string_from(self, state: CoincheState, player: int) -> str:
        """All that a player knows: its cards, and all calls and cards."""
        if state.state is None:
            return f"{player}: {state.cards[player::4]}"
        own = state.cards[player::4]
        # That another played a card in silence a player does not know.
        told = [(seat, action if seat == player else _aloud(action)) for seat, action in state.state.history]
        return f"{player}: {sorted(own)} {told}"


def _aloud(action: int) -> int:
    """A card that is announced or not; silent ones are numbered queen, king by suit from 32 on."""
    return 8 * ((action - 32) // 2) + 4 + (action - 32) % 2 if 32 <= action < 40 else action


def resample(state: CoincheState, player: int, seed: int | str = 0) -> CoincheState:
    """A state that the player cannot tell from this one, all of them equally likely: for algorithms that search information sets."""
    assert state.state is not None
    (drawn,) = state.state.resample(1, seed=seed, seat=player)
    hands = [int(hand) | int(played) for hand, played in zip(drawn.hands, seen([drawn]).played[0])]
    dealt = [[card for card in range(32) if hand >> card & 1] for hand in hands]
    other = state.game.new_initial_state()
    for place in range(32):
        other.apply_action(dealt[place % 4][place // 4])
    for _, action in drawn.history:
        other.apply_action(action)
    return other


pyspiel.register_game(_TYPE, CoincheGame)
