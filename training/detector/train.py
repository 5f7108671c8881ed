"""
Trains the detector: `python -m training.detector.train --data DIR --steps N [--device cuda]`.

DIR holds `screens/train/<source>/*.json` and pictures (see training/README.md). A run goes on from its folder's last
checkpoint. The rate is constant, then falls to nothing over the last part, so a run may be prolonged before it falls. The
weights that count are a running mean of those trained. `log.csv` and `curves.png` in the run's folder show how it went.
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.utils.data import DataLoader, IterableDataset

from handeye.parse.tiling import space_to_depth
from training.detector.crops import Cutter
from training.detector.losses import detection_loss
from training.detector.network import Network
from training.detector.targets import targets

WARM_UP = 150  # steps
FALL = 0.4  # the last part of the run, in which the rate falls
MEAN_OVER = 200  # steps, about, that the running mean of the weights reaches back
DECAY = 0.02
ALONE = 0.5  # the share that a single crop has, where a batch has 1
LONGEST_GRADIENT = 8.0
LOG_EVERY, SAVE_EVERY = 25, 250


@dataclass(frozen=True)
class Plan:
    """Settings of a training run. It ends after `steps`, or after `minutes` of this process, whichever is first."""

    data: list[Path]
    out: Path
    steps: int
    minutes: float
    batch: int
    rate: float
    seed: int
    device: str
    start: Path | None = None


class Batches(IterableDataset[tuple[torch.Tensor, ...]]):
    """Batches of crops with their targets, made in the loader's process."""

    def __init__(self, data: list[Path], seed: int, size: int) -> None:
        self._data, self._seed, self._size = data, seed, size

    def __iter__(self) -> Iterator[tuple[torch.Tensor, ...]]:
        cv2.setNumThreads(1)
        info = torch.utils.data.get_worker_info()
        cutter = Cutter(self._data, self._seed * 1000 + (info.id if info else 0))
        for crops in cutter.batches(self._size):
            made = [targets(elements, (pixels.shape[1], pixels.shape[0])) for pixels, elements in crops]
            pixels = np.stack([space_to_depth(pixels) for pixels, _ in crops])
            yield torch.from_numpy(pixels), *(torch.from_numpy(np.stack(each)) for each in zip(*made, strict=True))


class Run:
    """A training run and what its checkpoint holds."""

    def __init__(self, plan: Plan) -> None:
        torch.manual_seed(plan.seed)
        self.plan = plan
        self.network = Network().to(plan.device, memory_format=torch.channels_last)
        if plan.start is not None:
            self.network.load_state_dict(torch.load(plan.start, map_location=plan.device, weights_only=True))
        self.mean = deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.AdamW(_grouped(self.network), plan.rate, weight_decay=DECAY)
        self.step, self.started = 0, time.monotonic()
        self.checkpoint = plan.out / "checkpoint.pt"
        if self.checkpoint.exists():
            saved = torch.load(self.checkpoint, map_location=plan.device, weights_only=True)
            self.network.load_state_dict(saved["network"])
            self.mean.load_state_dict(saved["mean"])
            self.optimizer.load_state_dict(saved["optimizer"])
            self.step = saved["step"]

    @property
    def done(self) -> float:
        """Share of the run that is done, from 0 to 1."""
        minutes = (time.monotonic() - self.started) / 60
        return max(self.step / self.plan.steps, minutes / self.plan.minutes)

    def rate(self) -> float:
        warm = min(1.0, (self.step + 1) / WARM_UP)
        return self.plan.rate * warm * min(1.0, max(0.01, (1 - self.done) / FALL))

    def learn(self, pixels: torch.Tensor, wanted: list[torch.Tensor]) -> tuple[float, float, float]:
        """
        One step on a batch; what the classes and boxes lost, and the boxes' mean IoU.

        A single crop is too little for a step of its own, and its statistics for the normalisation: it adds to the next
        batch's.
        """
        alone = len(pixels) == 1
        self.network.train(not alone)
        for group in self.optimizer.param_groups:
            group["lr"] = self.rate()
        shown = pixels.to(self.plan.device).permute(0, 3, 1, 2).float().div_(255)
        with torch.autocast(self.plan.device, dtype=torch.bfloat16):
            maps = self.network(shown.contiguous(memory_format=torch.channels_last))
        loss = detection_loss(maps, *(each.to(self.plan.device) for each in wanted))
        (loss.total * (ALONE if alone else 1.0)).backward()
        if alone:
            return float(loss.classes), float(loss.boxes), float(loss.iou)
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), LONGEST_GRADIENT)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step += 1
        self._average()
        return float(loss.classes), float(loss.boxes), float(loss.iou)

    @torch.no_grad()
    def _average(self) -> None:
        """Move the running mean: by much at first, as the first weights are worth nothing."""
        share = max(1 / MEAN_OVER, 1 / (1 + self.step / 4))
        for mean, latest in zip(self.mean.state_dict().values(), self.network.state_dict().values(), strict=True):
            if mean.is_floating_point():
                mean.lerp_(latest, share)

    def save(self) -> None:
        state = {
            "network": self.network.state_dict(),
            "mean": self.mean.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "step": self.step,
        }
        part = self.checkpoint.with_suffix(".part")
        torch.save(state, part)
        part.replace(self.checkpoint)
        torch.save(self.mean.state_dict(), self.plan.out / "weights.pt")


