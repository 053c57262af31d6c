"""The worked examples of the page about scaling."""

import pytest
import torch

from sims.numbers.worked_examples.worked_scaling import bursting, fixup, growth, linear_growth, rezero, rooted, turned


def test_f_01_geometric_without_a_norm_and_a_root_with_one() -> None:
    """F-01: 4.96e4 over 400 blocks, and 97 at 96."""
    assert growth(alpha=1, blocks=400, start="default") == pytest.approx(4.96e4, rel=0.01)
    assert linear_growth(blocks=96) ** 2 == pytest.approx(97)


def test_a_stream_that_bursts_ends_at_the_largest_number() -> None:
    assert bursting(blocks=1000) == pytest.approx(0.44, abs=0.005)
    assert growth(alpha=bursting(blocks=300), blocks=300, start="full") == pytest.approx(3.4e38, rel=0.01)


@pytest.mark.parametrize(("blocks", "size"), [(12, 2.613), (48, 2.690), (96, 2.704)])
def test_f_05_one_over_the_root_stays_below_e(blocks: int, size: float) -> None:
    """F-05: for independent branches."""
    assert rooted(blocks=blocks) == pytest.approx(size, abs=5e-4)


def test_fixups_factor_at_fifty_blocks() -> None:
    """With two and with three layers in a branch."""
    assert fixup(branches=50, layers=2) == pytest.approx(0.141, abs=5e-4)
    assert fixup(branches=50, layers=3) == pytest.approx(0.376, abs=5e-4)


def test_a_branch_turns_deep_norms_state_by_fifteen_degrees() -> None:
    assert turned(layers=96) == pytest.approx(15, abs=0.1)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("alpha", (0, 0.4, 0.672, 0.846)),
        ("weight_gradient", (0, -0.272, -0.249, -0.087)),
        ("loss", (0.5, 0.231, 0.069, 0.005)),
    ],
)
def test_rezero_by_hand(name: str, values: tuple[float, ...]) -> None:
    """The first step moves only the factor."""
    assert [rezero(what=name, step=step) for step in range(4)] == pytest.approx(values, abs=6e-4)


@pytest.mark.parametrize("target", [2.0, -1.0])
def test_a_target_on_the_other_side_gives_a_negative_factor_as_autograd_says(target: float) -> None:
    """−x is reached with α below 0."""
    alpha, weight = (torch.tensor(start, dtype=torch.float64, requires_grad=True) for start in (0.0, 0.8))
    for step in range(5):
        assert rezero(what="alpha", step=step, target=target) == pytest.approx(alpha.item())
        loss = (1 + alpha * weight - target) ** 2 / 2
        by_alpha, by_weight = torch.autograd.grad(loss, (alpha, weight))
        assert rezero(what="weight_gradient", step=step, target=target) == pytest.approx(by_weight.item())
        with torch.no_grad():
            alpha -= 0.5 * by_alpha
            weight -= 0.5 * by_weight
    assert (alpha.item() < 0) == (target < 1)
