"""The blocks of Python in the README run."""

from __future__ import annotations

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_block(number: int) -> None:
    if "coinche.run" in BLOCKS[number]:
        pytest.importorskip("coinche_arena")
    imported = "import coinche\n"
    exec(compile(imported + BLOCKS[number].replace("range(1000)", "range(5)"), f"block {number}", "exec"), {})


def test_there_are_blocks() -> None:
    assert len(BLOCKS) == 4
