"""What a formula draws says so, wherever it is seen."""

from app.views.loss_surfaces.scripted_surface import NAMES, ScriptedSurfaceView
from sims.simulations.loss_surfaces.scripted_surface import ScriptedSurface
from tests.showing import showing


def test_every_picture_of_it_says_that_it_is_scripted():
    simulation = ScriptedSurface(depth=64)
    frame = simulation.compute()
    view = showing(ScriptedSurfaceView(simulation), frame)
    [tag] = view._surface.model.tags
    assert tag["surface"]["title"] == "Scripted, not measured"
    assert all(label.startswith("SCRIPTED") for _name, label, _color in tag["surface"]["names"])
    assert all(map_.figure.title.text.startswith("SCRIPTED") for map_ in view._maps.values())
    [notes] = view._surface._scene.data["notes"]
    assert notes[0].startswith(f"{frame.results['plain_minima']} valleys")
    assert len(notes) == len(NAMES)
