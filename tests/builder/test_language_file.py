"""The file that a reader takes away: it runs alone, and trains what the page trains."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe, advance, start
from sims.simulations.language_models.language import Language


@pytest.mark.parametrize(
    ("settings", "model"),
    [
        ({}, {}),
        ({"norm": "post-layer", "initialization": "small"}, {"norm": "post-layer", "initialization": "small"}),
        ({"skip": "rezero"}, {"skip": "rezero"}),
        (
            {"skip": "block", "attention": "value-skip", "initialization": "own-place"},
            {"skip": "block", "attention": "value-skip", "initialization": "own-place"},
        ),
    ],
)
def test_the_file_trains_as_the_page_does(settings: dict[str, str], model: dict[str, Any]) -> None:
    text = Language(blocks=1, seed=4, **settings).listing()
    assert "sims" not in re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
    assert max(map(len, text.splitlines())) <= 120
    names: dict[str, Any] = {"__name__": "file"}
    exec(compile(text, "file", "exec"), names)
    learned, _ = own_words.parts()
    _, losses = names["train"](own_words.decoded(learned), 4)
    ours = {"initialization": "variance-preserving", **model}
    state = advance(start(LanguageModel(1, len(own_words.symbols()), **ours), LanguageRecipe(), 4), learned, 4)
    np.testing.assert_allclose(losses, state.losses, rtol=1e-3)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("arguments", "begins"),
    [(["text.txt", "A small "], "A small "), (["text.txt"], "A small te"), ([], ""), (["-f", "kernel.json"], "")],
)
def test_it_runs_by_itself_on_any_text_or_none(arguments: list[str], begins: str, tmp_path: Path) -> None:
    (tmp_path / "language.py").write_text(Language(blocks=1).listing().replace("train(read, 600)", "train(read, 5)"))
    (tmp_path / "text.txt").write_text("A small text, read again and again. " * 20)
    ran = subprocess.run(
        [sys.executable, "language.py", *arguments],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert re.match(rf"loss [\d.]+ -> [\d.]+ nats per symbol\n{begins}", ran.stdout)
