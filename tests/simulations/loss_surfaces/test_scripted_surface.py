"""What was typed in comes out."""

import pytest

from sims.simulations.loss_surfaces.scripted_surface import ScriptedSurface, value


def test_the_recorded_values() -> None:
    """At (0.5, 0.3)."""
    assert value(network="residual") == pytest.approx(0.3538899, abs=1e-6)
    assert value(network="plain", depth=64) == pytest.approx(2.2426515, abs=1e-6)


def test_depth_is_nothing_but_the_height_of_the_waves() -> None:
    assert value(network="plain", depth=0) == pytest.approx(0.34)
    assert ScriptedSurface(depth=0).compute().results["plain_minima"] == 1
    assert ScriptedSurface(depth=64).compute().results["plain_minima"] > 5


def test_it_says_that_it_is_scripted_wherever_it_speaks() -> None:
    simulation = ScriptedSurface()
    assert simulation.title().startswith("Scripted")
    assert simulation.describe(simulation.compute()).startswith("Scripted")
    assert simulation.disclosure().network.startswith("None")
