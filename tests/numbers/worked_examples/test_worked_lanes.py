"""The worked examples of lanes and of looking back, against numbers found by hand and against PyTorch."""

import numpy as np
import pytest
import torch

from sims.numbers.worked_examples.worked_lanes import lookback, second, sinkhorn


def test_sinkhorn_by_hand() -> None:
    assert sinkhorn(1, 2, "exponentials") == "[1.000, 2.718; 7.389, 1.000]"
    assert sinkhorn(1, 2, "rows") == "[0.269, 0.731; 0.881, 0.119]"
    assert sinkhorn(1, 2, "columns") == "[0.234, 0.860; 0.766, 0.140]"
    assert sinkhorn(1, 2, "limit") == "[0.182, 0.818; 0.818, 0.182]"
    with pytest.raises(KeyError):
        sinkhorn(1, 2, "nothing")


def test_the_second_singular_value_is_what_is_left_of_the_difference() -> None:
    assert second(1, 2) == pytest.approx(0.635, abs=5e-4)
    assert second(1, 2, 60) == pytest.approx(float(second(1, 2)) ** 60)
    assert second(1, 2, 60) < 1e-11
    limit = np.array([[0.1824, 0.8176], [0.8176, 0.1824]])
    power = np.linalg.matrix_power(limit, 60)
    assert power == pytest.approx(np.full((2, 2), 0.5), abs=1e-6)


@pytest.mark.parametrize("query", [-0.7, 0.0, 0.4, 2.0])
def test_looking_back_is_a_softmax(query: float) -> None:
    outputs = torch.tensor([1.0, 2.0, 6.0], dtype=torch.float64)
    weights = (query * outputs).softmax(0)
    assert lookback(query) == pytest.approx(float(weights @ outputs))
    assert lookback(query, what="last") == pytest.approx(float(weights[2]))
    assert lookback(query, what="first") == pytest.approx(float(weights[0]))


def test_a_query_of_zero_is_the_mean_of_3_and_the_sum_is_9() -> None:
    assert lookback(0.0) == pytest.approx(3)
    assert lookback(0.0, what="sum") == pytest.approx(9)
