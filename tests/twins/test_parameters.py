"""A page that trains by itself admits, changes and refuses the same texts as the server, with the same notes."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

from app.prerender.browser_training import declared
from sims.contract.parameters import control_names, read, to_text
from sims.simulations.depth.degradation import Degradation

TEXTS = (
    *("", " ", "20", " 20", "21", "20.5", "-3", "1000", "1e1", "1e400", "nan", "inf", "-0", "0x10", "0.001", ".002"),
    *(
        "yes",
        "no",
        "true",
        "plain",
        "PLAIN",
        "batch",
        "he",
        "momentum",
        "2.4e3",
        "constructor",
        "“",
        "x" * 65,
        "7" * 64,
    ),
)


def test_texts_are_read_alike() -> None:
    random, names = Random(0), [*control_names(Degradation), "absent", "toString", "y" * 70]
    cases = [{name: text} for name in names for text in TEXTS]
    cases += [{name: random.choice(TEXTS) for name in random.sample(names, 5)} for _ in range(50)]
    parameters = {name: declared(Degradation.param[name]) for name in control_names(Degradation)}
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("parameters.js")]
    task = json.dumps({"parameters": parameters, "cases": cases})
    answers = json.loads(subprocess.run(command, input=task, capture_output=True, text=True, check=True).stdout)
    for case, answer in zip(cases, answers, strict=True):
        settings, notes = read(Degradation, case)
        assert answer == {"settings": {name: to_text(value) for name, value in settings.items()}, "notes": notes}, case
