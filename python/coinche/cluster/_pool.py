"""The parts of a plan as processes of this machine: children of this one, connected to it by a pipe and to nothing else."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import subprocess
import threading
from collections.abc import Sequence
from types import TracebackType

from coinche.cluster._plan import Counts, Failures, Plan

# The exit code of a script that could not begin.
_COULD_NOT_BEGIN = 127
# Runs a script until its standard input ends: closed by the call, or with it when it is killed. Then the part saves and ends.
_LEASH = """\
exec 3<&0
sh "$@" </dev/null 3<&- & part=$!
{ read -r _ <&3; kill -TERM "$part"; } 2>/dev/null & leash=$!
exec 3<&-
wait "$part"; code=$?
kill "$leash" 2>/dev/null
exit "$code"
"""


class Pool:
    """Makes so many parts of a plan at once, each by a process of its own."""

    server: pathlib.Path | None = None
    job: int | None = None

    def __init__(self, plan: Plan, workers: int, threads: int, arena: str | None) -> None:
        self._plan = plan
        self._environment = {**os.environ, "THREADS": str(threads), **({} if arena is None else {"ARENA": arena})}
        self._executor = concurrent.futures.ThreadPoolExecutor(workers, thread_name_prefix="coinche-part")
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._is_cancelled = False
        self._codes: dict[int | None, int] = {}
        self._errors: dict[int | None, str] = {}
        self._due = 0

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.cancel()

    def follow(self) -> bool:
        """Nothing outlives the call that began it."""
        return False

    def submit(self, parts: Sequence[int]) -> None:
        """Makes parts, and puts all together when they are done."""
        self._codes, self._errors, self._due = {}, {}, len(parts)
        self._plan.logs.mkdir(exist_ok=True)
        if not parts:
            self._executor.submit(self._make, None)
        for number in parts:
            self._executor.submit(self._make, number)

    def _make(self, number: int | None) -> None:
        """Runs the script of a part, and after the last one, if none failed, that which puts them together."""
        try:
            code = self._run(number)
        except OSError as error:
            # No shell, no more processes, a full disk.
            code, self._errors[number] = _COULD_NOT_BEGIN, str(error)
        with self._lock:
            self._codes[number] = code
            is_last = number is not None and len(self._codes) == self._due and not any(self._codes.values())
        if is_last and not self._is_cancelled:
            self._make(None)

    def _run(self, number: int | None) -> int:
        """Runs a script, and returns its exit code."""
        name, words = ("merge", ["merge.sh"]) if number is None else (self._plan.part(number), ["part.sh", str(number)])
        script, log = str(self._plan.directory / words[0]), self._plan.script_log(name)
        with log.open("wb") as errors:
            with self._lock:
                if self._is_cancelled:
                    return _COULD_NOT_BEGIN
                # A session of its own: Ctrl-C in a terminal reaches this process alone, which then ends the parts.
                process = subprocess.Popen(
                    ["sh", "-c", _LEASH, "sh", script, *words[1:]],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.DEVNULL,
                    stderr=errors,
                    cwd=self._plan.directory,
                    env=self._environment,
                    start_new_session=True,
                )
                self._running.add(process)
            code = process.wait()
        if code == 0:
            log.unlink(missing_ok=True)
        with self._lock:
            self._running.discard(process)
            if process.stdin is not None:
                process.stdin.close()
        return code

    def counts(self) -> Counts:
        """How many scripts have ended."""
        with self._lock:
            codes = dict(self._codes)
        failed = sum(code != 0 for code in codes.values())
        merged = None in codes
        return Counts(len(codes) - failed, failed, self._due + 1, merged or (failed > 0 and len(codes) == self._due))

    def failures(self) -> Failures:
        """The scripts that failed so far, by number of the part, None for putting together: exit code, and what is known besides."""
        with self._lock:
            codes = self._codes.items()
            return {
                number: (code if code > 0 else None, self._errors.get(number, f"ended by signal {-code}")) for number, code in codes if code != 0
            }

    def cancel(self) -> bool:
        """Lets the parts save and end, and waits for them."""
        with self._lock:
            self._is_cancelled = True
            for process in self._running:
                if process.stdin is not None:
                    process.stdin.close()
        self._executor.shutdown(wait=True, cancel_futures=True)
        return True
