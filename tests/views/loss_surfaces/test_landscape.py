"""The slices, and the cuts through them: which row and which column a reader's point means."""

import numpy as np
import pytest

from app.pictures.maps.slices import FLOOR
from app.pictures.maps.surface import column_of
from app.views.loss_surfaces.landscape import NAMES, LandscapeView
from sims.simulations.loss_surfaces.landscape import Landscape
from tests.settings import shortest
from tests.showing import showing


@pytest.fixture(scope="module")
def sliced():
    simulation = Landscape(**shortest(Landscape))
    state = simulation.advance(simulation.start(), 10**6)
    return simulation, simulation.frame(state)


def shown(simulation, frame):
    return showing(LandscapeView(simulation), frame)


@pytest.mark.parametrize("scale", ["log", "linear"])
def test_a_cut_along_a_is_a_row_and_a_cut_along_b_a_column(sliced, scale):
    simulation, frame = sliced
    side = frame["side"]
    simulation.param.update(scale=scale, cut_a=float(side[2]), cut_b=float(side[-3]))
    view = shown(simulation, frame)
    floor = FLOOR if scale == "log" else 0.0
    for name in NAMES:
        losses = frame[f"{name}_losses"]
        assert not np.array_equal(losses[-3], losses[:, 2])
        for along, expected in (("a", losses[-3]), ("b", losses[:, 2])):
            data = view._cuts[along]._sources[name].data
            assert data["x"].tolist() == side.tolist()
            clipped = np.where(np.isfinite(expected), np.maximum(expected, floor), np.nan)
            assert np.array_equal(data["y"], np.log10(clipped) if scale == "log" else clipped, True)


def test_the_surface_has_the_loss_of_every_point_at_its_place(sliced):
    simulation, frame = sliced
    simulation.scale = "linear"
    points = shown(simulation, frame)._surface._points.data
    side, losses = frame["side"], frame["residual_losses"]
    for a, b, height in zip(points["a"], points["b"], points[column_of("residual")], strict=True):
        expected = losses[np.abs(side - b).argmin(), np.abs(side - a).argmin()]
        assert height == pytest.approx(expected, rel=1e-6, nan_ok=True)


def test_the_map_has_the_picture_of_its_own_network(sliced):
    simulation, frame = sliced
    simulation.param.update(scale="linear", colors="own")
    view = shown(simulation, frame)
    for name in NAMES:
        picture = frame[f"{name}_picture"]
        [image] = view._maps[name]._image.data["image"]
        assert np.array_equal(image, np.where(np.isfinite(picture), picture, np.nan).astype(np.float32), True)


def test_each_surface_has_a_scale_of_its_own_or_both_share_one(sliced):
    simulation, frame = sliced
    for colors, apart in (("own", True), ("shared", False)):
        simulation.param.update(scale="linear", colors=colors)
        [low], [high] = (shown(simulation, frame)._surface._scene.data[end] for end in ("low", "high"))
        losses = [frame[f"{name}_losses"] for name in NAMES]
        assert (low == [loss.min() for loss in losses]) is apart
        assert (high == [loss.max() for loss in losses]) is apart
        assert (len(set(low)) == 2) is apart


def test_the_stage_says_what_is_being_computed():
    simulation = Landscape(**shortest(Landscape))
    state = simulation.start()
    view = LandscapeView(simulation)
    view.figures()
    texts = {}
    for steps in (0, 50, 100, simulation.finest**2 - 49, 10**6):
        state = simulation.advance(state, steps)
        frame = simulation.frame(state)
        view.update(frame)
        scene = view._surface._scene.data
        texts[frame.results["phase"]] = (scene["words"][0], scene["notes"][0])
    assert texts["start"][0].startswith("not begun")
    assert texts["training"][0] == "training, step 50 of 100"
    assert texts["training"][1][0].startswith("training error")
    assert "points so far, of 41 × 41" in texts["slice"][0]
    assert "at the center" in texts["curvature"][0]
    assert texts["done"][0] == "41 × 41 points computed; each on its own scale"
    assert "nats from low to high" in texts["done"][1][0]


def test_the_lanes_have_the_numbers_of_the_results(sliced):
    simulation, frame = sliced
    view = shown(simulation, frame)
    for lanes, key in ((view._minima, "minima"), (view._lambda, "lambda_max")):
        for name in NAMES:
            value = float(frame.results[f"{name}_{key}"])
            data = lanes._bars[name].data
            assert data["right"] == (
                [max(value, 0)] if np.isfinite(value) and (value > 0 or key != "lambda_max") else []
            )
