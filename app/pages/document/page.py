"""A finished page, and the library of everything that pages may refer to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from markupsafe import Markup

from app.pages.data.bibliography import Entry
from app.pages.data.claims import Claim
from app.pages.data.glossary import Term
from app.pages.document.editable_numbers import Example
from app.pages.document.figure_placement import FigurePlacement
from app.pages.document.lesson import Lesson
from app.pages.document.worksheet import WorksheetItem
from sims.contract.calculation import Number
from sims.contract.simulation import Simulation
from sims.kept.book import NumberStore


@dataclass(frozen=True)
class Library:
    """Everything that pages may refer to."""

    terms: Mapping[str, Term] = field(default_factory=dict)
    papers: Mapping[str, Entry] = field(default_factory=dict)
    claims: Mapping[str, Claim] = field(default_factory=dict)
    slugs: frozenset[str] = frozenset()
    titles: Mapping[str, str] = field(default_factory=dict)
    """Slug → title of the pages that teach, with their marks"""
    written: frozenset[str] = frozenset()
    """Slugs of the pages that have content beyond an announcement."""
    embeds: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Page and id of a figure → the address of the page that holds only this figure"""
    glossary_file: Path = Path("glossary.yaml")
    numbers: NumberStore = field(default_factory=lambda: NumberStore(Path("numbers.json")))


@dataclass(frozen=True)
class Section:
    """A part of a page with a heading of its own."""

    id: str
    title: Markup


@dataclass(frozen=True)
class Page:
    """A page's own content as HTML, and what it refers to.

    `long` are its long calculations as calls, each with the value that the page shows, or None if not yet known.
    """

    meta: Mapping[str, Any]
    html: Markup
    sections: tuple[Section, ...] = ()
    simulations: Mapping[str, Simulation] = field(default_factory=dict)
    places: Mapping[str, FigurePlacement] = field(default_factory=dict)
    """Key of a picture → the place it is for"""
    alone: Mapping[str, Markup] = field(default_factory=dict)
    """Id of a simulation → its figure for a page that holds only this figure"""
    terms: tuple[tuple[Term, Markup, Markup], ...] = ()
    papers: tuple[Entry, ...] = ()
    claims: tuple[str, ...] = ()
    exercises: Mapping[str, Markup] = field(default_factory=dict)
    """Id of a prediction or quiz → its question"""
    worksheet: tuple[WorksheetItem, ...] = ()
    """Its predictions, quizzes and figures, for paper"""
    lessons: tuple[Lesson, ...] = ()
    """Its lesson plans, for slides"""
    examples: Mapping[str, Example] = field(default_factory=dict)
    """Id → worked example with numbers that can be edited."""
    long: Mapping[str, Number | None] = field(default_factory=dict)

    @property
    def pending(self) -> list[str]:
        """The calls for which the page shows a placeholder."""
        return [call for call, value in self.long.items() if value is None]