def _grouped(network: torch.nn.Module) -> list[dict[str, object]]:
    """Weights decay; biases and normalisation do not."""
    sized = [each for each in network.parameters() if each.ndim > 1]
    single = [each for each in network.parameters() if each.ndim <= 1]
    return [{"params": sized}, {"params": single, "weight_decay": 0.0}]


def train(plan: Plan) -> None:
    plan.out.mkdir(parents=True, exist_ok=True)
    run = Run(plan)
    loader = DataLoader(Batches(plan.data, plan.seed + run.step, plan.batch), batch_size=None, num_workers=1)
    log = plan.out / "log.csv"
    with log.open("a", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        if not file.tell():
            writer.writerow(("step", "seconds", "rate", "classes", "boxes", "iou"))
        lost: list[tuple[float, float, float]] = []
        for pixels, *wanted in loader:
            lost.append(run.learn(pixels, wanted))
            if len(pixels) > 1 and run.step % LOG_EVERY == 0:
                row = [run.step, round(time.monotonic() - run.started), f"{run.rate():.6f}"]
                writer.writerow([*row, *(f"{value:.4f}" for value in np.mean(lost, 0))])
                file.flush()
                lost.clear()
            if len(pixels) > 1 and run.step % SAVE_EVERY == 0:
                run.save()
            if run.done >= 1:
                break
    run.save()
    draw_curves(log, plan.out / "curves.png")


def draw_curves(log: Path, picture: Path) -> None:
    """The log's losses and IoU over the steps."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    rows = np.genfromtxt(log, delimiter=",", names=True)
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 4))
    for name in ("classes", "boxes"):
        left.plot(rows["step"], rows[name], label=name, linewidth=0.8)
    left.set(xlabel="step", ylabel="loss", yscale="log")
    left.legend()
    right.plot(rows["step"], rows["iou"], linewidth=0.8)
    right.set(xlabel="step", ylabel="mean IoU of the boxes that must speak")
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, nargs="+", default=[Path("out/training")])
    parser.add_argument("--out", type=Path, default=Path("out/training/detector"))
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--minutes", type=float, default=float("inf"), help="end earlier, the rate having fallen")
    parser.add_argument("--start", type=Path, help="weights of another run to begin with")
    parser.add_argument("--batch", type=int, default=8, help="crops of about 448x448 pixels per step")
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"))
    asked = parser.parse_args()
    if asked.device == "cpu":
        torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    train(Plan(**vars(asked)))


if __name__ == "__main__":
    main()
