"""The published numbers, copied from the paper's tables a second time, and the shape of their file."""

from itertools import pairwise

import pytest

from sims.data import publications

CIFAR10 = {
    "ResNet-20": 8.75,
    "ResNet-32": 7.51,
    "ResNet-44": 7.17,
    "ResNet-56": 6.97,
    "ResNet-110": 6.43,
    "ResNet-1202": 7.93,
}
IMAGENET = {"plain-18": 27.94, "ResNet-18": 27.88, "plain-34": 28.54, "ResNet-34": 25.03}


@pytest.mark.parametrize(("model", "error"), CIFAR10.items())
def test_published_test_errors_on_cifar10(model: str, error: float) -> None:
    assert publications.value(table="cifar10", model=model) == error


@pytest.mark.parametrize(("model", "error"), IMAGENET.items())
def test_published_errors_on_imagenet(model: str, error: float) -> None:
    assert publications.value(table="imagenet-depth", model=model, quantity="top1_error") == error


def test_no_training_error_on_cifar10_is_called_published() -> None:
    published = [record for record in publications.records() if record.status == publications.PUBLISHED]
    assert not [record for record in published if record.table == "cifar10" and record.quantity == "training_error"]


def test_the_training_error_that_is_really_a_test_error() -> None:
    assert publications.circulating(model="plain-56", which=1) == publications.value(table="cifar10", model="ResNet-56")


def test_plain_110_failed() -> None:
    assert publications.value(table="cifar10", model="plain-110", field="above") == 60
    assert publications.circulating(model="plain-110", which=1) == 8.9
    with pytest.raises(KeyError):
        publications.value(table="cifar10", model="plain-110")


def test_a_09_1202_layers_are_worse_than_110() -> None:
    deep, deeper = (publications.value(table="cifar10", model=f"ResNet-{depth}") for depth in (110, 1202))
    assert (deep, deeper) == (6.43, 7.93)


def test_a_09_five_runs_behind_the_best_one() -> None:
    fields = [publications.value(table="cifar10", model="ResNet-110", field=name) for name in ("mean", "std", "runs")]
    assert fields == [6.61, 0.16, 5]


def test_a_12_an_ensemble_is_not_one_network() -> None:
    ensemble = publications.value(table="imagenet-ensembles", model="ResNet ensemble", quantity="top5_error")
    assert ensemble == 3.57
    assert publications.value(table="imagenet-single", model="ResNet-152", quantity="top5_error") == 4.49
    assert publications.value(table="imagenet-single", model="ResNet-152", quantity="top1_error") == 19.38


def test_plain_networks_of_18_layers_do_not_fail() -> None:
    assert abs(IMAGENET["plain-18"] - IMAGENET["ResNet-18"]) < 0.1 < IMAGENET["plain-34"] - IMAGENET["ResNet-34"]


def test_every_record_has_a_known_status_and_a_source() -> None:
    for record in publications.records():
        assert record.status in publications.STATUSES, record
        has_number = record.value is not None or record.above is not None
        if record.status == publications.NOT_IN_THE_PAPER:
            assert has_number, record
            assert not record.source, record
        else:
            assert record.source, record
            assert record.where, record
            assert has_number == (record.status in (publications.PUBLISHED, publications.SECOND_HAND)), record


def test_at_most_one_record_is_the_published_one() -> None:
    published = [record for record in publications.records() if record.status == publications.PUBLISHED]
    assert len({(record.table, record.model, record.quantity) for record in published}) == len(published)


def test_a_table_holds_each_of_its_records_once() -> None:
    names = dict.fromkeys(record.table for record in publications.records())
    assert len(names) >= 5
    for name in names:
        table = publications.table(name)
        cells = [record for _, row in table.rows for cell in row for record in cell]
        assert sorted(cells, key=repr) == sorted((r for r in publications.records() if r.table == name), key=repr)
        assert all(len(row) == len(table.columns) for _, row in table.rows)


def test_alternatives_begin_with_the_published_record() -> None:
    for name in ("cifar10", "imagenet-depth"):
        for _, row in publications.table(name).rows:
            for cell in row:
                order = [publications.STATUSES.index(record.status) for record in cell]
                assert all(one <= other for one, other in pairwise(order))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(KeyError):
        publications.table("cifar11")
    with pytest.raises(KeyError):
        publications.value(table="cifar10", model="ResNet-57")
    with pytest.raises(KeyError):
        publications.circulating(model="plain-56", which=4)
