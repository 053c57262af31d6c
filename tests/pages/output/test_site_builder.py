"""The site builder: the model of the site, from the order of its chapters to who cites whom."""

from pathlib import Path

import pytest

from app.pages.files.sources import Sources
from app.pages.output import site_builder
from sims.paths import CONTENT


@pytest.fixture
def small_site(tmp_path: Path) -> Sources:
    """Three chapters, the last of them by number being the second by name, and a deep dive."""
    (tmp_path / "chapters").mkdir()
    (tmp_path / "deep-dives").mkdir()
    front = "---\ntitle: {0}\nslug: {0}\nquestion: Q?\nlede: L.\n{1}---\n{2}\n"
    (tmp_path / "home.md").write_text(front.format("home", "routes: []\n", "Hello."))
    (tmp_path / "chapters" / "0-one.md").write_text(front.format("one", "", "One, {cite}`he2015`."))
    (tmp_path / "chapters" / "10-eleven.md").write_text(front.format("eleven", "", "Eleven."))
    (tmp_path / "chapters" / "2-two.md").write_text(front.format("two", "status: stub\n", "Two."))
    (tmp_path / "deep-dives" / "A-under.md").write_text(front.format("under", "", "Under."))
    for name in ("glossary.yaml", "references.bib", "claims.yaml", "inventory.yaml"):
        (tmp_path / name).write_bytes((CONTENT / name).read_bytes())
    return Sources(tmp_path)


def test_chapters_are_in_the_order_of_their_numbers_and_stubs_say_so(small_site: Sources) -> None:
    site = site_builder.SiteBuilder(small_site)
    assert [(chapter.mark, chapter.slug) for chapter in site.chapters] == [
        ("0", "one"),
        ("2", "two"),
        ("10", "eleven"),
        ("A", "under"),
    ]
    assert [chapter.written for chapter in site.chapters] == [True, False, True, True]
    assert site.slugs[:5] == ["home", "one", "two", "eleven", "under"]
    assert "This page is being written." in site.html("two")


def test_a_deep_dive_comes_behind_the_chapters_and_says_what_it_is(small_site: Sources) -> None:
    site = site_builder.SiteBuilder(small_site)
    assert '<p class="kicker">Deep dive A</p>' in site.html("under")
    assert "<small>Chapter 10</small>eleven" in site.html("under")
    home = site.html("home")
    home = home[home.index("</header>") :]
    places = [home.index(part) for part in ('id="route"', ">eleven<", 'id="deep-dives"', ">under<")]
    assert places == sorted(places)


def test_a_deep_dive_shows_the_stills_of_its_figures() -> None:
    html = site_builder.current().html("costs")
    assert 'src="stills/costs.memory.light.webp' in html
    assert "--stage-1280:680px" not in html


def test_references_name_the_chapters_that_use_them(small_site: Sources) -> None:
    html = site_builder.SiteBuilder(small_site).html("references")
    entry = html[html.index('<li id="he2015"') :]
    assert '<a href="one">one</a>' in entry[: entry.index("</li>")]


def test_a_page_is_compiled_again_only_when_its_own_words_or_numbers_change(
    small_site: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_builder.SiteBuilder(small_site)
    stems: list[str] = []
    compile_page = site_builder.compile_page

    def counted(text: str, file: Path, library: object) -> object:
        stems.append(file.stem)
        return compile_page(text, file, site.library)

    monkeypatch.setattr(site_builder, "compile_page", counted)
    for _ in range(2):
        site.html("one")
        site.html("eleven")
    assert stems == ["0-one", "10-eleven"]
    file = small_site.files()["one"]
    call = "degradation.training_error(depth=56, skip=False)"
    file.write_text(file.read_text() + f"\n{{calc}}`{call}|%`\n")
    assert "being computed" in site.html("one")
    site.html("eleven")
    assert stems == ["0-one", "10-eleven", "0-one"]
    entry = site_builder.SiteBuilder().library.numbers.entries[call]
    site.library.numbers.keep({call: (entry.value, entry.code)})
    assert "being computed" not in site.html("one")
    site.html("one")
    assert stems == ["0-one", "10-eleven", "0-one", "0-one"]


@pytest.mark.exhaustive
def test_exercises_are_counted_for_the_progress_on_the_home_page() -> None:
    site = site_builder.current()
    for chapter in site.chapters:
        assert site.exercises(chapter.slug) == len(site.page(chapter.slug).exercises) > 0
    assert f'data-progress="degradation" data-exercises="{site.exercises("degradation")}"' in site.html("home")
