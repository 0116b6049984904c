# SPDX-License-Identifier: MIT
"""The recipes of docs/python.md run as they stand."""

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
RECIPES = re.findall(r"^## (.*?)\n.*?^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def test_the_page_has_recipes():
    assert len(RECIPES) == 5


@pytest.mark.parametrize("code", [pytest.param(code, id=title) for title, code in RECIPES])
def test_recipe_runs(code, tmp_path, monkeypatch):
    if "matplotlib" in code:
        pytest.importorskip("matplotlib").use("svg")
    if "pandas" in code:
        pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    exec(compile(code, str(PAGE), "exec"), {})
    if "savefig" in code:
        assert (tmp_path / "bounds.svg").stat().st_size > 1000
