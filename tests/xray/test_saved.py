"""Reports come back from JSON as they were; what is no report is refused in a sentence."""

import json
from copy import deepcopy
from typing import Any

import pytest
import torch

from sims.xray import Report, xray
from sims.xray.about import SCHEMA, NotAReport
from sims.xray.saved import LARGEST_FILE, MOST_ENTRIES
from tests.xray.networks import step_of
from tools.xray_networks import Residual


@pytest.fixture(scope="module")
def text() -> str:
    torch.manual_seed(0)
    model = Residual(5, skip=0.9)
    step = step_of(model)
    with xray(model) as report:
        step().backward()
    report.lesions(step)
    return report.to_json()


def test_a_report_comes_back_as_it_was(text: str) -> None:
    report = Report.from_json(text)
    assert report.to_json() == text
    assert Report.from_json(text.encode()).to_json() == text
    values = json.loads(text)
    assert values["schema"] == SCHEMA
    assert [stream["additions"] for stream in values["streams"]] == [[0, 1, 2, 3, 4]]
    assert report.whole == values["whole"]
    assert report.additions[2].lesion == values["additions"][2]["lesion"]
    assert [finding.name for finding in report.findings()] == [finding["name"] for finding in values["findings"]]


def test_it_holds_no_weights_and_no_data(text: str) -> None:
    values = json.loads(text)
    assert set(values["weights"][0]) == {"name", "shape", "gradient"}
    assert len(text) < 20_000


def test_numbers_that_json_does_not_have(text: str) -> None:
    values = json.loads(text)
    values["additions"][0]["sum"], values["additions"][1]["sum"], values["additions"][2]["sum"] = "nan", "inf", "-inf"
    again = json.loads(Report.from_json(json.dumps(values)).to_json())
    assert [addition["sum"] for addition in again["additions"][:3]] == ["nan", "inf", "-inf"]


BROKEN_TEXTS = {
    "": "is not JSON",
    "hello": "is not JSON",
    "[1, 2]": "does not name its schema",
    "{}": "does not name its schema",
    '{"schema": 99}': "version '99'",
    '{"schema": true}': "version 'True'",
    '{"schema": 1}': "'additions' is missing",
    '{"schema": NaN}': "NaN is no JSON",
    "[" * 100_000: "is not JSON",
    "\ud800": "is not JSON",
}


@pytest.mark.parametrize("broken", BROKEN_TEXTS, ids=lambda broken: broken[:12])
def test_what_is_no_report_is_refused(broken: str) -> None:
    with pytest.raises(NotAReport, match=BROKEN_TEXTS[broken]):
        Report.from_json(broken)


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(NotAReport, match="is not JSON"):
        Report.from_json(b"\xff\xfe\x00\x80")


def test_a_file_that_is_too_large_is_not_read() -> None:
    with pytest.raises(NotAReport, match="a report has at most"):
        Report.from_json(" " * (LARGEST_FILE + 1))


CHANGES: list[tuple[tuple[Any, ...], Any, str]] = [
    (("more",), 1, "'more' is unknown"),
    (("additions",), {}, "additions is no list"),
    (("additions",), [0] * (MOST_ENTRIES + 1), "additions is no list of at most"),
    (("additions", 0), 5, r"additions\[0\] is no object"),
    (("additions", 1, "stream"), "large", r"additions\[1\]\.stream is no number"),
    (("additions", 1, "stream"), True, r"additions\[1\]\.stream is no number"),
    (("additions", 1, "stream"), 10**400, r"additions\[1\]\.stream is no number"),
    (("additions", 1, "number"), 7, "not numbered from 0"),
    (("additions", 1, "kind"), "<script>", "which is none of"),
    (("additions", 1, "module"), 3, r"additions\[1\]\.module is no text"),
    (("additions", 1, "module"), "a\nb", r"additions\[1\]\.module is no text"),
    (("additions", 1, "module"), "x" * 1000, r"additions\[1\]\.module is no text"),
    (("additions", 1, "shape"), [-1], r"additions\[1\]\.shape is no whole number"),
    (("additions", 1, "drops"), 1, r"additions\[1\]\.drops is neither"),
    (("additions", 1, "sudo"), 1, "'sudo' is unknown"),
    (("opaque",), [], "opaque is no table"),
    (("opaque",), {"a": "b"}, "opaque.a is no whole number"),
    (("passes",), -1, "passes is no whole number"),
    (("whole",), [], "whole is no number"),
    (("weights", 0, "gradient"), None, r"weights\[0\]\.gradient is no number"),
    (("findings",), None, "findings is no list"),
]


@pytest.mark.parametrize(("place", "value", "words"), CHANGES, ids=[f"{place}" for place, _, _ in CHANGES])
def test_every_wrong_value_is_named(text: str, place: tuple[Any, ...], value: Any, words: str) -> None:
    values = deepcopy(json.loads(text))
    inside = values
    for step in place[:-1]:
        inside = inside[step]
    inside[place[-1]] = value
    with pytest.raises(NotAReport, match=words):
        Report.from_json(json.dumps(values))


@pytest.mark.parametrize("key", ["additions", "weights", "findings", "blocks", "torch"])
def test_every_missing_key_is_named(text: str, key: str) -> None:
    values = json.loads(text)
    del values[key]
    with pytest.raises(NotAReport, match=f"'{key}' is missing"):
        Report.from_json(json.dumps(values))


def test_findings_of_a_file_are_not_taken_from_it(text: str) -> None:
    values = json.loads(text)
    values["findings"] = [{"name": "x", "grade": "problem", "words": "pay me", "link": "https://evil.example"}]
    assert "pay me" not in str(Report.from_json(json.dumps(values)))


def test_markup_in_a_file_is_text_on_a_page(text: str) -> None:
    values = json.loads(text)
    values["additions"][0]["module"] = values["model"] = "<img src=x onerror=alert(1)>"
    page = Report.from_json(json.dumps(values)).to_html()
    assert "<img" not in page
    assert "&lt;img src=x" in page
