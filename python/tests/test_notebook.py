"""The notebook runs, and is kept without outputs."""

from __future__ import annotations

import json
import pathlib
from typing import Any

import pytest

NOTEBOOK = pathlib.Path(__file__).parent.parent / "examples" / "from_deals_to_a_plot.ipynb"
CELLS: list[dict[str, Any]] = json.loads(NOTEBOOK.read_text())["cells"]


@pytest.mark.filterwarnings("ignore:FigureCanvasAgg is non-interactive")
def test_the_notebook_runs() -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    names: dict[str, Any] = {}
    for number, cell in enumerate(CELLS):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"cell {number} of {NOTEBOOK.name}", "exec"), names)
    plots = matplotlib.pyplot.get_fignums()
    assert len(plots) == 2 and names["mean"][-1] > names["mean"][0] + 50 and names["scores"].mean() > 50
    matplotlib.pyplot.close("all")


def test_the_notebook_has_no_outputs() -> None:
    code = [cell for cell in CELLS if cell["cell_type"] == "code"]
    assert code and all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)
