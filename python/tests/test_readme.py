"""The blocks of Python in the pages run, those of a page as one program.

Blocks that read what the arena writes need the program: `COINCHE_ARENA=../target/release/arena pytest`.
"""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import subprocess
from importlib.util import find_spec
from typing import Any

import pytest

PYTHON = pathlib.Path(__file__).parent.parent
PAGES = {"README.md": PYTHON / "README.md", "python.md": PYTHON.parent / "docs" / "user" / "python.md"}
ARENA = os.environ.get("COINCHE_ARENA")
BLOCK = re.compile(r"(<!-- not run.*?-->\n)?```(python|sh)\n(.*?)```", re.DOTALL)


def blocks(page: str) -> list[tuple[str, str]]:
    found = BLOCK.findall(PAGES[page].read_text(encoding="utf-8"))
    return [(language, text) for not_run, language, text in found if not not_run]


@pytest.mark.parametrize("page", PAGES)
def test_blocks(page: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec("import coinche", names)
    ran = 0
    for number, (language, text) in enumerate(blocks(page)):
        if language == "sh":
            for line in text.splitlines() if ARENA else []:
                program, *arguments = shlex.split(line, comments=True)
                assert program == "arena" and ARENA is not None
                subprocess.run([ARENA, *arguments, "--progress", "none"], check=True, capture_output=True)
        elif "coinche.run" in text and find_spec("coinche_arena") is None:
            continue
        elif ARENA or "import data" not in text:
            exec(compile(text.replace("range(1000)", "range(5)"), f"{page}, block {number}", "exec"), names)
            ran += 1
    assert ran >= 3
