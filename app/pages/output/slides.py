"""Slides of a lesson: its questions and figures in the order of its steps, with notes, as one file without scripts."""

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from markupsafe import Markup

from app.pages.data.site_url import MARK
from app.pages.document.lesson import Lesson, Step
from app.pages.document.page import Page
from app.pages.document.worksheet import FigureStill, Option, Question
from app.pages.files import stills
from app.pages.files.sources import HOME
from app.pages.text.templating import fill

NOTHING = Markup()

INNER = re.compile(r'<a [^>]*href="(?!https?:)[^"]*"[^>]*>((?:(?!</a>).)*)</a>', re.DOTALL)
"""A link within the site, which a file on its own cannot follow"""


@dataclass(frozen=True)
class Slide:
    """One slide. `image` is a data URL, "" for none; `title` the figure's; `address` where the figure is, with a
    marker for the address of the site; `notes` are paragraphs for the teacher."""

    minute: int
    head: Markup
    text: Markup = NOTHING
    options: Sequence[Option] = ()
    solved: bool = False
    image: str = ""
    title: str = ""
    address: str = ""
    notes: Sequence[Markup] = ()


def deck(lesson: Lesson, home: str, page: Callable[[str], Page], folder: Path) -> Markup:
    """The slides of a lesson on the page `home`. `page` gives the pages that its steps open, `folder` has the stills.

    A prediction has two slides: the question, with the figure before its result is shown, and the result.
    """
    solved: set[str] = set()
    slides = [slide for step in lesson.steps for slide in _slides(step, page, folder, solved)]
    html = fill("classroom/deck", lesson=lesson, slides=slides, home=f"{MARK}{home}#{lesson.id}")
    return Markup(INNER.sub(r"\1", str(html)))


def _slides(step: Step, page: Callable[[str], Page], folder: Path, solved: set[str]) -> list[Slide]:
    """The slides of a step. `solved` are the predictions that the class has seen answered, and is added to."""
    parts = urlsplit(step.open)
    slug, anchor = (HOME if parts.path == "./" else parts.path), parts.fragment
    address = f"{MARK}{'' if slug == HOME else slug}{step.open[len(parts.path) :]}" if step.open else ""
    worksheet = page(slug).worksheet if step.open else ()
    question = next((item for item in worksheet if isinstance(item, Question) and item.id == anchor), None)
    figures = [item for item in worksheet if isinstance(item, FigureStill)]
    notes = [step.do, *([Markup("Expect: {}").format(step.expect)] if step.expect else [])]
    replies = [step.answer] if step.answer else []
    replies += [Markup("If somebody says “{}”: {}").format(says, reply) for says, reply in step.wrong]
    if question is None:
        figure = next((item for item in figures if item.id == anchor), None)
        hidden = figure is not None and bool(figure.covered) and f"{slug}#{figure.covered}" not in solved
        image, title = _image(folder, slug, figure, unanswered=hidden)
        head, remarks = step.ask or step.do, [*notes, *replies]
        return [Slide(step.minute, head, image=image, title=title, address=address, notes=remarks)]
    figure = next((item for item in figures if item.covered == question.id), None)
    # What is asked in class may differ from the prediction, and then both are on the slide.
    text = step.ask if step.ask and question.kind != "quiz" else NOTHING
    image, title = _image(folder, slug, figure, unanswered=True)
    first = Slide(
        step.minute,
        question.question,
        text=text,
        options=question.options,
        address=address,
        notes=[*notes, *replies],
        image=image,
        title=title,
    )
    solved.add(f"{slug}#{question.id}")
    answer = Markup(", then ").join(question.answer)
    because = question.because or next((option.because for option in question.options if option.right), NOTHING)
    image, title = _image(folder, slug, figure, unanswered=False)
    result = Slide(
        step.minute,
        question.question,
        text=answer,
        options=[] if question.kind == "rank" else question.options,
        solved=True,
        address=address,
        notes=[because],
        image=image,
        title=title,
    )
    return [first, result]


def _image(folder: Path, slug: str, figure: FigureStill | None, unanswered: bool) -> tuple[str, str]:
    """The still of a figure as a data URL, and the figure's title; both "" where there is none."""
    if figure is None:
        return "", ""
    path = folder / stills.name(slug, figure.id, "light", unanswered=unanswered)
    if not path.is_file():
        return "", ""
    data = base64.b64encode(path.read_bytes()).decode()
    return f"data:image/webp;base64,{data}", figure.title
