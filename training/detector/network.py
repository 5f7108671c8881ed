"""The network: a small residual backbone, a top-down path, and three maps of class logits and boxes."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from handeye.parse.decoding import CHANNELS, CLASSES, GROUPS
from handeye.parse.tiling import FOLD

PRIOR = 0.01  # the share of cells that a class is first believed to be in
FIRST_REACH = (1.0, 1.5, 2.5)  # cells from a box's centre to its edges before anything is learned, per map


def convolution(inner: int, outer: int, kernel: int = 3, stride: int = 1, padding: int | None = None) -> nn.Sequential:
    """Convolution, batch normalisation, ReLU: what int8 inference runs as one operation."""
    padding = kernel // 2 if padding is None else padding
    return nn.Sequential(
        nn.Conv2d(inner, outer, kernel, stride, padding, bias=False), nn.BatchNorm2d(outer), nn.ReLU(True)
    )


class Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = convolution(width, width), convolution(width, width)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.second(self.first(x))


class Stage(nn.Module):
    """Cross-stage-partial: residual blocks work on half of the channels, and everything they made is joined."""

    def __init__(self, width: int, blocks: int) -> None:
        super().__init__()
        half = width // 2
        self.keep, self.work = convolution(width, half, 1), convolution(width, half, 1)
        self.blocks = nn.ModuleList([Residual(half) for _ in range(blocks)])
        self.join = convolution(half * (2 + blocks), width, 1)

    def forward(self, x: Tensor) -> Tensor:
        made = [self.keep(x), self.work(x)]
        for block in self.blocks:
            made.append(block(made[-1]))
        return self.join(torch.cat(made, 1))


class Network(nn.Module):
    """
    Folded RGB pixels (see `handeye.parse.tiling.space_to_depth`) of 0-1 as (n, 48, height/4, width/4), sides multiples of
    64, to three maps (n, CHANNELS, height/s, width/s), s = 8, 16, 32.

    Each cell of a map sees far beyond the element it speaks for: rows and dialogs are as wide as the frame, so a map of 64
    pixels per cell takes part as context.
    """

    def __init__(self, context: int = 192, head: int = 64) -> None:
        super().__init__()
        self.stem = nn.Sequential(convolution(3 * FOLD * FOLD, 32), convolution(32, 32))
        self.to_8 = nn.Sequential(convolution(32, 64, 3, 2), Stage(64, 1))
        self.to_16 = nn.Sequential(convolution(64, 128, 3, 2), Stage(128, 2))
        self.to_32 = nn.Sequential(convolution(128, context, 3, 2), Stage(context, 2))
        self.to_64 = nn.Sequential(convolution(context, context, 3, 2), Stage(context, 2))
        wide = 96
        self.from_64 = convolution(context, wide, 1)
        self.at_32, self.at_16, self.at_8 = (
            convolution(context, wide, 1),
            convolution(128, wide, 1),
            convolution(64, head, 1),
        )
        self.down_32, self.down_16, self.down_8 = (
            convolution(wide, wide),
            convolution(wide, wide),
            convolution(head, head),
        )
        self.narrow = convolution(wide, head, 1)
        self.heads = nn.ModuleList(
            [nn.Sequential(convolution(width, head), nn.Conv2d(head, CHANNELS, 1)) for width in (head, wide, wide)]
        )
        self._start()

    def _start(self) -> None:
        """Believe in nothing at first, and in boxes of a usual size."""
        for head, reach in zip(self.heads, FIRST_REACH, strict=True):
            last = head[-1]
            nn.init.normal_(last.weight, std=0.01)
            with torch.no_grad():
                last.bias[: len(CLASSES)] = -math.log((1 - PRIOR) / PRIOR)
                last.bias[len(CLASSES) :] = math.log(reach)
        assert self.heads[0][-1].out_channels == len(CLASSES) + 4 * len(GROUPS)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        at_8 = self.to_8(self.stem(x))
        at_16 = self.to_16(at_8)
        at_32 = self.to_32(at_16)
        top = self.from_64(self.to_64(at_32))
        top_32 = self.down_32(self.at_32(at_32) + F.interpolate(top, scale_factor=2.0))
        top_16 = self.down_16(self.at_16(at_16) + F.interpolate(top_32, scale_factor=2.0))
        top_8 = self.down_8(self.at_8(at_8) + F.interpolate(self.narrow(top_16), scale_factor=2.0))
        return self.heads[0](top_8), self.heads[1](top_16), self.heads[2](top_32)
