"""The engine of small language models: trains a GPT on single symbols with compiled kernels."""

from sims.engines.language.architecture import LanguageModel
from sims.engines.language.engine import LanguageState, Lesson, advance, gradients, start, streams

__all__ = ["LanguageModel", "LanguageState", "Lesson", "advance", "gradients", "start", "streams"]
