"""Whatever an X-ray is given: an error in a sentence before anything runs, or a finding, while the model goes on."""

from collections.abc import Callable, Sequence

import pytest
import torch
from torch import Tensor, distributed, nn
from torch._subclasses.fake_tensor import FakeTensorMode

from sims.xray import Finding, Report, watching, xray
from sims.xray.about import XrayError
from sims.xray.tracer import MOST_SUMS
from tests.xray.networks import points
from tools.xray_networks import Residual


def remarks(report: Report) -> str:
    return " ".join(finding.words for finding in report.findings() if finding.name in ("incomplete", "opaque"))


@pytest.mark.parametrize("model", [lambda x: x, None, "model", torch.zeros(2)])
def test_what_is_no_module_is_refused_before_anything_runs(model: object) -> None:
    with pytest.raises(XrayError, match=r"needs an nn\.Module.*this is a "), xray(model):  # type: ignore[arg-type]
        pytest.fail("it ran")


@pytest.mark.parametrize(("every", "first"), [(0, 1), (1, 0), (-3, 1)])
def test_passes_are_counted_from_one(every: int, first: int) -> None:
    with pytest.raises(XrayError, match="count passes from 1"), xray(nn.Linear(2, 2), every, first):
        pytest.fail("it ran")


def test_a_model_that_was_not_called() -> None:
    with xray(nn.Linear(2, 2)) as report:
        pass
    assert "No forward pass" in remarks(report)
    assert "plain" in {finding.name for finding in report.findings()}
    assert "No residual addition" in str(report)


def test_no_additions() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2))
    with xray(model) as report:
        model(torch.randn(3, 2)).sum().backward()
    assert [(finding.name, finding.grade) for finding in report.findings()] == [("plain", "note")]
    assert "2 matrices" in report.findings()[0].words


class Wayward(nn.Module):
    """Takes another path in its second call"""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two, self.calls = nn.Linear(4, 4), nn.Linear(4, 4), 0

    def forward(self, x: Tensor) -> Tensor:
        self.calls += 1
        if self.calls > 1:
            x = x + 1.0 * x
        return x + self.two(torch.relu(self.one(x)))


def test_different_paths_in_different_calls() -> None:
    model = Wayward()
    with xray(model) as report:
        for _ in range(2):
            model(torch.randn(3, 4)).sum().backward()
    assert "took another path than the one that was followed, in (model)" in remarks(report)


class Loop(nn.Module):
    """A recurrent network in plain Python"""

    def __init__(self) -> None:
        super().__init__()
        self.enter, self.again = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: Tensor) -> Tensor:
        h = torch.zeros(len(x), 4)
        for _ in range(MOST_SUMS + 50):
            h = h + 0.01 * torch.tanh(self.enter(x) + self.again(h))
        return h


def test_a_loop_over_time_is_examined_up_to_a_limit() -> None:
    model = Loop()
    with xray(model) as report, torch.no_grad():
        model(torch.randn(2, 4))
    assert f"only the first {MOST_SUMS} were examined" in remarks(report)
    assert len(report.additions) <= MOST_SUMS


class Steps(nn.Module):
    """A recurrent network whose cell is a module, called once for each step"""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self.cell, self.steps = Residual(1).blocks[0], steps

    def forward(self, h: Tensor) -> Tensor:
        for _ in range(self.steps):
            h = self.cell(h)
        return h


@pytest.mark.parametrize("more", [0, 50])
def test_a_cell_that_is_called_for_each_step_is_examined_up_to_a_limit(more: int) -> None:
    model = Steps(MOST_SUMS + more)
    with xray(model) as report:
        for _ in range(2):
            model(torch.randn(2, 64)).sum().backward()
    assert [addition.call for addition in report.additions] == list(range(MOST_SUMS))
    assert all(addition.gradient is not None for addition in report.additions)
    limit = f"Of the sums in cell, only the first {MOST_SUMS} were examined"
    assert (limit in remarks(report)) == bool(more)
    assert "another path" not in remarks(report)


def test_not_a_number_from_the_first_step_on() -> None:
    model, (x, _) = Residual(4), points()
    with torch.no_grad():
        model.stem.weight.fill_(torch.nan)
    with xray(model) as report:
        model(x).sum().backward()
    worst: Finding = report.findings()[0]
    assert (worst.name, worst.grade) == ("not finite", "problem")
    assert Report.from_json(report.to_json()).to_json() == report.to_json()
    assert "<svg" not in report.to_html() or "nan" not in report.to_html().split("<svg")[1].split("</svg>")[0]


class Odd(nn.Module):
    """Integers, complex numbers, sparse and empty tensors, and a stream of one number"""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.map = nn.Embedding(10, 4), nn.Linear(4, 4)

    def forward(self, ids: Tensor) -> Tensor:
        ids = ids + (ids * 0)
        x = self.table(ids)
        x = x + self.map(x)
        z = torch.fft.fft(x)
        x = x + torch.fft.ifft(z + z).real
        sparse = torch.eye(4).to_sparse()
        x = x + (sparse @ x.flatten(0, 1).T).T.view_as(x)
        empty = x[:0] + self.map(x[:0])
        one = x.mean()
        return x.sum() + empty.sum() + (one + one * 2)


def test_integers_complex_numbers_sparse_and_empty_tensors() -> None:
    torch.manual_seed(0)
    model, ids = Odd(), torch.randint(10, (2, 3))
    plain = model(ids)
    with xray(model) as report:
        loss = model(ids)
        loss.backward()
    assert torch.equal(loss, plain)
    assert report.additions[0].ratio is not None
    str(report), report.to_html(), report.to_json()


