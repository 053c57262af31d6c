"""Creates a scheduler with its workers, and the engine that trainings wait for if it is not compiled yet."""

from typing import Any

from app.runs.backends import backend_from_environment
from app.runs.engine import Engine
from app.runs.jobs import Jobs
from app.runs.local_workers import LocalWorkers


def create_scheduler(**limits: Any) -> tuple[Jobs, Engine | None]:
    """The scheduler, with these limits of `Jobs`, and the engine for the caller to prepare; None on a cluster.

    Raises ValueError for an invalid setting of the environment.
    """
    backend = backend_from_environment()
    engine = Engine() if isinstance(backend, LocalWorkers) else None
    return (Jobs(backend, awaited=engine.awaited, **limits), engine) if engine else (Jobs(backend, **limits), None)
