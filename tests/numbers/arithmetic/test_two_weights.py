"""The four steps of the worked example, with the numbers of the page and with torch's own gradients."""

import pytest
import torch

from sims.numbers.arithmetic.two_weights import value


@pytest.mark.parametrize(
    ("name", "step", "expected"),
    [
        ("output", 0, 1.0),
        ("second_gradient", 0, -0.8),
        ("first_gradient", 0, 0.0),
        ("second", 1, 0.4),
        ("first", 1, 0.8),
        ("output", 1, 1.32),
        ("loss", 1, 0.2312),
        ("second_gradient", 1, -0.544),
        ("first_gradient", 1, -0.272),
        ("second", 2, 0.672),
        ("first", 2, 0.936),
        ("output", 2, 1.628992),
        ("loss", 2, 0.0688235),
        ("output", 3, 1.896931),
        ("loss", 3, 0.0053116),
    ],
)
def test_g_17_the_smallest_zero_branch(name: str, step: int, expected: float) -> None:
    assert value(name=name, step=step) == pytest.approx(expected, abs=1e-5)


def test_the_steps_are_torchs() -> None:
    weights = torch.tensor([0.3, -0.7], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([weights], 0.1)
    for step in range(5):
        assert value(name="first", step=step, x=1.5, first=0.3, second=-0.7, rate=0.1) == pytest.approx(
            weights[0].item()
        )
        optimizer.zero_grad()
        (0.5 * (1.5 + weights[1] * weights[0] * 1.5 - 2) ** 2).backward()
        optimizer.step()
