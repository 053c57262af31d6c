"""The picture shows what was published, and marks what was not."""

import numpy as np

from sims.simulations.depth.published import Published


def test_ch0_the_published_test_errors_and_their_kink() -> None:
    frame = Published().compute()
    residual = frame["family"] == "residual"
    errors = dict(zip(frame["depth"][residual].tolist(), frame["error"][residual].tolist(), strict=True))
    assert errors == {20: 8.75, 32: 7.51, 44: 7.17, 56: 6.97, 110: 6.43, 1202: 7.93}
    assert frame["published"].all()


def test_ch0_plain_networks_have_one_bound_and_no_number() -> None:
    frame = Published().compute()
    plain = frame["family"] == "plain"
    assert frame["lower_bound"][plain].tolist() == [True]
    assert frame["error"][plain].tolist() == [60.0]
    assert "plain: over 60% at 110 layers;" in Published().describe(frame)


def test_ch0_imagenet_at_18_layers_is_a_tie() -> None:
    frame = Published(table="imagenet-depth").compute()
    errors = dict(zip(frame["model"].tolist(), frame["error"].tolist(), strict=True))
    assert errors == {"plain-18": 27.94, "ResNet-18": 27.88, "plain-34": 28.54, "ResNet-34": 25.03}


def test_folklore_is_shown_only_on_request_and_never_as_published() -> None:
    frame = Published(folklore=True).compute()
    retold = ~frame["published"]
    assert retold.sum() == frame.results["shown"] - frame.results["published"]
    assert {4.28, 2.91, 8.9} <= set(frame["error"][retold].tolist())
    assert np.all(frame["where"][retold] == "none")
    assert "circulate" in Published(folklore=True).describe(frame)
