"""Lesson plans, as pages show them and as slides are made from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from app.pages.document.worksheet import Complete

NOTHING = Markup()


@dataclass(frozen=True)
class Step:
    """A step of a plan. `open` is an address within the site, "" for none; `wrong` are wrong answers with replies."""

    minute: int
    do: Markup
    open: str = ""
    ask: Markup = NOTHING
    expect: Markup = NOTHING
    answer: Markup = NOTHING
    wrong: Sequence[tuple[Markup, Markup]] = ()

    def completed(self, complete: Complete) -> "Step":
        """The same with every deferred placeholder filled."""
        return replace(
            self,
            do=complete(self.do),
            ask=complete(self.ask),
            expect=complete(self.expect),
            answer=complete(self.answer),
            wrong=[(complete(says), complete(reply)) for says, reply in self.wrong],
        )


@dataclass(frozen=True)
class Lesson:
    """A plan: what students can do after it, what they need before it, and its steps."""

    id: str
    title: Markup
    aims: Sequence[Markup]
    needs: Markup
    steps: Sequence[Step]

    def completed(self, complete: Complete) -> "Lesson":
        """The same with every deferred placeholder filled."""
        return replace(
            self,
            title=complete(self.title),
            aims=[complete(aim) for aim in self.aims],
            needs=complete(self.needs),
            steps=[step.completed(complete) for step in self.steps],
        )
