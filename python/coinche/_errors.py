"""The exceptions of the package."""

from __future__ import annotations


class RulesError(ValueError):
    """Rules that cannot be: an unknown preset or option, or a value out of range."""


class BotError(ValueError):
    """A bot that cannot be, or one that failed."""


class IllegalAction(ValueError):
    """An action that is not legal. Nothing has changed.

    Attributes:
        env: the environment of a `VecEnv`, or None.
        action: the number that was tried.
        why: the rule that it breaks.
    """

    def __init__(self, env: int | None, action: int, why: str) -> None:
        place = "" if env is None else f"env {env}: "
        super().__init__(f"{place}action {action} is not legal: {why}")
        self.env = env
        self.action = action
        self.why = why

    def __reduce__(self) -> tuple[type[IllegalAction], tuple[int | None, int, str]]:
        return type(self), (self.env, self.action, self.why)