class Sparse(nn.Module):
    """Adds sparse tensors, which cannot be measured as others are"""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.eye(4))

    def forward(self, x: Tensor) -> Tensor:
        return (x + torch.sparse.mm(x, self.weight).to_sparse()).to_dense()


def test_what_cannot_be_measured_is_said_and_goes_on() -> None:
    model, x = Sparse(), torch.eye(4).to_sparse()
    plain = model(x)
    with xray(model) as report:
        assert torch.equal(model(x), plain)
    assert not report.additions or report.additions[0].ratio is None
    assert report.findings()


def test_tensors_without_values_stop_nothing() -> None:
    """On the meta device, as fake tensors and in torch.vmap, the additions are found and nothing is measured."""
    x = points()[0]

    def meta() -> Report:
        model = Residual(3).to("meta")
        with xray(model) as report:
            model(x.to("meta")).sum().backward()
            assert len(report.additions) == 3
        return report

    def fake() -> Report:
        with FakeTensorMode():
            model = Residual(3)
            with xray(model) as report:
                model(torch.randn(5, 20)).sum().backward()
        return report

    def mapped() -> Report:
        model = Residual(3)
        with torch.no_grad():
            plain = torch.vmap(lambda row: model(row))(x)
            with xray(model) as report:
                assert torch.equal(torch.vmap(lambda row: model(row))(x), plain)
        return report

    for run in (meta, fake, mapped):
        report = run()
        assert [row.ratio for row in report.additions] == [None] * 3
        assert "measures have no value that can be read" in remarks(report)
        assert Report.from_json(report.to_json()).to_json() == report.to_json()


def _raises_on_meta(error: Exception) -> None:
    model = Residual(3).to("meta")
    with xray(model):
        model(points()[0].to("meta"))
        raise error


def test_an_error_of_the_reader_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(KeyError, match="mine"):
        _raises_on_meta(KeyError("mine"))

    def fails(sums: object) -> list[int]:
        raise ZeroDivisionError("by the X-ray")

    monkeypatch.setattr(watching, "chained", fails)
    model = Residual(3)
    with pytest.raises(KeyError, match="mine"):
        _raises_on_meta(KeyError("mine"))
    with xray(model) as report:
        model(points()[0])
    assert "ZeroDivisionError: by the X-ray" in remarks(report)


@pytest.mark.filterwarnings("ignore:Lazy modules")
def test_lazy_modules() -> None:
    model = nn.Sequential(nn.LazyLinear(16), nn.Linear(16, 16), nn.LazyLinear(2))
    with xray(model) as report:
        pass
    assert "No forward pass" in remarks(report)
    with xray(model) as report:
        model(points()[0]).sum().backward()
    assert remarks(report) == ""
    assert len(report.contents.weights) == 1  # the others got their shape too late


class ComplexAlpha(nn.Module):
    """Multiplies what it adds by i"""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.eye(4, dtype=torch.complex64))

    def forward(self, z: Tensor) -> Tensor:
        return torch.add(z, z @ self.weight, alpha=1j)


def test_a_complex_factor_stops_nothing() -> None:
    model, z = ComplexAlpha(), torch.randn(3, 4, dtype=torch.complex64)
    with xray(model) as report:
        assert torch.equal(model(z), torch.add(z, z, alpha=1j))
    assert report.additions == ()


@pytest.mark.filterwarnings("ignore")
def test_scripted_modules_are_listed() -> None:
    model = nn.Sequential(nn.Linear(4, 4), torch.jit.script(nn.Sequential(nn.Linear(4, 4), nn.ReLU())))
    with xray(model) as report:
        model(torch.randn(3, 4)).sum().backward()
    assert "1 (torch.jit)" in remarks(report)


def test_a_report_is_up_to_date_inside_and_stays_afterwards() -> None:
    model, (x, _) = Residual(3), points()
    with xray(model, site="https://example.org/") as report:
        assert report.additions == ()
        model(x).sum().backward()
        inside = report.additions
        assert len(inside) == 3
    assert report.additions == inside
    model(2 * x).sum().backward()
    assert report.additions == inside
    finding = report.findings()[0] if report.findings() else Finding("", "note", "", "page#figure")
    assert report.address(finding).startswith("https://example.org/")


def _step_through(wrap: Callable[[nn.Module], nn.Module]) -> tuple[Report, list[Tensor | None], Sequence[float | None]]:
    """An X-ray of one step through a wrapped model, the step's gradients, and the lesions"""
    torch.manual_seed(0)
    model, (x, labels) = Residual(3), points()
    wrapped = wrap(model)

    def loss() -> Tensor:
        return nn.functional.cross_entropy(wrapped(x), labels)

    with xray(wrapped) as report:
        loss().backward()
    return report, [parameter.grad for parameter in model.parameters()], report.lesions(loss)


def test_one_process_of_a_distributed_training() -> None:
    distributed.init_process_group("gloo", store=distributed.HashStore(), rank=0, world_size=1)
    try:
        within, gradients_within, lesions_within = _step_through(nn.parallel.DistributedDataParallel)
    finally:
        distributed.destroy_process_group()
    alone, gradients, lesions = _step_through(lambda model: model)
    assert [row.module for row in within.additions] == [f"module.{row.module}" for row in alone.additions]
    for measure in ("stream", "branch", "ratio", "gradient"):
        values = [[getattr(row, measure) for row in report.additions] for report in (within, alone)]
        assert values[0] == values[1]
        assert all(values[0])
    assert all(torch.equal(*pair) for pair in zip(gradients_within, gradients, strict=True))
    assert lesions_within == lesions
    assert all(lesions)
