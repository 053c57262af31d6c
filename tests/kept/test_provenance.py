"""The version of a result changes with the code that made it, and only then."""

from sims.kept import provenance


def test_imports_are_followed_to_their_end() -> None:
    found = provenance.modules("sims.simulations.degradation")
    assert {
        "sims.simulations.degradation",
        "sims.contract.frame",
        "sims.engines.perceptrons",
        "sims.engines.perceptrons.architecture",
        "sims.data.datasets",
    } <= set(found)
    assert "sims.registry" not in found


def test_a_version_is_short_stable_and_its_own() -> None:
    one, other = provenance.code_version("sims.contract.frame"), provenance.code_version("sims.simulations.degradation")
    assert len(one) == 12
    assert one == provenance.code_version.__wrapped__("sims.contract.frame")
    assert one != other
