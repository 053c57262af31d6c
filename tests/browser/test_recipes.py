"""The builder and the sheet in a browser: code that follows the choice, a chart to click, one page on paper."""

import re

import pytest
from playwright.sync_api import Page, expect

from tools.figure_on_page import OnPage


def test_the_code_follows_the_choice_and_can_be_downloaded(page: Page) -> None:
    page.goto("/recipes?recipes.family=llama&v=2")
    builder = OnPage(page, "recipes").ready()
    code = builder.figure.locator(".listing code")
    expect(code).to_contain_text("class LlamaBlock")
    page.locator("a.preset", has_text="GPT-2 small").click()
    expect(code).to_contain_text("class PreNormBlock")
    expect(code).not_to_contain_text("class LlamaBlock")
    expect(builder.figure.locator(".live")).to_contain_text("124,439,808")
    with page.expect_download() as started:
        builder.button("Download").click()
    assert started.value.suggested_filename == "recipes.py"
    text = started.value.path().read_text()
    assert text.partition("\n")[2].rstrip("\n") == code.text_content()  # below the license
    compile(text, "download", "exec")


def test_the_code_is_folded_and_its_box_ends_with_a_whole_line(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/recipes")
    recipe = OnPage(page, "which_block").ready()
    box = recipe.figure.locator(".listing pre")
    expect(box).to_be_hidden()
    recipe.button("The code").click()
    expect(box).to_be_visible()
    for width in (1440, 390):
        page.set_viewport_size({"width": width, "height": 900})
        lines = box.evaluate("""box => {
          const style = getComputedStyle(box)
          return (box.clientHeight - parseFloat(style.paddingTop)) / parseFloat(style.lineHeight)
        }""")
        assert lines == pytest.approx(round(lines), abs=0.05)
    recipe.button("The code").click()
    expect(box).to_be_hidden()


def test_a_click_on_the_chart_leads_to_the_recipe_and_its_link_opens_it(page: Page) -> None:
    page.goto("/cheat-sheet")
    chart = OnPage(page, "decision").ready()
    next_link = chart.figure.locator(".next-link a")
    expect(next_link).to_have_attribute("href", re.compile("start=shrink"))
    canvas = chart.figure.locator(".stage canvas").first
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    assert box
    page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 0.26 * box["height"])  # the norm stays on the stream
    expect(next_link).to_have_attribute("href", re.compile("family=original"))
    next_link.click()
    builder = OnPage(page, "recipes").ready()
    assert builder.setting("family") == "original"
    expect(builder.figure.locator(".listing code")).to_contain_text("class PostNormBlock")


def test_the_sheet_is_one_page_on_paper(page: Page) -> None:
    page.goto("/cheat-sheet")
    expect(page.locator(".poster .cell").first).to_be_visible()
    paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", paper)) == 1
    page.emulate_media(media="print")
    expect(page.locator(".poster")).to_be_visible()
    expect(page.locator("figure.simulation").first).to_be_hidden()
    page.set_viewport_size({"width": 718, "height": 1054})  # what A4 leaves between the margins of the sheet
    tall = page.evaluate("document.querySelector('.poster').getBoundingClientRect().height")
    assert 850 < tall < 1054


def test_a_link_restores_a_recipe_whose_lines_open_by_keyboard(page: Page) -> None:
    page.goto("/recipes?which_block.family=vit&which_block.blocks=24&which_block.width=1024&v=2")
    recipe = OnPage(page, "which_block").ready()
    assert recipe.setting("family") == "vit"
    factor = recipe.figure.locator("details", has_text="LayerScale").first
    expect(factor.locator("summary")).to_contain_text("shipped at scale")
    factor.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(factor.locator(".why a", has_text="CaiT’s author").or_(factor.locator(".why a").first)).to_be_visible()
    expect(recipe.figure.locator(".listing code")).to_contain_text("gamma_start=1e-05")


@pytest.mark.exhaustive
def test_a_language_models_recipe_can_be_downloaded_for_nanogpt(page: Page) -> None:
    page.goto("/recipes")
    recipe = OnPage(page, "which_block").ready()
    button = recipe.button("nanoGPT configuration")
    expect(button).to_be_visible()
    page.locator("a.preset", has_text="vision transformer").click()
    expect(button).to_be_hidden()
    page.locator("a.preset", has_text="smallest GPT-2").click()
    with page.expect_download() as started:
        button.click()
    assert started.value.suggested_filename == "train_which_block.py"
    assert "\nn_layer = 12\nn_embd = 768\n" in started.value.path().read_text()
