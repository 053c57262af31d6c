"""Where chunks are computed: on processes of this machine, or on a Dask cluster."""

from app import settings
from app.runs.dask_cluster import DaskCluster
from app.runs.local_workers import LocalWorkers
from app.runs.work import Backend


def backend_from_environment() -> Backend:
    """A Dask cluster where `SKIP_DASK_SCHEDULER` holds the address of its scheduler, or else local worker processes.

    Raises ValueError where `SKIP_WORKERS` is set to anything but a positive whole number.
    """
    address = settings.dask_scheduler()
    return DaskCluster(address) if address else LocalWorkers()
