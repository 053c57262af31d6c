"""The small drawings say where norm, factor and sum stand."""

import pytest

from app.pages.sketches import SKETCHES, sketches


@pytest.mark.parametrize(
    ("name", "norms", "factors", "sums"),
    [
        ("plain", 0, 0, 0),
        ("residual", 0, 0, 1),
        ("pre-ln", 1, 0, 1),
        ("post-ln", 1, 0, 1),
        ("deepnorm", 1, 1, 1),
        ("peri-ln", 2, 0, 1),
        ("rezero", 0, 1, 1),
    ],
)
def test_a_sketch_has_the_parts_of_its_block(name: str, norms: int, factors: int, sums: int) -> None:
    drawn = str(sketches([name]))
    assert [drawn.count(f'class="{part}"') for part in ("norm", "factor", "sum", "branch")] == [norms, factors, sums, 1]
    assert SKETCHES[name].words in drawn


def test_an_unknown_sketch_stops_the_build() -> None:
    for names in ([], ["pre-ln", "unheard-of"]):
        with pytest.raises(ValueError, match="expected names"):
            sketches(names)
