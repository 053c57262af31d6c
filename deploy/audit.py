"""`make audit`: known vulnerabilities of what `requirements.lock` names, as pip-audit finds them.

A vulnerability fails. What could not be asked, without a network or about some packages, is said and fails nothing.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

LOCK = Path(__file__).parent.parent / "requirements.lock"


def verdict(report: dict[str, Any] | None) -> tuple[list[str], bool]:
    """What is to be said of a report of pip-audit, None where there is none, and whether nothing bad was found."""
    if report is None:
        return ["Nobody could be asked, so nothing is known."], True
    packages = report["dependencies"]
    checked = [package for package in packages if "skip_reason" not in package]
    bad = [package for package in checked if package["vulns"]]
    lines = [
        f"{package['name']} {package['version']}: "
        f"{flaw['id']}, fixed in {', '.join(flaw['fix_versions']) or 'no version'}"
        for package in bad
        for flaw in package["vulns"]
    ]
    unknown = len(packages) - len(checked)
    summary = f"{len(checked)} packages were asked about, {len(bad)} of them have known vulnerabilities."
    return [*lines, summary, *([f"Nothing is known about {unknown} others."] if unknown else [])], not bad


def main() -> None:
    """Ask, tell, and exit with 1 where something was found."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--progress-spinner", "off", "--format", "json"]
    done = subprocess.run([*command, "--requirement", LOCK], capture_output=True, text=True, check=False)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        report = None
        print(done.stderr[-500:])
    lines, good = verdict(report)
    print("\n".join(lines))
    sys.exit(not good)


if __name__ == "__main__":
    main()
