"""The types that stubs give are those of the compiled modules."""

import subprocess
import sys

import pytest

import coinche

pytest.importorskip("mypy")
pytest.importorskip("coinche_arena")

# For the checkers of types only, and the other way round.
ALLOWED = ["coinche._coinche.Thought", r".*\.__all__"]


def test_stubs_are_what_is_there(tmp_path):
    allowed = tmp_path / "allowed"
    allowed.write_text("\n".join(ALLOWED))
    command = [sys.executable, "-m", "mypy.stubtest", "coinche._coinche", "coinche_arena._native", "--allowlist", str(allowed)]
    checked = subprocess.run(
        [*command, "--ignore-disjoint-bases"], check=False, capture_output=True, text=True, cwd=tmp_path
    )
    assert checked.returncode == 0, checked.stdout


def test_signatures_show_their_defaults():
    made = [coinche.State, coinche.VecEnv.__mro__[1], coinche.Bot.act, coinche.solve, coinche.deals, coinche.rollout]
    assert not [one for one in made if "Ellipsis" in (one.__text_signature__ or "Ellipsis")]
