"""A network by lot: what the frame tells before an answer, and what the X-ray tells apart."""

import base64
import json
from dataclasses import replace

import numpy as np
import pytest

from sims.contract.parameters import read
from sims.data.healthy import healthy_reports
from sims.instruments.networks.healthy_network import MEASURES as KEPT
from sims.instruments.networks.healthy_network import measured
from sims.instruments.networks.ill_run import BLOCKS, NETWORKS, IllRun, advance, begin, look
from sims.simulations.shortcuts.find_illness import (
    ANSWERS,
    HEALTHY,
    KIND,
    OPEN,
    SURVEY,
    FindIllness,
    drawn,
    failing_unwarned,
    kinds,
    opened,
    told_apart,
)


@pytest.fixture(scope="module")
def started() -> IllRun:
    return FindIllness().start()


def test_sixteen_seeds_in_a_row_draw_each_network_once() -> None:
    for pack in range(3):
        assert {drawn(16 * pack + place) for place in range(16)} == set(NETWORKS)
    assert len(NETWORKS) == 16
    assert [drawn(seed) for seed in range(16)] != [drawn(seed) for seed in range(16, 32)]


def test_every_kind_can_be_answered() -> None:
    assert set(ANSWERS.values()) == {OPEN, *KIND.values()}
    assert kinds() == len(ANSWERS) - 1


def test_nothing_names_the_network_before_an_answer(started: IllRun) -> None:
    simulation = FindIllness()
    frame = simulation.frame(started)
    words = " ".join([simulation.describe(frame), *vars(simulation.disclosure()).values(), frame.json(), frame.csv()])
    assert "detached" not in words
    assert frame.results["illness"] == frame.results["said"] == "not told yet"
    assert frame.results["verdict"] == "not answered"


def test_an_answer_uncovers_the_name_and_can_be_taken_back(started: IllRun) -> None:
    simulation = FindIllness(guess="detached")
    frame = simulation.frame(started)
    assert frame.results["verdict"] == "right"
    assert frame.results["illness"] == NETWORKS["detached"].name
    assert "detached (problem)" in str(frame.results["said"])
    assert NETWORKS["detached"].name in simulation.disclosure().network
    assert FindIllness(guess=HEALTHY).reread(frame).results["verdict"] == "wrong"
    assert FindIllness().reread(frame).results["illness"] == "not told yet"


def test_the_words_say_right_or_no_only_at_the_end(started: IllRun) -> None:
    simulation = FindIllness(guess="detached")
    frame = simulation.frame(started)
    assert "Right" not in simulation.describe(frame)
    assert "Your diagnosis is judged when the training has ended." in simulation.describe(frame)
    assert "diagnosis" not in FindIllness().describe(frame)
    finished = replace(frame, step=frame.steps)
    assert "Right: skips detached" in simulation.describe(finished)
    other = FindIllness(guess="plain")
    assert "No: skips detached" in other.describe(other.reread(finished))
    assert "Choose your diagnosis" in FindIllness().describe(FindIllness().reread(finished))


@pytest.mark.parametrize(
    ("network", "finding"),
    [
        ("plain", "gradient vanishes"),
        ("forgotten", "skip forgotten"),
        ("dead", "dead branch"),
        ("detached", "detached"),
        ("half", "half precision"),
        ("dropout", "dropout on skip"),
        ("shrunk", "skip scaled, factor below 1"),
        ("grown", "skip scaled, factor above 1"),
    ],
)
def test_some_are_named_before_the_first_step(network: str, finding: str) -> None:
    assert finding in [name for _grade, name in begin(network, 5).looks[0].findings]


def test_a_network_without_additions_has_the_gradients_of_its_matrices() -> None:
    first = begin("plain-he", 5).looks[0]
    assert first.additions == 0
    assert np.isnan(first.stream).all()
    assert (first.gradient > 0).all()


def test_the_block_without_its_skip_is_a_gap() -> None:
    first = begin("forgotten", 5).looks[0]
    assert first.additions == BLOCKS - 1
    assert np.flatnonzero(np.isnan(first.stream)).tolist() == [BLOCKS // 2]


def test_steps_in_two_pieces_are_the_same_and_the_state_stays() -> None:
    state = begin("dropout", 5)
    before = {name: weight.copy() for name, weight in state.weights.items()}
    whole, pieces = advance(state, 4), advance(advance(state, 2), 2)
    assert all((whole.weights[name] == pieces.weights[name]).all() for name in whole.weights)
    assert all((state.weights[name] == before[name]).all() for name in before)
    assert whole.step == 4


def test_lesions_are_measured_where_they_are_requested(started: IllRun) -> None:
    assert np.isnan(started.looks[0].lesion).all()
    assert np.isfinite(look(begin("pre", 5), with_lesions=True).lesion).all()


def test_hostile_values_are_refused() -> None:
    settings, notes = read(FindIllness, {"guess": "<script>", "network": "x" * 99, "seed": "-1e99"})
    assert settings == {"guess": OPEN, "network": "by-lot", "seed": 0}
    assert len(notes) == 3


def test_what_is_sealed_is_the_findings_of_each_look(started: IllRun) -> None:
    frame = FindIllness().frame(started)
    assert opened(frame) == [[("problem", "detached")]]
    assert json.loads(base64.b64decode(str(frame.results["sealed"]))) == [[["problem", "detached"]]]


def test_healthy_reports_are_of_three_depths() -> None:
    reports = healthy_reports()
    assert [report["additions"] for report in reports] == [6, 18, 48]
    assert all(len(report[name]) == report["additions"] for report in reports for name in KEPT)


@pytest.mark.exhaustive
def test_a_healthy_report_is_what_the_network_gives() -> None:
    kept, again = healthy_reports()[0], measured(6)
    for name in KEPT:
        assert again[name] == pytest.approx(kept[name], rel=0.2, abs=0.01)


@pytest.mark.exhaustive
def test_what_the_x_ray_tells_apart_in_ten_seeds() -> None:
    """The counts on the page; the seeds were used for nothing else."""
    assert len(SURVEY) == 10
    assert [len(told_apart(looks)) for looks in (1, 2, 3)] == [kinds()] * 3
    assert failing_unwarned(1) == f"{NETWORKS['plain-he'].name}; {NETWORKS['post'].name}"
    assert failing_unwarned(2) == failing_unwarned(3) == NETWORKS["plain-he"].name
