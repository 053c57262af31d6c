"""Markdown → HTML: every directive and role, and every mistake with its file and line."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup

from app.live.downloads import FORMATS
from app.pages.data.bibliography import Entry
from app.pages.data.claims import Claim
from app.pages.data.glossary import Term
from app.pages.document.page import Library, Page
from app.pages.document.worksheet import FigureStill
from app.pages.files.stills import INDEX, name
from app.pages.markdown.prose import compile_page
from app.pages.text.errors import BuildError
from app.pages.text.located_yaml import LocatedStr
from sims.kept.book import NumberStore, code_of
from sims.numbers.call import parse
from sims.paths import ROOT

FRONT = "---\ntitle: A page\nslug: page\nquestion: Why?\nlede: Because.\n---\n"
"""Six lines: the words of a page in these tests begin on line 7."""
FILE = Path("page.md")
PAPER = Entry("he2015", ("K. He", "J. Sun"), ("He", "Sun"), True, "Deep", "2015", "CVPR", "1", "verified", "", "@misc")
TERM = Term("batchnorm", "BatchNorm", LocatedStr("rescales *features*"), LocatedStr("standardizes $x$"))
CLAIM = Claim(
    id="A-01",
    topic="A",
    statement=LocatedStr("It is *so*.").at(4),
    why=LocatedStr("It looks so.").at(5),
    verdict="does not hold",
    condition="",
    correction=LocatedStr("No.").at(6),
    evidence=("algebra",),
    sources=(),
    check={"page": "page", "simulation": "toy", "parameters": {"depth": 8}},
    chapter="page",
    file=Path("claims.yaml"),
)
LIBRARY = Library(
    terms={"batchnorm": TERM},
    papers={"he2015": PAPER},
    claims={"A-01": CLAIM},
    slugs=frozenset({"page", "other"}),
    written=frozenset({"page"}),
)


def compiled(words: str, library: Library = LIBRARY) -> Page:
    return compile_page(FRONT + words, FILE, library)


def html(words: str) -> str:
    return str(compiled(words).html)


class Elements(HTMLParser):
    """The elements of a piece of HTML, in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attributes)))

    def all(self, tag: str, **expected: str) -> list[dict[str, str | None]]:
        return [
            attributes
            for name, attributes in self.found
            if name == tag and all(attributes.get(key.rstrip("_")) == value for key, value in expected.items())
        ]


# -- plain Markdown ------------------------------------------------------------------------------------------------


def test_words_are_set_with_curly_quotes_and_tables_scroll_by_themselves() -> None:
    markup = html('He said "no" -- twice.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n')
    assert "“no” – twice" in markup
    assert '<div class="table"><table>' in markup
    assert '<th scope="col">a</th>' in markup


def test_html_in_the_words_is_text() -> None:
    assert "&lt;script&gt;" in html("<script>alert(1)</script>")


def test_headings_get_ids_of_their_own_and_sections_are_noted() -> None:
    page = compiled("## The $x$ part\n\n## The $x$ part\n\n### Detail\n\n## 3 ways\n")
    assert [section.id for section in page.sections] == ["the-x-part", "the-x-part-2", "part-3-ways"]
    assert "<math>" in page.sections[0].title


def test_a_section_title_holds_no_links() -> None:
    (section,) = compiled("## About {term}`BatchNorm`\n").sections
    assert section.title == "About BatchNorm"


@pytest.mark.parametrize(
    ("address", "written"),
    [
        ("home", "./"),
        ("home#machine", "./#machine"),
        ("home?machine.depth=4#machine", "./?machine.depth=4#machine"),
        ("other#part", "other#part"),
    ],
)
def test_a_link_to_the_home_page_leads_to_the_folder_of_the_site(address: str, written: str) -> None:
    library = replace(LIBRARY, slugs=LIBRARY.slugs | {"home"})
    assert f'<a href="{written}">there</a>' in compiled(f"[there]({address})", library).html


def test_formulas_are_mathml() -> None:
    markup = html("Inline $x_l$.\n\n$$y = x + F(x)$$\n\nIt costs $5 and $6.")
    assert markup.count("<math") == 2
    assert '<div class="formula"><math display="block">' in markup
    assert "$5 and $6" in markup


