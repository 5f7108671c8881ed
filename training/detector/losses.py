"""Loss of an answer: cross entropy for the classes, generalised IoU and log distances for the boxes."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from handeye.parse.decoding import CLASSES, FARTHEST, GROUPS, NEAREST, STRIDES

BOX_WEIGHT = 2.0
DISTANCE_WEIGHT = 0.2
LEAST_QUALITY = 0.4  # what a cell that should speak is asked for while its box is still wrong


class Loss(NamedTuple):
    """Means per element: of the classes, of 1 - GIoU, and the mean IoU that the boxes reach (for the log)."""

    classes: Tensor
    boxes: Tensor
    iou: Tensor

    @property
    def total(self) -> Tensor:
        return self.classes + BOX_WEIGHT * self.boxes


def centres(shapes: list[tuple[int, int]]) -> tuple[Tensor, Tensor]:
    """For maps of (rows, columns): the cells' centres (cells, 2) as x, y in pixels, and their strides (cells,)."""
    places, strides = [], []
    for (rows, columns), stride in zip(shapes, STRIDES, strict=True):
        y, x = torch.meshgrid(torch.arange(rows) + 0.5, torch.arange(columns) + 0.5, indexing="ij")
        places.append(torch.stack([x, y], -1).reshape(-1, 2) * stride)
        strides.append(torch.full((rows * columns,), float(stride)))
    return torch.cat(places), torch.cat(strides)


def detection_loss(maps: tuple[Tensor, ...], kinds: Tensor, boxes: Tensor, weights: Tensor, asked: Tensor) -> Loss:
    """The loss of a batch; targets as in `targets.Targets`, with a batch dimension in front."""
    flat = torch.cat([each.float().flatten(2).transpose(1, 2) for each in maps], 1)
    logits, reach = flat[..., : len(CLASSES)], flat[..., len(CLASSES) :].unflatten(-1, (len(GROUPS), 4))
    places, strides = (each.to(flat.device) for each in centres([(int(m.shape[2]), int(m.shape[3])) for m in maps]))
    where = torch.nonzero(kinds >= 0)
    image, cell, group = where.unbind(1)
    weight = weights[image, cell, group]
    total = weight.sum().clamp_min(1.0)
    x, y, stride = places[cell, 0], places[cell, 1], strides[cell]
    wanted = boxes[image, cell, group]
    answered = reach[image, cell, group].clamp(NEAREST, FARTHEST)
    sides = answered.exp() * stride[:, None]
    found = torch.stack([x - sides[:, 0], y - sides[:, 1], x + sides[:, 2], y + sides[:, 3]], 1)
    iou, generalised = overlaps(found, wanted)
    right = torch.stack([x - wanted[:, 0], y - wanted[:, 1], wanted[:, 2] - x, wanted[:, 3] - y], 1)
    logs = (right / stride[:, None]).clamp_min(0.05).log().clamp(NEAREST, FARTHEST)
    box_loss = (1 - generalised + DISTANCE_WEIGHT * (answered - logs).abs().mean(1)) * weight
    quality = torch.zeros_like(logits)
    emphasis = torch.ones_like(logits)
    kind = kinds[image, cell, group].long()
    quality[image, cell, kind] = iou.detach().clamp(LEAST_QUALITY, 1.0)
    emphasis[image, cell, kind] = 2 * weight
    # Not focal: that leaves what is a third certain and wrong where it is, and such were most of all detections.
    entropy = F.binary_cross_entropy_with_logits(logits, quality, reduction="none")
    class_loss = (entropy * emphasis * asked).sum()
    return Loss(class_loss / total, box_loss.sum() / total, (iou.detach() * weight).sum() / total)


def overlaps(one: Tensor, other: Tensor) -> tuple[Tensor, Tensor]:
    """IoU and generalised IoU (Rezatofighi et al. 2019) of boxes (n, 4), pair by pair."""
    size = (one[:, 2:] - one[:, :2]).clamp_min(0), (other[:, 2:] - other[:, :2]).clamp_min(0)
    shared = (torch.minimum(one[:, 2:], other[:, 2:]) - torch.maximum(one[:, :2], other[:, :2])).clamp_min(0).prod(1)
    union = size[0].prod(1) + size[1].prod(1) - shared
    hull = (torch.maximum(one[:, 2:], other[:, 2:]) - torch.minimum(one[:, :2], other[:, :2])).prod(1)
    iou = shared / union.clamp_min(1e-3)
    return iou, iou - (hull - union) / hull.clamp_min(1e-3)
