"""Figures are drawn with less work; tests/browser/test_plain_bokeh.py says that they look as with all of it."""

import pytest
from playwright.sync_api import Page

from tests.browser.test_plain_bokeh import MOVES, go, moved

COUNT = """([views, method]) => {
    const {prototype} = Bokeh.require(views)[method[0]], own = prototype[method[1]]
    window.counted = new Map()
    prototype[method[1]] = function (...all) {
        window.counted.set(this.model.id, (window.counted.get(this.model.id) ?? 0) + 1)
        return own.apply(this, all)
    }
}"""


@pytest.mark.exhaustive
def test_a_message_is_applied_once(page: Page) -> None:
    slug, name, values = MOVES[0]
    moved(page, slug, name, values)
    page.evaluate(COUNT, ["models/renderers/glyph_renderer", ["GlyphRendererView", "set_data"]])
    go(page, name, values)
    assert set(page.evaluate("[...counted.values()]")) == {1}
