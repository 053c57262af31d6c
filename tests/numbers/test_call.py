"""What a `{calc}` names is found in one room, whichever that is."""

from collections import Counter

from sims.contract.modules import modules
from sims.numbers.call import PACKAGES, parse


def test_a_name_means_one_module() -> None:
    stems = Counter(path.stem for package in PACKAGES for path in modules(package))
    assert len(stems) > 50
    assert [name for name, count in stems.items() if count > 1] == []


def test_a_calculation_is_found_in_any_room() -> None:
    for call, room in (
        ("gradient_paths.paths(blocks=3)", "numbers"),
        ("degradation.training_error(depth=8, skip=False)", "simulations"),
        ("highway.opening(bias=-2)", "instruments"),
        ('publications.value(table="cifar10", model="plain-110")', "data"),
    ):
        module = parse(call)[0].function.__module__
        assert module.startswith(f"sims.{room}.")
        assert module.endswith(f".{call.partition('.')[0]}")
