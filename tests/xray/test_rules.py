"""Broken networks raise their findings, healthy ones no problem and no caution, and every link leads to a figure."""

import ast
import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

import pytest
from torch import nn

from sims import registry
from sims.contract import address
from sims.contract.parameters import read
from sims.paths import CONTENT, ROOT
from sims.xray import Finding
from sims.xray.about import GRADES
from tests.xray.networks import BROKEN, HEALTHY, Case, Rooted, examined
from tools.xray_networks import Residual, plain


def cases(all_cases: tuple[Case, ...]) -> list:
    marks = {True: [pytest.mark.exhaustive], False: []}
    return [pytest.param(case, id=case.name, marks=marks[case.slow]) for case in all_cases]


@pytest.mark.parametrize("case", cases(BROKEN))
def test_a_broken_network_raises_its_findings(case: Case) -> None:
    findings = examined(case).findings()
    assert case.findings <= {finding.name for finding in findings}
    grades = [GRADES.index(finding.grade) for finding in findings]
    assert grades == sorted(grades)
    for finding in findings:
        leads_to_a_figure(finding)


@pytest.mark.parametrize("case", cases(HEALTHY))
def test_a_healthy_network_raises_neither_problem_nor_caution(case: Case) -> None:
    assert [finding for finding in examined(case).findings() if finding.grade != "note"] == []


@pytest.mark.parametrize("model", [lambda: Residual(12, pre=True, final=True), lambda: plain(20)])
def test_a_gradient_that_is_not_a_number_neither_vanishes_nor_explodes(model: Callable[[], nn.Module]) -> None:
    by_rules = examined(Case("NaN", lambda: Rooted(model()))).findings()
    assert [finding.name for finding in by_rules if finding.grade == "problem"] == ["gradient not finite"]
    assert "nan" not in " ".join(finding.words for finding in by_rules)


def test_every_finding_has_a_network_that_raises_it() -> None:
    source = (ROOT / "sims" / "xray" / "rules.py").read_text(encoding="utf-8")
    words = {node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)}
    raised = set().union(*(case.findings for case in BROKEN))
    elsewhere = {"incomplete", "opaque"}
    names = {
        call.args[0].value
        for call in ast.walk(ast.parse(source))
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "Finding" and isinstance(call.args[0], ast.Constant)
    }
    assert len(names) >= 18
    assert names - elsewhere <= raised
    assert {name for name in raised - names if name not in words} == {
        "dropout on skip", "linear on skip", "gradient vanishes", "gradient explodes"
    }  # fmt: skip


def test_there_are_enough_broken_networks() -> None:
    assert len(BROKEN) >= 25
    assert len({case.name for case in (*BROKEN, *HEALTHY)}) == len(BROKEN) + len(HEALTHY)


def leads_to_a_figure(finding: Finding) -> None:
    """A link names a page, a figure on it, and a state that the figure takes as it is."""
    if not finding.link:
        assert finding.name in ("incomplete", "opaque")
        return
    parts = urlsplit(finding.link)
    assert parts.fragment in figures(parts.path), finding.link
    settings = dict(parse_qsl(parts.query, strict_parsing=True))
    assert settings.pop("v", address.VERSION) == address.VERSION
    assert all(key.startswith(f"{parts.fragment}.") for key in settings)
    values = {key.partition(".")[2]: value for key, value in settings.items()}
    assert read(registry.find(parts.fragment), values)[1] == [], finding.link


def figures(page: str) -> set[str]:
    files = [*CONTENT.glob(f"chapters/*-{page}.md"), *CONTENT.glob(f"deep-dives/*-{page}.md")]
    files = [file for file in files if file.stem.partition("-")[2] == page]
    assert len(files) == 1, page
    return set(re.findall(r"^:+\{simulation\} (\w+)", files[0].read_text(encoding="utf-8"), re.MULTILINE))
