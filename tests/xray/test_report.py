"""Every form of a report says the same."""

import csv
import io
import subprocess
import sys
from html.parser import HTMLParser

import pytest
import torch

from sims.paths import ROOT
from sims.xray import Addition, Report, compare, xray
from sims.xray.additions import MEASURES
from sims.xray.report import FIELDS
from tests.xray.networks import Transformer, step_of
from tools.xray_networks import Residual


def of(model: torch.nn.Module, lesions: bool = False) -> Report:
    step = model if isinstance(model, Transformer) else step_of(model)
    with xray(model) as report:
        step().backward()
    if lesions:
        report.lesions(step)
    return report


@pytest.fixture(scope="module")
def report() -> Report:
    torch.manual_seed(0)
    return of(Residual(5, pre=True, bent=True), lesions=True)


def test_the_table_has_a_line_for_each_addition_and_each_finding(report: Report) -> None:
    lines = str(report).splitlines()
    assert [line for line in lines if line.startswith("  0 blocks.0 ")]
    assert len([line for line in lines if line[:3].strip().isdigit()]) == 5
    for finding in report.findings():
        assert f"[{finding.grade}] {finding.name}: {finding.words}" in str(report)
    assert "lesion" in lines[0]
    assert repr(report) == "<Report of Residual: 5 additions>"


def test_csv_and_pandas_have_the_numbers_of_the_additions(report: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(report.to_csv())))
    assert [float(row["ratio"]) for row in rows] == [addition.ratio for addition in report.additions]
    frame = report.to_pandas()
    assert list(frame["ratio"]) == [addition.ratio for addition in report.additions]
    assert set(FIELDS) | {"read_by"} == {*Addition.__dataclass_fields__}
    assert set(MEASURES) < set(FIELDS)


def test_scalars_are_named_for_their_place(report: Report) -> None:
    scalars = report.scalars()
    assert scalars["xray/blocks.3/ratio"] == report.additions[3].ratio
    assert scalars["xray/stream-0/growth"] == report.streams[0].growth
    assert all(isinstance(value, float) for value in scalars.values())


def test_a_stream_knows_its_growth_and_what_right_angles_would_give() -> None:
    torch.manual_seed(0)
    stream = of(Residual(60, pre=True, final=True)).streams[0]
    first, last = stream.additions[0], stream.additions[-1]
    assert stream.growth == last.sum / first.stream
    assert stream.growth == pytest.approx(stream.uncorrelated, rel=0.2)
    assert stream.gradient_ratio == first.gradient / last.gradient
    assert not stream.normed
    assert of(Residual(8, post=True)).streams[0].normed


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


def test_html_is_one_file_with_a_picture_for_each_measure(report: Report) -> None:
    page = Page(report.to_html("Mine & yours"))
    assert page.tags.count("svg") == 5
    assert page.tags.count("tr") == 6
    assert {"script", "link", "img", "iframe"}.isdisjoint(page.tags)
    assert page.links == []
    assert "<title>Mine &amp; yours</title>" in report.to_html("Mine & yours")
    assert "http" not in report.to_html()
    report.site = "https://example.org/"
    assert Page(report.to_html()).links == [report.address(finding) for finding in report.findings()]
    report.site = ""
    assert Page(report._repr_html_()).tags[0] == "div"


def test_html_without_lesions_and_without_additions() -> None:
    assert Page(of(Residual(2)).to_html()).tags.count("svg") == 4
    empty = Report()
    assert Page(empty.to_html()).tags.count("svg") == 0
    assert "No residual addition" in str(empty)
    assert empty.to_csv().count("\n") == 1
    assert len(empty.to_pandas()) == 0
    assert Report.from_json(empty.to_json()).additions == ()


def test_two_reports_are_compared_addition_by_addition() -> None:
    torch.manual_seed(0)
    one, other = of(Residual(3)), of(Residual(5))
    comparison = compare(one, other)
    assert [pair.name for pair in comparison.pairs] == ["blocks.0", "blocks.1", "blocks.2"]
    assert comparison.pairs[1].other is other.additions[1]
    assert comparison.only_one == ()
    assert [addition.module for addition in comparison.only_other] == ["blocks.3", "blocks.4"]
    assert "Only in the second: blocks.3, blocks.4" in str(comparison)
    assert f"{one.additions[0].ratio:.3g} → {other.additions[0].ratio:.3g}" in str(comparison)
    assert "no addition in common" in str(compare(one, Report()))


def test_reading_a_report_and_drawing_it_loads_no_torch(report: Report) -> None:
    code = (
        "import sys; from sims.xray import Report; report = Report.from_json(sys.stdin.read());"
        "report.to_html(), report.findings(), str(report), report.to_csv(); print('torch' in sys.modules)"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], input=report.to_json(), cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert answer.stdout.strip() == "False"


def test_an_unknown_name_of_the_room_is_an_attribute_error() -> None:
    import sims.xray as room

    with pytest.raises(AttributeError, match="nothing"):
        room.nothing  # noqa: B018
