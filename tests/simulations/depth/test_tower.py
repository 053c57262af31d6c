"""Untrained networks whose plus signs can be taken out: what strength, depth and norms do to signals."""

import numpy as np
import pytest

from sims.instruments.networks.weighted_passes import LIBRARY, SIGNALS, angle
from sims.simulations.depth import tower
from sims.simulations.depth.plus_signs import PlusSigns
from sims.simulations.depth.tower import BLOCKS, Tower

OTHER_SEEDS = (1000, 1005)
"""First of five seeds each; none was used to find what the pages say"""


def ends(seed: int, **settings) -> dict[str, np.ndarray]:
    """Stream after the last block, gradient before the first, and the angle of two images; (seeds,) each."""
    signals = Tower(seed=seed, **settings).passes().relative()
    return {
        "stream": signals["stream"][:, -1],
        "gradient": signals["gradient"][:, 0],
        "apart": np.array([angle(cosine) for cosine in signals["likeness"][:, -1]]),
    }


@pytest.mark.parametrize("norm", [False, True])
def test_it_is_the_network_of_the_home_page_before_training(norm):
    trains, waits = (
        PlusSigns(cut="3, 9", norm=norm),
        Tower(cut="3, 9", strength="library", norm="pre" if norm else "none"),
    )
    before, frame = trains.frame(trains.start()), waits.compute()
    for name in SIGNALS:
        np.testing.assert_array_equal(frame[name], before[f"{name} at start"])
    assert frame.results["plus_signs"] == 26


def test_the_strength_may_depend_on_the_depth():
    assert [Tower(strength="root", blocks=blocks).factor for blocks in BLOCKS] == [blocks**-0.5 for blocks in BLOCKS]
    assert [Tower(strength=name).factor for name in ("library", "half")] == [LIBRARY, 0.5]


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_plain_towers_make_images_alike_whatever_the_size_of_the_weights(seed):
    """Chapter 0."""
    full, weak = (ends(seed, cut="1-28", strength=strength) for strength in ("full", "library"))
    assert full["apart"] == pytest.approx(weak["apart"])
    assert np.all((full["gradient"] > 0.05) & (full["gradient"] < 10))
    assert np.all(weak["gradient"] < 1e-14)
    medians = [np.median(ends(seed, cut="1-28", blocks=blocks)["apart"]) for blocks in BLOCKS]
    assert medians == sorted(medians, reverse=True)
    assert np.median(full["apart"]) < 20


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_weak_branches_pass_the_input_on_only_with_plus_signs(seed):
    """Chapter 1."""
    weak, cut, full = ends(seed, strength="tenth"), ends(seed, strength="tenth", cut="1-28"), ends(seed)
    assert np.all((weak["stream"] > 1) & (weak["stream"] < 1.5) & (weak["apart"] > 40))
    assert np.all(cut["stream"] < 1e-26)
    assert np.all(full["stream"] > 2000)


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_post_ln_keeps_the_stream_and_pre_ln_the_difference(seed):
    """Chapter 4."""
    pre, post = (ends(seed, norm=norm) for norm in ("pre", "post"))
    assert np.all((pre["stream"] > 4) & (pre["stream"] < 8) & (pre["gradient"] > 3))
    assert post["stream"] == pytest.approx([1] * 5, rel=0.25)
    assert np.all((post["gradient"] > 0.1) & (post["gradient"] < 5))
    assert np.all(pre["apart"] > post["apart"])


@pytest.mark.parametrize("seed", OTHER_SEEDS)
def test_weak_branches_keep_images_apart_and_make_plus_signs_matter(seed):
    """Deep dive A."""
    full, root = (ends(seed, strength=strength) for strength in ("full", "root"))
    assert np.all(root["apart"] > full["apart"])
    left = [
        ends(seed, strength=strength, cut="12-17")["gradient"] / whole["gradient"]
        for strength, whole in (("full", full), ("root", root))
    ]
    assert np.all(left[0] > 0.02)
    assert np.all(left[1] < 2e-4)


def test_numbers_of_the_text_are_those_of_the_figure():
    frame = Tower(cut="1-28", norm="post").compute()
    for what in ("stream", "gradient", "apart"):
        assert tower.reading(what, cut="1-28", norm="post") == pytest.approx(frame.results[what])
    assert frame.results["came"] == angle(float(frame["likeness"][0]))
    assert tower.reading("came", "lowest") < frame.results["came"] < tower.reading("came", "highest")
    assert tower.left(cut="") == 1


def test_the_words_name_norm_and_strength():
    simulation = Tower(blocks=4, norm="post", strength="root", cut="1")
    text = simulation.describe(simulation.compute())
    assert text.startswith("With 3 of 4 plus signs, norms after the sums and branches of strength 0.5:")
    assert "a LayerNorm after each sum" in simulation.disclosure().network
