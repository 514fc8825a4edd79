"""Commands of the arena, made in parts."""

from __future__ import annotations

import contextlib
import errno
import json
import operator
import os
import pathlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from coinche._run import Verdict
from coinche._sums import sealed
from coinche.cluster._hyperqueue import HyperQueue
from coinche.cluster._plan import ClusterError, Plan, Where, find_arena, make_plan, read_status, verify
from coinche.cluster._pool import Pool
from coinche.cluster._progress import Status, Watch

# `arena merge` asks for another wave of parts.
_ANOTHER_WAVE = 12
# `arena sprt` has accepted the lower bound, or played all that it may.
_DECIDED = {"sprt": (10, 11)}
# How often a part is tried that another process is at.
_MAX_TRIES = 5
# After so many seconds without a part that begins, there may be no worker.
_WORKER_WARNING = 15.0
# Whose result is printed, not kept in files that `arena verify` checks.
_PRINTED = ("stats", "hands", "bidding", "judge")


@dataclass(frozen=True)
class FailedPart:
    """A part that could not be made.

    Attributes:
        number: of the part, from 1; None for what puts the parts together.
        exit: the exit code of the arena, or None where it was ended by a signal or could not begin.
        stderr: the last lines that it wrote.
        log: the file with all of them.
    """

    number: int | None
    exit: int | None
    stderr: list[str]
    log: pathlib.Path

    def __str__(self) -> str:
        what = "putting the parts together" if self.number is None else f"part {self.number}"
        how = "" if self.exit is None else f" with exit code {self.exit}"
        return "\n".join([f"{what} failed{how} ({self.log})", *(f"  {line}" for line in self.stderr)])


class PartsFailed(ClusterError):
    """Parts failed. All others are done, and the same call makes these alone again.

    Attributes:
        parts: those that failed.
    """

    def __init__(self, message: str, parts: Sequence[FailedPart]) -> None:
        super().__init__(message)
        self.parts = list(parts)


@dataclass(frozen=True)
class Result:
    """What came of all parts.

    Attributes:
        directory: the plan, its parts and their logs.
        path: the directory of the result, with the files of the undivided command; None of a command that prints only.
        text: what the undivided command prints.
        exit: its exit code: 0, or of `sprt` 10 or 11.
        verdict: of a run, as `coinche.run` returns it (without `pairs`), with `mean`, `interval` and `table`; else None.
    """

    directory: pathlib.Path
    path: pathlib.Path | None
    text: str
    exit: int
    verdict: Verdict | None

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Result: {self.verdict.headline if self.verdict else self.directory}>"


def _result(plan: Plan, code: int) -> Result:
    text, verdict = plan.output(), None
    path = plan.whole if plan.whole.is_dir() else None
    if path is not None and plan.kind == "run":
        figures = json.loads(sealed(path / "run.json"))
        del figures["crc"]
        headline = text.split("\n  ", 1)[0].strip()
        verdict = Verdict(headline, text, figures, None, path, bool(figures["interrupted"]))
    return Result(plan.directory, path, text, code, verdict)


def _decided(plan: Plan) -> int:
    """The exit code of a command that is over."""
    with contextlib.suppress(OSError, ValueError):
        code = int((plan.logs / "merge.exit").read_text(encoding="utf-8"))
        return code if code in _DECIDED.get(plan.kind, ()) else 0
    return 0


