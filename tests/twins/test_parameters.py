"""A page that trains by itself admits, changes and refuses the same texts as the server, with the same notes."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from app.prerender.browser_training import declared
from sims.contract.parameters import control_names, read, to_text
from sims.contract.simulation import Simulation
from sims.simulations.depth.degradation import Degradation
from sims.simulations.depth.plus_signs import PlusSigns
from sims.simulations.depth.tower import Tower
from sims.simulations.design_choices.explorer import RING, Explorer
from sims.simulations.gradients.paths import Paths
from sims.simulations.language_models.language import Language

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


POINTS = (
    RING,
    "a5050",
    "a505",
    "e5050",
    "a5050b12345",
    "b" * 64,
    "a0000" * 200,
    "a0000" * 201,
    "c9900" * 400,
    "x" * 2001,
)

LISTS = (
    "3, 7-12",
    "1-28",
    "28-1",
    "5-4",
    "0",
    "0-3",
    "27-40",
    "1,1, 2",
    " 3 – 5 ,",
    "3-",
    "-3",
    "3-5-7",
    "12345",
    "a, 3",
    ",",
)
LISTS += ("1-28, " * 70,)

PHRASES = (
    "The skip connection adds",
    "Curly “quotes” and the é, ñ, Ω, 𝄞 of other alphabets; twice: é",
    "éééé",
    "Exactly as many letters as there may be: forty and some more",
    " a",
    "   ",
    "one\ntwo",
    "y" * 40,
    "y" * 41,
    "y" * 200,
    "y" * 201,
)

NUMBERS = ("0.3", "-0.05", "1.2345678", "-2.50001", "1e-5", "-1.2345678e-7", "0.00012345678", "1.49999999", "-0.0")

MORE = {"gain": NUMBERS, "points": POINTS, "cut": LISTS, "prompt": PHRASES}
"""Further texts for parameters that are spelled"""


@pytest.mark.parametrize("simulation", [Degradation, Explorer, Tower, PlusSigns, Language, Paths])
def test_texts_are_read_alike(simulation: type[Simulation]) -> None:
    random, names = Random(0), [*control_names(simulation), "absent", "toString", "y" * 70]
    cases = [{name: text} for name in names for text in (*TEXTS, *MORE.get(name, ()))]
    cases += [{name: random.choice(TEXTS) for name in random.sample(names, 5)} for _ in range(50)]
    parameters = {name: declared(simulation.param[name]) for name in control_names(simulation)}
    command = [Path(sys.executable).with_name("node"), Path(__file__).with_name("parameters.js")]
    task = json.dumps({"parameters": parameters, "cases": cases})
    answers = json.loads(subprocess.run(command, input=task, capture_output=True, text=True, check=True).stdout)
    for case, answer in zip(cases, answers, strict=True):
        settings, notes = read(simulation, case)
        assert answer == {"settings": {name: to_text(value) for name, value in settings.items()}, "notes": notes}, case
