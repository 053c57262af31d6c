"""The questions with options to choose, read from Moodle XML by a package for this format. It reads no other kind."""

import json
import os
import subprocess
import sys
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from app.pages.exports.moodle import moodle
from app.pages.exports.quiz import CHOICE, items
from sims.paths import ROOT
from tests.site import CHAPTERS, site

READ = """
import json, sys
from dataclasses import asdict
from moodle_xml_parser.parser import parse_file

print(json.dumps([asdict(question) for question in parse_file(sys.argv[1])["multichoice"]]))
"""


def as_read(path: Path) -> list[dict[str, Any]]:
    answer = subprocess.run(
        [sys.executable, "-c", READ, str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".venv" / "zoo")},
    )
    assert answer.returncode == 0, f"{answer.stderr}\nWithout the package: make .venv/zoo"
    return list(json.loads(answer.stdout))


@pytest.mark.exhaustive
def test_a_package_for_this_format_reads_every_question_with_its_options(tmp_path: Path) -> None:
    written = [item for slug in CHAPTERS for item in items(slug, slug, site().page(slug).worksheet)]
    (tmp_path / "questions.xml").write_bytes(moodle(written, "One plus sign"))
    choices = [item for item in written if item.kind == CHOICE]
    read = as_read(tmp_path / "questions.xml")
    assert [question["name"] for question in read] == [item.id for item in choices]
    for question, item in zip(read, choices, strict=True):
        assert question["single"]
        assert question["text_pre_parse"] == unescape(item.question)
        assert question["general_feedback"] == unescape(item.because)
        assert [(option["answer"], option["score_fraction"], option["feedback"]) for option in question["options"]] == [
            (unescape(option.text), 100.0 * option.right, unescape(option.because)) for option in item.options
        ]
