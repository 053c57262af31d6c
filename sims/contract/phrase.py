"""A parameter for a few words of the reader's own, in the letters that a model knows."""

import re

from sims.contract.spelled import TextParameter


class Phrase(TextParameter):
    """One line of at most `most` letters of an alphabet, with at least one that is not a space."""

    __slots__ = ("alphabet", "most")

    longest = 200

    def __init__(self, default: str, alphabet: str, most: int, **options: object) -> None:
        letters = rf"\A(?=.*\S)[{re.escape(alphabet)}]{{1,{most}}}\Z"
        super().__init__(default, regex=letters, **options)  # type: ignore[call-overload]
        self.alphabet = alphabet
        self.most = most

    def admitted(self, text: str) -> tuple[str, str]:
        letters = "".join(letter for letter in text if letter in self.alphabet)
        phrase = letters[: self.most]
        if not phrase.strip():
            raise ValueError("there is no letter in it that is known")
        strange = "".join(dict.fromkeys(letter for letter in text if letter not in self.alphabet))
        if strange:
            return phrase, f"the model has never seen “{strange[:10]}”"
        left = letters[self.most :]
        return phrase, f"more than {self.most} letters, “{left[:10]}” and what follows" if left else ""

    def described(self) -> str:
        return f"up to {self.most} letters, spaces and signs of {self.alphabet.strip()}"
