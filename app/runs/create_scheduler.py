"""A scheduler with its workers, and what its trainings wait for where the engine has yet to be compiled."""

from typing import Any

from app.runs.backends import backend_from_environment
from app.runs.engine import Engine
from app.runs.jobs import Jobs
from app.runs.local_workers import LocalWorkers


def create_scheduler(**limits: Any) -> tuple[Jobs, Engine | None]:
    """The scheduler, with these limits of `Jobs`, and the engine that its owner prepares; a cluster has its own.

    Raises ValueError where a setting of the environment is none.
    """
    backend = backend_from_environment()
    engine = Engine() if isinstance(backend, LocalWorkers) else None
    return (Jobs(backend, awaited=engine.awaited, **limits), engine) if engine else (Jobs(backend, **limits), None)
