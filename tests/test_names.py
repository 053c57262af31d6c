"""`from sims import Paths`: every simulation by the name of its class."""

import subprocess
import sys

import pytest

import sims
from sims import registry, simulations
from sims.contract.modules import modules


@pytest.mark.parametrize("name", registry.names())
def test_a_simulation_is_had_by_the_name_of_its_class(name: str) -> None:
    assert getattr(sims, registry.class_name(name)) is registry.find(name)
    assert registry.class_name(name) in dir(sims)


@pytest.mark.parametrize("name", ["Nothing", "degradation", "__path_hooks__"])
def test_what_there_is_not_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=name):
        getattr(sims, name)


def test_no_other_simulation_is_imported() -> None:
    names = list(modules(simulations).values())
    code = f"import sys; from sims import Paths; print(*(name for name in {names} if name in sys.modules))"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert process.stdout.strip() == registry.find("paths").__module__
