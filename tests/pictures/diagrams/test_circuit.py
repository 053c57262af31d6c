"""The circuit draws what the block is, shows numbers no sooner than they are there, and can be held by the hand."""

from typing import Any

import pytest

from app.pictures.diagrams.circuit import Circuit, brief
from app.pictures.diagrams.circuit_plan import END, INPUT, PLUS, ROWS, weight_place
from sims.simulations.shortcuts.dataflow import Dataflow


def drawn(**settings: Any) -> tuple[Circuit, Dataflow, list[tuple[str, Any]]]:
    simulation, heard = Dataflow(**settings), []
    circuit = Circuit("A block", simulation, lambda name, value: heard.append((name, value)))
    circuit.show(simulation.compute())
    return circuit, simulation, heard


def texts(circuit: Circuit, kind: str) -> list[str]:
    return circuit._texts[kind].seen("text")


def test_numbers_come_one_moment_after_the_other() -> None:
    circuit, simulation, _ = drawn()
    counts = []
    for moment in range(8):
        simulation.moment = moment
        circuit.show(simulation.compute())
        counts.append([len(texts(circuit, kind)) for kind in ("numbers", "gradients", "weight gradients")])
    assert counts == [[2, 0, 0], [4, 0, 0], [6, 0, 0], [8, 0, 0], [8, 2, 0], [8, 4, 0], [8, 6, 4], [8, 8, 4]]


def test_the_numbers_are_those_of_the_frame() -> None:
    circuit, simulation, _ = drawn(moment=7)
    frame = simulation.compute()
    assert texts(circuit, "numbers")[-2:] == [brief(value) for value in frame["output"]]
    assert texts(circuit, "gradients")[-2:] == [f"∂ {brief(value)}" for value in frame["input_gradient"]]


@pytest.mark.parametrize(("wiring", "arcs"), [("plain", 0), ("residual", 2)])
def test_a_skip_for_every_number_or_none(wiring: str, arcs: int) -> None:
    circuit = drawn(wiring=wiring)[0]
    assert len(circuit._arcs.source.data["x0"]) == arcs
    assert [ring.visible for ring in circuit._rings.values()] == [wiring == "plain", wiring == "residual"]


@pytest.mark.parametrize("moment", [3, 5, 7])
def test_only_the_skips_of_a_residual_block_move(moment: int) -> None:
    assert len(drawn(moment=moment)[0]._moving_arcs.seen("x0")) == 2
    assert len(drawn(moment=moment, wiring="plain")[0]._moving_arcs.seen("x0")) == 0


@pytest.mark.parametrize("wiring", ["plain", "residual"])
def test_all_moments_lie_in_the_sources_whichever_is_shown(wiring: str) -> None:
    """So that a page can play them without its server: only what is seen differs."""
    one, other = (drawn(moment=moment, wiring=wiring)[0] for moment in (0, 7))
    for before, after in zip(sources(one), sources(other), strict=True):
        assert {**before.data, "alpha": 0} == {**after.data, "alpha": 0}
    assert (one._now.data["moment"], other._now.data["moment"]) == ([0], [7])


def sources(circuit: Circuit) -> list[Any]:
    tag_data: Any = next(tag["play"] for tag in circuit.figure.tags if isinstance(tag, dict))
    return [*tag_data["timed"], *tag_data["arriving"], *tag_data["travelers"]]


def test_what_happens_is_said_at_each_moment() -> None:
    sentences = [texts(drawn(moment=moment)[0], "said") for moment in range(8)]
    assert [len(lines) for lines in sentences] == [1] * 8
    assert sentences[5] == ["5: the plus sign copies it"]


@pytest.mark.parametrize(("wiring", "travelers"), [("plain", 0), ("residual", 12)])
def test_numbers_travel_on_the_skip_while_the_branch_computes(wiring: str, travelers: int) -> None:
    data: Any = drawn(wiring=wiring)[0]._dots["residual"].source.data
    assert len(data["moment"]) == travelers
    assert set(data["moment"]) == ({1, 2, 3, 5, 6, 7} if travelers else set())
    assert set(data["alpha"]) <= {0.0}


def test_a_dot_passes_under_the_nodes_and_covers_no_number() -> None:
    circuit, _, _ = drawn()
    order = [renderer.data_source for renderer in circuit.figure.renderers]
    dots = [order.index(dots.source) for dots in circuit._dots.values()]
    nodes = [order.index(source) for source in (circuit._circles, circuit._plus, circuit._texts["numbers"].source)]
    assert max(dots) < min(nodes)


def test_a_drag_moves_the_nearest_number_in_steps_within_its_bounds() -> None:
    circuit, _, heard = drawn()
    circuit._throttle._seconds = 0
    circuit._hold(INPUT + 0.1, ROWS[0])
    circuit._drag(ROWS[0] + 0.5)
    circuit._drag(ROWS[0] + 99)
    assert heard == [("x1", 0.9), ("x1", 2)]
    circuit._hold(*weight_place("w21"))
    circuit._drag(weight_place("w21")[1] - 0.25)
    assert heard[-1] == ("w21", pytest.approx(0.1))


def test_between_the_numbers_there_is_nothing_to_hold() -> None:
    circuit, _, heard = drawn()
    for x, y in ((3.3, 3.25), (None, None), ("a", 1.0)):
        circuit._hold(x, y)
        circuit._drag(9.0)
    circuit._hold(INPUT, ROWS[0])
    circuit._release()
    circuit._drag(9.0)
    assert heard == []


def test_a_click_takes_the_plus_sign_out_and_changes_the_last_operation() -> None:
    circuit, _, heard = drawn()
    circuit._tap(PLUS, ROWS[1])
    circuit._tap(END, ROWS[0])
    circuit._tap(END, ROWS[0] + 2)
    circuit._tap(None, 1.0)
    assert heard == [("wiring", "plain"), ("ending", "relu")]


@pytest.mark.parametrize(("value", "words"), [(0.5, "0.50"), (-0.3, "−0.30"), (-0.0, "0.00"), (12.34, "12.3")])
def test_a_number_fits_into_its_circle(value: float, words: str) -> None:
    assert brief(value) == words
