"""Architectures of timm with random weights."""

from collections.abc import Callable, Sized
from typing import cast

import timm
from torch import nn

from tools.architectures.entry import Count, Entry, images, off, on, present


def timm_model(name: str) -> Callable[[], nn.Module]:
    return lambda: timm.create_model(name, pretrained=False)


def fastvit(module: nn.Module) -> int:
    if module.identity is None:
        return 0
    return int(module.conv_scale is not None) + (
        len(cast(Sized, module.conv_kxk)) if module.conv_kxk is not None else 0
    )


HELD_OUT: dict[str, dict[str, Count]] = {
    "seresnext26d_32x4d": {"Bottleneck": 1},
    "skresnet18": {"SelectiveKernelBasic": 1},
    "resnest14d": {"ResNestBottleneck": 1},
    "regnetz_b16": {"BottleneckBlock": present("shortcut")},
    "efficientvit_b0": {"ResidualBlock": present("shortcut")},
    "efficientformer_l1": {"MetaBlock2d": 2, "MetaBlock1d": 2},
    "fastvit_t8": {"MobileOneBlock": fastvit, "RepMixerBlock": 1, "RepMixer": 1},
    "mobileone_s0": {"MobileOneBlock": present("identity")},
    "repvit_m0_9": {"RepViTBlock": 1, "RepVggDw": 1, "RepVitDownsample": 1},
    "tiny_vit_5m_224": {"MBConv": 1, "TinyVitBlock": 2},
    "swinv2_cr_tiny_224": {"SwinTransformerV2CrBlock": 2},
    "crossvit_9_240": {"Block": 2, "CrossAttentionBlock": 1},
    "nest_tiny": {"TransformerLayer": 2},
    "visformer_tiny": {"Block": lambda m: 1 + present("attn")(m)},
    "volo_d1_224": {"Outlooker": 2, "Transformer": 2, "ClassBlock": 2},
    "sequencer2d_s": {"Sequencer2dBlock": 2},
    "pit_ti_224": {"Block": 2},
    "tnt_s_patch16_224": {"Block": 4},
    "gcvit_xxtiny": {"MbConvBlock": 1, "GlobalContextVitBlock": 2},
    "hiera_tiny_224": {"HieraBlock": 2},
    "inception_next_tiny": {"MetaNeXtBlock": 1},
    "mambaout_femto": {"GatedConvBlock": 1},
    "nextvit_small": {"NextConvBlock": 2, "NextTransformerBlock": 3},
    "starnet_s1": {"Block": 1},
    "ese_vovnet19b_dw": {"OsaBlock": on("residual")},
    "xception41": {"XceptionModule": off("no_skip")},
    "selecsls42b": {},
    "bat_resnext26ts": {"BottleneckBlock": present("shortcut"), "BatNonLocalAttn": 1},
    "eca_botnext26ts_256": {"BottleneckBlock": present("shortcut"), "SelfAttnBlock": present("shortcut")},
    "halonet26t": {"BottleneckBlock": present("shortcut"), "SelfAttnBlock": present("shortcut")},
    "lambda_resnet26t": {"BottleneckBlock": present("shortcut"), "SelfAttnBlock": present("shortcut")},
    "convit_tiny": {"Block": 2},
    "hgnetv2_b0": {"HighPerfGpuBlock": on("residual")},
    "rdnet_tiny": {},
    "shvit_s1": {"Residual": 1},
    "swiftformer_xs": {"ConvEncoder": 1, "Block": 2, "LocalRepresentation": 1, "EfficientAdditiveAttention": 1},
    "vitamin_small_224": {"MbConvLNBlock": 1, "Block": 2},
    "dpn48b": {"DualPathBlock": 1},
    "mvitv2_tiny": {"MultiScaleBlock": 2, "MultiScaleAttention": 1},
    "efficientvit_m0": {"ResidualDrop": 1},
    "coatnet_nano_rw_224": {"MbConvBlock": 1, "TransformerBlock2d": 2},
    "ghostnetv2_100": {"GhostBottleneck": 1},
    "mixnet_s": {"DepthwiseSeparableConv": on("has_skip"), "InvertedResidual": on("has_skip")},
}

OTHERS = {
    "efficientvit_m0": {"CascadedGroupAttention": "cascade of heads"},
    "tnt_s_patch16_224": {"Block": "patch + proj(pixel)"},
}