def test_a_text_may_begin_with_a_formula_and_end_with_a_digit() -> None:
    assert html("| a |\n|---|\n| $x$, from 0 |\n").count("<math") == 1
    assert html("$x$ is 0").count("<math") == 1
    assert html("5$x$ is 0").count("<math") == 0


def test_a_formula_keeps_the_signs_that_touch_it() -> None:
    markup = html("Some *words*, then $x$: some ($y$), and $z$ alone.")
    pieces = re.findall(r'<span class="whole">(.*?)<math>.*?</math>(.*?)</span>', markup)
    assert pieces == [("", ":"), ("(", "),")]
    assert "</span> and <math>" in markup


def test_code_is_highlighted() -> None:
    assert '<i class="k">return</i>' in html("```python\nreturn 1\n```\n")


# -- roles -----------------------------------------------------------------------------------------------------------


def test_calc_is_computed_and_says_how() -> None:
    markup = html("{calc}`worked.batch_norm_gain(layers=56)|.2e`")
    assert "×&nbsp;10<sup>4</sup>" in markup
    assert 'title="computed: worked.batch_norm_gain(layers=56)"' in markup


def test_calc_in_a_table_escapes_its_bar() -> None:
    markup = html("| a |\n|---|\n| {calc}`worked.batch_norm_gain()\\|.2f` |\n")
    assert re.search(r"<td><span class=\"number\"[^>]*>1\.21</span></td>", markup)


def test_a_long_calculation_leaves_a_place_until_it_is_known(tmp_path: Path) -> None:
    call = "degradation.training_error(depth=56, skip=False)"
    library = Library(numbers=NumberStore(tmp_path / "numbers.json"))

    def compile_text() -> Page:
        text = FRONT + f"Error {{calc}}`{call}|%`."
        return compile_page(text, FILE, library)

    page = compile_text()
    assert 'class="pending"' in page.html
    assert page.pending == [call]
    library.numbers.keep({call: (0.771, code_of(*parse(call)))})
    page = compile_text()
    assert ">77%</span>" in page.html
    assert page.pending == []


def test_a_term_links_to_the_glossary_and_its_card_has_both_wordings() -> None:
    page = compiled("{term}`BatchNorm` and {term}`such a *norm* <batchnorm>`.")
    links = Elements(str(page.html)).all(
        "a", class_="term", href="glossary#batchnorm", **{"data-card": "term-batchnorm"}
    )
    assert len(links) == 2
    assert "such a <em>norm</em></a>" in page.html
    ((term, beginner, expert),) = page.terms
    assert (term, beginner) == (TERM, "rescales <em>features</em>")
    assert "<math>" in expert


def test_an_everyday_word_is_marked_for_the_readers_who_need_no_explanation() -> None:
    usual = Term("relu", "ReLU", LocatedStr("a"), LocatedStr("b"), everyday=True)
    page = compiled("{term}`ReLU` and {term}`BatchNorm`", Library(terms={"relu": usual, "batchnorm": TERM}))
    marked = ["data-everyday" in link for link in Elements(str(page.html)).all("a", class_="term")]
    assert marked == [True, False]


def test_citations() -> None:
    page = compiled("As shown {cite}`he2015`, and {cite:t}`he2015` agree.")
    text = re.sub("<[^>]+>", "", page.html)
    assert "As shown (He et al., 2015), and He et al. (2015) agree." in text
    assert page.papers == (PAPER,)


TOY = ":::{simulation} degradation\nid: toy\ndepth: 56\nnorm: layer\ncaption: |\n  Press **Train**.\n:::\n"


