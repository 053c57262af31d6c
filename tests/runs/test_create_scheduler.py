"""The scheduler that a server and a notebook begin with."""

import pytest

from app.runs import create_scheduler


def test_workers_of_this_machine_wait_for_the_engine() -> None:
    jobs, engine = create_scheduler.create_scheduler(per_reader=1)
    try:
        assert engine is not None
    finally:
        jobs.close()


def test_a_cluster_has_an_engine_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cluster:
        workers = 3

        def close(self) -> None:
            """Nothing was begun."""

    monkeypatch.setattr(create_scheduler, "backend_from_environment", Cluster)
    jobs, engine = create_scheduler.create_scheduler()
    jobs.close()
    assert engine is None