ENTRIES = (
    Entry("timm", "resnetv2_50", timm_model("resnetv2_50"), images(), {"PreActBottleneck": 1}),
    Entry("timm", "nf_resnet50", timm_model("nf_resnet50"), images(), {"NormFreeBlock": 1}),
    Entry("timm", "dm_nfnet_f0", timm_model("dm_nfnet_f0"), images(64, 1), {"NormFreeBlock": 1}),
    Entry("timm", "deit_tiny", timm_model("deit_tiny_patch16_224"), images(224, 1), {"Block": 2}),
    Entry(
        "timm",
        "vit_parallel 18x2",
        timm_model("vit_small_patch16_18x2_224"),
        images(224, 1),
        {"ParallelThingsBlock": 2},
    ),
    Entry(
        "timm",
        "vit_parallel scaling (22b-like)",
        timm_model("vit_tiny_r_s16_p8_224"),
        images(224, 1),
        {"Block": 2, "Bottleneck": 1, "PreActBottleneck": 1, "DownsampleConv": 0},
    ),
    Entry("timm", "mixer_s32", timm_model("mixer_s32_224"), images(224, 1), {"MixerBlock": 2}),
    Entry("timm", "gmlp_ti16", timm_model("gmlp_ti16_224"), images(224, 1), {"SpatialGatingBlock": 1}),
    Entry("timm", "resmlp_12", timm_model("resmlp_12_224"), images(224, 1), {"ResBlock": 2}),
    Entry(
        "timm",
        "efficientnet_b0",
        timm_model("efficientnet_b0"),
        images(),
        {"InvertedResidual": on("has_skip"), "DepthwiseSeparableConv": on("has_skip")},
    ),
    Entry(
        "timm",
        "mobilenetv4_conv_small",
        timm_model("mobilenetv4_conv_small"),
        images(),
        {"UniversalInvertedResidual": on("has_skip"), "ConvBnAct": on("has_skip"), "EdgeResidual": on("has_skip")},
    ),
    Entry("timm", "poolformer_s12", timm_model("poolformer_s12"), images(), {"MetaFormerBlock": 2}),
    Entry("timm", "convmixer_768_32", timm_model("convmixer_768_32"), images(), {"Residual": 1}),
    Entry(
        "timm",
        "cait_xxs24",
        timm_model("cait_xxs24_224"),
        images(224, 1),
        {"LayerScaleBlock": 2, "LayerScaleBlockClassAttn": 2},
    ),
    Entry(
        "timm",
        "xcit_nano",
        timm_model("xcit_nano_12_p16_224"),
        images(224, 1),
        {"XCABlock": 3, "ClassAttentionBlock": 2},
    ),
    Entry("timm", "beit_base", timm_model("beit_base_patch16_224"), images(224, 1), {"Block": 2}),
    Entry("timm", "eva02_tiny", timm_model("eva02_tiny_patch14_224"), images(224, 1), {"EvaBlock": 2}),
    Entry("timm", "twins_svt_small", timm_model("twins_svt_small"), images(224, 1), {"Block": 2, "PosConv": 1}),
    Entry("timm", "pvt_v2_b0", timm_model("pvt_v2_b0"), images(), {"Block": 2}),
    Entry("timm", "coat_lite_tiny", timm_model("coat_lite_tiny"), images(224, 1), {"SerialBlock": 2, "ConvPosEnc": 1}),
    Entry("timm", "levit_128s", timm_model("levit_128s"), images(224, 2), {"LevitBlock": 2, "LevitDownsample": 1}),
    Entry(
        "timm",
        "mobilevit_xxs",
        timm_model("mobilevit_xxs"),
        images(256, 1),
        {"Block": 2, "BottleneckBlock": present("shortcut")},
    ),
    Entry(
        "timm",
        "edgenext_xx_small",
        timm_model("edgenext_xx_small"),
        images(256, 1),
        {"ConvBlock": 1, "SplitTransposeBlock": lambda m: 1 + len(cast(Sized, m.convs))},
    ),
    Entry("timm", "repvgg_a0 (training form)", timm_model("repvgg_a0"), images(), {"RepVggBlock": present("identity")}),
    Entry("timm", "dla34", timm_model("dla34"), images(), {"DlaBasic": 1, "DlaRoot": on("shortcut")}),
    Entry(
        "timm",
        "hrnet_w18_small",
        timm_model("hrnet_w18_small"),
        images(),
        {"BasicBlock": 1, "Bottleneck": 1},
        others={"HighResolutionModule": "fuse sums between resolutions"},
    ),
    Entry(
        "timm",
        "res2net50",
        timm_model("res2net50_26w_4s"),
        images(),
        {"Bottle2neck": 1},
        others={"Bottle2neck": "sp + spx[i], sums between splits"},
    ),
    Entry("timm", "rexnet_100", timm_model("rexnet_100"), images(), {"LinearBottleneck": on("use_shortcut")}),
    Entry("timm", "ghostnet_100", timm_model("ghostnet_100"), images(), {"GhostBottleneck": 1}),
    Entry("timm", "cspresnet50", timm_model("cspresnet50"), images(), {"BottleneckBlock": 1}),
    Entry(
        "timm",
        "davit_tiny",
        timm_model("davit_tiny"),
        images(224, 1),
        {"SpatialBlock": 2, "ChannelBlock": 2, "ConvPosEnc": 1},
    ),
    Entry("timm", "focalnet_tiny", timm_model("focalnet_tiny_srf"), images(224, 1), {"FocalNetBlock": 2}),
    Entry(
        "timm",
        "convnextv2_atto",
        timm_model("convnextv2_atto"),
        images(),
        {"ConvNeXtBlock": 1, "GlobalResponseNorm": 1},
    ),
    Entry(
        "timm",
        "inception_resnet_v2",
        timm_model("inception_resnet_v2"),
        images(160, 1),
        {"Block35": 1, "Block17": 1, "Block8": 1},
    ),
    *(
        Entry(
            "timm",
            name,
            timm_model(name),
            images(timm.get_pretrained_cfg(name).input_size[-1]),
            truth,
            OTHERS.get(name, {}),
            True,
        )
        for name, truth in HELD_OUT.items()
    ),
)
