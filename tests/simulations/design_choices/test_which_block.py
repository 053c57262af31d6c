"""The recipe page: what it says about answers that change nothing, and a link that restores it."""

from sims.contract import parameters
from sims.simulations.design_choices.which_block import WhichBlock, disputed, lines


def test_it_says_so_where_it_knows_no_remedy() -> None:
    helpless = WhichBlock(family="image", trouble="idle")
    assert "changes no line" in helpless.describe(helpless.compute())
    helped = WhichBlock(family="transformer", trouble="idle")
    assert "changes no line" not in helped.describe(helped.compute())


def test_it_names_the_stages_of_a_convnet() -> None:
    tiny = WhichBlock(family="image", blocks=18, width=768)
    assert "3, 3, 9, 3 blocks of 96, 192, 384, 768 channels" in tiny.describe(tiny.compute())


def test_a_link_restores_the_recipe() -> None:
    chosen = WhichBlock(family="vit", blocks=24, width=1024, trouble="overfits", precision="float16")
    settings, notes = parameters.read(WhichBlock, parameters.write(chosen))
    assert not notes
    assert WhichBlock(**settings).answers == chosen.answers


def test_the_text_counts_the_lines_of_the_table() -> None:
    frame = WhichBlock(family="transformer", blocks=12, width=768).compute()
    assert lines(family="transformer", blocks=12, width=768) == len(frame["parts"])
    assert disputed(family="transformer", blocks=12, width=768) == sum(map(bool, frame["against"].tolist()))
