"""A summary is computed from kept numbers, and waits for those that are missing."""

from pathlib import Path

from app.pages.document.page import Library
from app.pages.markdown.prose import compile_page
from sims.contract.summary import Summary, summary
from sims.kept.book import NumberStore, code_of, spelled
from sims.numbers import call as calls
from sims.numbers.fresh_seeds import compared_designs
from sims.numbers.fresh_seeds.seeds import SEEDS

FRONT = "---\ntitle: t\nslug: s\nquestion: q\nlede: l\n---\n"


@summary(lambda names: [f"module.number(of={name!r})" for name in names])
def total(kept, names) -> float:
    """A sum."""
    return sum(kept[f"module.number(of={name!r})"] for name in names)


def test_a_summary_is_a_function_of_kept_values() -> None:
    assert isinstance(total, Summary)
    assert not total.long
    assert total.needs(names="ab") == ["module.number(of='a')", "module.number(of='b')"]
    assert total({"module.number(of='a')": 1.0, "module.number(of='b')": 2.5}, names="ab") == 3.5


def summary_of(folder: Path) -> tuple[str, dict]:
    library = Library(numbers=NumberStore(folder / "numbers.json"))
    text = f'{FRONT}It is {{calc}}`compared_designs.mean_loss(design="keel")|.2f`.\n'
    page = compile_page(text, Path("page.md"), library)
    return str(page.html), dict(page.long)


def test_a_page_requests_what_a_summary_needs_and_shows_it_when_complete(tmp_path: Path) -> None:
    html, long = summary_of(tmp_path)
    assert "being computed" in html
    needed = [spelled(*calls.parse(call)) for call in compared_designs.mean_loss.needs(design="keel")]
    assert long == dict.fromkeys(needed)
    code = code_of(*calls.parse(needed[0]))
    NumberStore(tmp_path / "numbers.json").keep({call: (2.0 + number, code) for number, call in enumerate(needed[:-1])})
    assert "being computed" in summary_of(tmp_path)[0]
    NumberStore(tmp_path / "numbers.json").keep({needed[-1]: (2.0 + len(SEEDS) - 1, code)})
    html, long = summary_of(tmp_path)
    assert "6.50" in html
    assert None not in long.values()
