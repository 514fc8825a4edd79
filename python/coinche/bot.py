"""Runs a bot in Python as a program: `arena run 'python:mine.py:Bot' rules` starts `python3 -m coinche.bot mine.py:Bot`.

The name in the file is that of an object with `act`, of a class that makes one, or of a function, as `coinche.run` takes them; `Bot` if it is
left out. Parameters of the class with a default are options: `python:worlds=20,run=mine.py:Bot`. `docs/protocol.md` describes the lines.
"""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
import pathlib
import sys
import traceback
from typing import Any, TextIO

import numpy as np

from coinche._coinche import Rules, _views
from coinche._run import BatchBot, _act_of, _native
from coinche.data._records import _options


class Refused(Exception):
    """Why there is no such bot, with the remedy."""


def load(text: str) -> Any:
    """What has the name in a file: `mine.py:Bot`, or `mine.py` for `Bot`."""
    path, name = (text, "Bot") if text.endswith(".py") else text.rpartition(":")[::2]
    file = pathlib.Path(path)
    if not file.is_file():
        raise Refused(f"{path}: there is no such file; name it as python:FILE.py:NAME")
    sys.path.insert(0, str(file.resolve().parent))
    # It replaces no other module.
    known = file.stem if file.stem not in sys.modules else f"bot_{file.stem}"
    spec = importlib.util.spec_from_file_location(known, file)
    assert spec is not None and spec.loader is not None
    module = sys.modules[known] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        own = [key for key, value in vars(module).items() if getattr(value, "__module__", "") == known and not key.startswith("_")]
        raise Refused(f"{path} has no `{name}`, but {', '.join(own) or 'no class or function'}: write python:{path}:NAME")
    return getattr(module, name)


def options(made: Any) -> dict[str, Any]:
    """The parameters of a class that have a default: what `start` may set."""
    known = inspect.signature(made).parameters.values() if isinstance(made, type) else []
    for one in known:
        if one.default is one.empty and one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
            raise Refused(f"{made.__name__} is made without arguments: give `{one.name}` a default, which options can replace")
    return {one.name: one.default for one in known if isinstance(one.default, (bool, int, float, str))}


def given(name: str, text: str, default: Any) -> Any:
    """The value of an option, of the type of its default."""
    try:
        return {"true": True, "false": False}[text.lower()] if isinstance(default, bool) else type(default)(text)
    except (KeyError, ValueError):
        kind = "true or false" if isinstance(default, bool) else f"of the type {type(default).__name__}"
        raise Refused(f"{name}={text}: expected a value {kind}, as its default {default}") from None


def file_of(text: str) -> str:
    """The file of a bot, as it is in tracebacks."""
    return text if text.endswith(".py") else text.rpartition(":")[0]


def why(error: Exception, text: str) -> str:
    """What an exception says, with its line in the file of the bot."""
    if isinstance(error, Refused):
        return str(error)
    file, said = file_of(text), "".join(traceback.format_exception_only(type(error), error)).strip().splitlines()[-1]
    lines = [at.lineno for at in traceback.extract_tb(error.__traceback__) if at.filename.endswith(file)]
    if isinstance(error, SyntaxError) and error.filename and error.filename.endswith(file):
        lines.append(error.lineno)
    at = f"{file}, line {lines[-1]}: " if lines else ""
    remedy = f" (install it for {sys.executable}, or name another Python with interpreter=)" if isinstance(error, ImportError) else ""
    return f"{at}{said}{remedy}"


class Server:
    """A bot that answers the lines of the arena."""

    def __init__(self, text: str, out: TextIO) -> None:
        self.made, self.out, self.text = load(text), out, text
        self.rules, self.rules_text, self.player = Rules(), "", self.made
        self.native, self.is_ready = _native(), False

    def say(self, **message: Any) -> None:
        print(json.dumps(message), file=self.out, flush=True)

    def handle(self, line: str) -> bool:
        """Answers a line; whether there are more."""
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            offered = [{"name": name, "default": str(value), "about": ""} for name, value in options(self.made).items()]
            name, batch = getattr(self.made, "name", None) or getattr(self.made, "__name__", "Bot"), getattr(self.made, "batch", 512)
            self.say(type="hello", protocol=1, name=str(name), author="", batch=int(batch), options=offered)
        elif kind == "start":
            self.start(message)
            self.is_ready = True
            self.say(type="ready")
        elif kind == "batch":
            self.say(type="batch", moves=self.decide(message["go"], line))
        elif kind == "go":
            self.say(type="move", **self.decide([message], line)[0])
        return bool(kind != "quit")

    def start(self, message: dict[str, Any]) -> None:
        preset = message["preset"]
        self.rules = Rules(preset) if preset else Rules("bga", **dict(_options(message["rules"])))
        self.rules_text = json.dumps(message["rules"])
        if isinstance(self.made, type):
            known = options(self.made)
            self.player = self.made(**{name: given(name, text, known[name]) for name, text in message["options"].items()})
        if not (isinstance(self.player, BatchBot) or callable(self.player)):
            raise Refused(f"{self.text}: expected an object with `act`, a class that makes one, or a function of (obs, mask, player)")
        if getattr(self.player, "canonical", False):
            raise Refused(f"{self.text}: canonical = True is for coinche.run; rename suits by State.suit_order")
        self.act = _act_of(self.player, self.rules)

    def decide(self, questions: list[dict[str, Any]], line: str) -> list[dict[str, Any]]:
        """The answer to each question."""
        views, form = self.native.views(self.rules_text, line), getattr(self.player, "obs", "bytes")
        rows = [row for row, go in enumerate(questions) if go["kind"] != "melds"]
        # Melds are announced, the best first.
        moves = [{"id": go["id"], "move": go["legal"][0]} for go in questions]
        if not rows:
            return moves
        known = np.frombuffer(b"".join(views[row] for row in rows), np.uint8)
        asked = _views(self.rules, known)
        obs = np.zeros((len(rows), 0), np.uint8)
        if form is not None:
            obs = np.stack([state.observation(bits=form == "bits") for state in asked])
        mask = np.stack([state.mask() for state in asked])
        seats = np.array([questions[row]["seat"] for row in rows], np.uint8)
        keys = np.array([int(questions[row]["seed"], 16) for row in rows], np.uint64)
        wanted = known if getattr(self.player, "states", False) else known[:0]
        for row, action in zip(rows, self.act(obs, mask.view(np.uint8), seats, keys, wanted)):
            known_action = 0 <= action < len(self.rules.actions)
            name, silent, _ = (self.rules.actions.name(int(action)) if known_action else str(action)).partition(" silent")
            moves[row]["move"] = ("no" if silent else "yes") if questions[row]["kind"] == "belote" else name
        return moves


def main() -> int:
    """Answers the arena until it is over; the exit code."""
    if len(sys.argv) != 2:
        print("usage: python -m coinche.bot FILE.py[:NAME]", file=sys.stderr)
        return 2
    # What a bot prints is not for the arena.
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    server = None
    try:
        server = Server(sys.argv[1], out)
        for line in sys.stdin:
            if line.strip() and not server.handle(line):
                break
    except Exception as error:
        if server is None or not server.is_ready:
            print(json.dumps({"type": "error", "message": why(error, sys.argv[1])}), file=out, flush=True)
        elif not isinstance(error, Refused):
            # From the line of the bot on.
            at = error.__traceback__
            while at is not None and not at.tb_frame.f_code.co_filename.endswith(file_of(sys.argv[1])):
                at = at.tb_next
            traceback.print_exception(type(error), error, at or error.__traceback__)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
