"""Which block for my network: a complete recipe, line by line, each with its grade and its sources."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import param

from sims.builder.network_recipe.answers import FAMILIES, NORMS, PRECISIONS, TROUBLES, Answers
from sims.builder.network_recipe.costs import costs
from sims.builder.network_recipe.lines import Line, recipe_lines
from sims.builder.network_recipe.nanogpt_file import nanogpt_file
from sims.builder.network_recipe.plan import plan
from sims.builder.network_recipe.train_file import train_file
from sims.contract.calculation import Number, calculation
from sims.contract.frame import Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.simulation import Disclosure, Simulation
from sims.contract.wording import number
from sims.data.recipe_evidence import GRADES, Source, deepest


class WhichBlock(Simulation):
    """Which block for my network

    A drawing shows one branch with its skip: the stream is a straight line from left to right, the parts of the branch
    are boxes below it, and a plus sign marks where the two meet. Below the drawing is the recipe as a table, one line
    for each part: what to do, how well that is supported, and for each line who does it and who does not.
    """

    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {
        "family": list(FAMILIES),
        "norm": list(NORMS),
        "trouble": list(TROUBLES),
    }

    family = param.Selector(
        default="transformer",
        objects={words: name for name, words in FAMILIES.items()},
        label="Network",
        doc="which kind of network",
    )
    blocks = Stops(
        default=12,
        objects=[2, 4, 6, 8, 12, 16, 18, 24, 32, 36, 48, 64, 96, 126, 300],
        label="Blocks",
        doc="how many blocks it has; a transformer block has attention and an MLP",
    )
    width = Stops(
        default=768,
        objects=[64, 128, 256, 384, 512, 768, 1024, 1280, 1536, 2048, 2560, 4096, 5120, 8192, 12288],
        label="Width",
        doc="values per token on the stream; for a ConvNet, channels of its last stage",
    )
    norm = param.Selector(
        default="branch",
        objects={words: name for name, words in NORMS.items()},
        label="Norm",
        doc="whether and where it is normalized",
    )
    precision = param.Selector(
        default="bfloat16",
        objects={words: name for name, words in PRECISIONS.items()},
        label="Precision",
        doc="the type of number in which products are computed",
    )
    trouble = param.Selector(
        default="nothing",
        objects={words: name for name, words in TROUBLES.items()},
        label="What hurts?",
        doc="what has to be solved",
    )

    @property
    def answers(self) -> Answers:
        """The reader's answers, as plain values."""
        return Answers(self.family, self.blocks, self.width, self.norm, self.precision, self.trouble)

    def compute(self) -> Frame:
        answers = self.answers
        lines, chosen, cost = recipe_lines(answers), plan(answers), costs(answers, plan(answers))
        columns = {
            "parts": ("part", [line.part for line in lines]),
            "advice": ("what to do", [line.advice for line in lines]),
            "grades": ("support", [GRADES[line.rule.grade] for line in lines]),
            "by": ("who does it", [_listed(line.rule.by) for line in lines]),
            "against": ("who does not", [line.rule.against for line in lines]),
            "against_by": ("where they say so", [_listed(line.rule.against_by) for line in lines]),
        }
        return Frame(
            {name: Quantity(np.array(words), label, "text", ("line",)) for name, (label, words) in columns.items()},
            {
                "title": chosen.title,
                "formula": chosen.formula,
                "parameters": cost.parameters,
                "operations": cost.operations,
                "shipped": _graded(lines, "shipped"),
                "disputed": sum(bool(line.rule.against) for line in lines),
            },
        )

    def describe(self, frame: Frame) -> str:
        lines = recipe_lines(self.answers)
        results = frame.results
        shipped, disputed = results["shipped"], results["disputed"]
        support = f"Of {len(lines)} lines, {shipped} are in released models, and on {disputed} the sources disagree."
        words = [f"{results['title']}.", support]
        if self.trouble != "nothing" and not self._changes():
            words.append("What hurts changes no line: we know of no remedy for this network with a source or a run.")
        if self.family == "image":
            widths = ", ".join(map(number, self.answers.channels))
            depths = ", ".join(map(str, self.answers.stages))
            words.append(f"Its stages have {depths} blocks of {widths} channels.")
        return " ".join(words)

    def _changes(self) -> bool:
        calm = Answers(self.family, self.blocks, self.width, self.norm, self.precision, "nothing")
        return plan(calm) != plan(self.answers)

    def listing(self) -> str:
        return train_file(self.answers)

    def configuration(self) -> str:
        return nanogpt_file(self.answers)

    def disclosure(self) -> Disclosure:
        return Disclosure(
            network="The recipe is a table of our own rules, each with its sources. Counts are arithmetic, checked in "
            "our tests against the network in the file below, which the tests also train for a few steps.",
            data="Released code and configurations, read on 26 November 2026, and the runs of this site. "
            "What we could not check is left out.",
            seeds="None; nothing here is random. The pages with the runs say how many seeds they used.",
            cannot_show="That the recipe is the best one for your data, or that its lines, each good on its own, are "
            "good together. Tune the learning rate in any case.",
        )


def _listed(sources: tuple[Source, ...]) -> str:
    """Sources as text, each with its link in brackets."""
    return "; ".join(f"{source.words} [{source.link}]" for source in sources)


def _graded(lines: list[Line], grade: str) -> int:
    return sum(line.rule.grade == grade for line in lines)


@calculation
def lines(family: str, blocks: int, width: int) -> Number:
    """Lines of a recipe."""
    return len(recipe_lines(Answers(family, blocks, width)))


@calculation
def disputed(family: str, blocks: int, width: int) -> Number:
    """Lines of a recipe on which its sources disagree."""
    return sum(bool(line.rule.against) for line in recipe_lines(Answers(family, blocks, width)))


@calculation
def rate(width: int, blocks: int) -> Number:
    """Learning rate of the recipe of a language model."""
    return plan(Answers("transformer", blocks, width)).rate


@calculation
def limit(order: str) -> Number:
    """Blocks of the deepest released model of an order, "pre-ln" or "post-ln", beyond which the recipe changes."""
    return deepest(order).blocks


@calculation
def factor_at_start(family: str, blocks: int) -> Number:
    """Where the factor of LayerScale starts in a stack of so many blocks."""
    return plan(Answers(family, blocks, 768)).gamma
