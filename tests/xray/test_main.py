"""The command: its output, its exit status, and a sentence for every wrong use."""

import json
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from sims.paths import ROOT
from sims.xray import Report
from sims.xray.__main__ import main

HEALTHY = """
import torch
from torch import nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.mlp = nn.LayerNorm(8), nn.Sequential(nn.Linear(8, 8), nn.GELU(), nn.Linear(8, 8))

    def forward(self, x):
        return x + self.mlp(self.norm(x))

def build():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), Block(), Block(), Block(), Block(), nn.LayerNorm(8), nn.Linear(8, 2))
    x, y = torch.randn(16, 4), torch.randint(2, (16,))
    return model, lambda: nn.functional.cross_entropy(model(x), y)

def broken():
    model, step = build()
    model[2].mlp[0].weight.data.fill_(torch.nan)
    return model, step

def alone():
    return build()[0]

def numbers():
    return 1, 2

def fails():
    return {}["missing"]

def falls():
    model, _ = build()
    return model, lambda: model(torch.randn(2, 3))

def prints():
    print("12 parameters")
    model, step = build()

    def said():
        print("step 1")
        return step()

    return model, said

def stops():
    raise SystemExit(0)

def stops_in_the_step():
    return build()[0], stops

def parses():
    import argparse

    parser = argparse.ArgumentParser()
    parser.add_argument("--rate")
    parser.parse_args(["what"])

def another():
    return build()[0], build()[1]

value = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(HEALTHY)
    return path


def test_a_healthy_network_prints_its_table(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"{file}:build"]) == 0
    assert len([line for line in capsys.readouterr().out.splitlines() if line[:3].strip().isdigit()]) == 4
    assert main([str(file), "--lesions"]) == 0
    assert "lesion" in capsys.readouterr().out.splitlines()[0]


def test_json_csv_and_html(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main([f"{file}:build", "--json", "--html", str(page)]) == 0
    report = Report.from_json(capsys.readouterr().out)
    assert len(report.additions) == 4
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert main([f"{file}:build", "--csv"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5


def test_a_problem_is_status_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"{file}:broken", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["name"] == "not finite"


def test_the_report_is_printed_in_an_encoding_without_arrows(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(terminal, encoding="cp1252"))
    assert main([f"{file}:broken"]) == 1
    sys.stdout.flush()
    assert " ? " in terminal.getvalue().decode("cp1252")


@pytest.mark.parametrize("options", [[], ["--lesions"]])
def test_what_the_model_prints_is_not_in_the_output(
    options: list[str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([f"{file}:prints", "--json", *options]) == 0
    said = capsys.readouterr()
    assert len(Report.from_json(said.out).additions) == 4
    assert said.err.startswith("12 parameters\nstep 1\n")


def test_a_file_that_reads_the_arguments_itself(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([f"{file}:parses"]) == 2
    assert "mine.py:parses cannot be built: SystemExit: 2 (argparse.py" in capsys.readouterr().err


WRONG = {
    "nothing.py": "there is no Python file 'nothing.py'",
    "{file}:missing": "has no function 'missing'",
    "{file}:value": "has no function 'value'",
    "{file}:alone": "returns a model and a step; this one returned a Sequential",
    "{file}:numbers": "these are int and int",
    "{file}:fails": r"cannot be built: KeyError: 'missing' \(mine.py, line",
    "{file}:falls": "the step failed: RuntimeError: mat1 and mat2",
    "{file}:stops": r"cannot be built: SystemExit: 0 \(mine.py, line",
    "{file}:stops_in_the_step": r"the step failed: SystemExit: 0 \(mine.py, line",
    "{file}:another": "no forward pass of the model was seen",
    "{file}:build --html {file}/page.html": "cannot be written",
}


@pytest.mark.parametrize("arguments", WRONG)
def test_wrong_use_is_status_two_and_one_sentence(
    arguments: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.format(file=file).split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.splitlines()) == 1
    with pytest.raises(AssertionError, match=WRONG[arguments]):
        raise AssertionError(said.err)


@pytest.mark.parametrize("arguments", [[], ["a.py", "b.py"], ["a.py", "--what"], ["a.py", "--json", "--csv"]])
def test_unknown_options_are_status_two_and_one_sentence(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    assert exit_info.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_file_that_cannot_be_read_as_python(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "odd.py"
    path.write_text("def (")
    assert main([str(path)]) == 2
    assert "SyntaxError" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_the_command_itself(file: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "sims.xray", f"{file}:broken"], cwd=ROOT, capture_output=True, text=True
    )
    assert answer.returncode == 1
    assert "not finite" in answer.stdout
