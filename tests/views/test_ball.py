"""The way of the optimizer over its own surface: which losses stand where, and what the planes see of it."""

import numpy as np
import pytest

from app.pictures.slices import FLOOR
from app.views.ball import LANES, NAMES, BallView
from sims.simulations.ball import Ball
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
    made = BallView(simulation)
    made.draw()
    made.update(frame)
    return made


def test_a_way_has_its_true_loss_and_the_loss_of_the_surface_below(rolled, view):
    frame = rolled[1]
    for name in NAMES:
        data = view._ways[name].data
        assert data["x"].tolist() == frame["steps"].tolist()
        for column in ("true", "below"):
            wanted = np.maximum(frame[f"{name}_{column}"], FLOOR)
            assert np.array_equal(data[column], wanted, equal_nan=True)
        assert not np.array_equal(data["true"], data["below"])


def test_the_map_has_the_track_and_the_ball_of_its_own_network(rolled, view):
    frame = rolled[1]
    for name in NAMES:
        for kind in ("track", "ball"):
            data = view._maps[name]._ways[kind].data
            assert np.array_equal(np.column_stack([data["x"], data["y"]]), frame[f"{name}_{kind}"][:, :2])


def test_the_paths_on_the_surface_are_at_the_true_loss_and_the_ball_at_its_own(rolled, view):
    simulation, frame = rolled
    floor = FLOOR if simulation.scale == "log" else 0.0
    paths = {key: np.asarray(each) for key, each in view._surface._paths.data.items()}
    for name in NAMES:
        track = np.column_stack([frame[f"{name}_track"], frame[f"{name}_true"]])
        for kind, wanted in (("track", track), ("ball", frame[f"{name}_ball"])):
            chosen = (paths["name"] == name) & (paths["kind"] == kind)
            found = np.column_stack([paths[axis][chosen] for axis in ("a", "b", "height")]).astype(float)
            wanted = np.column_stack([wanted[:, :2], np.maximum(wanted[:, 2], floor)])
            assert found == pytest.approx(wanted, nan_ok=True)


def test_a_plane_sees_the_root_of_the_share_of_the_square_that_it_explains(rolled, view):
    results = rolled[1].results
    texts = dict(zip(view._seen._texts.data["name"], view._seen._texts.data["text"], strict=True))
    for label, (name, what, _color) in LANES.items():
        share = float(results[f"{name}_{what}"])
        assert texts[label] == f"{100 * (share**0.5 if what == 'explained' else share):.3g}%"