def test_a_figure_keeps_measured_room_on_its_page_and_in_a_frame_and_has_images_for_phones(tmp_path: Path) -> None:
    stills = tmp_path / "stills"
    stills.mkdir()
    sizes = {"page": {"390": {"stage": 900, "said": 90}}, "embed": {"390": {"stage": 800, "said": 80}}}
    (stills / INDEX).write_text(json.dumps({"page.toy": sizes}))
    for theme, phone in (("light", False), ("light", True), ("dark", False)):
        (stills / name("page", "toy", theme, phone=phone)).touch()
    page = compiled(TOY, replace(LIBRARY, glossary_file=tmp_path / "glossary.yaml"))
    for text, size in ((str(page.html), "900px"), (str(page.alone["toy"]), "800px")):
        elements = Elements(text)
        (figure,) = elements.all("figure")
        assert f"--stage-390:{size};" in (figure["style"] or "")
        assert f"--stage-1280:{size};" in (figure["style"] or "")
        (source,) = elements.all("source")
        assert (source["media"] or "").startswith("screen and ")
        assert (source["srcset"] or "").startswith("stills/page.toy.phone.light.webp")
        images = [(image["src"] or "").partition("?")[0] for image in elements.all("img")]
        assert images == ["stills/page.toy.light.webp", "stills/page.toy.dark.webp"]


def test_a_knob_and_a_value_may_precede_their_simulation() -> None:
    elements = Elements(html("Depth {knob}`toy.depth`, {knob}`toy.norm`, {value}`toy.plain_test_error`.\n\n" + TOY))
    (depth,) = elements.all("span", class_="knob", **{"data-knob": "toy.depth"})
    assert depth["data-value"] == "56"
    assert float(depth["data-low"] or 0) < 56 < float(depth["data-high"] or 0)
    assert depth["data-step"]
    (norm,) = elements.all("span", class_="knob", **{"data-knob": "toy.norm"})
    assert '["layer", "LayerNorm"]' in (norm["data-options"] or "")
    assert elements.all("output", **{"data-value": "toy.plain_test_error"})


# -- directives ------------------------------------------------------------------------------------------------------


def test_a_simulation_has_its_place_from_the_start() -> None:
    page = compiled(TOY)
    elements = Elements(str(page.html))
    (figure,) = elements.all("figure", id="toy", **{"data-simulation": "degradation"})
    assert figure["data-initial"] == '{"depth": "56", "norm": "layer"}'
    assert "--stage-1280:" in str(figure["style"])
    assert [link["href"] for link in elements.all("a") if link.get("href", "").startswith("code-")] == [
        "code-degradation"
    ]
    assert {button["data-do"] for button in elements.all("button") if "data-do" in button} == {
        "share",
        "reset",
        "download",
        "png",
        "svg",
        "present",
    }
    assert [button["data-format"] for button in elements.all("button") if "data-format" in button] == list(FORMATS)
    assert {item["data-disclosure"] for item in elements.all("dd")} == {
        "network",
        "data",
        "seeds",
        "cannot_show",
    }
    assert "<strong>Train</strong>" in page.html
    assert "python -m sims degradation --depth 56 --norm layer" in page.html
    assert "sims/simulations/depth/degradation.py" in page.html
    assert "56 linear layers" in page.html
    assert list(page.simulations) == ["toy"]


def test_a_page_may_give_a_figure_its_full_width() -> None:
    page = compiled(":::{simulation} degradation\nfull_width: yes\n:::\n")
    (figure,) = Elements(str(page.html)).all("figure")
    assert figure["class"].split() == ["simulation", "training", "full-width"]


def test_a_page_may_open_a_training_at_its_start() -> None:
    page = compiled(":::{simulation} network_jacobians\nat_start: yes\n:::\n")
    assert [place.at_start for place in page.places.values()] == [True]


def test_a_page_may_give_a_figure_another_title() -> None:
    page = compiled(TOY.replace("depth: 56\n", "title: Deeper, & worse\n"))
    figure = Markup('<h2 class="title" id="toy-title">{}</h2>').format("Deeper, & worse")
    assert figure in page.html
    assert [item.title for item in page.worksheet if isinstance(item, FigureStill)] == ["Deeper, & worse"]
    assert Markup('<h1 class="title" id="toy-title">{}</h1>').format("Deeper, & worse") in page.alone["toy"]


OPTIONS = "options:\n- first\n- second\n- third\n"


