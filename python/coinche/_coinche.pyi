"""The native part of the package."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, SupportsIndex, TypedDict, final, overload

import numpy as np
from numpy.typing import NDArray
from typing_extensions import Self

__version__: Final[str]
OBSERVATION_BITS: Final[int]
OBSERVATION_BYTES: Final[int]
OBSERVATION_VERSION: Final[int]
ACTIONS_VERSION: Final[int]

@final
class Actions:
    """The numbers of all calls and cards of a rule set."""

    VERSION: Final[int]
    def __len__(self) -> int: ...
    def index(self, text: str) -> int:
        """The number of a card or call (`JS`, `82S`, `P`, `X`, `XX`, `KS silent`). ValueError if these rules have none."""
    def name(self, action: int) -> str:
        """The card or call of a number. IndexError above the last."""
    def names(self) -> list[str]:
        """The names of all actions, in the order of their numbers."""
    @property
    def fingerprint(self) -> str:
        """Equal for rules under which every number means the same."""

@final
class Rules:
    """A validated rule set: a preset, or the text of a rule file, with single options changed.

    RulesError when there is no such preset or option, or a value is out of range.
    """

    def __new__(cls, rules: str = "bga", **options: object) -> Self: ...
    def to_toml(self) -> str:
        """The whole rule set as TOML, which `Rules` reads."""
    @property
    def name(self) -> str | None:
        """The preset's name, or None."""
    @property
    def actions(self) -> Actions: ...
    def __hash__(self) -> int: ...

@final
class State:
    """One deal from the first call to the score.

    Args:
        rules: `Rules`, or the name of a preset.
        seed: with `deal` the cards: deal number `deal` of this seed, the same that the arena deals.
        hands: or these cards: a text for each seat, one text with `|` between, or four 32-bit sets.
        dealer: the seat that deals; `deal % 4` of a seed, else 3.
        contract: begin with the play of (bid, declarer) or (bid, declarer, stake), as ("100S", 0).
        turned: with `hands` of a turn-up game, the card turned up, which the declarer holds.
        score: the score of the match before the deal, for seats 0 and 2, and for 1 and 3.
    """

    def __new__(
        cls,
        rules: Rules | str = "bga",
        *,
        seed: int | str | None = None,
        deal: int = 0,
        hands: str | Sequence[str] | Sequence[int] | None = None,
        dealer: int | None = None,
        contract: tuple[str, int] | tuple[str, int, str] | None = None,
        turned: str | None = None,
        score: tuple[int, int] = (0, 0),
    ) -> Self: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def current_player(self) -> int | None:
        """The seat that must act, None when the deal is over."""
    @property
    def is_over(self) -> bool: ...
    @property
    def is_auction(self) -> bool:
        """Whether the next action is a call, not a card."""
    @property
    def dealer(self) -> int: ...
    @property
    def contract(self) -> tuple[str, int, str] | None:
        """The bid that stands, its declarer and its stake; None before the first bid."""
    @property
    def hands(self) -> list[int]:
        """What each seat holds now, as 32-bit sets: bit 8 * suit + rank. ValueError where only what one seat knows is there."""
    def hand(self, seat: int | None = None) -> int:
        """What a seat (the one that must act) holds now, as a 32-bit set."""
    def view(self) -> State:
        """What the seat that must act knows, and nothing else: a state without the hands of the others, for players that must not see
        them. What follows from other hands raises ValueError, `resample` draws deals that fit. It does not change: act in those.
        Earlier deals of a match are not in it.

        ValueError when the deal is over.
        """
    @property
    def known_by(self) -> int | None:
        """Whose knowledge it is, of a state that `view` made; None where all hands are open."""
    @property
    def points(self) -> tuple[int, int]:
        """The card points that both teams have taken so far."""
    @property
    def score(self) -> tuple[int, int] | None:
        """The score of the deal for both teams; None before the end, (0, 0) when all passed."""
    @property
    def history(self) -> list[tuple[int, int]]:
        """All decisions so far: seat and action. Applied to a new state of the same deal they lead here."""
    def legal_actions(self) -> list[int]: ...
    def mask(self, out: NDArray[np.bool_] | None = None) -> NDArray[np.bool_]:
        """A bool for each action: whether it is legal. Written into `out` if given."""
    def apply(self, action: SupportsIndex | str) -> None:
        """Takes an action, by number or as text. IllegalAction when it is not legal; the state is then unchanged."""
    def rotated(self, seats: int = 1) -> State:
        """The same deal with every seat `seats` places further on: who was seat 0 is seat 1. With one place the partnerships have changed
        sides. ValueError for what a seat knows."""
    def clone(self) -> State: ...
    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: Any) -> State: ...
    def returns(self) -> list[float]:
        """What each seat gains: the score of its team less that of the other; all 0 before the end."""
    def observation(
        self,
        seat: int | None = None,
        out: NDArray[np.uint8] | None = None,
        *,
        bits: bool = False,
        canonical: bool = False,
    ) -> NDArray[np.uint8]:
        """What a seat (the one that must act) may know: 1,344 bytes of 0 or 1, or 168 bytes of packed bits."""
    def suit_order(self, seat: int | None = None) -> str:
        """The suits in the order of a canonical observation: `HCSD` means that hearts stand first."""
    def resample(self, n: int, seed: int | str = 0, seat: int | None = None) -> list[State]:
        """States at the same moment with other hidden cards, all that fit what the seat knows equally likely."""
    def to_bytes(self) -> bytes:
        """The state as bytes, with its rules: some 100 of them under a preset."""
    def _repr_html_(self) -> str: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> State:
        """The state that `to_bytes` wrote. ValueError when the bytes are damaged."""

