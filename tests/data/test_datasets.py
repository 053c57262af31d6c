"""Datasets: the facts that their sentences state, and that every process makes the same ones."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from sims.data import datasets
from sims.data.datasets import Dataset, Source, source

MADE = [name for name in datasets.MAKERS if name != "own"]


@pytest.mark.parametrize("name", MADE)
def test_every_dataset_is_complete_and_fixed(name: str) -> None:
    dataset = source(name).load()
    assert dataset.train_inputs.dtype == dataset.test_inputs.dtype == np.float32
    assert dataset.train_labels.dtype == dataset.test_labels.dtype == np.int64
    for inputs, labels in ((dataset.train_inputs, dataset.train_labels), (dataset.test_inputs, dataset.test_labels)):
        assert inputs.shape == (len(labels), dataset.features)
        assert np.isfinite(inputs).all()
        assert set(labels.tolist()) == set(range(dataset.classes))
        with pytest.raises(ValueError, match="read-only"):
            inputs[0, 0] = 1
    again = datasets.MAKERS[name]()
    np.testing.assert_array_equal(dataset.train_inputs, again.train_inputs)
    np.testing.assert_array_equal(dataset.test_labels, again.test_labels)


@pytest.mark.parametrize("name", MADE)
def test_no_test_point_is_a_training_point(name: str) -> None:
    dataset = source(name).load()
    train, test = ({point.tobytes() for point in part} for part in (dataset.train_inputs, dataset.test_inputs))
    assert not train & test


def test_a_source_is_the_same_whatever_the_order_of_its_arguments() -> None:
    assert source("spirals", turns=2, noise=0.1) == source("spirals", noise=0.1, turns=2)
    assert source("spirals", turns=2).load() is source("spirals", turns=2).load()
    assert source("spirals", turns=2).load() is not source("spirals").load()


def test_an_unknown_dataset_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="no dataset named 'mnist'; there are digits, "):
        Source("mnist").load()


def test_digits_are_those_of_scikit_learn() -> None:
    pixels, labels = datasets.digit_images()
    expected = load_digits()
    np.testing.assert_array_equal(pixels, expected.images)
    np.testing.assert_array_equal(labels, expected.target)


def test_digits_keep_every_fifth_image_for_the_test() -> None:
    dataset, (pixels, labels) = datasets.digits(), datasets.digit_images()
    assert (len(dataset.train_labels), len(dataset.test_labels)) == (1438, 359)
    np.testing.assert_array_equal(dataset.test_labels, labels[4::5])
    assert dataset.train_inputs.mean() == pytest.approx(0, abs=1e-6)
    assert dataset.train_inputs.std() == pytest.approx(1, abs=1e-6)
    slope = (dataset.test_inputs[0].max() - dataset.test_inputs[0].min()) / (pixels[4].max() - pixels[4].min())
    np.testing.assert_allclose(
        dataset.test_inputs[0] - dataset.test_inputs[0].min(), slope * (pixels[4].ravel() - pixels[4].min()), atol=1e-5
    )


def test_the_digits_plane_holds_the_first_two_principal_components() -> None:
    whole, plane = datasets.digits(), datasets.digits_plane()
    np.testing.assert_allclose(np.cov(plane.train_inputs.T, bias=True), np.eye(2), atol=1e-5)
    centered = whole.train_inputs - whole.train_inputs.mean(axis=0)
    shares = np.linalg.eigvalsh(np.cov(centered.T))[-2:].sum() / centered.var(axis=0, ddof=1).sum()
    fit = np.linalg.lstsq(plane.train_inputs, centered, rcond=None)[0]
    explained = 1 - ((centered - plane.train_inputs @ fit) ** 2).sum() / (centered**2).sum()
    assert explained == pytest.approx(shares, abs=1e-5)


def test_playground_points_are_those_of_its_source_to_the_last_digit() -> None:
    points, labels = datasets.playground_points()
    assert points[1].tolist() == [0.0008793623663572981, 0.019980658693562494]
    assert points[-1].tolist() == [4.975184014697062, 0.21896122922296518]
    assert points.shape == (500, 2)
    assert labels.tolist() == [1] * 250 + [0] * 250


def test_teacher_data_is_what_the_claims_quote() -> None:
    dataset = datasets.teacher()
    assert dataset.train_inputs.shape == dataset.test_inputs.shape == (1024, 32)
    assert dataset.classes == 10
    shares = np.bincount(dataset.train_labels) / 1024
    assert shares.min() > 0.05
    assert shares.max() < 0.2
    assert not np.array_equal(dataset.train_labels, datasets.teacher(seed=1).train_labels)


def test_spirals_are_two_arms_that_a_line_cannot_part() -> None:
    dataset = datasets.spirals(noise=0)
    radius = np.linalg.norm(dataset.train_inputs, axis=1) / 1.5
    assert radius.max() <= 1
    angle = radius * 1.5 * 2 * np.pi + dataset.train_labels * np.pi
    expected = 1.5 * radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    np.testing.assert_allclose(dataset.train_inputs, expected, atol=1e-5)


def best_line(dataset: Dataset) -> float:
    """Training error of the best linear answer by least squares."""
    design = np.c_[dataset.train_inputs, np.ones(len(dataset.train_inputs))]
    weights = np.linalg.lstsq(design, 2.0 * dataset.train_labels - 1, rcond=None)[0]
    return float(np.mean((design @ weights > 0) != (dataset.train_labels == 1)))


@pytest.mark.parametrize("name", ["spirals", "playground", "rings", "xor"])
def test_what_needs_a_hidden_layer(name: str) -> None:
    assert best_line(source(name).load()) > 0.2


def test_blobs_have_the_requested_number_of_classes() -> None:
    assert set(datasets.blobs(classes=6).train_labels.tolist()) == set(range(6))