@pytest.mark.parametrize(
    ("body", "answer", "inputs"),
    [
        (f"type: choice\n{OPTIONS}answer: 2\n", "2", 3),
        (f"type: rank\n{OPTIONS}answer: [3, 1, 2]\n", "[3, 1, 2]", 0),
        (
            "type: draw\nacross: {label: x, values: [1, 2, 3]}\nup: {label: y, from: 0, to: 1}\nanswer: [0, 0.5, 1]\n",
            "[0.0, 0.5, 1.0]",
            0,
        ),
        ("type: number\nanswer: 0.5\nunit: nats\n", "0.5", 1),
        ('type: number\nanswer: \'{calc}`publications.value(table="cifar10", model="ResNet-20")`\'\n', "8.75", 1),
        ("type: confidence\nanswer: no\n", '"no"', 3),
        ('type: confidence\nanswer: "yes"\n', '"yes"', 3),
    ],
)
def test_a_prediction(body: str, answer: str, inputs: int) -> None:
    page = compiled(f":::{{predict}} p-one\nquestion: Which *one*?\n{body}because: Since $x$.\n:::\n")
    elements = Elements(str(page.html))
    (section,) = elements.all("section", id="p-one")
    assert section["data-answer"] == answer
    assert len(elements.all("input")) == inputs
    assert "<summary>Skip and show</summary>" in page.html
    assert "Which <em>one</em>?" in page.html
    assert list(page.exercises) == ["p-one"]


def test_a_number_can_have_limits() -> None:
    body = "type: number\nquestion: Q\nbetween: [0, 9]\nwhole: yes\nunit: of 9\nanswer: 3\nbecause: B\n"
    markup = html(f":::{{predict}} p-one\n{body}:::\n")
    (field,) = Elements(markup).all("input")
    assert (field["min"], field["max"], field["step"]) == ("0", "9", "1")
    assert "A whole number from 0 to 9." in markup
    (free,) = Elements(html(":::{predict} p\ntype: number\nquestion: Q\nanswer: 3\nbecause: B\n:::\n")).all("input")
    assert (free.get("min"), free["step"]) == (None, "any")
    placed = html(f":::{{predict}} p-one\naxes: figure\n{body}:::\n")
    assert "or type a whole number from 0 to 9." in placed
    assert "data-marker" in placed
    assert "data-marker" not in markup


def test_a_quiz_has_a_reason_for_every_option() -> None:
    markup = html(
        ":::{quiz} q1\nquestion: Why?\noptions:\n- text: a\n  because: no, since\n- text: b\n  right: true\n"
        "  because: yes, since\n:::\n"
    )
    elements = Elements(markup)
    assert len(elements.all("input", type="radio", name="q1")) == 2
    assert len(elements.all("p", class_="because")) == 2
    assert len(elements.all("div", class_="answer right")) == 1


def test_a_worked_example_unfolds_step_by_step() -> None:
    markup = html(":::{worked} w-one Adding *two*\nBefore.\n\n1. One $x$.\n2. Two.\n   - detail\n\nAfter.\n:::\n")
    folds = Elements(markup).all("details")
    assert [("open" in fold) for fold in folds] == [True, False]
    assert "Adding <em>two</em>" in markup
    assert markup.index("Before.") < markup.index("One") < markup.index("After.")


def test_a_claim_waits_for_the_readers_judgment() -> None:
    page = compiled(":::{claim} A-01\n:::\n")
    elements = Elements(str(page.html))
    assert len(elements.all("input", type="radio", name="A-01")) == 4
    assert elements.all("section", id="A-01")[0]["data-agrees"] == "fails"
    assert elements.all("a", href="page?toy.depth=8&v=2#toy")
    assert page.claims == ("A-01",)


@pytest.mark.parametrize("name", ["note", "margin", "question"])
def test_boxes(name: str) -> None:
    markup = html(f":::{{{name}}} A *title*\nSome **words**.\n:::\n")
    assert f'class="{name}"' in markup
    assert "<strong>words</strong>" in markup


