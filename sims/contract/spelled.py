"""Parameters that hold a text of the reader's: what such a kind has to say about texts from outside."""

from abc import abstractmethod

import param


class TextParameter(param.String):
    """A parameter whose value is a text, written as it is into a URL and on the command line."""

    longest: int = 0
    """Characters of a text from outside that are looked at; a longer one is refused unread"""

    @abstractmethod
    def admitted(self, text: str) -> tuple[str, str]:
        """What can be kept of a text, and what was left out of it, in a clause ("" where nothing was).

        Raises ValueError where nothing can be kept.
        """

    @abstractmethod
    def described(self) -> str:
        """The texts that it takes, in words."""
