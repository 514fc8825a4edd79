"""Belote and Coinche: a fast engine, bots, and environments for learning.

    import coinche
    state = coinche.State("bga", seed=1)
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    print(state)

`State` is one deal, `VecEnv` many at once in NumPy arrays; `Bot` plays by name. `coinche.pettingzoo` and
`coinche.gymnasium` are thin environments for these libraries. Actions and observations are numbers and bits with a
documented layout (`docs/encoding.md`).
"""

from coinche import data, keys
from coinche._arrays import Labels, Par, Seen, label, par, seen
from coinche._beliefs import Likelihoods, Worlds, likelihoods, worlds
from coinche._coinche import (
    ACTIONS_VERSION,
    OBSERVATION_BITS,
    OBSERVATION_BYTES,
    OBSERVATION_VERSION,
    Actions,
    Bot,
    Rules,
    State,
    __version__,
    bots,
    deals,
    decision_key,
    features,
    presets,
    rollout,
    solve,
    values,
)
from coinche._commands import bidding, judge, stats, tables
from coinche._errors import BotError, IllegalAction, RulesError
from coinche._run import BatchBot, Player, Questions, Verdict, run
from coinche._vec_env import KeyedPolicy, Policy, VecEnv, keyed
from coinche.data._records import states

__all__ = [
    "ACTIONS_VERSION",
    "OBSERVATION_BITS",
    "OBSERVATION_BYTES",
    "OBSERVATION_VERSION",
    "Actions",
    "BatchBot",
    "Bot",
    "BotError",
    "IllegalAction",
    "KeyedPolicy",
    "Labels",
    "Likelihoods",
    "Par",
    "Player",
    "Policy",
    "Questions",
    "Rules",
    "RulesError",
    "Seen",
    "State",
    "VecEnv",
    "Verdict",
    "Worlds",
    "__version__",
    "bidding",
    "bots",
    "data",
    "deals",
    "decision_key",
    "features",
    "judge",
    "keyed",
    "keys",
    "label",
    "likelihoods",
    "par",
    "presets",
    "rollout",
    "run",
    "seen",
    "solve",
    "states",
    "stats",
    "tables",
    "values",
    "worlds",
]
