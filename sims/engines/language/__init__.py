"""The engine of small language models: trains a GPT on single symbols with compiled kernels."""

from sims.engines.language.architecture import Branches, LanguageModel, SwitchedModel
from sims.engines.language.engine import LanguageRecipe, LanguageState, advance, gradients, start, streams

__all__ = [
    "Branches",
    "LanguageModel",
    "LanguageRecipe",
    "LanguageState",
    "SwitchedModel",
    "advance",
    "gradients",
    "start",
    "streams",
]