class Thought(TypedDict):
    """What a bot thought of a decision."""

    action: int
    points: float | None
    chance: float | None
    values: dict[int, tuple[float, float]]
    advantages: dict[int, float]

@final
class Bot:
    """A bot by its name, as on the command line: `Bot("table+pimc:worlds=40")`.

    BotError when there is no such bot or parameter.
    """

    def __new__(cls, name: str) -> Self: ...
    @property
    def name(self) -> str: ...
    def act(self, states: Sequence[State], seed: int | str = 0, threads: int = 1) -> NDArray[np.int32]:
        """One decision for each state. The same seed and place in the list give the same random numbers."""
    def think(self, states: Sequence[State], seed: int | str = 0, threads: int = 1) -> list[Thought]:
        """The same, with what the bot thought: expected score, chance of the contract, for each action considered its mean score and
        the half width of its 95 % interval, and what it is worth more than the mean of them (`advantages`; all that `net` knows)."""

class VecEnv:
    """The native part of `coinche.VecEnv`."""

    def __new__(
        cls,
        n: int,
        rules: Rules | str = "bga",
        seed: int | str = 0,
        opponents: Mapping[int, str | Bot] | None = None,
        threads: int = 1,
        obs: str | None = "bytes",
        canonical: bool = False,
        positions: Sequence[State] | None = None,
        calls: str | Bot | None = None,
        cards: str | Bot | None = None,
        observe: str = "seat",
        points: NDArray[np.uint16] | None = None,
    ) -> Self: ...
    def step(self) -> None: ...
    def reset(self, seed: int | str | None = None) -> None: ...
    def reset_rows(self, envs: Sequence[int] | NDArray[np.integer], states: Sequence[State]) -> None: ...
    def state(self, env: int) -> State:
        """The state of one environment, as a copy."""
    def keys(self) -> NDArray[np.uint64]:
        """The key of the decision that `player` must make in each environment: 64 random bits, which a bot of ours in its place
        would get too."""
    def __len__(self) -> int: ...
    @property
    def opponents(self) -> dict[int, str]: ...
    @property
    def actions(self) -> NDArray[np.int32]: ...
    @property
    def mask(self) -> NDArray[Any]: ...
    @property
    def obs(self) -> Any: ...
    @property
    def hands(self) -> Any: ...
    @property
    def reward(self) -> NDArray[np.float32]: ...
    @property
    def returns(self) -> NDArray[np.int32]: ...
    @property
    def done(self) -> NDArray[Any]: ...
    @property
    def player(self) -> NDArray[np.uint8]: ...
    @property
    def deal(self) -> NDArray[np.int64]: ...

def presets() -> list[str]:
    """The names of the preset rule sets."""

def bots() -> list[tuple[str, str]]:
    """The names and descriptions of the bots."""

def features() -> list[tuple[str, int, int, str]]:
    """The groups of bits of an observation: name, first bit, number of bits, meaning."""

def solve(
    hands: NDArray[np.uint32],
    rules: Rules | str = "bga",
    *,
    leader: int | Sequence[int] | NDArray[np.integer] = 0,
    strains: Sequence[str] | None = None,
    threads: int = 1,
) -> NDArray[np.int16]:
    """Card points that seats 0 and 2 take double dummy, last trick included: a row for each deal, six columns for the strains
    C D H S SA TA, -1 where a strain was left out. Seats 1 and 3 have 162 less these.

    `hands` is (n, 4): sets of eight cards, bit 8 * suit + rank. `leader` leads the first trick: a seat, or one for each deal.
    ValueError with the row that is no deal.
    """

