"""The image of a page's figure belongs to its settings, and to no others."""

from app.standalone.stills import image
from sims.paths import CONTENT
from sims.simulations.depth.degradation import Degradation
from sims.simulations.design_choices.explorer import Explorer
from sims.simulations.gradients.network_jacobians import NetworkJacobians


def test_the_settings_of_a_page_have_its_image() -> None:
    stills = CONTENT / "stills"
    assert image(Degradation(depth=56)) == (stills / "degradation.degradation.light.webp").read_bytes()
    assert image(Explorer(depth=32, compare="no-skip")) == (stills / "explorer.explorer.light.webp").read_bytes()
    second = NetworkJacobians(initialization="zero-last", branch="two-layer", blocks=12)
    assert image(second) == (stills / "matrices.two_gradients.light.webp").read_bytes()


def test_other_settings_have_none() -> None:
    assert image(Degradation(depth=56, seed=1)) == b""
