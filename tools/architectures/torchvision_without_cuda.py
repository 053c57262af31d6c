"""Imports torchvision, whose wheel on the package index was built for CUDA, beside a PyTorch without it.

It registers shapes for kernels that such a PyTorch lacks; names for them are all that it wants.
"""

import importlib.util
import re
from pathlib import Path

import torch

_library = torch.library.Library("torchvision", "DEF")
_folder = importlib.util.find_spec("torchvision")
if not _folder or not _folder.submodule_search_locations:
    raise ImportError("torchvision is not installed")
_source = Path(_folder.submodule_search_locations[0], "_meta_registrations.py").read_text(encoding="utf-8")
_library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
for _name in sorted(set(re.findall(r'register_fake\("torchvision::(\w+)"\)', _source)) - {"nms"}):
    _library.define(f"{_name}(Tensor a, Tensor b, float c) -> Tensor")

import torchvision  # noqa: E402

__all__ = ["torchvision"]
