"""The simulation that a command line names, with its settings."""

from collections.abc import Sequence

from sims import registry
from sims.__main__ import parser, with_options
from sims.contract.simulation import Simulation


def parse_simulation(arguments: Sequence[str]) -> Simulation:
    """The simulation for arguments such as `degradation --depth 20`.

    Raises ValueError for what `python -m sims` refuses; unlike its SystemExit, this does not end a server.
    """
    if any(argument.partition("=")[0] == "--port" for argument in arguments):
        raise ValueError("--port is an option of the server: panel serve app/one.py --port 5007 --args NAME …")
    try:
        name: str = parser().parse_args(arguments[:1]).simulation
        kind = registry.find(name)
        options = vars(parser(kind, name).parse_args(arguments))
    except SystemExit:
        raise ValueError(f"{' '.join(arguments) or 'nothing'}: this is no simulation, or has no such option") from None
    return with_options(kind, options)
