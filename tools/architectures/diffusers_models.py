"""Architectures of diffusers, small and with random weights."""

import diffusers
import torch

from tools.architectures.entry import Entry, images

D = diffusers

ENTRIES = (
    Entry(
        "diffusers",
        "UNet2D",
        lambda: D.UNet2DModel(
            sample_size=32,
            block_out_channels=(16, 32),
            down_block_types=("DownBlock2D", "AttnDownBlock2D"),
            up_block_types=("AttnUpBlock2D", "UpBlock2D"),
            norm_num_groups=8,
            attention_head_dim=8,
        ),
        lambda: ((torch.randn(1, 3, 32, 32), torch.tensor([5])), {}),
        {"ResnetBlock2D": 1, "Attention": 1, "AttnProcessor2_0": 0},
    ),
    Entry(
        "diffusers",
        "UNet2DCondition",
        lambda: D.UNet2DConditionModel(
            sample_size=16,
            block_out_channels=(16, 32),
            down_block_types=("CrossAttnDownBlock2D", "DownBlock2D"),
            up_block_types=("UpBlock2D", "CrossAttnUpBlock2D"),
            cross_attention_dim=16,
            norm_num_groups=8,
            attention_head_dim=8,
        ),
        lambda: ((torch.randn(1, 4, 16, 16), torch.tensor([5]), torch.randn(1, 7, 16)), {}),
        {"ResnetBlock2D": 1, "BasicTransformerBlock": 3, "Transformer2DModel": 1},
    ),
    Entry(
        "diffusers",
        "AutoencoderKL",
        lambda: D.AutoencoderKL(
            block_out_channels=(16, 32),
            down_block_types=("DownEncoderBlock2D",) * 2,
            up_block_types=("UpDecoderBlock2D",) * 2,
            norm_num_groups=8,
        ),
        images(32, 1),
        {"ResnetBlock2D": 1, "Attention": 1},
    ),
    Entry(
        "diffusers",
        "DiT",
        lambda: D.DiTTransformer2DModel(
            num_attention_heads=4,
            attention_head_dim=8,
            num_layers=2,
            sample_size=16,
            norm_num_groups=8,
            num_embeds_ada_norm=10,
        ),
        lambda: ((torch.randn(1, 4, 16, 16), torch.tensor([5]), torch.tensor([1])), {}),
        {"BasicTransformerBlock": 2},
    ),
)
