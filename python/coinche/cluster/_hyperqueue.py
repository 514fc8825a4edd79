"""The parts of a plan on the workers of a HyperQueue server."""

from __future__ import annotations

import contextlib
import importlib
import json
import pathlib
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any

from coinche.cluster._plan import ClusterError, Counts, Failures, Plan

# How long to wait for cancelled tasks: HyperQueue gives them a second.
_PATIENCE = 10.0


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


class HyperQueue:
    """Makes the parts of a plan by the workers of a server."""

    def __init__(self, plan: Plan, server: pathlib.Path, arena: str | None) -> None:
        try:
            self._api = importlib.import_module("hyperqueue")
        except ModuleNotFoundError as error:
            if error.name != "hyperqueue":
                raise
            raise ModuleNotFoundError(
                "the workers of a server need HyperQueue: pip install hyperqueue (or 'coinche[cluster]')", name="hyperqueue"
            ) from error
        self.plan = plan
        self.server = server
        self._arena = arena
        self._memory = plan.directory / "hyperqueue.json"
        self._client: Any = None
        self._job: int | None = None
        self._parts: list[int] = []

    def __enter__(self) -> HyperQueue:
        self._check_keys()
        try:
            self._client = self._api.Client(str(self.server))
        except Exception as error:
            raise ClusterError(f"HyperQueue, the server of {self.server}: {_message(error)}") from error
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """The server keeps running."""

    def _access(self) -> dict[str, Any]:
        """What the server that is there now tells its clients; empty without one."""
        with contextlib.suppress(OSError, ValueError):
            access = json.loads((self.server / "hq-current" / "access.json").read_text(encoding="utf-8"))
            return access if isinstance(access, dict) else {}
        return {}

    def _check_keys(self) -> None:
        """Refuses a server that takes programs from anybody who can reach its ports."""
        for part in ("client", "worker"):
            if (self._access().get(part) or {"secret_key": True}).get("secret_key") is None:
                raise ClusterError(
                    f"the server of {self.server} asks its {part}s for no key, so that anybody who reaches it can run programs as you: "
                    f"stop it, and start one with keys, `hq server start --server-dir {self.server}`"
                )

    def _uid(self) -> str | None:
        """The name of the server that is there now: another each time it is started."""
        uid = self._access().get("server_uid")
        return None if uid is None else str(uid)

    def follow(self) -> bool:
        """Finds the job of an earlier call that the server is still at."""
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
        environment = {"THREADS": str(plan.threads)}
        if self._arena is not None:
            environment["ARENA"] = self._arena
        # One part that fails does not end the others.
        job = api.Job(default_workdir=plan.directory, default_env=environment, max_fails=None, name=plan.directory.name)

        def task(name: str, *words: str, cpus: int, after: Sequence[Any] = ()) -> Any:
            # What the script itself says, where it cannot begin; what the arena says it keeps.
            errors = output.remove_if_finished(str(plan.script_log(name)))
            return job.program(["sh", *words], stdout=None, stderr=errors, deps=after, name=name, resources=request(cpus=cpus))

        part = str(plan.directory / "part.sh")
        made = [task(plan.part(number), part, str(number), cpus=plan.threads) for number in parts]
        task("merge", str(plan.directory / "merge.sh"), cpus=1, after=made)
        try:
            self._job, self._parts = self._client.submit(job).id, list(parts)
        except Exception as error:
            raise ClusterError(f"HyperQueue does not take the job: {_message(error)}") from error
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

    def failures(self) -> Failures:
        """The tasks that failed so far, by number of the part, None for putting together: exit code, and what HyperQueue says."""
        assert self._job is not None
        with _answering():
            failed = self._client.connection.get_failed_tasks([self._job])[self._job]
        found: Failures = {}
        for task, context in failed.items():
            code = re.search(r"exit code (\d+)", context.error)
            found[self._parts[task] if task < len(self._parts) else None] = (int(code[1]) if code else None, context.error.strip())
        return found

    def cancel(self) -> bool:
        """Ends the job; False where that needs the program `hq`, and it is not there."""
        program = shutil.which("hq")
        if program is None or self._job is None:
            return False
        words = [program, "--server-dir", str(self.server), "job", "cancel", str(self._job)]
        if subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            return False
        end = time.monotonic() + _PATIENCE
        while not self.counts().completed:
            if time.monotonic() > end:
                return False
            time.sleep(0.05)
        return True
