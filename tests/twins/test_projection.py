"""The twin of the figure `projection` in JavaScript counts what Python counts, and shows it alike, to the last bit."""

from itertools import product

import pytest

from app.views.shortcuts.projection import ProjectionView
from sims.simulations.shortcuts.projection import Projection
from tests.twins import figures
from tests.twins.figures import Calculated, Pairs


@pytest.fixture(scope="module")
def pairs() -> Pairs:
    choices = product(("basic", "bottleneck"), (1, 2, 3, 9, 18), (16, 32, 64))
    cases = [Calculated(Projection(kind=kind, blocks=blocks, channels=channels)) for kind, blocks, channels in choices]
    return figures.compared(ProjectionView(Projection()), cases)


class TestTwin(figures.SamePicture):
    pass


def test_some_counts_need_more_than_32_bits(pairs: Pairs) -> None:
    most = [max(expected["frame"]["quantities"]["branch_products"]["values"]) for expected, _ in pairs]
    assert min(most) < 2**31 < max(most)
