"""Converts Markdown to a page, and checks everything on it that refers to something else."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.pages.document.page import Library, Page
from app.pages.document.page_context import PageContext
from app.pages.markdown.syntax import MARKDOWN
from app.pages.text import located_yaml
from app.pages.text.errors import attempt


def compile_page(text: str, file: Path, library: Library) -> Page:
    """A page from its Markdown. Raises BuildError for a mistake in it."""
    context = PageContext(file, library, MARKDOWN)
    return context.page(front_matter(text, file), context.complete(context.blocks(text)))


def front_matter(text: str, file: Path) -> Mapping[str, Any]:
    """A page's metadata. Raises BuildError where a field is missing or unknown."""

    def read() -> Mapping[str, Any]:
        match = re.match(r"---\n(.*?)^---$", text, re.DOTALL | re.MULTILINE)
        if match is None:
            raise ValueError("the page does not begin with front matter between two lines of ---")
        data = located_yaml.load(match[1], line=2)
        return located_yaml.fields(
            data, ("title", "slug", "question", "lede"), ("status", "routes", "typed", "picture")
        )

    return attempt(file, 1, read)
