"""Names of the files with the questions of a page, or of all pages, for learning platforms."""

import re

FORMATS = {"moodle.xml": "Moodle XML", "qti.zip": "QTI 2.1"}
"""Ending of a file → what the format is called"""

WHOLE = "quizzes"
"""The name, before its ending, of the file with the questions of all pages"""

PREFIX = "quiz-"

FILE = re.compile(rf"({PREFIX}[\w-]+|{WHOLE})\.({'|'.join(map(re.escape, FORMATS))})")


def of_page(slug: str) -> str:
    """The name, before its ending, of the file with the questions of a page."""
    return f"{PREFIX}{slug}"
