"""Runs of the arena: which bot is better, by how much, with what certainty."""

from __future__ import annotations

import html
import importlib
import json
import operator
import os
import pathlib
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, Protocol, Union, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from coinche._coinche import Bot, Rules, State, _views
from coinche._errors import BotError
from coinche._processes import Act, Here, Processes, Seat, Spawned, jax_runs
from coinche._vec_env import KeyedPolicy, Policy


@dataclass(frozen=True)
class Questions:
    """Decisions that a bot is asked for, a row for each.

    Attributes:
        obs: uint8 (n, 1344) or (n, 168), what the seat knows; without columns where the bot's `obs` is None.
        mask: bool (n, len(rules.actions)), what is legal.
        player: uint8 (n,), the seat.
        key: uint64 (n,), 64 random bits for each decision: the same whatever else is asked, and in both legs of a deal. A bot
            with chance draws from them alone (`coinche.keys`), so that its runs can be repeated.
        rules: the rules.
        states: all that the seat knows, a `State` as `State.view` makes it for each row, where the bot has `states = True`; else empty.
            `coinche.seen`, `coinche.train.inputs`, `coinche.worlds` and any `Bot` take them.
    """

    obs: NDArray[np.uint8]
    mask: NDArray[np.bool_]
    player: NDArray[np.uint8]
    key: NDArray[np.uint64]
    rules: Rules
    states: list[State] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.player)


@runtime_checkable
class BatchBot(Protocol):
    """A bot in Python, which decides for many deals at once.

    In a run each seat of both legs of a deal has a copy of it, in a process of its own. It has no memory: an answer depends on its
    row alone. It may have these attributes:

        name: what it is called, by default the name of its class.
        obs: "bytes" (the default), "bits" or None, the form of observations.
        states: True where `questions.states` is wanted; some 5 µs a decision.
        canonical: True where suits are to be renamed, so that deals that differ in their names only look the same.
        batch: how many legs are in flight, by default 512: each copy is asked about a quarter of them at a time.
    """

    def act(self, questions: Questions, /) -> NDArray[np.integer]:
        """Returns a legal action for each row. Others are noted as faults and replaced."""
        ...


PythonBot = Union[BatchBot, Policy, KeyedPolicy]
Player = Union[str, Bot, PythonBot]
"""A bot by name, a `Bot`, or one in Python: an object with `act`, or a function as in `VecEnv`, `keyed` or not."""


