"""The small drawings say where norm, factor and sum stand."""

import re

import pytest

from app.pages.blocks.sketches import SKETCHES, sketches
from sims.instruments.networks.weight_places import LAYERS, distance


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
        ("add", 0, 0, 1),
        ("concatenate", 0, 0, 0),
        ("gate", 0, 2, 1),
        ("pre-ln-back", 1, 0, 1),
        ("post-ln-back", 1, 0, 1),
    ],
)
def test_a_sketch_has_the_parts_of_its_block(name: str, norms: int, factors: int, sums: int) -> None:
    svg = str(sketches([name]))
    assert [svg.count(f'class="{part}"') for part in ("norm", "factor", "sum", "branch")] == [norms, factors, sums, 1]
    assert SKETCHES[name].words in svg


def test_the_road_back_is_free_in_pre_ln_and_covered_by_the_norm_in_post_ln() -> None:
    pre, post = (str(sketches([name])) for name in ("pre-ln-back", "post-ln-back"))
    assert pre.count('class="road"') == post.count('class="road"') == 2
    road = re.search(r'points="(\d+),', post)
    box = re.search(r'class="norm" x="(\S+)" y="\S+" width="(\d+)"', post)
    assert road
    assert box
    assert float(box[1]) < float(road[1]) < float(box[1]) + float(box[2])
    assert post.index('class="road"') < post.index('class="norm"')
    free = re.search(r'class="norm" x="(\S+)"', pre)
    assert free
    assert float(free[1]) > float(road[1])
    assert "road" not in str(sketches(["pre-ln", "post-ln"]))


def test_the_gradient_gets_thinner_in_every_box_of_a_chain_and_keeps_its_width_around_them() -> None:
    plain, residual = (str(sketches([name])) for name in ("chain-plain", "chain-residual"))
    through, around = (
        [float(width) for width in re.findall(r'stroke-width="(\S+)"', svg)] for svg in (plain, residual)
    )
    assert through == sorted(through)
    assert len(through) == plain.count('class="layer"') + 1 == residual.count('class="branch"') + 1
    assert around == [*through, max(through)]


def test_a_concatenated_branch_stays_separate_from_the_stream() -> None:
    ends = {name: re.search(r'class="wire" d="[^"]*H(\S+)"', str(sketches([name]))) for name in ("add", "concatenate")}
    assert ends["add"]
    assert ends["concatenate"]
    assert "V" not in ends["add"][1]
    assert "V" in ends["concatenate"][1]


def test_an_unknown_sketch_stops_the_build() -> None:
    for names in ([], ["pre-ln", "unheard-of"]):
        with pytest.raises(ValueError, match="expected names"):
            sketches(names)


def test_the_plane_of_weights_has_a_dot_for_every_layer_and_both_targets() -> None:
    svg = str(sketches(["weight-plane"]))
    assert svg.count('class="dot"') == 2 * LAYERS
    shorter, longer = (f"{distance('default', kind):.2f}" for kind in ("residual", "plain"))
    assert svg.index(f">{shorter}<") < svg.index(f">{longer}<")
    for target in ("W = 0", "residual target", "W = I", "plain target"):
        assert f">{target}<" in svg
