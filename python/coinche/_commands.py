"""Commands of the arena that write tables."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any, Literal

from coinche._run import _native
from coinche.data import table


def _words(flags: Mapping[str, object]) -> list[str]:
    """Flags of a command: `worlds=20` is `--worlds 20`, and True stands for a flag without a value."""
    words = []
    for name, value in flags.items():
        flag = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            words.append(flag)
        elif isinstance(value, (list, tuple)):
            words += [f"{flag}={one}" for one in value]
        elif value is not None and value is not False:
            words.append(f"{flag}={value}")
    return words


def tables(
    command: str, *arguments: object, to: Literal["numpy", "arrow", "pandas"] = "numpy", **flags: object
) -> dict[str, Any]:
    """Runs a command of the arena that writes tables (`stats`, `judge`, `bidding`, `report`, `compare`, …), and returns them by name.

        coinche.tables("stats", "runs/mine")["levels"]
        coinche.tables("bidding", "table", "rules", deals=1000, to="pandas")["losses"]

    Args:
        command: the command, as on the command line.
        arguments: its arguments: directories of runs, names of bots.
        to: the form of the tables, as in `coinche.data.table`. `docs/user/data.md` lists their columns.
        flags: its flags: `deals=100` is `--deals 100`, `match=True` is `--match`.

    Raises:
        ValueError: with what the command says is wrong.
        ImportError: without the arena (`pip install coinche[arena]`), or without what `to` needs.
    """
    _native()
    with tempfile.TemporaryDirectory() as directory:
        out = pathlib.Path(directory) / "tables"
        words = [*command.split(), *(str(argument) for argument in arguments), *_words(flags)]
        form = "csv" if to == "numpy" else "parquet"
        # A process of its own, so that Ctrl-C ends it.
        called = subprocess.run(
            [sys.executable, "-m", "coinche_arena", *words, f"--{form}", str(out)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if called.returncode != 0:
            error = called.stderr.strip().removeprefix("error: ") or f"exit code {called.returncode}"
            raise ValueError(f"arena {words[0]}: {error}")
        return {path.stem: table(path, to) for path in sorted(out.glob(f"*.{form}"))}


def stats(*arguments: object, to: Literal["numpy", "arrow", "pandas"] = "numpy", **flags: object) -> dict[str, Any]:
    """The tables of `arena stats`: what bots bid, lead, answer and make. Of runs with records, or of bots: `stats(bot=["rules",
    "table"], deals=1000)`."""
    return tables("stats", *arguments, to=to, **{"progress": "none", **flags})


def judge(*arguments: object, to: Literal["numpy", "arrow", "pandas"] = "numpy", **flags: object) -> dict[str, Any]:
    """The tables of `arena judge`: what each decision of runs with records cost against double-dummy play."""
    return tables("judge", *arguments, to=to, **{"progress": "none", **flags})


def bidding(*bots: object, to: Literal["numpy", "arrow", "pandas"] = "numpy", **flags: object) -> dict[str, Any]:
    """The tables of `arena bidding`: points, losses by cause and agreement of bidders."""
    return tables("bidding", *bots, to=to, **{"progress": "none", **flags})
