"""HyperQueue: a cluster in this process, or a server that is there."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pathlib
import re
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from coinche.cluster import _sockets
from coinche.cluster._plan import Plan

# By this variable a task of ours is known among the processes of the machine.
_MARK = "COINCHE_CLUSTER"
# How long to wait for cancelled tasks: HyperQueue gives them a second.
_PATIENCE = 10.0


class ClusterError(RuntimeError):
    """HyperQueue cannot do what is asked of it, or its results cannot be merged."""


@dataclass(frozen=True)
class Counts:
    """How many tasks of a job have ended."""

    finished: int
    failed: int
    total: int
    completed: bool


class _StopWaiting(Exception):
    """Ends waiting: the counts are there."""


def _message(error: BaseException) -> str:
    """What an error of HyperQueue says, without the stack of its own program."""
    text = str(error).split("\n\nStack backtrace")[0]
    return " ".join(line.strip() for line in text.splitlines() if line.strip())


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    """Turns an error of HyperQueue into one that says what to do."""
    try:
        yield
    except Exception as error:
        raise ClusterError(f"HyperQueue does not answer any more ({_message(error)}): start its server, and repeat the command") from error


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Keeps what native code prints off the standard output."""
    sys.stdout.flush()
    kept = os.dup(1)
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def _marked(mark: str) -> Iterator[int]:
    """The processes of a mark (on Linux, the only system that HyperQueue is made for)."""
    sought = f"{_MARK}={mark}".encode()
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if sought in (entry / "environ").read_bytes().split(b"\0"):
                yield int(entry.name)