def test_results_wait_for_the_predictions_that_they_answer() -> None:
    question = ":::{predict} p\ntype: confidence\nquestion: Q\nanswer: no\nbecause: B\n:::\n"
    page = compiled(f"{question}\n::::{{covered}} p\nIt *fell*.\n::::\n")
    (part,) = Elements(str(page.html)).all("div", class_="covered")
    assert part["data-covered"] == "p"
    assert "data-hidden" in part
    assert 'href="#p">your prediction</a>' in page.html
    assert "<em>fell</em>" in page.html


def test_a_fold_is_closed_and_holds_directives() -> None:
    page = compiled("::::{fold} What $x$ *costs*\nSome **words**.\n\n### Detail\n\n:::{claim} A-01\n:::\n::::\n")
    (fold,) = Elements(str(page.html)).all("details", class_="fold")
    assert "open" not in fold
    assert fold["id"] == "what-x-costs"
    assert re.search(r"<summary>What <math>.*</math> <em>costs</em></summary>", str(page.html))
    assert "<strong>words</strong>" in page.html
    assert page.claims == ("A-01",)
    assert page.sections == ()


def test_directives_nest() -> None:
    markup = html("::::{note}\nSee:\n\n:::{margin}\nAside.\n:::\n::::\n")
    assert markup.index('class="note"') < markup.index('class="margin"') < markup.index("Aside.")


@pytest.mark.parametrize(
    "words",
    [
        ":::{note}\n:::",
        "- one\n\n  :::{note}\n  two\n  :::\n",
        "> :::{note}\n> two\n> :::\n",
        ":::{note}\ntwo\n:::::  \n",
        "::::{note}\n```markdown\n:::{claim} A-01\n:::\n```\n::::\n",
        "```python\n1\n```",
        "~~~\n```\n~~~\n",
    ],
)
def test_what_is_closed_may_end_anywhere(words: str) -> None:
    assert html(words)


def test_code_shows_a_real_object() -> None:
    assert "Quantity" in html(":::{code} sims.contract.frame.Quantity\n:::\n")


def test_code_shows_several_objects_one_below_the_other() -> None:
    markup = html(":::{code} sims.pytorch.layers.blocks.Plain sims.pytorch.layers.blocks.Residual\n:::\n")
    assert markup.count("<pre>") == 1
    assert markup.index("Plain</i>") < markup.index("Residual</i>")
    assert "sims.pytorch.layers.blocks.Plain, sims.pytorch.layers.blocks.Residual" in markup


def test_a_poster_has_a_cell_for_every_heading() -> None:
    markup = html(
        "::::{poster} sheet One *page*\n### First\n$x$\n\n- a\n### Second\n:::{sketch} pre-ln plain\n:::\n::::\n"
    )
    assert markup.count('<section class="cell">') == 2
    assert "<h4>Second</h4>" in markup
    assert markup.count("<svg") == 2
    assert 'id="sheet"' in markup


def test_published_numbers_carry_status_and_source() -> None:
    page = compiled(":::{published} cifar10\n:::\n")
    assert "6.43" in page.html
    assert 'class="badge published" data-sign="●"' in page.html
    assert 'class="badge not-in-the-paper" data-sign="▲"' in page.html
    assert page.papers == (PAPER,)


# -- mistakes --------------------------------------------------------------------------------------------------------

QUIZ = ":::{{quiz}} q\nquestion: Why?\noptions:\n- text: a\n  because: x\n{}- text: b\n  because: x\n{}:::\n"


