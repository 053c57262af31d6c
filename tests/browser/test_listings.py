"""Every listing can be taken away as a file and as a notebook, which is valid and computes the same."""

import json
from collections.abc import Mapping
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.pages.data.changelog import AUTHORS, releases
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server

LISTINGS = "main figure.code, .simulation details.source, .simulation .listing"
"""Everything on a page that holds a listing"""

CODE = {"display_name": "Python 3", "language": "python", "name": "python3"}


TAKE = """async button => {
    const make = URL.createObjectURL, press = HTMLAnchorElement.prototype.click
    let blob = null, name = ''
    URL.createObjectURL = file => { blob = file; return make.call(URL, file) }
    HTMLAnchorElement.prototype.click = function () { name = this.download }
    button.click()
    URL.createObjectURL = make
    HTMLAnchorElement.prototype.click = press
    return blob && [name, await blob.text()]
}"""
"""What a button hands to the browser to save: a busy one may refuse to save many files that nobody pressed for."""


def downloaded(page: Page, button: Locator) -> tuple[str, str]:
    """The name and the text of what a button downloads; it may lie in a closed fold."""
    name, text = page.wait_for_function(TAKE, arg=button.element_handle()).json_value()
    return name, text


def read(text: str) -> Mapping[str, Any]:
    notebook = json.loads(text)
    nbformat.validate(notebook)
    assert (notebook["nbformat"], notebook["nbformat_minor"], notebook["metadata"]["kernelspec"]) == (4, 5, CODE)
    return dict(notebook)


def code(notebook: Mapping[str, Any]) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("slug", first(1, ["shortcut", "recipes", "degradation"]))
def test_every_listing_of_a_page_is_a_file_and_a_notebook(page: Page, slug: str) -> None:
    page.goto(f"/{slug}")
    page.locator(".simulation details").evaluate_all("folds => { for (const fold of folds) fold.open = true }")
    expect(page.locator("details.source:not(:has(pre))")).to_have_count(0)
    listings = page.locator(LISTINGS)
    assert listings.count() > 1
    for index in range(listings.count()):
        listing = listings.nth(index)
        listed = str(listing.locator("pre code").text_content()).rstrip("\n")
        file, source = downloaded(page, listing.locator("[data-take=py]"))
        assert file.endswith(".py")
        license_line, _, source = source.partition("\n")
        assert license_line.startswith(f"# MIT License, © {AUTHORS}, One plus sign {releases()[0].version}")
        assert source.rstrip("\n") == listed
        if "source" in str(listing.get_attribute("class")).split():
            # It imports the rest of the package, so it is no notebook by itself.
            expect(listing.locator("[data-take=ipynb]")).to_have_count(0)
            expect(listing).to_contain_text("needs the rest of the package")
            continue
        name, text = downloaded(page, listing.locator("[data-take=ipynb]"))
        assert name == file.replace(".py", ".ipynb")
        words, *cells = ["".join(cell["source"]) for cell in read(text)["cells"]]
        assert words.endswith(license_line.removeprefix("# "))
        assert len(cells) > 1 or len(listed.split("\n\n\n")) <= 2
        for cell in cells:
            compile(cell, name, "exec")
        assert "".join("".join(cells).split()) in "".join(listed.split())


@pytest.mark.exhaustive
def test_a_recipe_runs_as_a_notebook(page: Page) -> None:
    page.goto("/recipes?recipes.family=llama&v=2")
    builder = OnPage(page, "recipes").ready()
    expect(builder.figure.locator(".listing code")).to_contain_text("class LlamaBlock")
    _name, text = downloaded(page, builder.figure.locator(".listing [data-take=ipynb]"))
    notebook = read(text)
    assert notebook["cells"][0]["cell_type"] == "markdown"
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in code(notebook):
        exec(compile(cell, "cell", "exec"), names)
    assert "LlamaBlock" in names


def test_the_code_of_a_figure_comes_when_a_reader_opens_it(page: Page) -> None:
    page.goto("/gradient-paths")
    paths = OnPage(page, "paths").ready()
    expect(paths.figure.locator("details.source pre")).to_have_count(0)
    paths.figure.locator(".quiet > details.more > summary").press("Enter")
    paths.figure.get_by_text("The code", exact=True).press("Enter")
    expect(paths.figure.locator("details.source pre")).to_contain_text("class Paths(")
    expect(paths.figure.locator("details.source").get_by_role("button", name="Download")).to_be_visible()
    link = page.locator("#path_lengths details.source a")
    assert link.get_attribute("href") == "code-path_lengths"


def test_without_scripts_the_code_is_a_page(browser: Browser, server: Server) -> None:
    page = browser.new_page(java_script_enabled=False, base_url=server.url)
    page.goto("/gradient-paths", wait_until="load")
    menu = page.locator("#paths")
    menu.locator(".quiet > details.more > summary").click()
    menu.get_by_text("The code", exact=True).click()
    menu.locator("details.source a").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("All paths of a gradient")
    expect(page.locator("pre")).to_contain_text("class Paths(")
    page.close()