@overload
def values(states: Sequence[State], threads: int = 1, *, score: Literal[False] = False) -> NDArray[np.int16]: ...
@overload
def values(states: Sequence[State], threads: int = 1, *, score: Literal[True]) -> NDArray[np.int32]:
    """Exact values of all legal cards with open cards: the card points that the side to play takes from here on, last trick
    included; with `score` the score of the deal after best play for points, own less other. A row of 32 cards for each state, -1 where
    a card is not legal, `coinche.data.NONE` with `score`."""

def decision_key(seed: int | str, deal: int, seat: int, decision: int) -> int:
    """The key of one decision: 64 random bits, which depend on the seed, the deal, the seat and how many keys it has used in the deal
    before: one for each call, answer to an offer and card, and one more where there was the choice to announce a belote, or
    between melds. The bots of the arena and of `VecEnv` get the same; `VecEnv.keys` counts.

    Who has a seat's key can compute its other keys in the deal, and nothing else: neither other seats' nor the seed.
    """

def deals(
    n: int,
    seed: int | str = 0,
    rules: Rules | str = "bga",
    *,
    first: int = 0,
    when: str | None = None,
    seat: int = 0,
    strain: str | None = None,
) -> NDArray[np.uint32]:
    """The hands of `n` deals of a seed, numbered from `first`: (n, 4) sets of eight cards, bit 8 * suit + rank.

    The same that the arena deals, and that `arena label` labels. Deal i is dealt by seat i % 4 and led by the next. Under rules of
    the turn-up game the cards are dealt all at once, in packets of three, two and three, as labels have them.

    With `when`, a condition in the language of bidding systems as "J9 and trumps >= 4 and aces >= 1", these are the first `n` deals in
    which the hand of `seat` fulfils it before the first call: in some strain, or in `strain` (SA, TA or a suit as "H").
    """

def rollout(
    states: Sequence[State],
    policy: str | Bot | Sequence[str | Bot] = "rules",
    n: int = 1,
    *,
    seed: int | str = 0,
    threads: int = 1,
) -> NDArray[np.int32]:
    """The scores of seats 0 and 2, and of 1 and 3, when bots play each state on to the end `n` times: (states, n, 2).

    `policy` is a bot for all seats, or a list of four. The same seed and place in the list give the same scores, for any number of threads.
    """

def _seen(states: Sequence[State]) -> tuple[NDArray[Any], ...]: ...
def _worlds(
    state: State, n: int | None, seed: int | str, seat: int | None, read: str | None
) -> tuple[NDArray[np.uint32], NDArray[np.float64], int | None]: ...
def _states_of(state: State, hands: NDArray[np.uint32], seat: int | None) -> list[State]: ...
def _likelihoods(
    state: State, hands: NDArray[np.uint32], read: str, seat: int | None
) -> tuple[list[int], list[int], NDArray[np.float64]]: ...
def _views(rules: Rules, bytes: NDArray[np.uint8]) -> list[State]: ...
def _label(
    hands: NDArray[np.uint32],
    rules: Rules | str,
    leader: int | Sequence[int] | NDArray[np.integer] | None,
    strains: Sequence[str] | None,
    threads: int,
) -> tuple[NDArray[np.int16], NDArray[np.uint8]]: ...
def _par(
    hands: NDArray[np.uint32],
    rules: Rules | str,
    leader: int | Sequence[int] | NDArray[np.integer],
    threads: int,
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]: ...
def _record_states(line: str) -> list[State]: ...
def _card_layers_bytes(
    layers: list[tuple[NDArray[np.float32], NDArray[np.float32]]], made: list[tuple[str, str]]
) -> bytes: ...
def _card_network() -> tuple[str, int, tuple[int, int], int]: ...
def _card_inputs(states: Sequence[State]) -> tuple[NDArray[np.uint16], NDArray[np.int64], NDArray[np.float32]]: ...
def _card_outputs(states: Sequence[State], path: str | None) -> NDArray[np.float32]: ...
def _read_card_network(path: str | None) -> dict[str, NDArray[np.float32]]: ...
def _card_network_bytes(tensors: dict[str, NDArray[np.float32]], made: list[tuple[str, str]]) -> bytes: ...
