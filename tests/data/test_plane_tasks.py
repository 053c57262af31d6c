"""A task and its noise lead to a dataset, and the usual noise to the one that has always been learned."""

import pytest

from sims.data.datasets import source
from sims.data.plane_tasks import NOISES, SPREADS, TASKS, plane_task


@pytest.mark.parametrize("task", TASKS.values())
@pytest.mark.parametrize("noise", NOISES.values())
def test_every_task_loads_with_every_noise(task: str, noise: str) -> None:
    assert plane_task(task, noise, "a1010b2020").load().features == 2


def test_the_usual_noise_is_that_of_the_dataset_and_more_spreads_the_points() -> None:
    assert plane_task("spirals", "usual", "") == source("spirals")
    assert plane_task("own", "0.4", "a1010b2020") == source("own", points="a1010b2020")
    still, wild = (plane_task("blobs", noise, "").load().train_inputs for noise in ("0", "0.4"))
    assert len({tuple(point) for point in still.round(6).tolist()}) == 4
    assert wild.std() > still.std()


def test_noise_changes_every_task_with_random_points() -> None:
    """A task that is missing from `SPREADS` has the same points with every noise."""
    assert set(TASKS.values()) - {"own", "digits_plane"} == set(SPREADS)
    for task in SPREADS:
        assert plane_task(task, "0.4", "") != plane_task(task, "0.1", ""), task
