"""The progress of all parts."""

from __future__ import annotations

import concurrent.futures
import math
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from coinche.cluster._plan import Plan, read_status


@dataclass(frozen=True)
class Status:
    """How far all parts have come.

    Attributes:
        done: deals (or matches, or what else is counted) that are done.
        asked: how many there are in all; None where that is not known before.
        unit: what is counted, in the plural.
        parts_done, parts: the parts.
        per_second: how many were done in a second since the call; None in the beginning.
        seconds_left: how long the rest takes at that speed.
        pairings: of a run, the estimates so far: `a`, `b`, `pairs`, `mean` (A − B, points a deal), `half_width` (95 %, or None).
    """

    done: int
    asked: int | None
    unit: str
    parts_done: int
    parts: int
    per_second: float | None = None
    seconds_left: float | None = None
    pairings: list[dict[str, Any]] = field(default_factory=list)

    def __str__(self) -> str:
        asked = "" if self.asked is None else f" of {self.asked:,}"
        parts = [f"{self.done:,}{asked} {self.unit}", f"{self.parts_done:,} of {self.parts:,} part{'s' if self.parts > 1 else ''}"]
        if self.per_second is not None:
            parts.append(f"{self.per_second:,.0f} {self.unit}/s")
        if self.pairings and self.pairings[0].get("mean") is not None:
            first = self.pairings[0]
            half = first.get("half_width")
            who = "A − B" if len(self.pairings) == 1 else f"{first['a']} − {first['b']}"
            parts.append(f"{who} = {first['mean']:+.1f}" + ("" if half is None else f" ± {half:.1f}"))
        if self.seconds_left is not None:
            parts.append(f"{_time(self.seconds_left)} left")
        return ", ".join(parts)


def _time(seconds: float) -> str:
    """A duration as the arena prints it."""
    whole = math.ceil(seconds)
    minutes = math.ceil(whole / 60)
    if whole < 90:
        return f"{whole} s"
    if minutes < 90:
        return f"{minutes} min"
    if minutes < 48 * 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{math.ceil(minutes / (24 * 60))} days"


class Watch:
    """Asks `arena status` from time to time, on the side, and shows what it says."""

    def __init__(self, arena: str, plan: Plan, show: bool | Callable[[Status], None]) -> None:
        self._arena, self._plan = arena, plan
        self._callback = show if callable(show) else None
        self._is_shown = show is True
        self._is_terminal = sys.stderr.isatty()
        self._side = concurrent.futures.ThreadPoolExecutor(1, thread_name_prefix="arena-status")
        self._asked: concurrent.futures.Future[dict[str, Any]] | None = None
        self._began = time.monotonic()
        self._ask_at = self._began
        self._show_at = self._began + 2.0
        self._first: tuple[float, int] | None = None

    def close(self) -> None:
        """Ends the line, and stops asking."""
        self._clear()
        self._side.shutdown(wait=False, cancel_futures=True)

    def tick(self) -> None:
        """Asks and shows, where it is time to."""
        if self._callback is None and not self._is_shown:
            return
        now = time.monotonic()
        if self._asked is None:
            if now >= self._ask_at:
                self._ask_at = now
                self._asked = self._side.submit(read_status, self._arena, self._plan)
            return
        if not self._asked.done():
            return
        # Where there are very many parts, it takes a while: never more than a tenth of the time.
        self._ask_at = now + max(0.5, 9 * (now - self._ask_at))
        answered, self._asked = self._asked, None
        if answered.exception() is None:
            self._show(self._status(answered.result(), now), now)

    def now(self) -> Status | None:
        """How far it is at this moment, after the parts have ended."""
        try:
            return self._status(read_status(self._arena, self._plan), time.monotonic())
        except (OSError, ValueError):
            return None

    def _status(self, job: dict[str, Any], now: float) -> Status:
        done, asked = int(job.get("done") or 0), job.get("asked")
        if self._first is None:
            self._first = (now, done)
        since, before = self._first
        rate = (done - before) / (now - since) if now - since >= 1 and done > before else None
        parts = self._plan.shards
        return Status(
            done=done,
            asked=asked,
            unit=str(job.get("unit") or "deals"),
            parts_done=parts - len(job.get("missing") or []),
            parts=parts,
            per_second=rate,
            seconds_left=None if rate is None or asked is None or asked <= done else (asked - done) / rate,
            pairings=list((job.get("verdict") or {}).get("pairings") or []),
        )

    def _show(self, status: Status, now: float) -> None:
        if self._callback is not None:
            self._callback(status)
        elif self._is_terminal:
            width = os.get_terminal_size(sys.stderr.fileno()).columns - 1
            print(f"\r\x1b[2K{str(status)[:width]}", end="", file=sys.stderr, flush=True)
        elif now >= self._show_at:
            # Sparser and sparser, at last one a minute.
            self._show_at = now + min(60.0, now - self._began)
            print(status, file=sys.stderr, flush=True)

    def _clear(self) -> None:
        if self._is_shown and self._is_terminal:
            print("\r\x1b[2K", end="", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        """Tells something in lines of its own."""
        if self._is_shown:
            self._clear()
            print(text, file=sys.stderr, flush=True)
