"""A change on its way: named lines, and a press that changes another block."""

from types import SimpleNamespace

from app.views.loss_surfaces.perturbation import DEEP, PerturbationView
from sims.simulations.loss_surfaces.perturbation import Perturbation
from tests.showing import showing


def test_every_network_is_named_where_its_line_ends():
    simulation = Perturbation(depth=12)
    frame = simulation.compute()
    view = showing(PerturbationView(simulation), frame)
    for name, (words, _color, _dash) in DEEP.items():
        data = view._ends._sources[name].data
        assert (data["x"], data["text"]) == ([12], [words])
        assert view._source.data[name][-1] == frame[name][-1]


def test_a_press_changes_the_block_below_it():
    view = PerturbationView(Perturbation())
    changed = {}
    view.change = changed.__setitem__
    for x, block in ((7.4, 7), (-1.0, 1)):
        view._on_pointer(SimpleNamespace(x=x))
        assert changed == {"place": block}