@pytest.mark.parametrize(
    ("words", "message", "line"),
    [
        ("one\n\n:::{nonsense}\n:::\n", "no directive '{nonsense}'", 9),
        ("one\ntwo {nonsense}`x`", "no role 'nonsense'", 8),
        ("{term}`nothing`", "no term 'nothing'", 7),
        ("{cite}`nobody1900`", "no key 'nobody1900'", 7),
        ("{calc}`worked.nothing()`", "no calculation named 'nothing'", 7),
        ("{calc}`worked.batch_norm_gain(wrong=1)`", "wrong", 7),
        ("{calc}`worked.batch_norm_gain()|nonsense`", "format", 7),
        ("{calc}`os.getcwd()`", "No module named", 7),
        ("one\n\n{knob}`toy.depth`\n", "belongs to no simulation of this page", 9),
        (f"{TOY}\n{{knob}}`toy.nothing`\n", "no parameter 'nothing'", 15),
        (f"{TOY}\n{{value}}`toy.plain_trainin_error`\n", "no result 'plain_trainin_error'", 15),
        (f"{TOY}\n{{value}}`toy`\n", "no result ''", 15),
        (f"{TOY}\n{TOY}", "the id 'toy' is taken", 15),
        ("one\n\n:::{note}\ntwo\n\nthree\n", ":::{note} is not closed", 9),
        ("one\n\n:::{note}", ":::{note} is not closed", 9),
        ("one\n\n:::{note}\n::", ":::{note} is not closed", 9),
        ("one\n\n::::{note}\n:::", "::::{note} is not closed", 9),
        ("- one\n\n  :::{note}\n  two\n\nthree\n", ":::{note} is not closed", 9),
        (":::{claim} A-01\n\nthree\n\n:::{note}\nfour\n:::\n", "is not closed by a line of ::: before :::{note}", 7),
        ("::::{note}\n\n:::{margin}\nAside.\n\n::::\n", ":::{margin} is not closed", 9),
        ("::::{worked} w-one T\n1. a\n2. b\n\n   :::{note}\n   c\n::::\n", ":::{note} is not closed", 11),
        ("one\n\n```python\nreturn 1\n", "```python is not closed", 9),
        ("[there](nowhere)", "no such page", 7),
        ("[there](#nowhere)", "nothing on this page", 7),
        ("text\n\n# Title\n", "headings on a page", 9),
        ("$\\nonsense$", "the formula", 7),
        ("text\n\n$$\n\\nonsense\n$$\n", "the formula", 9),
        (":::{simulation} nothing\n:::\n", "no simulation named 'nothing'", 7),
        (":::{simulation} degradation\ncolor: red\n:::\n", "unknown: color", 7),
        (":::{simulation} degradation\ncovered: p-later\n:::\n", "expected a prediction above", 7),
        (":::{simulation} degradation\nfull_width: wide\n:::\n", "full_width: expected yes or no", 7),
        (":::{simulation} network_jacobians\nat_start: 0\n:::\n", "at_start: expected yes or no", 7),
        (":::{simulation} paths\nat_start: yes\n:::\n", "at_start: expected a training", 7),
        (":::{simulation} degradation\ndepth: 9999\n:::\n", "depth: ", 7),
        (":::{simulation} degradation\ndepth: [\n:::\n", "not YAML", 8),
        (":::{simulation} degradation\ncaption: |\n  one\n  {term}`nothing`\n:::\n", "no term", 10),
        (":::{predict} p\ntype: guess\n:::\n", "the type of a prediction", 7),
        (f":::{{predict}} p\ntype: choice\nquestion: Q\n{OPTIONS}answer: 4\nbecause: B\n:::\n", "1 to 3", 7),
        (f":::{{predict}} p\ntype: rank\nquestion: Q\n{OPTIONS}answer: [1, 2]\nbecause: B\n:::\n", "true order", 7),
        (f":::{{predict}} p\ntype: rank\nquestion: Q\n{OPTIONS}answer: [1, 2, 3]\nbecause: B\n:::\n", "already", 7),
        (
            f":::{{predict}} p\ntype: rank\nquestion: Q\n{OPTIONS}rows: [x, y]\nanswer: [1, 3, 2]\nbecause: B\n:::\n",
            "expected 3 rows",
            7,
        ),
        *(
            (
                f":::{{predict}} p\ntype: choice\nquestion: Q\n{OPTIONS}rows: {rows}\nanswer: 1\nbecause: B\n:::\n",
                words,
                7,
            )
            for rows in ("[x, y]", "[x, x, ~]", "[~, ~, ~]")
            for words in ("expected 3 rows",)
        ),
        (f":::{{predict}} p\ntype: number\nquestion: Q\n{OPTIONS}answer: 1\nbecause: B\n:::\n", "unknown: options", 7),
        (":::{predict} p\ntype: number\nquestion: Q\nanswer: .inf\nbecause: B\n:::\n", "is no number", 7),
        (
            ":::{predict} p\ntype: number\nquestion: Q\nbetween: [0, 9]\nanswer: 12\nbecause: B\n:::\n",
            "the answer, 12, is not one",
            7,
        ),
        (
            ":::{predict} p\ntype: number\nquestion: Q\nbetween: [9]\nanswer: 1\nbecause: B\n:::\n",
            "expected the lowest and the highest",
            7,
        ),
        (
            ":::{predict} p\ntype: number\nquestion: Q\naxes: figure\nanswer: 1\nbecause: B\n:::\n",
            "a number on an axis also needs between",
            7,
        ),
        (":::{predict} p\ntype: confidence\nquestion: Q\nanswer: maybe\nbecause: B\n:::\n", "yes or no", 7),
        (":::{predict} p\ntype: number\nquestion: Q\nanswer: many\nbecause: B\n:::\n", "neither a number", 7),
        (":::{predict} p\ntype: number\nquestion: Q\nanswer: 1\nbecause: |\n  a\n\n  {cite}`x`\n:::\n", "no key", 14),
        (QUIZ.format("", ""), "exactly one", 7),
        (QUIZ.format("  right: true\n", "  right: true\n"), "exactly one", 7),
        (":::{worked} w-one\n1. a\n:::\n", "an id and a title", 7),
        (":::{worked} w-one T\nNo list.\n:::\n", "one numbered list", 7),
        ("::::{worked} w-one T\n1. a\n2. {term}`nothing`\n::::\n", "no term", 9),
        (":::{claim} Z-99\n:::\n", "no claim 'Z-99'", 7),
        (":::{covered} p-later\nText.\n:::\n", "predictions above, among , not 'p-later'", 7),
        (":::{covered}\nText.\n:::\n", "predictions above", 7),
        (":::{fold}\nNo title.\n:::\n", "a title", 7),
        (":::{fold} A title\n:::\n", "what the fold holds", 7),
        (":::{fold} A title\n## A section\n:::\n", "a section cannot begin inside a fold", 7),
        (":::{fold} A title\n\n{term}`nothing`\n:::\n", "no term", 9),
        (":::{code} sims.nothing\n:::\n", "there is no sims.nothing", 7),
        (":::{published} nothing\n:::\n", "nothing", 7),
        (":::{sketch} nothing\n:::\n", "expected names", 7),
        (":::{poster} sheet One page\nNo heading.\n:::\n", "under ### headings", 7),
        (":::{poster} sheet One page\n### A\nb\n### C\n{term}`nothing`\n:::\n", "no term", 11),
        ("::::{note}\nfine\n\n:::{margin}\n{term}`nothing`\n:::\n::::\n", "no term", 11),
    ],
)
def test_a_mistake_is_found_with_file_and_line(words: str, message: str, line: int) -> None:
    with pytest.raises(BuildError, match=re.escape(message)) as caught:
        compiled(words)
    assert str(caught.value).startswith(f"page.md:{line}: ")


def test_a_mistake_in_a_claim_is_found_in_its_own_file() -> None:
    wrong = Claim(**{**vars(CLAIM), "correction": LocatedStr("See {cite}`nobody`.").at(6)})
    with pytest.raises(BuildError, match=r"^claims\.yaml:6: "):
        compiled(":::{claim} A-01\n:::\n", Library(claims={"A-01": wrong}))


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("No front matter.", "front matter", 1),
        ("---\ntitle: T\nslug: s\n---\n", "question, lede is missing", 1),
        ("---\ntitle: T\nslug: [\n---\n", "not YAML", 3),
    ],
)
def test_mistakes_in_front_matter(text: str, message: str, line: int) -> None:
    with pytest.raises(BuildError, match=message) as caught:
        compile_page(text, FILE, LIBRARY)
    assert caught.value.line == line


@pytest.mark.parametrize("words", re.findall(r"```markdown\n(.*?)```", (ROOT / "README.md").read_text(), re.S))
def test_the_forms_that_readme_shows_are_those_that_build(words: str) -> None:
    assert compile_page(words if words.startswith("---") else FRONT + words, FILE, LIBRARY).html
