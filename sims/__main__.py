"""Runs any simulation without a browser: `python -m sims NAME --parameter value [--json | --csv]`."""

import argparse
import sys
import traceback
from collections.abc import Mapping, Sequence

from sims import registry
from sims.contract import parameters
from sims.contract.simulation import Simulation


def parser(chosen: type[Simulation] | None = None, name: str = "") -> argparse.ArgumentParser:
    """Return the command line's parser: names of all simulations, and options for the parameters of the chosen one."""
    root = argparse.ArgumentParser(prog="python -m sims", description=__doc__, allow_abbrev=False)
    commands = root.add_subparsers(dest="simulation", metavar="NAME", required=True)
    for simulation_name in registry.names():
        about = "" if chosen is None or simulation_name != name else _printed(chosen.about())
        command = commands.add_parser(
            simulation_name, help=_printed(registry.title(simulation_name)), description=about, allow_abbrev=False
        )
        if chosen is not None and simulation_name == name:
            _add_options(command, chosen)
    return root


def _add_options(command: argparse.ArgumentParser, simulation: type[Simulation]) -> None:
    for name in parameters.control_names(simulation):
        parameter = simulation.param[name]
        default = parameters.to_text(parameter.default)
        doc = f"{parameter.doc} (default: {default}; {parameters.allowed(parameter)})"
        command.add_argument(_option(name), dest=name, metavar="VALUE", help=_printed(doc))
    output = command.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print every array with its name and unit")
    output.add_argument("--csv", action="store_true", help="print every array as tables")


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _printed(text: str) -> str:
    """Escape percent signs, which argparse would take for placeholders."""
    return text.replace("%", "%%")


def main(arguments: Sequence[str]) -> int:
    """Run one simulation to its end and print the result.

    Returns the exit status: 2 for a refused option or value, 1 for a simulation whose file is broken.
    """
    name = arguments[0] if arguments else ""
    # For anything but a known name, let argparse print help or an error. It exits unless it finds a name elsewhere.
    if name not in registry.names():
        name = parser().parse_args(arguments).simulation
    try:
        simulation = registry.find(name)
    except Exception:
        traceback.print_exc(limit=-1)
        print(f"The file of the simulation {name} is broken; nothing was computed.", file=sys.stderr)
        return 1
    options = vars(parser(simulation, name).parse_args(arguments))
    as_json, as_csv = options.pop("json"), options.pop("csv")
    try:
        run = with_options(simulation, options)
    except ValueError as refused:
        print(f"{refused}\nNothing was computed.", file=sys.stderr)
        return 2
    _show(run, as_json, as_csv)
    return 0


def with_options(simulation: type[Simulation], options: Mapping[str, str | None]) -> Simulation:
    """Return the simulation with the options of a command line.

    Raises ValueError with one sentence per line for every text that is not accepted as it is. (A page would replace it
    by the nearest value.)
    """
    texts = {name: text for name in parameters.control_names(simulation) if (text := options[name]) is not None}
    complaints = []
    for name, text in texts.items():
        parameter = simulation.param[name]
        complaint = parameters.examine(parameter, text).complaint
        if complaint:
            complaints.append(f"{_option(name)}: {complaint}; it takes {parameters.allowed(parameter)}.")
    if complaints:
        raise ValueError("\n".join(complaints))
    settings, _notes = parameters.read(simulation, texts)
    return simulation(**settings)


def _show(run: Simulation, as_json: bool, as_csv: bool) -> None:
    frame = run.compute()
    if as_json:
        print(frame.json({"provenance": run.provenance(frame), "settings": run.finite_settings()}))
    elif as_csv:
        print(frame.csv(run.provenance(frame)), end="")
    else:
        disclosure = run.disclosure()
        print(f"{run.title()}\n\n{run.describe(frame)}\n")
        print(
            f"Network: {disclosure.network}\nData: {disclosure.data}\nSeeds: {disclosure.seeds}\n"
            f"It cannot show: {disclosure.cannot_show}"
        )
        for divergence in frame.diverged:
            print(f"\n{divergence.sentences()}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
