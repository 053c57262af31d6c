"""Architectures of torchvision with random weights."""

import torch

from tools.architectures.entry import Entry, images, on
from tools.architectures.torchvision_without_cuda import torchvision

tv = torchvision.models

ENTRIES = (
    Entry("torchvision", "resnet18", tv.resnet18, images(), {"BasicBlock": 1}),
    Entry("torchvision", "resnet50", tv.resnet50, images(), {"Bottleneck": 1}),
    Entry("torchvision", "wide_resnet50_2", tv.wide_resnet50_2, images(), {"Bottleneck": 1}),
    Entry("torchvision", "resnext50", tv.resnext50_32x4d, images(), {"Bottleneck": 1}),
    Entry("torchvision", "densenet121", tv.densenet121, images(), {}),
    Entry("torchvision", "vgg11_bn", tv.vgg11_bn, images(), {}),
    Entry("torchvision", "inception_v3", lambda: tv.inception_v3(init_weights=False), images(299), {}),
    Entry("torchvision", "googlenet", lambda: tv.googlenet(init_weights=False), images(), {}),
    Entry("torchvision", "squeezenet", tv.squeezenet1_1, images(), {}),
    Entry("torchvision", "shufflenet_v2", tv.shufflenet_v2_x0_5, images(), {}),
    Entry("torchvision", "mobilenet_v2", tv.mobilenet_v2, images(), {"InvertedResidual": on("use_res_connect")}),
    Entry(
        "torchvision",
        "mobilenet_v3_small",
        tv.mobilenet_v3_small,
        images(),
        {"InvertedResidual": on("use_res_connect")},
    ),
    Entry("torchvision", "mnasnet", tv.mnasnet0_5, images(), {"_InvertedResidual": on("apply_residual")}),
    Entry("torchvision", "efficientnet_b0", tv.efficientnet_b0, images(), {"MBConv": on("use_res_connect")}),
    Entry(
        "torchvision",
        "efficientnet_v2_s",
        tv.efficientnet_v2_s,
        images(),
        {"MBConv": on("use_res_connect"), "FusedMBConv": on("use_res_connect")},
    ),
    Entry("torchvision", "regnet_y_400mf", tv.regnet_y_400mf, images(), {"ResBottleneckBlock": 1}),
    Entry("torchvision", "convnext_tiny", tv.convnext_tiny, images(), {"CNBlock": 1}),
    Entry("torchvision", "vit_b_16", lambda: tv.vit_b_16(image_size=64), images(), {"EncoderBlock": 2}),
    Entry("torchvision", "swin_t", tv.swin_t, images(), {"SwinTransformerBlock": 2}),
    Entry("torchvision", "swin_v2_t", tv.swin_v2_t, images(), {"SwinTransformerBlockV2": 2}),
    Entry(
        "torchvision", "maxvit_t", lambda: tv.maxvit_t(), images(224, 1), {"MBConv": 1, "PartitionAttentionLayer": 2}
    ),
    Entry(
        "torchvision",
        "fcn_resnet50",
        lambda: tv.segmentation.fcn_resnet50(weights_backbone=None),
        images(),
        {"Bottleneck": 1},
    ),
    Entry(
        "torchvision",
        "fpn (retinanet body)",
        lambda: tv.detection.backbone_utils.resnet_fpn_backbone(backbone_name="resnet18", weights=None),
        images(128),
        {"BasicBlock": 1, "FeaturePyramidNetwork": 3},
    ),
    Entry(
        "torchvision",
        "r3d_18 (video)",
        tv.video.r3d_18,
        lambda: ((torch.randn(1, 3, 4, 32, 32),), {}),
        {"BasicBlock": 1},
    ),
    Entry(
        "torchvision",
        "raft_small (flow)",
        lambda: tv.optical_flow.raft_small(),
        lambda: ((torch.randn(1, 3, 128, 128), torch.randn(1, 3, 128, 128)), {"num_flow_updates": 2}),
        {"ResidualBlock": 1, "BottleneckBlock": 1},
        others={"ConvGRU": "(1-z)h + zq over time", "RAFT": "flow + correction"},
    ),
)
