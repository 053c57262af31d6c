"""The path of the optimizer over its own surface: which losses stand where, and what the planes see of it."""

import numpy as np
import pytest

from app.pictures.maps.slices import FLOOR
from app.views.loss_surfaces.ball import LANES, NAMES, BallView
from sims.simulations.loss_surfaces.ball import Ball
from tests.settings import shortest


@pytest.fixture(scope="module")
def rolled():
    simulation = Ball(**shortest(Ball))
    state = simulation.advance(simulation.start(), 10**6)
    return simulation, simulation.frame(state)


@pytest.fixture(params=["log", "linear"])
def view(rolled, request):
    simulation, frame = rolled
    simulation.scale = request.param
    ball_view = BallView(simulation)
    ball_view.figures()
    ball_view.update(frame)
    return ball_view


@pytest.mark.exhaustive
def test_a_way_has_its_true_loss_and_the_loss_of_the_surface_below(rolled, view):
    frame = rolled[1]
    for name in NAMES:
        data = view._ways[name].data
        assert data["x"].tolist() == frame["steps"].tolist()
        for column in ("true", "below"):
            expected = np.maximum(frame[f"{name}_{column}"], FLOOR)
            assert np.array_equal(data[column], expected, equal_nan=True)
        assert not np.array_equal(data["true"], data["below"])


def test_the_map_has_the_track_and_the_ball_of_its_own_network(rolled, view):
    frame = rolled[1]
    for name in NAMES:
        for kind in ("track", "ball"):
            data = view._maps[name]._ways[kind].data
            assert np.array_equal(np.column_stack([data["x"], data["y"]]), frame[f"{name}_{kind}"][:, :2])


@pytest.mark.exhaustive
def test_the_paths_on_the_surface_are_at_the_true_loss_and_the_ball_at_its_own(rolled, view):
    simulation, frame = rolled
    floor = FLOOR if simulation.scale == "log" else 0.0
    paths = {key: np.asarray(column) for key, column in view._surface._paths.data.items()}
    for name in NAMES:
        track = np.column_stack([frame[f"{name}_track"], frame[f"{name}_true"]])
        for kind, expected in (("track", track), ("ball", frame[f"{name}_ball"])):
            chosen = (paths["name"] == name) & (paths["kind"] == kind)
            actual = np.column_stack([paths[axis][chosen] for axis in ("a", "b", "height")]).astype(float)
            expected = np.column_stack([expected[:, :2], np.maximum(expected[:, 2], floor)])
            assert actual == pytest.approx(expected, nan_ok=True)


def test_a_plane_sees_the_root_of_the_share_of_the_square_that_it_explains(rolled, view):
    results = rolled[1].results
    texts = dict(zip(view._seen._texts.data["name"], view._seen._texts.data["text"], strict=True))
    for label, (name, quantity, _color) in LANES.items():
        share = float(results[f"{name}_{quantity}"])
        assert texts[label] == f"{100 * (share**0.5 if quantity == 'explained' else share):.3g}%"


def test_another_network_takes_its_surfaces_its_maps_and_its_words_along(rolled):
    """After another depth is chosen, nothing of the network before stays in any of the pictures."""
    simulation, finished = rolled
    simulation.scale = "linear"
    view, fresh = BallView(simulation), BallView(Ball(**{**shortest(Ball), "depth": 6}))
    fresh_frame = fresh.simulation.frame(fresh.simulation.start())
    view.figures()
    fresh.figures()
    view.update(finished)
    simulation.depth = 6
    view.update(fresh_frame)
    fresh.update(fresh_frame)
    for name in ("_points", "_paths", "_scene"):
        one, other = (getattr(item._surface, name).data for item in (view, fresh))
        assert {key: list(map(str, values)) for key, values in one.items()} == {
            key: list(map(str, values)) for key, values in other.items()
        }
    for name in NAMES:
        one, other = (item._maps[name]._image.data["image"][0] for item in (view, fresh))
        assert np.array_equal(one, other, equal_nan=True)
    simulation.depth = shortest(Ball)["depth"]


def test_the_stage_says_what_is_being_computed():
    simulation = Ball(**shortest(Ball))
    view = BallView(simulation)
    view.figures()
    texts = {}
    state = simulation.start()
    for steps in (0, 50, 100, simulation.finest**2 - 49, 10**6):
        state = simulation.advance(state, steps)
        frame = simulation.frame(state)
        view.update(frame)
        scene = view._surface._scene.data
        texts[frame.results["phase"]] = (scene["words"][0], scene["notes"][0][0])
    assert texts["start"] == ("not begun: a random plane, 6 × 6 points", "")
    assert texts["training"][0] == "training, step 50 of 100"
    assert "points so far, of 41 × 41" in texts["surface"][0]
    assert texts["rolling"][0].endswith("the balls are rolling")
    assert texts["done"][0] == "41 × 41 points; the balls have rolled 60 steps"
    assert texts["done"][1].startswith("the path begins at")
