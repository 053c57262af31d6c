"""Which backend the environment asks for."""

import pytest

from app.runs.backends import backend_from_environment
from app.runs.dask_cluster import DaskCluster
from app.runs.local_workers import LocalWorkers


def test_local_workers_are_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SKIP_DASK_SCHEDULER", raising=False)
    monkeypatch.setenv("SKIP_WORKERS", "3")
    backend = backend_from_environment()
    assert isinstance(backend, LocalWorkers)
    assert backend.workers == 3
    backend.close()


def test_an_address_asks_for_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SKIP_DASK_SCHEDULER", "tcp://127.0.0.1:9")
    backend = backend_from_environment()
    assert isinstance(backend, DaskCluster)
    backend.close()


@pytest.mark.parametrize("text", ["0", "-2", "many", "1.5"])
def test_a_meaningless_number_of_workers_is_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.delenv("SKIP_DASK_SCHEDULER", raising=False)
    monkeypatch.setenv("SKIP_WORKERS", text)
    with pytest.raises(ValueError, match="not a positive whole number"):
        backend_from_environment()
