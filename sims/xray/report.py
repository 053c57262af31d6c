"""The report of an X-ray: what was found and measured, in every form that somebody may want. It needs no torch."""

import csv
import io
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any, Protocol

from sims.xray.about import SITE, XrayError
from sims.xray.additions import MEASURES, Addition, Contents, Finding, Stream, streams
from sims.xray.picture import fragment, page
from sims.xray.rules import judged
from sims.xray.saved import read, written
from sims.xray.table import Comparison, compared, text

FIELDS = (
    "number",
    "module",
    "call",
    "place",
    "made_by",
    "kind",
    "on_skip",
    "trunk",
    "stream_number",
    "shape",
    "factor",
    "pre_norm",
    "ends_in",
    "drops",
    *MEASURES,
)
"""Columns of tables, in CSV and in pandas"""


class Source(Protocol):
    """Where a report gets its contents while an X-ray is on, and its lesions afterwards"""

    def contents(self) -> Contents:
        """What has been measured so far."""

    def lesions(self, evaluate: Callable[[], Any]) -> tuple[float, list[float | None], list[str]]:
        """What `evaluate()` gives for the whole network, how much it rises without each branch (None where that is not
        known), and sentences on what went wrong. Raises XrayError if it returns no number."""


class Report:
    """What `xray` found. Inside of its `with` it is up to date whenever it is read; that waits for the device."""

    def __init__(self, contents: Contents | None = None, *, source: Source | None = None, site: str = "") -> None:
        self._contents, self._source, self._live = contents or Contents(), source, contents is None
        self.site = site or SITE
        """Put before the links of findings; empty if they are to stay relative"""

    def settle(self) -> None:
        """Take the last measurements; from now on the report does not change."""
        self._contents, self._live = self.contents, False

    @property
    def contents(self) -> Contents:
        """What has been measured so far; fixed once the report is settled."""
        return self._source.contents() if self._live and self._source else self._contents

    @property
    def additions(self) -> tuple[Addition, ...]:
        """The residual additions, in the order of the forward pass."""
        return self.contents.additions

    @property
    def streams(self) -> list[Stream]:
        """The stretches of the residual stream whose shape does not change."""
        return streams(self.additions)

    @property
    def opaque(self) -> Mapping[str, int]:
        """What could not be followed → how often it was met."""
        return self.contents.opaque

    @property
    def whole(self) -> float | None:
        """What the evaluation of `lesions` returned without a lesion; None before."""
        return self.contents.whole

    def lesions(self, evaluate: Callable[[], Any]) -> list[float | None]:
        """Return how much `evaluate()` rises without each branch, one number for each addition.

        `evaluate` runs the model and returns a number, such as a loss or an error. It runs once whole and once for each
        addition, without gradients, always on the same random numbers of torch; buffers are restored. At a sum whose
        branch is left out, the stream goes on as it came in; a norm after it and a factor on the skip stay. None is a
        lesion that ran out of memory, or whose sum was not reached, or whose module adds otherwise in the evaluation
        than in the X-ray; a remark says which. Raises XrayError for a report without its model, or if the evaluation
        returns no number.
        """
        if self._source is None:
            raise XrayError("Lesions need the model: this report was read from a file.")
        if self._live:
            raise XrayError("Lesions are measured after the X-ray: call this outside of its `with`.")
        whole, rises, remarks = self._source.lesions(evaluate)
        additions = self._contents.additions
        self._contents = replace(
            self._contents,
            additions=tuple(replace(a, lesion=rise) for a, rise in zip(additions, rises, strict=True)),
            remarks=(*self._contents.remarks, *remarks),
            whole=whole,
        )
        return rises

    def findings(self) -> list[Finding]:
        """What the measures say, problems first."""
        return judged(self.contents)

    def address(self, finding: Finding) -> str:
        """The link of a finding with the address of the site."""
        return self.site + finding.link if finding.link else ""

    def to_json(self) -> str:
        """The report as JSON, of version `SCHEMA`. It holds no weights and no data."""
        return written(self.contents, self.findings())

    @classmethod
    def from_json(cls, text: str | bytes) -> "Report":
        """Read what `to_json` wrote. Raises NotAReport, with a sentence that says what is wrong."""
        return cls(read(text))

    def to_csv(self) -> str:
        """A line for each addition."""
        out = io.StringIO()
        lines = csv.writer(out, lineterminator="\n")
        lines.writerow(FIELDS)
        for addition in self.additions:
            lines.writerow([_cell(getattr(addition, column)) for column in FIELDS])
        return out.getvalue()

    def to_pandas(self) -> Any:
        """A DataFrame with a row for each addition. Raises ImportError without pandas."""
        import pandas

        rows = [asdict(addition) for addition in self.additions]
        return pandas.DataFrame(rows, columns=list(FIELDS)).set_index("number")

    def scalars(self) -> dict[str, float]:
        """The finite numbers by name, such as "xray/h.3.mlp/ratio", for TensorBoard, W&B or anything else."""
        numbers = {
            f"xray/{addition.name}/{measure}": getattr(addition, measure)
            for addition in self.additions
            for measure in MEASURES
        }
        for stream in self.streams:
            numbers[f"xray/stream-{stream.number}/growth"] = stream.growth
            numbers[f"xray/stream-{stream.number}/gradient_ratio"] = stream.gradient_ratio
        return {name: value for name, value in numbers.items() if value is not None and math.isfinite(value)}

    def to_html(self, title: str = "") -> str:
        """One page with pictures over the depth, findings and the table, for a file that needs no server."""
        return page(self.contents, self.findings(), self.site, title)

    def __str__(self) -> str:
        return text(self.contents, self.findings(), self.site)

    def __repr__(self) -> str:
        return f"<Report of {self.contents.model or 'a network'}: {len(self.additions)} additions>"

    def _repr_html_(self) -> str:
        return fragment(self.contents, self.findings(), self.site)


def compare(report: Report, other: Report) -> Comparison:
    """Two reports side by side, such as before and after training; additions are matched by module, call and place.

    `str()` of the result is a table for a terminal.
    """
    return compared(report.contents, other.contents)


def _cell(value: Any) -> Any:
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return "" if value is None else value
