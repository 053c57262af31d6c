"""Every simulation without a browser: `python -m sims NAME --parameter value [--json | --csv]`."""

import argparse
import sys
from collections.abc import Sequence

from sims import registry
from sims.contract import parameters
from sims.contract.simulation import Simulation


def parser() -> argparse.ArgumentParser:
    """The command line, made from the declarations."""
    root = argparse.ArgumentParser(prog="python -m sims", description=__doc__)
    commands = root.add_subparsers(dest="simulation", metavar="NAME", required=True)
    for name, simulation in registry.simulations().items():
        command = commands.add_parser(
            name, help=simulation.title().replace("%", "%%"), description=simulation.about().replace("%", "%%")
        )
        for parameter_name in parameters.control_names(simulation):
            parameter = simulation.param[parameter_name]
            default = parameters.to_text(parameter.default)
            doc = f"{parameter.doc} (default: {default}; {parameters.allowed(parameter)})"
            command.add_argument(
                f"--{parameter_name.replace('_', '-')}",
                dest=parameter_name,
                metavar="VALUE",
                help=doc.replace("%", "%%"),
            )
        output = command.add_mutually_exclusive_group()
        output.add_argument("--json", action="store_true", help="print every array with its name and unit")
        output.add_argument("--csv", action="store_true", help="print every array as tables")
    return root


def main(arguments: Sequence[str]) -> int:
    """Run one simulation to its end and print what it says. Returns the exit status: 2 for a value it refuses."""
    given = vars(parser().parse_args(arguments))
    simulation: type[Simulation] = registry.find(given.pop("simulation"))
    as_json, as_csv = given.pop("json"), given.pop("csv")
    settings, notes = parameters.read(simulation, {name: text for name, text in given.items() if text is not None})
    for note in notes:
        print(note, file=sys.stderr)
    if notes:
        return 2
    run = simulation(**settings)
    frame = run.compute()
    if as_json:
        print(frame.json())
    elif as_csv:
        print(frame.csv(f"{run.title()}\n{run.describe(frame)}"), end="")
    else:
        honesty = run.honesty()
        print(f"{run.title()}\n\n{run.describe(frame)}\n")
        print(
            f"Network: {honesty.network}\nData: {honesty.data}\nSeeds: {honesty.seeds}\n"
            f"It cannot show: {honesty.cannot_show}"
        )
        for each in frame.diverged:
            print(f"\n{each}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