@contextlib.contextmanager
def _alone(plan: Plan) -> Iterator[None]:
    """Refuses a second call for the same directory on this machine."""
    import fcntl  # Not on Windows, where there is no shell for the scripts either.

    with open(plan.directory / "cluster.lock", "wb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            # Some file systems of clusters know no locks: the parts have their own.
            if error.errno in (errno.EAGAIN, errno.EACCES):
                raise ClusterError(f"another process makes the parts of {plan.directory}: wait for it") from error
        yield


def _tail(path: pathlib.Path) -> list[str]:
    """The last lines of the last attempt."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 4096))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return []
    begun = [at for at, line in enumerate(lines) if line.startswith("== ")]
    return [line for line in lines[begun[-1] + 1 if begun else 0 :] if line.strip()][-4:]


def _failed(plan: Plan, number: int | None, code: int | None, message: str) -> FailedPart:
    """Looks up what a task that failed has left."""
    name = "merge" if number is None else plan.part(number)
    log = plan.logs / f"{name}.err"
    # The arena writes to the log; the script itself writes only when it cannot start.
    lines = _tail(plan.script_log(name))
    if lines and number is not None:
        lines.append(f"(workers need {plan.directory}, the program `arena` and the directory of the call at the same paths)")
    return FailedPart(number, code, lines or _tail(log) or [message], log)


class _Work:
    """Makes all parts of a plan, in waves where the command goes in steps."""

    def __init__(self, arena: str, plan: Plan, queue: HyperQueue | Pool, watch: Watch) -> None:
        self._arena, self._plan, self._queue, self._watch = arena, plan, queue, watch
        self._reported: list[list[str]] = []
        self._failures = 0
        self._asks_for_workers = False

    def _missing(self) -> list[int]:
        """The parts that are to be made: of a wave all, since they are of the wave that is due."""
        every = list(range(1, self._plan.shards + 1))
        return every if self._plan.stepwise else read_status(self._arena, self._plan).get("missing", every)

    def all(self) -> int:
        """Makes them, and returns the exit code of the command."""
        tries = 0
        while True:
            self._asks_for_workers = False
            if not self._queue.follow():
                self._asks_for_workers = self._queue.server is not None
                self._queue.submit(self._missing())
            failed = self._wait()
            if not failed:
                return 0
            if len(failed) == 1 and failed[0].number is None:
                code = failed[0].exit
                if code == _ANOTHER_WAVE:
                    continue
                if code is not None and code in _DECIDED.get(self._plan.kind, ()):
                    return code
            busy = [part for part in failed if _is_busy(part)]
            tries += 1
            if len(busy) < len(failed) or tries > _MAX_TRIES:
                self._give_up(failed)
            # Left by a call that was killed, or made elsewhere: it ends, and then there is little to do.
            time.sleep(min(tries, 3))

    def _wait(self) -> list[FailedPart]:
        """Waits until all tasks have ended, and returns those that failed."""
        pause, known = 0.02, 0
        seen: dict[int | None, FailedPart] = {}
        began, before = time.monotonic(), self._newest()
        while True:
            counts = self._queue.counts()
            if counts.failed > known:
                known = counts.failed
                for number, (code, message) in self._queue.failures().items():
                    if number not in seen:
                        seen[number] = _failed(self._plan, number, code, message)
                        self._report(seen[number])
            if counts.completed:
                if not seen and counts.finished < counts.total:
                    raise ClusterError(f"job {self._queue.job} was cancelled on the server: repeat the command to resume")
                return list(seen.values())
            self._watch.tick()
            if self._asks_for_workers and time.monotonic() > began + _WORKER_WARNING:
                self._asks_for_workers = False
                if counts.finished + counts.failed == 0 and self._newest() == before:
                    cpus = "a processor" if self._plan.threads == 1 else f"{self._plan.threads} processors"
                    self._watch.say(f"no part has begun yet: `hq --server-dir {self._queue.server} worker list` tells if a worker has {cpus} free")
            time.sleep(pause)
            pause = min(2 * pause, 0.25)

    def _newest(self) -> float:
        """When a part last wrote to its log, as each does when it begins."""
        return max((path.stat().st_mtime for path in self._plan.logs.glob("*.err")), default=0.0)

    def _report(self, part: FailedPart) -> None:
        """Shows a part that failed, in full where it is the first to fail so."""
        if part.number is None or _is_busy(part):
            return
        self._failures += 1
        if part.stderr in self._reported:
            if self._failures <= 8:
                self._watch.say(f"part {part.number} failed in the same way ({part.log})")
        elif len(self._reported) < 8:
            self._reported.append(part.stderr)
            self._watch.say(str(part))

    def _give_up(self, failed: list[FailedPart]) -> None:
        parts = sorted((part for part in failed if part.number is not None), key=lambda part: part.number or 0)
        if not parts:
            raise PartsFailed(str(failed[0]), failed)
        numbers = ", ".join(str(part.number) for part in parts[:20]) + (", …" if len(parts) > 20 else "")
        which = "all parts failed" if len(parts) == self._plan.shards else f"{len(parts)} of {self._plan.shards} parts failed ({numbers})"
        raise PartsFailed(f"{which}: when the cause is removed, the same command makes these alone", parts)


def _is_busy(part: FailedPart) -> bool:
    return part.exit == 3 and any("in use by another process" in line for line in part.stderr)


def _interrupted(queue: HyperQueue | Pool, watch: Watch) -> None:
    """Ends the parts, and says what to do."""
    is_ended = queue.cancel()
    status = watch.now()
    after = "" if status is None else f" after {status}"
    if is_ended:
        watch.say(f"interrupted{after}; the same command resumes")
    else:
        where = f"--server-dir {queue.server} job cancel {queue.job}"
        watch.say(f"left{after}; job {queue.job} continues: the same command follows it, `hq {where}` ends it")


def _planned(what: Where | Sequence[str], arena: str, shards: int | None, workers: int, threads: int | None, out: Where | None) -> Plan:
    """Finds the plan, or makes it."""
    if not isinstance(what, (str, os.PathLike)):
        command = list(what)
        if out is None:
            raise ValueError("a command needs a directory for its parts and its result: --out DIR, or out=")
        directory = pathlib.Path(out)
    elif (path := pathlib.Path(what)).is_dir():
        if out is not None and pathlib.Path(out).resolve() != path.resolve():
            raise ValueError(f"{path} is a plan: its parts and its result are in it, --out names no other directory")
        plan = Plan.read(path)
        if shards not in (None, plan.shards):
            raise ValueError(f"{path} is planned in {plan.shards} parts: they cannot become {shards}")
        return plan
    else:
        if not path.is_file():
            raise FileNotFoundError(f"{path}: no such file; expected a configuration file of `arena run`, or the directory of a plan")
        if path.stem == path.name and out is None:
            raise ValueError(f"{path} has no suffix to leave off: name the directory of the result, --out DIR or out=")
        command = ["run", "--config", str(path)]
        directory = pathlib.Path(path.stem if out is None else out)
    return make_plan(arena, command, shards, workers, threads or 1, directory)


def run(
    what: Where | Sequence[str],
    *,
    workers: int | None = None,
    cpus: int | None = None,
    server: Where | None = None,
    shards: int | None = None,
    out: Where | None = None,
    arena: Where | None = None,
    verify_result: bool = False,
    progress: bool | Callable[[Status], None] = True,
) -> Result:
    """Makes a command of the arena in parts, and puts them together: the files are those of the undivided command.

        result = cluster.run("run.toml", workers=8)
        result = cluster.run(["label", "--deals", "1M", "--seed", "1"], workers=8, out="labels")
        result = cluster.run("plan")                      # a directory that `arena plan` wrote

    The same call resumes with what is there, after Ctrl-C, a crash or a part that failed. A worker that is lost is replaced by
    another, and its part resumes from its checkpoint.

    Args:
        what: a configuration file of `arena run`, the directory of a plan, or the words of a command that knows `--shard`.
        workers: how many parts are made at once, here; by default as many as there are processors for. With `server`, how many there
            will be, to cut the command for them (16).
        cpus: processors (threads) of each part; by default 1, or as planned.
        server: the directory of a HyperQueue server of the same version (`hq server start --server-dir`), whose workers make the
            parts; without one they are processes of this machine, and no port is opened.
        shards: the number of parts; by default `arena plan` tries the command for two seconds, and cuts it into some for each worker, so
            that the last part keeps nobody waiting for long.
        out: the directory of the plan, the parts and the result (`whole`); by default the name of the file without `.toml`.
        arena: the program; by default that of the variable COINCHE_ARENA, or on the PATH.
        verify_result: check the result by `arena verify`.
        progress: show how far it is in a line, and the parts that fail; or call a function with a `Status`, about once a second.

    Returns:
        The result.

    Raises:
        PartsFailed: when parts failed, after all others are done.
        ClusterError: when the server does not answer, another call makes the same parts, or the result does not agree with itself.
        KeyboardInterrupt: for Ctrl-C, after the parts have ended. Those of a server are cancelled by the program `hq`, where there is
            one, and otherwise continue: the same call follows them.
        ValueError: for a wrong file or command, or a directory of another one.
        OSError: when something cannot be read or written, or there is no program `arena`.
        ModuleNotFoundError: with `server`, without HyperQueue (`pip install coinche[cluster]`).
    """
    for name, value in (("workers", workers), ("cpus", cpus), ("shards", shards)):
        if value is not None and operator.index(value) < 1:
            raise ValueError(f"{name} is at least 1, not {value}")
    if server is not None and not pathlib.Path(server).is_dir():
        raise FileNotFoundError(f"{server} is no directory of a server: `hq server start --server-dir {server}` makes one")
    program = find_arena(arena)
    if workers is None:
        workers = 16 if server is not None else max(1, _processors() // (cpus or 1))
    plan = _planned(what, program, shards, workers, cpus, out)
    if verify_result and plan.kind in _PRINTED:
        raise ValueError(f"`arena {plan.kind}` leaves no files that `arena verify` checks: leave out --verify")
    if read_status(program, plan).get("state") == "done":
        code = _decided(plan)
    else:
        place = None if server is None else pathlib.Path(server).absolute()
        named = None if arena is None else program
        watch = Watch(program, plan, progress)
        make = Pool(plan, workers, max(plan.threads, cpus or 1), named) if place is None else HyperQueue(plan, place, named)
        with contextlib.closing(watch), contextlib.nullcontext() if place else _alone(plan), make as queue:
            try:
                code = _Work(program, plan, queue, watch).all()
            except KeyboardInterrupt:
                _interrupted(queue, watch)
                raise
    if verify_result:
        try:
            verify(program, plan)
        except ValueError as error:
            raise ClusterError(f"{plan.whole} does not agree with itself: {error}") from error
    return _result(plan, code)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
