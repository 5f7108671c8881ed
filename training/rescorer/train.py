"""
Trains the rescorer: `python -m training.rescorer.train --examples FOLDER --out FILE.npz`, after `training.rescorer.examples`.

Takes minutes on one core. Seeded; prints what it loses on screens kept out of training.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from handeye.parse.candidates import FEATURES, RELATIONS, Candidates
from handeye.parse.decoding import CLASSES
from handeye.parse.rescorer import ROUNDS, Rescorer

WIDE, NARROW = 192, 88
RATE, DECAY = 2e-3, 0.02
SCREENS: Final = 8  # per step
DROPPED: Final = 0.1
BOXES: Final = 2.0
# From which overlap on a candidate begins to be an element, and from which on it is wholly one.
BEGINS: Final = 0.3
WHOLE: Final = 0.65
PARITY: Final = 0.02  # weights are stored in float16


class Network(nn.Module):
    """As `handeye.parse.rescorer` runs it."""

    def __init__(self, mean: Tensor, spread: Tensor) -> None:
        super().__init__()
        self.register_buffer("mean", mean)
        self.register_buffer("spread", spread)
        self.wide, self.narrow = nn.Linear(FEATURES, WIDE), nn.Linear(WIDE, NARROW)
        self.rounds = nn.ModuleList([nn.Linear(NARROW * (1 + len(RELATIONS)), NARROW) for _ in range(ROUNDS)])
        self.out = nn.Linear(NARROW, len(CLASSES) + 1)
        self.move = nn.Linear(NARROW, 4)
        self.drop = nn.Dropout(DROPPED)

    def forward(self, features: Tensor, neighbours: list[Tensor]) -> tuple[Tensor, Tensor]:
        """`features` (n, FEATURES); `neighbours` a sparse (n, n) matrix per relation. Logits (n, classes + 1), steps (n, 4)."""
        x = ((features - self.mean) / self.spread).clamp(-6, 6)
        state = torch.relu(self.narrow(self.drop(torch.relu(self.wide(self.drop(x))))))
        for each in self.rounds:
            told = torch.cat([state, *(torch.sparse.mm(matrix, state) for matrix in neighbours)], 1)
            state = state + torch.relu(each(self.drop(told)))
        return self.out(state), self.move(state)

    def weights(self) -> dict[str, np.ndarray]:
        """As the product reads them, in float16."""
        layers = {"in": self.wide, "narrow": self.narrow, "out": self.out, "move": self.move}
        layers |= {f"round{number}": each for number, each in enumerate(self.rounds)}
        stored = {"mean": self.mean.numpy(), "spread": self.spread.numpy()}
        for name, layer in layers.items():
            stored[f"{name}.weight"] = layer.weight.detach().numpy().T
            stored[f"{name}.bias"] = layer.bias.detach().numpy()
        return {name: value.astype(np.float16 if value.ndim > 1 else np.float32) for name, value in stored.items()}


class Examples:
    """The stored examples of one or several files, by screen."""

    def __init__(self, paths: list[Path]) -> None:
        self._parts = []
        for path in paths:
            with np.load(path) as stored:
                values = {name: stored[name] for name in stored.files}
            starts = np.concatenate([[0], np.cumsum(values["lengths"])])
            pairs = np.concatenate([[0], np.cumsum(values["sizes"].sum(1))])
            self._parts += [(values, number, starts, pairs) for number in range(len(values["lengths"]))]

    def __len__(self) -> int:
        return len(self._parts)

    def features(self, most: int) -> np.ndarray:
        chosen = random.Random(0).sample(range(len(self)), min(most, len(self)))
        return np.concatenate([self._rows("features", number) for number in chosen]).astype(np.float32)

    def _rows(self, name: str, number: int) -> np.ndarray:
        values, place, starts, _ = self._parts[number]
        return values[name][starts[place] : starts[place + 1]]

    def batch(self, numbers: list[int]) -> tuple[Tensor, list[Tensor], Tensor, Tensor, Tensor]:
        """Features, neighbours, aims, counts and steps of several screens side by side, as one graph."""
        features, overlaps, counts, steps = (
            torch.from_numpy(np.concatenate([self._rows(name, number) for number in numbers]).astype(np.float32))
            for name in ("features", "overlaps", "counts", "steps")
        )
        kinds = torch.from_numpy(np.concatenate([self._rows("kinds", number) for number in numbers]).astype(np.int64))
        edges: list[list[np.ndarray]] = [[] for _ in RELATIONS]
        first = 0
        for number in numbers:
            values, place, _, pairs = self._parts[number]
            at = pairs[place]
            for relation, size in enumerate(values["sizes"][place]):
                edges[relation].append(values["pairs"][at : at + size].astype(np.int64) + first)
                at += size
            first += int(values["lengths"][place])
        neighbours = [_matrix(np.concatenate(each), first) for each in edges]
        return features, neighbours, aims(kinds, overlaps), counts, steps


def _matrix(pairs: np.ndarray, size: int) -> Tensor:
    """A sparse matrix whose rows sum to 1."""
    degree = np.maximum(np.bincount(pairs[:, 0], minlength=size), 1)
    values = torch.from_numpy((1 / degree[pairs[:, 0]]).astype(np.float32))
    matrix: Tensor = torch.sparse_coo_tensor(torch.from_numpy(pairs.T.copy()), values, (size, size)).coalesce()
    return matrix


def aims(kinds: Tensor, overlaps: Tensor) -> Tensor:
    """Target class shares, (n, classes + 1), rows sum to 1: the better a candidate overlaps, the more for its kind."""
    share = ((overlaps - BEGINS) / (WHOLE - BEGINS)).clamp(0, 1)
    wanted = torch.zeros(len(kinds), len(CLASSES) + 1)
    wanted[torch.arange(len(kinds)), kinds] = share
    wanted[:, -1] = 1 - share
    return wanted


def loss_of(answer: tuple[Tensor, Tensor], aims: Tensor, counts: Tensor, steps: Tensor) -> Tensor:
    """Cross entropy of the kinds; and how far the boxes of what is an element are off, in parts of their sides."""
    entropy = -(aims * torch.log_softmax(answer[0], 1)).sum(1)
    there = (1 - aims[:, -1]) * counts
    off = nn.functional.smooth_l1_loss(answer[1], steps.clamp(-1, 1), reduction="none", beta=0.1).mean(1)
    return (entropy * counts).sum() / counts.sum().clamp_min(1) + BOXES * (off * there).sum() / there.sum().clamp_min(1)


def batches(count: int, draw: random.Random) -> Iterator[list[int]]:
    order = list(range(count))
    draw.shuffle(order)
    for start in range(0, count, SCREENS):
        yield order[start : start + SCREENS]


def train(folder: Path, out: Path, epochs: int, seed: int, minutes: float) -> None:
    torch.manual_seed(seed)
    draw = random.Random(seed)
    learned, kept = (
        Examples(sorted(folder.glob("examples-train-*.npz"))),
        Examples(sorted(folder.glob("examples-floors-*.npz"))),
    )
    sample = learned.features(300)
    network = Network(torch.from_numpy(sample.mean(0)), torch.from_numpy(sample.std(0) + 0.02))
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    steps, began, done = epochs * -(-len(learned) // SCREENS), time.monotonic(), 0
    for epoch in range(epochs):
        network.train()
        lost = []
        for numbers in batches(len(learned), draw):
            share = max(done / steps, (time.monotonic() - began) / 60 / minutes)
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1.0, (done + 1) / 50) * max(0.005, 0.5 * (1 + np.cos(np.pi * min(1.0, share))))
            features, neighbours, *right = learned.batch(numbers)
            loss = loss_of(network(features, neighbours), *right)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            lost.append(float(loss))
            done += 1
        network.eval()
        with torch.no_grad():
            held = [
                float(loss_of(network(batch[0], batch[1]), *batch[2:]))
                for batch in (kept.batch([number]) for number in range(len(kept)))
            ]
        print(
            f"epoch {epoch}: lost {np.mean(lost):.4f}, on kept screens {np.mean(held):.4f}, {time.monotonic() - began:.0f} s",
            flush=True,
        )
        if (time.monotonic() - began) / 60 > minutes:
            break
    out.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out, **network.weights())
    difference = parity(network.eval(), out, kept)
    if difference > PARITY:
        raise ValueError(f"{out} differs from torch by {difference:.4f} in a probability; {PARITY} is allowed")
    print(f"{out}: {out.stat().st_size / 1e3:.0f} kB, parity {difference:.1e}")


@torch.no_grad()
def parity(network: Network, weights: Path, examples: Examples) -> float:
    """The largest difference between torch's and the product's probabilities, on some screens."""
    largest, product = 0.0, Rescorer(weights)
    for number in range(min(8, len(examples))):
        features, neighbours, *_ = examples.batch([number])
        expected = torch.softmax(network(features, neighbours)[0], 1).numpy()
        told = np.stack([matrix.to_dense().numpy() > 0 for matrix in neighbours])
        found = Candidates(np.zeros((len(features), 4), np.float32), features.numpy(), told)
        largest = max(largest, float(np.abs(product.judge(found).chances - expected).max()))
    return largest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=Path, default=Path("out/training/rescorer"))
    parser.add_argument("--out", type=Path, default=Path("out/training/rescorer/rescorer.npz"))
    parser.add_argument("--epochs", type=int, default=30)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    train(asked.examples, asked.out, asked.epochs, asked.seed, asked.minutes)


if __name__ == "__main__":
    main()
