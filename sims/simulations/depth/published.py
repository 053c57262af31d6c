"""Published error rates, and numbers that circulate without a paper as their source."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.contract.frame import Frame, Quantity
from sims.contract.simulation import Disclosure, Simulation
from sims.data import publications

TABLES = {"CIFAR-10": "cifar10", "ImageNet": "imagenet-depth"}


class Published(Simulation):
    """Depth and error, as published and as retold

    Points show published test errors against depth, each with its value, and lines join those of a family; a triangle
    beyond a break in the axis marks an error for which only a lower bound was published; crosses, when switched on,
    show numbers that circulate but are in no paper.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"table": tuple(TABLES.values()), "folklore": (False, True)}

    table = param.Selector(default="cifar10", objects=TABLES, label="Data", doc="the benchmark")
    folklore = param.Boolean(
        False, label="Show unsourced numbers", doc="show the numbers that circulate but are not in the paper"
    )

    def _records(self) -> list[publications.Record]:
        main = "test_error" if self.table == "cifar10" else "top1_error"
        quantities = {publications.PUBLISHED: {main}, publications.NOT_IN_THE_PAPER: {main, "training_error"}}
        return [
            record
            for record in publications.records()
            if record.table == self.table
            and record.quantity in quantities.get(record.status, ())
            and (self.folklore or record.status == publications.PUBLISHED)
        ]

    def compute(self) -> Frame:
        records = self._records()
        lower = [record.above is not None for record in records]
        values = [record.above if record.value is None else record.value for record in records]
        columns = {
            "depth": ("layers", "layers", [record.depth for record in records]),
            "error": ("error", "%", values),
            "std": ("standard deviation over runs, where published", "%", [record.std or np.nan for record in records]),
            "mean": ("mean over runs, where published", "%", [record.mean or np.nan for record in records]),
            "lower_bound": ("only a lower bound", "yes or no", lower),
            "published": ("published", "yes or no", [record.status == publications.PUBLISHED for record in records]),
            "model": ("model", "name", [record.model for record in records]),
            "family": ("family", "name", [record.family for record in records]),
            "measured": (
                "what it is said to measure",
                "name",
                [record.quantity.replace("_", " ") for record in records],
            ),
            "where": ("source", "name", [f"{record.source} {record.where}".strip() or "none" for record in records]),
        }
        quantities = {
            name: Quantity(np.array(values), label, unit, ("number",))
            for name, (label, unit, values) in columns.items()
        }
        return Frame(quantities, {"published": int(np.sum(quantities["published"].values)), "shown": len(records)})

    def describe(self, frame: Frame) -> str:
        words = []
        for family in ("plain", "residual"):
            chosen = (frame["family"] == family) & frame["published"]
            points = [
                f"{f'over {error:g}' if bound else f'{error:.2f}'}% at {depth} layers"
                for depth, error, bound in zip(
                    frame["depth"][chosen], frame["error"][chosen], frame["lower_bound"][chosen], strict=True
                )
            ]
            words.append(f"{family}: {', '.join(points)}")
        retold = int(np.sum(~frame["published"]))
        more = f" {retold} more numbers circulate without being in the paper." if retold else ""
        return f"Published errors: {'; '.join(words)}.{more}"

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="None is trained here: these are other people's convolutional networks.",
            data="Numbers from He et al. 2015, each with its table or figure; and numbers found in popular accounts.",
            seeds="One run each unless stated otherwise; five runs for ResNet-110.",
            cannot_show="Training errors, and any error of a plain network on CIFAR-10 except one bound: they were "
            "published as curves only.",
        )
