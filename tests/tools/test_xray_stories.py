"""The page of X-rays says what the tool says today."""

import re
from collections.abc import Callable
from xml.etree import ElementTree

import pytest

from tools import xray_stories
from tools.xray_stories import PAGE, PICTURES, STORIES, Story

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")
SIZES = 0.15, 0.02
"""How much a number may differ on another machine, relative and absolute: trainings part slowly"""


def paragraph(story: Story) -> str:
    section = PAGE.read_text(encoding="utf-8").partition(f"## {story.heading}\n\n")[2]
    return section.partition("\n\n")[0]


@pytest.mark.exhaustive  # trains the networks of the page again
@pytest.mark.parametrize("tell", STORIES)
def test_the_page_is_current(tell: Callable[[], Story]) -> None:
    story = tell()
    kept = paragraph(story)
    assert NUMBER.sub("0", kept) == NUMBER.sub("0", story.words), "run python -m tools.xray_stories"
    for one, other in zip(NUMBER.findall(kept), NUMBER.findall(story.words), strict=True):
        assert float(one) == pytest.approx(float(other), rel=SIZES[0], abs=SIZES[1])
    assert len(story.words.split()) <= 80
    drawing = ElementTree.fromstring(xray_stories.picture(story))
    assert len(drawing.findall("{http://www.w3.org/2000/svg}svg")) == len(story.reports)


def test_every_story_has_its_picture() -> None:
    names = re.findall(r"\]\(xray-stories/([\w-]+\.svg)\)", PAGE.read_text(encoding="utf-8"))
    assert len(names) == len(STORIES)
    assert sorted(names) == sorted(path.name for path in PICTURES.iterdir())
