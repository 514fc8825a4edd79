"""Many deals at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from coinche import _coinche
from coinche._coinche import Bot, Rules, State

if TYPE_CHECKING:
    from typing_extensions import Self


class Policy(Protocol):
    """A player in Python: decides for many deals at once."""

    def __call__(
        self,
        obs: NDArray[np.uint8],
        mask: NDArray[np.bool_],
        player: NDArray[np.uint8],
        /,
    ) -> NDArray[np.integer]:
        """Returns a legal action for each row.

        Args:
            obs: observations, a row for each deal; without columns where the environment has none.
            mask: the legal actions of each row.
            player: the seat that must act in each row.
        """
        ...


class KeyedPolicy(Protocol):
    """A `Policy` that draws at random: `coinche.keyed` makes one of a function that takes keys, too."""

    keyed: bool

    def __call__(
        self,
        obs: NDArray[np.uint8],
        mask: NDArray[np.bool_],
        player: NDArray[np.uint8],
        key: NDArray[np.uint64],
        /,
    ) -> NDArray[np.integer]:
        """Returns a legal action for each row.

        Args:
            key: 64 random bits for each decision, as a bot of ours would get; `coinche.keys` draws from them.
        """
        ...


def keyed(
    policy: Callable[
        [NDArray[np.uint8], NDArray[np.bool_], NDArray[np.uint8], NDArray[np.uint64]], NDArray[np.integer]
    ],
) -> KeyedPolicy:
    """Marks a function as one that takes the keys of its decisions: it plays the same whatever `n` and the other seats are."""

    @functools.wraps(policy)
    def with_keys(
        obs: NDArray[np.uint8], mask: NDArray[np.bool_], player: NDArray[np.uint8], key: NDArray[np.uint64], /
    ) -> NDArray[np.integer]:
        return policy(obs, mask, player, key)

    marked: Any = with_keys
    marked.keyed = True
    return cast(KeyedPolicy, marked)


class VecEnv(_coinche.VecEnv):
    """`n` deals at once, in arrays that `step` writes in place.

        env = coinche.VecEnv(1024, "bga", seed=1, opponents={1: "rules", 3: "rules"})
        env.actions[:] = policy(env.obs, env.mask)
        env.step()

    Environment i plays the deals i, i + n, i + 2n, … of the seed, the same that the arena deals: a run depends on
    (rules, seed, n, opponents and actions), never on `threads`. When a deal ends the next begins in the same step:
    `done`, `reward` and `returns` describe the deal that ended, all else the new one.

    Args:
        n: the number of environments.
        rules: `Rules`, or the name of a preset.
        seed: a number or any text.
        opponents: who plays the seats that are not the learner's: bots by name, `Bot`s, or functions in Python (`Policy`, or
            `KeyedPolicy` with random numbers).
            The bots of each environment take memory: kilobytes for `rules`, megabytes for those that search.
        threads: threads of the engine, the one that calls included. `step` holds no lock of the interpreter while it works. Where
            each thread can have a processor they look for the next step for 300 µs before they sleep.
        obs: "bytes" (0 or 1 each), "bits" (packed, for `numpy.unpackbits(bitorder="little")`), or None.
        canonical: rename the suits so that deals that differ in their names only look the same; actions and masks are
            renamed with them.
        positions: states at which deals begin, instead of the first call of the deals of the seed: environment i plays those numbered
            i, i + n, i + 2n, …, from the first again after the last; `deal` is that number. One state is the same deal for the whole batch.
        calls: a bot that makes the calls of the learner's seats, which then only plays cards. Deals that are passed out are skipped.
        cards: a bot that plays the cards of the learner's seats, which then only calls; or "solver": all seats play double dummy, as with
            `arena run --freeze play=solver`. Each contract of a deal is solved once (half a millisecond), of `positions` once for
            all their auctions.
        observe: "seat", or "all" for an array `hands` with all cards, for critics. Functions as opponents are never given it, nor is
            any bot in `coinche.run`.
        points: what contracts take by an estimate of yours, uint16 (len(positions), 4, 6): the card points of the declarer's side, the last
            trick included, by declarer and strain ("CDHS", SA, TA). The learner then only calls and nobody plays the cards; contracts
            are scored by the rules, with the belotes and melds of the hands. A side with all points takes all tricks.

    Attributes (arrays with a row for each environment):
        actions: int32 (n,), to be filled before `step`; -1 leaves an environment as it is.
        mask: bool (n, len(rules.actions)), what is legal now.
        obs: uint8 (n, 1344) or (n, 168), what `player` may know.
        hands: uint32 (n, 4), only with `observe="all"`: the cards of `player`, its left neighbour, its partner and its right neighbour,
            as sets; suits renamed as in `obs`.
        reward: float32 (n,), when a deal ended: the score of the team that took this step's action, less the other's; else 0.
        returns: int32 (n, 2), the scores of seats 0 and 2, and of 1 and 3, of the last deal that ended.
        done: bool (n,), whether this step ended a deal.
        player: uint8 (n,), the seat that must act.
        deal: int64 (n,), the number of the deal under way.
    """

    def __new__(
        cls,
        n: int,
        rules: Rules | str = "bga",
        seed: int | str = 0,
        opponents: Mapping[int, str | Bot | Policy | KeyedPolicy] | None = None,
        threads: int = 1,
        obs: Literal["bytes", "bits"] | None = "bytes",
        canonical: bool = False,
        positions: Sequence[State] | None = None,
        calls: str | Bot | None = None,
        cards: str | Bot | None = None,
        observe: Literal["seat", "all"] = "seat",
        points: NDArray[np.uint16] | None = None,
    ) -> Self:
        named: dict[int, str | Bot] = {}
        policies: dict[int, Policy | KeyedPolicy] = {}
        if opponents is not None and not isinstance(opponents, Mapping):
            raise TypeError(f'opponents: expected a mapping of seats, as {{1: "rules", 3: "rules"}}, not {type(opponents).__name__}')
        for seat, player in (opponents or {}).items():
            if seat not in (0, 1, 2, 3):
                raise ValueError(f"opponents: seat {seat}, expected 0, 1, 2 or 3")
            if isinstance(player, (str, Bot)):
                named[seat] = player
            elif callable(player):
                policies[seat] = player
            else:
                raise TypeError(f"opponents[{seat}]: expected the name of a bot, a Bot or a function")
        if len(named) + len(policies) == 4:
            raise ValueError("opponents: all four seats are taken, and none is left to act")
        if policies and any(given is not None for given in (calls, cards, points)):
            raise ValueError("calls, cards, points: not beside functions as opponents; give these seats bots")
        self = super().__new__(cls, n, rules, seed, named, threads, obs, canonical, positions, calls, cards, observe, points)
        assert isinstance(self, VecEnv)
        native: Any = super(VecEnv, self)
        self._policies = policies
        self._mask = native.mask.view(np.bool_)
        self._done = native.done.view(np.bool_)
        self._obs = np.zeros((n, 0), np.uint8) if obs is None else native.obs
        if policies:
            self._let_policies_act()
        return self

    _policies: dict[int, Policy | KeyedPolicy]
    _mask: NDArray[np.bool_]
    _done: NDArray[np.bool_]
    _obs: NDArray[np.uint8]

    @property
    def obs(self) -> NDArray[np.uint8]:
        """What `player` may know, a row for each environment.

        Raises:
            ValueError: when the environment was made with `obs=None`.
        """
        if self._obs.shape[1] == 0:
            raise ValueError("this VecEnv was made with obs=None: it has no observations")
        return self._obs

    @property
    def hands(self) -> NDArray[np.uint32]:
        """The cards of all seats from `player` on, for critics.

        Raises:
            ValueError: when the environment was made without `observe="all"`.
        """
        hands: NDArray[np.uint32] | None = super().hands
        if hands is None:
            raise ValueError('this VecEnv was made without observe="all": it shows what a seat may know, and no other hands')
        return hands

    @property
    def mask(self) -> NDArray[np.bool_]:
        """What is legal now."""
        return self._mask

    @property
    def done(self) -> NDArray[np.bool_]:
        """Whether this step ended a deal."""
        return self._done

    def step(self) -> None:
        """Takes `actions`, all of them legal, and writes what follows into the other arrays.

        All actions are checked before anything changes.

        Raises:
            IllegalAction: with the first environment whose action is not legal.
        """
        learner = self.player.copy() if self._policies else None
        super().step()
        if learner is not None:
            self._let_policies_act(learner)

    def reset(self, seed: int | str | None = None) -> None:
        """Starts with the first deals again: environment i with deal i. A seed, if given, replaces that of the start."""
        super().reset(seed)
        if self._policies:
            self._let_policies_act()

    def reset_rows(self, envs: Sequence[int] | NDArray[np.integer], states: Sequence[State]) -> None:
        """Starts some environments from these states, one for each: deals that come later are those that they would have had.

        Raises:
            ValueError: with the state from which the learner could not act; nothing is changed.
        """
        super().reset_rows(envs, states)
        if self._policies:
            self._let_policies_act()

    def _let_policies_act(self, learner: NDArray[np.uint8] | None = None) -> None:
        """Asks the players in Python until the learner must act everywhere; `learner` are the seats that acted last."""
        seats = np.array([seat in self._policies for seat in range(4)])
        asked = self.actions.copy()
        done, reward = self.done.copy(), self.reward.copy()
        learner = self.player.copy() if learner is None else learner
        while (waiting := seats[self.player]).any():
            self.actions[:] = -1
            for seat, policy in self._policies.items():
                rows = np.flatnonzero(self.player == seat)
                if rows.size:
                    shown = self._obs[rows], self.mask[rows], self.player[rows]
                    if getattr(policy, "keyed", False):
                        self.actions[rows] = cast(KeyedPolicy, policy)(*shown, self.keys()[rows])
                    else:
                        self.actions[rows] = cast(Policy, policy)(*shown)
            before = self.player.copy()
            super().step()
            ended = self.done & waiting
            done |= ended
            # The reward of a step is that of the seat that acted; the learner wants its own.
            sign = np.where((before + learner) % 2 == 0, 1, -1)
            reward[ended] = (self.reward * sign)[ended]
        self.done[:] = done
        self.reward[:] = reward
        self.actions[:] = asked
