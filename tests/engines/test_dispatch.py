"""The one door leads to the trainer that the architecture asks for."""

import numpy as np
import pytest

from sims.data.datasets import source
from sims.engines import dispatch, perceptrons, transformers
from sims.engines.perceptrons import Architecture, Recipe
from sims.engines.transformers import Transformer

RECIPE = Recipe("adam", 0.003, None, record_every=2)


@pytest.mark.parametrize(
    ("architecture", "engine"), [(Architecture(depth=4), perceptrons), (Transformer(depth=2, tokens=2), transformers)]
)
def test_a_run_is_that_of_its_own_engine(architecture: object, engine: object) -> None:
    data = source("spirals")
    through = dispatch.advance(dispatch.start(architecture, RECIPE, data, range(3, 5)), 4)  # type: ignore[arg-type]
    direct = engine.advance(engine.start(architecture, RECIPE, data, (3, 4)), 4)  # type: ignore[attr-defined]
    assert through.architecture is architecture
    assert np.array_equal(through.parameters, direct.parameters)
    points = data.load().test_inputs[:7]
    assert np.array_equal(dispatch.predict(through, points), engine.predict(direct, points))  # type: ignore[attr-defined]