class HyperQueue:
    """Makes the parts of a plan: by workers in this process, or by those of a server."""

    def __init__(self, plan: Plan, server: pathlib.Path | None, cpus: int, arena: str | None) -> None:
        try:
            self._api = importlib.import_module("hyperqueue")
        except ModuleNotFoundError as error:
            if error.name != "hyperqueue":
                raise
            raise ModuleNotFoundError(
                "coinche.cluster needs HyperQueue: pip install hyperqueue (or 'coinche[cluster]')", name="hyperqueue"
            ) from error
        self.plan = plan
        self.server = server
        self._cpus = cpus
        self._arena = arena
        self._mark = secrets.token_hex(8)
        self._memory = plan.directory / "hyperqueue.json"
        self._local: Any = None
        self._client: Any = None
        self._job: int | None = None
        self._parts: list[int] = []

    def __enter__(self) -> HyperQueue:
        try:
            if self.server is None:
                self._place = pathlib.Path(tempfile.mkdtemp(prefix="coinche-cluster-"))
                self._before = _sockets.listening()
                with _silence():
                    self._local = self._api.LocalCluster(str(self._place))
            else:
                self._place = self.server
            self._client = self._api.Client(str(self._place))
        except Exception as error:
            self._stop()
            where = "a cluster in this process" if self.server is None else f"the server of {self.server}"
            raise ClusterError(f"HyperQueue, {where}: {_message(error)}") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._stop()

    def _stop(self) -> None:
        """Ends what runs in this process; a server keeps running."""
        if self.server is not None:
            return
        if self._local is not None:
            local, self._local = self._local, None
            local.stop()
            self._wait_until(lambda: not any(_marked(self._mark)))
        shutil.rmtree(self._place, ignore_errors=True)

    @staticmethod
    def _wait_until(condition: Any) -> bool:
        end = time.monotonic() + _PATIENCE
        while not condition():
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True

    def start_workers(self, number: int) -> list[int]:
        """Starts workers in this process, and returns the ports that could not be closed to others."""
        config = importlib.import_module("hyperqueue.cluster").WorkerConfig
        for _ in range(number):
            self._local.start_worker(config(cores=self._cpus))
        return _sockets.close_new(self._before)

    def _uid(self) -> str | None:
        """The name of the server that is there now: another each time it is started."""
        with contextlib.suppress(OSError, ValueError):
            access = json.loads((self._place / "hq-current" / "access.json").read_text(encoding="utf-8"))
            return str(access["server_uid"])
        return None

    def follow(self) -> bool:
        """Finds the job of an earlier call that the server is still at."""
        if self.server is None:
            return False
        try:
            kept = json.loads(self._memory.read_text(encoding="utf-8"))
            job, parts = int(kept["job"]), [int(part) for part in kept["parts"]]
        except (OSError, ValueError, KeyError, TypeError):
            return False
        if kept.get("server") != self._uid():
            return False
        counts = self._counts(job)
        if counts is None or counts.completed:
            return False
        self._job, self._parts = job, parts
        return True

    def submit(self, parts: Sequence[int]) -> None:
        """Gives parts to the workers, and what puts all together, which begins when they are done."""
        plan, api = self.plan, self._api
        output = importlib.import_module("hyperqueue.output").StdioDef
        request = importlib.import_module("hyperqueue.ffi.protocol").ResourceRequest
        environment = {"THREADS": str(plan.threads), _MARK: self._mark}
        if self._arena is not None:
            environment["ARENA"] = self._arena
        # One part that fails does not end the others.
        job = api.Job(default_workdir=plan.directory, default_env=environment, max_fails=None, name=plan.directory.name)

        def task(name: str, *words: str, cpus: int, after: Sequence[Any] = ()) -> Any:
            # What the script itself says, where it cannot begin; what the arena says it keeps.
            errors = output.remove_if_finished(str(plan.logs / f"{name}.hq"))
            return job.program(["sh", *words], stdout=None, stderr=errors, deps=after, name=name, resources=request(cpus=cpus))

        part = str(plan.directory / "part.sh")
        made = [task(plan.part(number), part, str(number), cpus=plan.threads) for number in parts]
        task("merge", str(plan.directory / "merge.sh"), cpus=1, after=made)
        try:
            self._job, self._parts = self._client.submit(job).id, list(parts)
        except Exception as error:
            raise ClusterError(f"HyperQueue does not take the job: {_message(error)}") from error
        if self.server is not None:
            kept = {"server": self._uid(), "job": self._job, "parts": self._parts}
            self._memory.write_text(json.dumps(kept) + "\n", encoding="utf-8")

    @property
    def job(self) -> int | None:
        """The number of the job, as the server counts."""
        return self._job

    def _counts(self, job: int) -> Counts | None:
        counts: dict[int, dict[str, Any]] = {}

        def update(jobs: dict[int, dict[str, Any]]) -> None:
            counts.update(jobs)
            raise _StopWaiting

        # The only question that the interface has: it waits, and reports from time to time.
        with contextlib.suppress(_StopWaiting):
            self._client.connection.wait_for_jobs([job], update)
        return Counts(**counts[job]) if job in counts else None

    def counts(self) -> Counts:
        """How many tasks have ended."""
        assert self._job is not None
        with _answering():
            counts = self._counts(self._job)
        if counts is None:
            raise ClusterError(f"HyperQueue has forgotten job {self._job}: repeat the command")
        return counts

    def failures(self) -> dict[int | None, tuple[int | None, str]]:
        """The tasks that failed so far, by number of the part, None for putting together: exit code, and what HyperQueue says."""
        assert self._job is not None
        with _answering():
            failed = self._client.connection.get_failed_tasks([self._job])[self._job]
        found: dict[int | None, tuple[int | None, str]] = {}
        for task, context in failed.items():
            code = re.search(r"exit code (\d+)", context.error)
            found[self._parts[task] if task < len(self._parts) else None] = (int(code[1]) if code else None, context.error.strip())
        return found

    def cancel(self) -> bool:
        """Ends the job; False where that needs the program `hq`, and it is not there."""
        if self.server is None:
            self._stop()
            return True
        program = shutil.which("hq")
        if program is None or self._job is None:
            return False
        words = [program, "--server-dir", str(self.server), "job", "cancel", str(self._job)]
        if subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            return False
        return self._wait_until(lambda: self.counts().completed)
