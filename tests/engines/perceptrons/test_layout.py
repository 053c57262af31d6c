"""The parameter vector: every number belongs to exactly one layer, gate or factor."""

import numpy as np
import pytest

from sims.engines.perceptrons.architecture import Architecture
from sims.engines.perceptrons.layout import make_layout

ARCHITECTURES = [
    Architecture(7, 12, norm="batch"),
    Architecture(8, 12, unit="two-layer", skip="highway", norm="post-layer"),
    Architecture(8, 12, unit="two-layer", skip="rezero"),
    Architecture(6, 12, skip="dense", growth=5),
    Architecture(2, 12, skip="none"),
]


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda architecture: architecture.skip + architecture.norm)
def test_every_number_has_one_place(architecture: Architecture) -> None:
    layout = make_layout(architecture, 5, 3)
    used = np.zeros(layout.size, int)
    for layer in (*layout.layers, *layout.gates):
        used[layer.weight : layer.weight + layer.rows * layer.columns] += 1
        if layer.bias >= 0:
            used[layer.bias : layer.bias + layer.rows] += 1
        assert layer.end == layer.weight + layer.rows * layer.columns + (layer.rows if layer.bias >= 0 else 0)
    used[layout.factors :] += 1
    assert (used == 1).all()


def test_layers_are_counted_from_stem_to_head() -> None:
    shapes = [
        (layer.rows, layer.columns) for layer in make_layout(Architecture(5, 12, skip="dense", growth=4), 7, 3).layers
    ]
    assert shapes == [(12, 7), (4, 12), (4, 16), (4, 20), (3, 24)]


def test_batch_norm_takes_the_place_of_the_bias() -> None:
    layers = make_layout(Architecture(5, 12, norm="batch"), 7, 3).layers
    assert [layer.bias < 0 for layer in layers] == [True, True, True, True, False]


def test_there_is_a_gate_or_a_factor_per_block() -> None:
    assert len(make_layout(Architecture(9, skip="highway"), 5, 3).gates) == 7
    rezero = make_layout(Architecture(9, skip="rezero"), 5, 3)
    assert rezero.size - rezero.factors == 7


def test_a_layer_reads_and_writes_its_own_numbers_in_one_vector_or_in_several() -> None:
    stem, *_, head = make_layout(Architecture(5, 12, norm="batch"), 7, 3).layers
    vectors = np.arange(2 * head.end).reshape(2, head.end)
    np.testing.assert_array_equal(stem.weights(vectors[0]), np.arange(12 * 7).reshape(12, 7))
    np.testing.assert_array_equal(head.weights(vectors)[1], head.weights(vectors[1]))
    np.testing.assert_array_equal(head.biases(vectors), vectors[:, -3:])
    assert stem.biases(vectors).shape == (2, 0)
    head.weights(vectors)[:], head.biases(vectors)[:] = -1, -2
    assert head.numbers(vectors).tolist() == [[-1] * 36 + [-2] * 3] * 2
    assert (vectors[:, : head.weight] >= 0).all()
