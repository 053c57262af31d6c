"""The version of a result changes with the code that made it, and only then."""

from sims import provenance


def test_imports_are_followed_to_their_end() -> None:
    found = provenance.modules("sims.degradation")
    assert {"sims.degradation", "sims.frame", "sims.training", "sims.training.architecture", "sims.data"} <= set(found)
    assert "sims.registry" not in found


def test_a_version_is_short_stable_and_its_own() -> None:
    one, other = provenance.code_version("sims.frame"), provenance.code_version("sims.degradation")
    assert len(one) == 12
    assert one == provenance.code_version.__wrapped__("sims.frame")
    assert one != other
