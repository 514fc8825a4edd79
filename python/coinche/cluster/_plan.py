"""The program `arena`, the plans that it writes, and what it says of them."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from coinche._sums import sealed

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Where = os.PathLike[str] | str


class ClusterError(RuntimeError):
    """The parts cannot be made, or their results cannot be merged."""


@dataclass(frozen=True)
class Counts:
    """How many scripts of a plan have ended: those of the parts, and that which puts them together."""

    finished: int
    failed: int
    total: int
    completed: bool


# Scripts that failed, by number of the part, None for putting together: exit code, if there is one, and what is known besides.
Failures = dict[int | None, tuple[int | None, str]]


@dataclass(frozen=True)
class Plan:
    """What is to be done, as `plan.toml` has it."""

    directory: pathlib.Path
    kind: str
    stepwise: bool
    shards: int
    threads: int

    @classmethod
    def read(cls, directory: pathlib.Path) -> Plan:
        """Reads the plan in a directory."""
        path = directory / "plan.toml"
        try:
            content = tomllib.loads(sealed(path))
            return cls(
                directory.absolute(),
                str(content["kind"]),
                bool(content.get("stepwise", False)),
                int(content["shards"]),
                int(content.get("threads", 1)),
            )
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{directory} holds no plan (plan.toml): `arena plan` writes one") from error
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path} is damaged ({error}): plan into another directory") from error

    @property
    def logs(self) -> pathlib.Path:
        """The logs of the parts."""
        return self.directory / "logs"

    @property
    def whole(self) -> pathlib.Path:
        """The directory of the result; some commands print it, and have none."""
        return self.directory / "whole"

    def part(self, number: int) -> str:
        """The name of a part in names of files."""
        return f"{number:0{max(4, len(str(self.shards)))}}"

    def script_log(self, name: str) -> pathlib.Path:
        """What a script itself writes, where it cannot begin; what the arena writes is in `logs/NAME.err`."""
        return self.logs / f"{name}.sh.err"

    def output(self) -> str:
        """What the undivided command would have printed."""
        for path in (self.directory / "whole.txt", self.logs / "merge.out"):
            if path.is_file():
                return path.read_text(encoding="utf-8", errors="replace")
        return ""


def find_arena(given: Where | None) -> str:
    """The program `arena`: the one that is given, of COINCHE_ARENA, on the PATH, or beside this Python."""
    named = os.environ.get("COINCHE_ARENA") if given is None else os.fspath(given)
    if named:
        found = shutil.which(named)
        if found is None:
            raise FileNotFoundError(f"{named} is no program: name that of the arena (--arena PATH, arena=, or COINCHE_ARENA)")
    else:
        found = shutil.which("arena") or shutil.which("arena", path=os.path.dirname(sys.executable))
        if found is None:
            raise FileNotFoundError(
                "there is no program `arena` on the PATH: `pip install ./python/arena` in a clone installs it, or `cargo install --path arena`; "
                "or name it (--arena PATH, arena=, or COINCHE_ARENA)"
            )
    return os.path.abspath(found)


def _call(arena: str, *words: str) -> str:
    """Runs a command of the arena, and returns what it prints."""
    called = subprocess.run([arena, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if called.returncode == 0:
        return called.stdout.decode(errors="replace")
    error = called.stderr.decode(errors="replace").strip().removeprefix("error: ")
    if "unrecognized subcommand" in error:
        raise ValueError(f"{arena} has no command `{words[0]}`: it is older than this package")
    error = error or f"arena {words[0]}: exit code {called.returncode}"
    # 3: something could not be written.
    raise OSError(error) if called.returncode == 3 else ValueError(error)


def make_plan(arena: str, command: Sequence[str], shards: int | None, workers: int, threads: int, out: pathlib.Path) -> Plan:
    """Plans a command into a directory, or finds that this is done already."""
    # Parts that suit the workers take a trial of two seconds.
    parts = ["--workers", str(workers)] if shards is None else ["--shards", str(shards), "--no-estimate"]
    _call(arena, "plan", *parts, "--threads", str(threads), "--for", "hq", "--out", str(out), "--", *command)
    return Plan.read(out)


def read_status(arena: str, plan: Plan) -> dict[str, Any]:
    """What `arena status --json` says of a plan."""
    jobs = json.loads(_call(arena, "status", "--json", str(plan.directory)))["jobs"]
    if len(jobs) != 1:
        raise ValueError(f"{plan.directory}: `arena status` knows {len(jobs)} plans there")
    job: dict[str, Any] = jobs[0]
    return job


def verify(arena: str, plan: Plan) -> str:
    """Checks the result as `arena verify` does, and returns what it says."""
    return _call(arena, "verify", str(plan.whole))
