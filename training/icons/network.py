"""The two networks that share a space: one looks at a mask, one reads a text."""

from __future__ import annotations

from typing import Final

import torch.nn.functional as F
from torch import Tensor, nn

DIM: Final = 128  # of the shared space
WIDTHS: Final = (64, 128, 192)  # multiples of 32: what AMX multiplies without waste
WHOLE: Final = 512  # numbers that describe the whole icon before they become a vector
HIDDEN: Final = 256  # of the layer that bends a text's sum


def _convolution(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = _convolution(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class IconNet(nn.Module):
    """
    Masks (n, 1, 64, 64), 0-1, to unit vectors (n, DIM).

    Blocks of 4x4 pixels become channels at once, and the last 4x4 places are read by one matrix: a trimmed icon fills its
    mask, so a place means something. A CPU trains this twice as fast as convolutions all the way (890 against 460 crops a
    second on one core with AMX).
    """

    def __init__(self) -> None:
        super().__init__()
        first, second, third = WIDTHS
        self.features = nn.Sequential(
            nn.PixelUnshuffle(4),
            _convolution(16, first),
            _Residual(first),
            _convolution(first, second, 2),
            _Residual(second),
            _convolution(second, third, 2),
            nn.Flatten(),
            nn.Linear(third * 16, WHOLE),
            nn.ReLU(inplace=True),
        )
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(WHOLE, DIM)

    def forward(self, masks: Tensor) -> Tensor:
        seen = self.features((masks - 0.25) / 0.35)
        return F.normalize(self.out(self.drop(seen)).float(), dim=1)


class TextNet(nn.Module):
    """
    Token numbers (n, MAX_TOKENS), 0 where there is none, to unit vectors (n, DIM).

    A word's vector is what a language model says of it, turned into this space, and what training added. `meanings`
    (words, m) is not trained: a word that no icon has still lands near its like.
    """

    def __init__(self, meanings: Tensor) -> None:
        super().__init__()
        words = meanings.shape[0]
        self.register_buffer("meanings", meanings)
        self.turn = nn.Linear(meanings.shape[1], DIM, bias=False)
        self.added = nn.Embedding(words, DIM, padding_idx=0)
        self.weight = nn.Embedding(words, 1, padding_idx=0)
        self.inner = nn.Linear(DIM, HIDDEN)
        self.outer = nn.Linear(HIDDEN, DIM, bias=False)
        nn.init.normal_(self.added.weight, std=0.02)
        nn.init.ones_(self.weight.weight)
        nn.init.zeros_(self.outer.weight)

    def word_vectors(self) -> Tensor:
        """The vectors of all words (words, DIM)."""
        return self.turn(self.meanings) + self.added.weight

    def forward(self, tokens: Tensor) -> Tensor:
        there = tokens > 0
        weights = self.weight(tokens)[..., 0].abs() * there
        vectors = self.turn(F.embedding(tokens, self.meanings)) + self.added(tokens)
        summed = (vectors * weights[..., None]).sum(1) / weights.sum(1, keepdim=True).clamp_min(1e-3)
        return F.normalize(summed + self.outer(F.relu(self.inner(summed))), dim=1)
