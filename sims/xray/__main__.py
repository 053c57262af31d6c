"""X-rays a network from a terminal: `python -m sims.xray FILE.py:build [--lesions] [--json | --csv] [--html PATH]`.

`build()` in the file returns a model and a function without arguments that runs it once and returns its loss.
"""

import argparse
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from torch import Tensor, nn

from sims.xray.about import COMMAND, XrayError
from sims.xray.report import Report
from sims.xray.watching import NOT_CALLED, xray


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{COMMAND}: {message}; --help shows what it takes.\n")


def parser() -> argparse.ArgumentParser:
    """The command line's parser."""
    root = _Parser(
        prog=COMMAND,
        description="Find and measure the residual additions of a PyTorch network. The exit status is 1 for a problem.",
        allow_abbrev=False,
    )
    what = "a file with a function (build, if it is not named) that returns a model and a step, which returns its loss"
    root.add_argument("target", metavar="FILE.py:FUNCTION", help=what)
    root.add_argument("--lesions", action="store_true", help="run the step once more without each branch")
    output = root.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print the report as JSON")
    output.add_argument("--csv", action="store_true", help="print a line for each addition")
    root.add_argument("--html", metavar="PATH", help="write the report as one HTML file")
    return root


def main(arguments: Sequence[str]) -> int:
    """X-ray one network and print the report.

    Returns the exit status: 1 if a finding is a problem, 2 for what is not possible, with a sentence on stderr.
    """
    options = parser().parse_args(arguments)
    if isinstance(sys.stdout, TextIOWrapper):  # an encoding without arrows must not end in an error
        sys.stdout.reconfigure(errors="replace")
    try:
        with redirect_stdout(sys.stderr):  # what the model prints is no part of the report
            model, step = built(options.target)
            report = reported(model, step, options.lesions)
        if options.html:
            write(Path(options.html), report.to_html())
    except XrayError as error:
        print(f"{COMMAND}: {error}", file=sys.stderr)
        return 2
    print(report.to_json() if options.json else report.to_csv().rstrip("\n") if options.csv else report)
    return int(any(finding.grade == "problem" for finding in report.findings()))


def built(target: str) -> tuple[nn.Module, Any]:
    """The model and the step that a function of a file returns, for `FILE.py:FUNCTION`. Raises XrayError."""
    file, _, name = target.rpartition(":") if target.rpartition(":")[2].isidentifier() else (target, "", "")
    path, name = Path(file), name or "build"
    if not path.is_file() or path.suffix != ".py":
        raise XrayError(f"there is no Python file {file!r}.")
    spec = importlib.util.spec_from_file_location("xrayed", path)
    if spec is None or spec.loader is None:
        raise XrayError(f"{file!r} cannot be imported.")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(path.parent.resolve()))
    sys.modules["xrayed"] = module
    try:
        spec.loader.exec_module(module)
        function = getattr(module, name, None)
        if not callable(function):
            raise XrayError(f"{file!r} has no function {name!r}.")
        answer = function()
    except XrayError:
        raise
    except (Exception, SystemExit) as error:
        raise XrayError(f"{target} cannot be built: {described(error)}") from error
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise XrayError(f"{name}() returns a model and a step; this one returned a {type(answer).__name__}.")
    model, step = answer
    if not isinstance(model, nn.Module) or not callable(step):
        kinds = f"{type(model).__name__} and {type(step).__name__}"
        raise XrayError(f"{name}() returns an nn.Module and a function; these are {kinds}.")
    return model, step


def reported(model: nn.Module, step: Any, with_lesions: bool) -> Report:
    """The report of one step, backward too if its loss has a gradient. Raises XrayError if the step fails or does not
    call the model."""
    try:
        with xray(model) as report:
            loss = step()
            if isinstance(loss, Tensor) and loss.requires_grad:
                loss.sum().backward()
        if NOT_CALLED in report.contents.remarks:
            raise XrayError("no forward pass of the model was seen: the step has to call the model that is returned.")
        if with_lesions:
            report.lesions(step)
    except XrayError:
        raise
    except (Exception, SystemExit) as error:
        raise XrayError(f"the step failed: {described(error)}") from error
    return report


def write(path: Path, text: str) -> None:
    """Write a file. Raises XrayError if that is not possible."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise XrayError(f"{str(path)!r} cannot be written: {error.strerror}.") from error


def described(error: BaseException) -> str:
    """What an error of somebody's code says, and where it was raised."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    first = (str(error).splitlines() or [""])[0]
    return f"{type(error).__name__}: {first} ({Path(frame.filename).name}, line {frame.lineno})."


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
