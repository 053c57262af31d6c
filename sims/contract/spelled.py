"""The base class of parameters that hold a reader's text, and how they admit texts from outside."""

from abc import abstractmethod

import param


class TextParameter(param.String):
    """A parameter whose value is a text, written as it is into a URL and on the command line."""

    longest: int = 0
    """Characters that a text from outside may have; a longer one is refused unread"""

    @abstractmethod
    def admitted(self, text: str) -> tuple[str, str]:
        """Return what can be kept of a text, and a clause about what was left out ("" if nothing was).

        Raises ValueError if nothing can be kept.
        """

    @abstractmethod
    def described(self) -> str:
        """Describe the texts that it accepts, in words."""
