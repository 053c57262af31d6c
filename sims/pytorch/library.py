"""Residual blocks for PyTorch, starts for their branches, and checks for any network.

    from sims.pytorch.library import GPT2Block, gradient_norms

A wrapper joins a branch of yours with the stream. A block brings its own branches, and those named for a model load its
published weights.
"""

from sims.pytorch.diagnostics.checks import gradient_norms, saved_bytes, sees_the_future
from sims.pytorch.diagnostics.listed_paths import listed_paths
from sims.pytorch.diagnostics.loss_slice import loss_slice, random_direction
from sims.pytorch.layers.blocks import DeepNorm, Dense, Highway, PeriNorm, PostNorm, PreNorm, Residual, ReZero
from sims.pytorch.layers.branch_ends import Scaled, multiply_ends, normal_start, shrink_ends, zero_ends
from sims.pytorch.layers.recipe_blocks import (
    LayerScaleBlock,
    NormalizerFreeBlock,
    PostNormPerceptron,
    QKNormBlock,
    ReZeroBlock,
    ReZeroPerceptron,
)
from sims.pytorch.layers.transformer_blocks import (
    DeepNormBlock,
    ParallelBlock,
    PerceptronBlock,
    PeriNormBlock,
    PostNormBlock,
    PreNormBlock,
)
from sims.pytorch.layers.vision_blocks import PreActivationBlock
from sims.pytorch.published.convnext import ConvNeXtBlock, from_torchvision
from sims.pytorch.published.gpt2 import GPT2Block, from_conv1d
from sims.pytorch.published.llama import LlamaBlock
from sims.pytorch.published.resnet import BasicBlock, Bottleneck

__all__ = [
    "BasicBlock",
    "Bottleneck",
    "ConvNeXtBlock",
    "DeepNorm",
    "DeepNormBlock",
    "Dense",
    "GPT2Block",
    "Highway",
    "LayerScaleBlock",
    "LlamaBlock",
    "NormalizerFreeBlock",
    "ParallelBlock",
    "PerceptronBlock",
    "PeriNorm",
    "PeriNormBlock",
    "PostNorm",
    "PostNormBlock",
    "PostNormPerceptron",
    "PreActivationBlock",
    "PreNorm",
    "PreNormBlock",
    "QKNormBlock",
    "ReZero",
    "ReZeroBlock",
    "ReZeroPerceptron",
    "Residual",
    "Scaled",
    "from_conv1d",
    "from_torchvision",
    "gradient_norms",
    "listed_paths",
    "loss_slice",
    "multiply_ends",
    "normal_start",
    "random_direction",
    "saved_bytes",
    "sees_the_future",
    "shrink_ends",
    "zero_ends",
]
