"""The link with which readers tell us what is wrong with a page. Stored pages have a marker instead, so that other
settings do not rebuild them.

It opens an issue form with the page, the version of the site and the state of the page (which a script adds at the
press), a letter with the same, or, without a setting, it is not there.
"""

import re
from html import escape
from urllib.parse import quote

from app import settings

MARK = "https://feedback.invalid/"
"""Marker for the address of the form. A line with it is dropped if no form and no mail is set."""

FORM = "wrong-statement.yml"
"""The form in `.github/ISSUE_TEMPLATE/` that has fields for what the link fills in"""

LINK = re.compile(rf"{re.escape(MARK)}\?page=([\w./-]*)&amp;version=([\w.-]*)")

ISSUES = re.compile(r"https?://[\w.-]+(?::\d+)?/[\w./~-]+")
MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")


def checked() -> tuple[str, str]:
    """The address of new issues and the mail address, "" where none is set. Raises ValueError if one is invalid."""
    issues, mail = settings.issues(), settings.mail()
    if issues and not ISSUES.fullmatch(issues):
        raise ValueError(f"SKIP_ISSUES is {issues!r}, and must be like https://example.org/owner/name/issues/new")
    if mail and not MAIL.fullmatch(mail):
        raise ValueError(f"SKIP_MAIL is {mail!r}, and must be one mail address")
    return issues, mail


def marked(slug: str, version: str) -> str:
    """The marker for the link of a page."""
    return f"{MARK}?page={slug}&version={version}"


def with_feedback(html: str) -> str:
    """The HTML with the link in place of its marker, or without the line if there is nowhere to lead to."""
    issues, mail = checked()
    if not issues and not mail:
        return "".join(line for line in html.splitlines(keepends=True) if MARK not in line)

    def address(match: re.Match[str]) -> str:
        page, version = match[1], match[2]
        if issues:
            return escape(f"{issues}?template={FORM}&title={quote(f'{page}: ')}&page={page}&version={version}")
        body = f"What is wrong:\n\n\nPage: {page}\nVersion: {version}\n"
        return escape(f"mailto:{mail}?subject={quote(f'Something wrong: {page}')}&body={quote(body)}")

    return LINK.sub(address, html)
