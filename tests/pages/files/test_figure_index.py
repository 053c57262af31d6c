"""The figures of a page, read off its words."""

from app.pages.files.figure_index import figures
from app.pages.output import site_builder

TEXT = b""":::{simulation} toy
id: second
caption: |
  id: not this
:::

::::{fold} More
:::{simulation} other_toy
:::
::::
"""


def test_names_and_ids_are_found() -> None:
    assert figures(TEXT) == (("toy", "second"), ("other_toy", "other_toy"))


def test_they_are_those_of_the_pages() -> None:
    site = site_builder.current()
    embeds = site.sources.embeds()
    for slug in site.files:
        page = site.page(slug)
        assert sorted(anchor for home, anchor in embeds.values() if home == slug) == sorted(page.simulations)
