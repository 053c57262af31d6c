"""The engine of small language models: a GPT on symbols, forward and backward, at the speed of the processor."""

from sims.engines.language.architecture import LanguageModel
from sims.engines.language.engine import LanguageState, Lesson, advance, gradients, start, streams

__all__ = ["LanguageModel", "LanguageState", "Lesson", "advance", "gradients", "start", "streams"]
