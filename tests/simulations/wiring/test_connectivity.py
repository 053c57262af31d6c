"""What each block reads and what comes back to it, for every way to join."""

import numpy as np
import pytest

from sims.contract.frame import Frame
from sims.contract.wording import percent
from sims.instruments.networks.removed_blocks import errors_without
from sims.simulations.wiring.connectivity import SKIPS, WIDTH, Connectivity


def shown(join: str, **settings: object) -> Frame:
    """Before training."""
    simulation = Connectivity(join=join, **settings)
    return simulation.frame(simulation.start())


def test_g_21_concatenation_itself_has_no_weights_and_its_readers_have_more() -> None:
    plain, dense = shown("plain"), shown("concatenate", growth=8)
    reads, makes = dense["reads"], dense["makes"]
    assert reads.tolist() == [WIDTH + 8 * block for block in range(6)]
    assert dense["parameters"].tolist() == (reads * makes + makes).tolist()
    assert plain["parameters"].tolist() == [WIDTH * WIDTH + WIDTH] * 6
    assert dense["parameters"][0] == plain["parameters"][0]


def test_g_21_what_is_stacked_comes_in_pieces_of_the_growth() -> None:
    dense = shown("concatenate", growth=3)
    last = (dense["target"] == 6) & (dense["route"] == "branch")
    assert dense["features"][last].tolist() == [WIDTH, 3, 3, 3, 3, 3]
    assert dense["source"][last].tolist() == list(range(6))


def test_g_20_only_the_gate_can_close_the_route() -> None:
    added, shut, opened = shown("add"), *(shown("gate", gate_bias=b) for b in (-4.0, 2.0))
    assert added["by_skip"][:-1] == pytest.approx(added["stream"][1:], rel=1e-12)
    assert np.all(shut["by_carry"][:-1] > 0.9 * shut["stream"][1:])
    assert np.all(opened["by_carry"][:-1] < 0.5 * opened["stream"][1:])


@pytest.mark.parametrize("join", SKIPS)
def test_switching_a_block_off_is_described_and_a_missing_block_means_the_last(join: str) -> None:
    simulation = Connectivity(join=join, blocks=4)
    state = simulation.advance(simulation.start(), 100)
    frame = simulation.frame(state)
    assert "switched off" not in simulation.describe(frame)
    assert frame["error_without"].tolist() == errors_without(state, [[0], [1], [2], [3]])[:, 0].tolist()
    for off in (4, 12):
        simulation.off = off
        ending = f"{percent(frame['error_without'][3])} with block 4 switched off."
        assert simulation.describe(frame).endswith(ending)
        for key, values in simulation.frame(state).quantities.items():
            assert np.array_equal(values.values, frame[key], equal_nan=values.values.dtype.kind == "f"), key


def test_training_lowers_the_loss_and_untrained_gates_are_at_their_bias() -> None:
    assert Connectivity(join="gate").compute().results["loss"] < 0.9 * shown("gate").results["loss"]
    assert shown("gate", gate_bias=-4.0)["openings"].mean() < 0.1
