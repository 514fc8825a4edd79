"""The arena of coinche. Use `coinche.run`; `python -m coinche_arena` is the command `arena`."""

from coinche_arena._native import __version__, command, play, views

__all__ = ["__version__", "command", "play", "views"]