@dataclass(frozen=True, repr=False)
class Verdict:
    """The result of a run.

    Attributes:
        headline: the verdict in a sentence.
        text: the verdict with its tables, as `arena run` prints it.
        figures: the content of `run.json`.
        pairs: float64 (deals, pairings), the paired differences A − B: of each deal the mean over both seatings, in points. Of
            a control the last column. None where the run was resumed from a directory without a table.
        path: the directory, if there is one.
        interrupted: whether Ctrl-C ended it before all deals were played.
    """

    headline: str
    text: str
    figures: dict[str, Any]
    pairs: NDArray[np.float64] | None
    path: pathlib.Path | None
    interrupted: bool

    @property
    def bots(self) -> list[str]:
        """The bots by name."""
        return list(self.figures["bots"])

    @property
    def deals(self) -> int:
        """How many deals (or matches) were played, each in both seatings."""
        return int(self.figures["done"])

    @property
    def table(self) -> list[dict[str, Any]]:
        """A row for each pairing: `a`, `b`, `mean` (A − B, points a deal), `half_width`, `low`, `high` (95 %), `sd`, `deals`,
        `differing` (deals in which the two differ), `forfeited` (legs). None where there is no estimate.

        With more than two bots each interval is that of its pairing alone.
        """
        rows, figures = [], self.figures
        only = [{"a": 0, "b": 1, "figures": figures["figures"]}] if "figures" in figures else None
        for pairing in only or figures["pairings"]:
            points = pairing["figures"]["points"] or {}
            low, high = points.get("interval") or (None, None)
            rows.append(
                {
                    "a": self.bots[pairing["a"]],
                    "b": self.bots[pairing["b"]],
                    "mean": points.get("mean"),
                    "half_width": points.get("half_width"),
                    "low": low,
                    "high": high,
                    "sd": points.get("sd"),
                    "deals": points.get("pairs", 0),
                    "differing": points.get("differing", 0),
                    "forfeited": pairing["figures"]["forfeited"],
                }
            )
        return rows

    def _only(self) -> dict[str, Any]:
        rows = self.table
        if len(rows) != 1:
            raise ValueError(f"this run has {len(rows)} pairings: see `table`")
        return rows[0]

    @property
    def mean(self) -> float | None:
        """The mean difference A − B in points a deal (or match). Of a run with more than two bots see `table`."""
        mean: float | None = self._only()["mean"]
        return mean

    @property
    def half_width(self) -> float | None:
        """Half the width of its 95 % interval; None where there are too few deals, or too few that differ."""
        half_width: float | None = self._only()["half_width"]
        return half_width

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval; None where there are too few deals, or too few that differ."""
        row = self._only()
        return None if row["low"] is None else (row["low"], row["high"])

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Verdict: {self.headline}>"

    def _repr_html_(self) -> str:
        def cell(value: object) -> str:
            text = f"{value:,.1f}" if isinstance(value, float) else "" if value is None else str(value)
            return f"<td>{html.escape(text)}</td>"

        shown = ["a", "b", "mean", "half_width", "low", "high", "deals", "differing", "forfeited"]
        head = "".join(f"<th>{name.replace('_', ' ')}</th>" for name in shown)
        rows = "".join("<tr>" + "".join(cell(row[name]) for name in shown) + "</tr>" for row in self.table)
        lines = "<br>".join(html.escape(line) for line in self.headline.splitlines())
        return f"<p><b>{lines}</b></p><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def _native() -> Any:
    try:
        import coinche_arena
    except ModuleNotFoundError as error:
        if error.name != "coinche_arena":
            raise
        raise ModuleNotFoundError(
            "coinche.run needs the arena: pip install coinche[arena], or in a clone pip install ./python/arena",
            name="coinche_arena",
        ) from error
    return coinche_arena


def _answer(answer: object, rows: int) -> NDArray[np.int64]:
    """Checks what a bot in Python answers."""
    actions = np.asarray(answer)
    if actions.shape != (rows,):
        raise ValueError(f"expected an array of {rows} actions, but its shape is {actions.shape}")
    if actions.dtype.kind not in "iu":
        raise TypeError(f"expected actions as integers, but they are {actions.dtype}")
    return np.ascontiguousarray(actions, np.int64)


def _act_of(player: PythonBot, rules: Rules) -> Act:
    decide: Any = player.act if isinstance(player, BatchBot) else player
    is_batch_bot, takes_keys = isinstance(player, BatchBot), bool(getattr(player, "keyed", False))

    def act(
        obs: NDArray[np.uint8],
        mask: NDArray[np.uint8],
        seat: NDArray[np.uint8],
        key: NDArray[np.uint64],
        views: NDArray[np.uint8],
    ) -> NDArray[np.int64]:
        legal = mask.view(np.bool_)
        if is_batch_bot:
            return _answer(decide(Questions(obs, legal, seat, key, rules, _views(rules, views))), len(seat))
        return _answer(decide(obs, legal, seat, *((key,) if takes_keys else ())), len(seat))

    return act


def _plain(name: str) -> str:
    """A name that can stand in the specification of a bot."""
    return "".join(letter if letter.isalnum() or letter in "_-." else "-" for letter in name) or "bot"


_Given = tuple[str, Callable[[], Union[Seat, Here]], Union[str, None], bool, bool, int, bool]


class _PythonBots:
    """Bots in Python by the names that they have in a run."""

    def __init__(self, rules: Rules) -> None:
        self.named: dict[str, PythonBot] = {}
        self.rules = rules

    def add(self, player: PythonBot, name: str | None = None) -> str:
        if isinstance(player, type):
            raise TypeError(f"{player.__name__} is a class: pass an object, {player.__name__}()")
        if isinstance(player, Bot) or not (isinstance(player, BatchBot) or callable(player)):
            raise TypeError(
                f"{player!r} is no bot in Python: expected an object with `act`, or a function of (obs, mask, player)"
            )
        for known, other in self.named.items():
            if other is player and name is None:
                return f"python:{known}"
        own = getattr(player, "name", None) or getattr(player, "__name__", None) or type(player).__name__
        wanted = _plain(name or str(own))
        free = wanted
        number = 2
        while free in self.named:
            if name is not None:
                raise ValueError(f"players: {name!r} is there twice")
            free, number = f"{wanted}-{number}", number + 1
        self.named[free] = player
        return f"python:{free}"

    def spec(self, player: Player) -> str:
        if isinstance(player, str):
            return player
        if isinstance(player, Bot):
            return player.name
        return self.add(player)

    def given(self, processes: Processes | Spawned | None) -> list[_Given]:
        """What the arena is told of the bots: their names, what makes their objects, the form of questions."""
        given: list[_Given] = []
        for at, (name, player) in enumerate(self.named.items()):
            obs = getattr(player, "obs", "bytes")
            if obs not in ("bytes", "bits", None):
                raise ValueError(f'{name}: obs is "bytes", "bits" or None, not {obs!r}')
            batch = operator.index(getattr(player, "batch", 512))
            if not 1 <= batch <= 1024:
                raise ValueError(f"{name}: batch is 1 to 1024 legs, not {batch}")
            canonical, states = bool(getattr(player, "canonical", False)), bool(getattr(player, "states", False))
            if canonical and states:
                raise ValueError(f"{name}: states have their suits as dealt (State.suit_order renames them): canonical is False with states")
            make: Callable[[], Union[Seat, Here]] = partial(Here, _act_of(player, self.rules))
            if processes is not None:
                make = partial(Seat, processes, at)
            given.append((name, make, obs, canonical, states, batch, processes is not None))
        return given


_Progress = Callable[[int, int, Union[float, None], Union[float, None]], None]


def _shown(mean: float | None, half_width: float | None) -> str:
    if mean is None:
        return ""
    return f"A − B = {mean:+.1f}" + ("" if half_width is None else f" ± {half_width:.1f}")


def _bar(total: int, unit: str) -> tuple[_Progress | None, Callable[[], None]]:
    """A progress bar, where `tqdm` is installed and somebody looks."""
    try:
        tqdm = importlib.import_module("tqdm.auto")
    except ModuleNotFoundError:
        return None, lambda: None
    # A run that is over at once needs none.
    bar = tqdm.tqdm(total=total, unit=f" {unit}s", delay=1.0)

    def show(done: int, of: int, mean: float | None, half_width: float | None) -> None:
        if done != bar.n:
            bar.set_postfix_str(_shown(mean, half_width), refresh=False)
            bar.update(done - bar.n)

    return show, bar.close


def _count(name: str, value: int | None) -> int | None:
    number = None if value is None else operator.index(value)
    if number is not None and not 0 <= number < 1 << 64:
        raise ValueError(f"{name}: {number}, expected 0 to 2^64 - 1")
    return number


def run(
    *bots: Player,
    rules: Rules | str = "bga",
    deals: int = 10_000,
    seed: int | str | None = None,
    threads: int = 1,
    players: Mapping[str, PythonBot] | None = None,
    match: bool = False,
    format: Literal["match", "round-robin", "gauntlet", "crossplay"] | None = None,
    against: str | None = None,
    freeze: str | None = None,
    control: Sequence[str] | None = None,
    control_deals: int | None = None,
    records: str | None = None,
    table: Literal["csv", "csv.zst", "parquet"] | None = None,
    lines: Literal["jsonl", "jsonl.zst"] | None = None,
    forfeit: bool = False,
    confine: Literal["full", "network"] | None = None,
    times: Literal["none", "some", "all"] = "some",
    processes: bool | Literal["fork", "spawn"] = hasattr(os, "fork"),
    out: str | os.PathLike[str] | None = None,
    progress: bool | _Progress = True,
) -> Verdict:
    """Plays bots against each other, each deal twice with the teams exchanged.

        verdict = coinche.run("table+rules", MyBot(), deals=10_000, seed=1)
        print(verdict)

    It is `arena run` of the command line, with the same deals, faults, verdict and files; the result depends on the bots,
    rules, seed and deals, never on `threads`. A bot in Python is asked about some hundred deals at once, and gets what its seat
    knows and nothing else; each seat of both legs has its own copy, in its own process.

    Args:
        bots: two bots, or more for a round robin. A name, a `Bot`, an object with `act(questions)` (`BatchBot`), or a function
            of (obs, mask, player) as in `VecEnv`.
        rules: `Rules`, or the name of a preset.
        deals: how many deals, or with `match` how many matches.
        seed: a number or any text; None draws one (see `verdict.figures["seed"]`).
        threads: threads that play, each with its own processes of bots in Python.
        players: bots in Python by name, for specifications such as `"table+python:mine"`, `"rules&python:mine"`.
        match: play whole matches.
        format, against: who plays whom, with more than two bots; as on the command line.
        freeze: `"auction"`, `"auction=BIDDER"`, `"play"`, `"play=PLAYER"`, `"play=solver"`: what is the same for all bots.
        control, control_deals: two cheap bots on the same deals, to remove luck from the difference.
        records: what `out` keeps of the deals: `"none"`, `"summary"` (the default: a table with a row for each leg), `"full"`,
            `"sample:P"`, `"swing:POINTS"`.
        table, lines: the forms of the table and of the records.
        forfeit: let a bot that fails at everything forfeit its deals, and continue.
        confine: run programs (`cmd:…`) in a sandbox, as `--confine` does.
        times: of which decisions of our bots the processor time is taken.
        processes: let a bot in Python decide in a process of its own for each seat of both legs: no copy sees a partner's or
            opponent's hand. True or `"fork"`: copies of this process as it was before the seed was drawn. `"spawn"`: Python is started
            anew, and the bots are pickled, for what does not survive a fork, as JAX and CUDA; they are of a module, or of a script with
            `if __name__ == "__main__"`, and globals are as these set them. False: all in this process, for a debugger; the verdict says so.
        out: a directory for the run, which the same call resumes and the command line reads (`arena report`, `stats`, `judge`,
            `verify`). Without one, nothing is written.
        progress: show a bar where `tqdm` is installed, or call a function with (deals done, of, mean, half width).

    Returns:
        The verdict. Ctrl-C ends the run, and the verdict is of what was played until then.

    Raises:
        ValueError: for wrong settings, or a directory of another run.
        RulesError: for wrong rules.
        BotError: when a bot fails in three deals in a row, with its own exception as the cause. What was played is kept in
            `out`, and the same call resumes it.
        OSError: when something cannot be written.
        ModuleNotFoundError: without the arena (`pip install coinche[arena]`).
    """
    native = _native()
    rules = Rules(rules) if isinstance(rules, str) else rules
    known = _PythonBots(rules)
    for name, player in (players or {}).items():
        known.add(player, name.removeprefix("python:"))
    settings: dict[str, Any] = {
        "bots": [known.spec(bot) for bot in bots],
        "deals": _count("deals", deals),
        "match": True if match else None,
        "format": format,
        "against": against,
        "control": None if control is None else list(control),
        "control-deals": _count("control_deals", control_deals),
        "freeze": freeze,
        "seed": seed if isinstance(seed, str) else _count("seed", seed),
        "records": "none" if out is None else records,
        "table": table,
        "lines": lines,
        "forfeit": True if forfeit else None,
        "confine": confine,
        "times": times,
        "threads": _count("threads", threads),
        "out": None if out is None else os.fspath(out),
        "rules": rules.name,
    }
    if out is None and records not in (None, "none"):
        raise ValueError(f"records={records!r} are written into a directory: name one with out=")
    chosen = {key: value for key, value in settings.items() if value is not None}
    show = progress if callable(progress) else None
    with ExitStack() as ends:
        apart = None
        if processes and known.named:
            if processes not in (True, "fork", "spawn"):
                raise ValueError(f'processes: {processes!r}, expected True, False, "fork" or "spawn"')
            if processes is True and jax_runs():
                raise ValueError('processes: bots that use JAX hang in a fork once it runs: pass "spawn", or "fork" for others')
            kind = Spawned if processes == "spawn" or not hasattr(os, "fork") else Processes
            apart = ends.enter_context(closing(kind([partial(_act_of, player, rules) for player in known.named.values()])))
        given = known.given(apart)
        if progress and show is None:
            show, close = _bar(deals, "match" if match else "deal")
            ends.callback(close)
        text = None if rules.name else rules.to_toml()
        played = native.play(json.dumps(chosen), text, given, show)
    verdict = Verdict(
        headline=played["headline"].strip(),
        text=played["text"],
        figures=json.loads(played["figures"]),
        pairs=played["pairs"],
        path=played["path"] and pathlib.Path(played["path"]),
        interrupted=played["interrupted"],
    )
    if verdict.interrupted:
        resume = "" if out is None else "; the same call goes on with it"
        print(f"interrupted after {verdict.deals:,} of {deals:,} {'matches' if match else 'deals'}{resume}", file=sys.stderr)
    return verdict


__all__ = ["BatchBot", "BotError", "Player", "Questions", "Verdict", "run"]
