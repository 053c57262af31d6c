"""The page on what findings say about trainings: how it counts, and what others conclude from it."""

import re
from itertools import product

import pytest

from tools.xray_predictions import BLOCKS, KINDS, PAGE, RATES, SEEDS, Training, missed, table, trained

ROW = re.compile(r"^\| (\w*) \| ([\w -]+) \| (\d+) \| (\d+) \|$", re.MULTILINE)

LOST = ("problem", "gradient vanishes")
SCALED = ("note", "skip scaled")


def training(error: float, *findings: tuple[str, str], rate: float = 0.001) -> Training:
    return Training("plain", 8, rate, 11, [frozenset(findings)], error)


def test_it_counts_trainings_and_bad_ends() -> None:
    trainings = [training(0.9, LOST), training(0.05, LOST, SCALED), training(0.2, SCALED), training(float("nan"))]
    assert ROW.findall(table(trainings, 0)) == [
        ("problem", "gradient vanishes", "2", "1"),
        ("note", "skip scaled", "2", "1"),
        ("", "no problem and no caution", "2", "2"),
    ]
    assert missed(trainings, 0) == "plain at 0.001: 2"
    assert missed(trainings[:2], 0) == "none"


def test_the_page_counts_all_trainings_and_bears_out_the_grades() -> None:
    text = PAGE.read_text(encoding="utf-8")
    count = len(list(product(KINDS, BLOCKS, RATES, SEEDS)))
    assert f"of {count}\ndid" in text
    for part in text.split("\n## ")[1:]:
        rows = {(grade, name): (int(runs), int(bad)) for grade, name, runs, bad in ROW.findall(part)}
        runs, bad = rows["problem", "gradient vanishes"]
        assert runs == bad
        shares = [bad / runs for (grade, _name), (runs, bad) in rows.items() if grade == "problem"]
        assert min(shares) > 0.85  # docs/xray.md: “at least six of seven”
        unwarned, unwarned_bad = rows["", "no problem and no caution"]
        assert 0 < unwarned_bad < unwarned / 4


@pytest.mark.exhaustive
@pytest.mark.parametrize(("kind", "finding", "is_bad"), [("plain", LOST, True), ("Pre-LN", None, False)])
def test_a_training_of_the_page_ends_as_it_did(kind: str, finding: tuple[str, str] | None, is_bad: bool) -> None:
    result = trained(kind, 24, 0.001, SEEDS[0])
    assert result.is_bad is is_bad
    assert len(result.findings) == 3
    assert result.warned(0) is bool(finding)
    assert finding is None or finding in result.findings[0]
