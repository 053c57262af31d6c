"""Chooses the backend that computes chunks: processes of this machine, or a Dask cluster."""

from app import settings
from app.runs.dask_cluster import DaskCluster
from app.runs.local_workers import LocalWorkers
from app.runs.work import Backend


def backend_from_environment() -> Backend:
    """A Dask cluster if `SKIP_DASK_SCHEDULER` holds the address of its scheduler, else local worker processes.

    Raises ValueError where `SKIP_WORKERS` is set to anything but a positive whole number.
    """
    address = settings.dask_scheduler()
    return DaskCluster(address) if address else LocalWorkers()
