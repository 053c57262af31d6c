"""Every path through the chart ends in a recipe that exists, with a reason for every answer."""

import itertools

import pytest

from sims.builder.advice import KINDS, LIMITS, PLACES, SIZES, TROUBLES, advice
from sims.builder.block_file import block_file
from sims.builder.design import FAMILIES, STARTS
from sims.builder.network_recipe.answers import Answers
from sims.builder.network_recipe.plan import plan
from sims.contract import parameters
from sims.registry import find
from sims.simulations.design_choices.decision import Decision

WAYS = list(itertools.product(KINDS, (2, 12, 48, 128, 300), PLACES, TROUBLES))


def test_every_way_ends_in_a_leaf_with_a_reason_for_every_answer() -> None:
    for kind, blocks, place, trouble in WAYS:
        leaf = advice(kind, blocks, place, trouble)
        assert leaf.title
        assert leaf.formula
        questions = [step.question for step in leaf.steps]
        assert questions == (["kind", "place", "blocks", "trouble"] if kind == "transformer" else ["kind", "trouble"])
        assert all(step.because.endswith(".") for step in leaf.steps)
        if leaf.recipe:
            assert leaf.recipe.family in FAMILIES
            assert leaf.recipe.start in STARTS
            assert leaf.recipe.blocks == blocks
        additions = blocks * (2 if kind == "transformer" else 1)
        assert leaf.standin.blocks == additions
        if kind == "transformer":
            assert leaf.steps[2].answer in SIZES
            assert (leaf.steps[2].answer == "deeper") == (blocks > LIMITS[place].blocks)


def test_named_models_are_advised_what_they_are_reported_to_do() -> None:
    """Pre-LN transformers of 96, 118 and 126 blocks are reported without a lasting factor."""
    for blocks in (48, 96, 118, 126):
        leaf = advice("transformer", blocks, "branch", "nothing")
        assert leaf.recipe is not None
        assert leaf.recipe.start == "shrink"
        assert leaf.standin.branch_factor == "1"
    deeper = advice("transformer", 300, "branch", "nothing").recipe
    assert deeper is not None
    assert deeper.start == "multiply"
    image = advice("image", 500, "branch", "nothing").recipe
    assert image is not None
    assert image.start == "zero"


@pytest.mark.parametrize("blocks", [2, 12, 24, 48, 126, 128, 300])
@pytest.mark.parametrize(("place", "norm"), [("branch", "branch"), ("stream", "original")])
def test_the_chart_and_the_recipe_change_at_the_same_depth(place: str, norm: str, blocks: int) -> None:
    leaf = advice("transformer", blocks, place, "nothing")
    recipe = plan(Answers("transformer", blocks, 512, norm))
    starts = {"shrink": "shrink", "default": "same", "multiply": "same"}
    assert leaf.recipe is not None
    assert (leaf.title == "DeepNorm") == (recipe.title == "DeepNorm")
    if leaf.title != "DeepNorm":
        assert starts[leaf.recipe.start] == recipe.start
    assert ((leaf.standin.branch_factor == "1/sqrt(blocks)") and place == "branch") == (recipe.factor < 1)


def test_no_leaf_gives_two_recipes_that_cancel() -> None:
    """Never zero and scaled on one matrix."""
    for way in WAYS:
        leaf = advice(*way)
        assert leaf.recipe is None or leaf.recipe.start != "both"
        assert not (leaf.standin.initialization == "zero-last" and leaf.shrinks != 1)


def test_a_norm_that_must_stay_on_the_stream_stays_there() -> None:
    for blocks, trouble in itertools.product((2, 48, 300), ("nothing", "idle", "transfer", "memory")):
        leaf = advice("transformer", blocks, "stream", trouble)
        assert leaf.standin.norm == "post-layer"
        assert leaf.formula.startswith("LN(")


def test_each_link_names_settings_that_its_simulation_takes() -> None:
    for way in WAYS:
        next_link = Decision(**dict(zip(("kind", "blocks", "place", "trouble"), way, strict=True))).next_link()
        _settings, notes = parameters.read(find(next_link.place), next_link.settings)
        assert notes == [], next_link.address


def leaves() -> list[str]:
    """The files of all recipes that the chart can end in, at two depths, each once."""
    small = [way for way in WAYS if way[1] in (2, 48, 128)]
    return sorted({block_file(leaf.recipe) for way in small if (leaf := advice(*way)).recipe})


@pytest.mark.parametrize("text", leaves(), ids=lambda text: text.splitlines()[0][:40])
def test_the_code_of_every_leaf_runs(text: str) -> None:
    exec(compile(text, "leaf", "exec"), {"__name__": "__main__"})


@pytest.mark.parametrize("blocks", [2, 6])
def test_a_transformer_is_never_advised_to_try_without_skips(blocks: int) -> None:
    for place, trouble in itertools.product(PLACES, TROUBLES):
        leaf = advice("transformer", blocks, place, trouble)
        words = " ".join([leaf.title, *(step.because for step in leaf.steps)])
        assert "as well without skips" not in words
    assert "without skips" in advice("perceptron", blocks, "branch", "nothing").steps[0].because
