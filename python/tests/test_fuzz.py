"""Whatever is passed, what comes back is a value or an ordinary exception: never a panic, which `except Exception` would miss."""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np

import coinche
import coinche.train
from conftest import play_out

FUNCTIONS = [
    coinche.Rules, coinche.State, coinche.Bot, coinche.solve, coinche.values, coinche.State.from_bytes, coinche.deals,
    coinche.label, coinche.par, coinche.decision_key, coinche.keys.below, coinche.keys.happens, coinche.keys.derive,
    coinche.seen, coinche.worlds, coinche.likelihoods, coinche.rollout, coinche.train.inputs, coinche.VecEnv,
]  # fmt: skip
CALLS = int(os.environ.get("COINCHE_FUZZ", "20000"))


def anything(rng: random.Random, depth: int = 0) -> Any:
    """A value that may be right, nearly right or nonsense."""
    simple = [
        None, True, -1, 0, 1, 3, 4, 31, 40, 109, 2**31, 2**63, 2**64, -(2**70), 0.5, float("nan"), "", "bga", "contree", "JS",
        "82S", "P", "X", "KS silent", "rules", "table+rules", "random", "cmd:x", "rules:coinche=2", "\x00", "é" * 200, b"", b"CDS2",
        "7C 8C 9C TC JC QC KC AC | 7D 8D 9D TD JD QD KD AD | 7H 8H 9H TH JH QH KH AH | 7S 8S 9S TS JS QS KS AS",
        ("100S", 0), ("CAPOTH", 2, "coinche"), ("TAKES", 9), [0xFF, 0xFF00, 0xFF0000, 0xFF000000], object(),
        np.zeros(109, np.bool_), np.zeros(1344, np.uint8), np.zeros((1, 4), np.uint32), np.zeros((2, 3), np.float64),
        np.array([[0xFF, 0xFF00, 0xFF0000, 0xFF000000]], np.uint32), np.zeros((0, 4), np.uint32), np.int64(5), "bytes", "bits",
    ]
    if depth < 2 and rng.random() < 0.2:
        items = [anything(rng, depth + 1) for _ in range(rng.randrange(4))]
        return rng.choice([items, tuple(items), {str(item)[:5]: item for item in items}])
    return rng.choice(simple)


def test_no_panic_crosses() -> None:
    rng = random.Random(os.environ.get("COINCHE_SEED", "fuzz"))
    made: list[Any] = [coinche.Rules("bga"), coinche.State("bga", seed=1), coinche.Bot("rules"), coinche.VecEnv(2), coinche.State("bga", seed=1).view()]
    names = {
        kind: [name for name in dir(kind) if not name.startswith("__") or name in ("__len__", "__str__", "__reduce__", "__eq__")]
        for kind in {type(it) for it in made}
    }
    values = 0
    for _ in range(CALLS):
        if rng.random() < 0.3:
            target = rng.choice(FUNCTIONS)
        else:
            owner = rng.choice(made)
            try:
                target = getattr(owner, rng.choice(names[type(owner)]))
            except (AttributeError, ValueError):  # a view has no hands
                continue
            if not callable(target):
                continue
        arguments = [anything(rng) for _ in range(rng.randrange(3))]
        keywords = {
            rng.choice(["seed", "deal", "hands", "dealer", "contract", "turned", "score", "out", "bits", "rules", "leader", "n", "strains", "first", "read", "when", "seat", "strain", "positions", "calls", "cards", "observe"]):
            anything(rng)
            for _ in range(rng.randrange(3))
        }
        if rng.random() < 0.2:
            state = rng.choice([it for it in made if isinstance(it, coinche.State)] or [None])
            arguments[:1] = [rng.choice([state, [state]])]
        if getattr(target, "__name__", "") in ("resample", "VecEnv"):
            arguments[:1] = [rng.randrange(3)]
            keywords.pop("n", None)
        try:
            value = target(*arguments, **keywords)
        except Exception:  # noqa: BLE001 - PanicException is none, so that it fails the test.
            continue
        values += 1
        if type(value) in names:
            made[rng.randrange(1, len(made))] = value
            if rng.random() < 0.2:
                made[1] = coinche.State(rng.choice(coinche.presets()), seed=values)
    assert values > CALLS / 25


def test_damaged_bytes_are_refused_or_another_state() -> None:
    rng = random.Random(1)
    for number in range(max(200, CALLS // 20)):
        state = coinche.State(rng.choice(coinche.presets()), seed=number)
        for _ in range(rng.randrange(30)):
            if not state.is_over:
                state.apply(rng.choice(state.legal_actions()))
        damaged = bytearray(state.to_bytes())
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        try:
            other = coinche.State.from_bytes(bytes(damaged))
        except ValueError:
            continue
        play_out(other if other.known_by is None else other.resample(1)[0], rng)
        assert str(other) and len(other.returns()) == 4
