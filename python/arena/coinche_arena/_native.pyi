"""What `coinche.run` is made of."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__version__: str

def command(words: list[str]) -> int: ...
def views(rules: str, line: str) -> list[bytes]: ...
def play(
    settings: str,
    rules: str | None,
    bots: list[
        tuple[
            str,
            Callable[
                [NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint64]],
                NDArray[np.int64],
            ],
            str | None,
            bool,
            int,
        ]
    ],
    progress: Callable[[int, int, float | None, float | None], None] | None,
) -> dict[str, Any]: ...
