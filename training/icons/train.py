"""
Train the icon encoder and the word tower: `python -m training.icons.train --minutes 60 [--resume]`.

Minutes are of CPU time, so that a busy machine trains as long; `--wall-minutes` ends it by the clock. Each run is one cycle:
the rate rises, holds and falls to zero; `--resume` begins another where the last one ended. A checkpoint is written every few
minutes, the curve beside it.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from training.icons.curve import draw_curve
from training.icons.dataset import Drawings, Labelled, load
from training.icons.network import DIM, IconNet, TextNet
from training.icons.places import Places, argument_parser, places_of
from training.icons.sampling import Sampler
from training.icons.wording import cached, chosen_tokens, numbered

BATCH: Final = 512
CLASS_TEXTS: Final = 768  # texts of classes that are set against the prototypes in each step, without pictures
MAX_SCALE: Final = math.log(40.0)  # of the similarities: beyond it one odd name pulls too hard
CHECKPOINT_SECONDS: Final = 180.0
REPORT_STEPS: Final = 50


@dataclass(slots=True)
class Trained:
    """Everything that is trained, and the tokens the text side knows."""

    icon: IconNet
    text: TextNet
    prototypes: torch.nn.Parameter
    scales: torch.nn.Parameter
    tokens: list[str]
    classes: list[str]

    def state(self) -> dict[str, Any]:
        return {
            "icon": self.icon.state_dict(),
            "text": self.text.state_dict(),
            "prototypes": self.prototypes.data,
            "scales": self.scales.data,
            "tokens": self.tokens,
            "classes": self.classes,
        }


def all_texts(labelled: Labelled) -> list[str]:
    """Every text that training may show, once."""
    texts = {text for one in labelled.texts.values() for text in one}
    texts |= {text for icon in labelled.icons for text in (*icon.texts, *icon.tags)}
    return sorted(texts)


def fresh(labelled: Labelled, tokens: list[str], meanings: Any) -> Trained:
    torch.manual_seed(0)
    return Trained(
        IconNet().to(memory_format=torch.channels_last),
        TextNet(torch.from_numpy(meanings)),
        torch.nn.Parameter(torch.randn(len(labelled.classes), DIM) / math.sqrt(DIM)),
        torch.nn.Parameter(torch.full((2,), math.log(14.0))),
        tokens,
        labelled.classes,
    )


def resumed(labelled: Labelled, tokens: list[str], meanings: Any, path: Path) -> Trained:
    """A checkpoint carried over to the present tokens and classes, which may have grown since."""
    trained, kept = fresh(labelled, tokens, meanings), torch.load(path, weights_only=True)
    trained.icon.load_state_dict(kept["icon"])
    old_token = {token: at for at, token in enumerate(kept["tokens"])}
    old_class = {name: at for at, name in enumerate(kept["classes"])}
    text = trained.text.state_dict()
    same_axes = kept["tokens"] == tokens
    for name, value in kept["text"].items():
        if name in ("added.weight", "weight.weight"):
            for at, token in enumerate(tokens):
                if token in old_token:
                    text[name][at] = value[old_token[token]]
        elif name != "meanings" or same_axes:
            text[name] = value
    trained.text.load_state_dict(text)
    for at, cls in enumerate(labelled.classes):
        if cls in old_class:
            trained.prototypes.data[at] = kept["prototypes"][old_class[cls]]
    trained.scales.data = kept["scales"]
    return trained


def loss_of(trained: Trained, masks: Tensor, texts: Tensor, classes: Tensor, class_texts: Tensor, of: Tensor) -> Tensor:
    """
    Pictures against their texts, both ways; pictures against the classes' prototypes; and texts of classes against them too.

    In the first, everything of one class, or called by the same text, counts as right.
    """
    with torch.autocast("cpu", dtype=torch.bfloat16):
        seen = trained.icon(masks)
    read = trained.text(torch.cat([texts, class_texts]))
    said, of_classes = read[: len(texts)], read[len(texts) :]
    scale = trained.scales.clamp(max=MAX_SCALE).exp()
    same = (classes[:, None] == classes[None]) & (classes >= 0)[:, None]
    same |= (texts[:, None] == texts[None]).all(dim=2)
    target = same.float() / same.sum(1, keepdim=True)
    logits = scale[0] * seen @ said.T
    pairs = -(target * F.log_softmax(logits, 1)).sum(1).mean() - (target * F.log_softmax(logits.T, 1)).sum(1).mean()
    prototypes = F.normalize(trained.prototypes, dim=1)
    named = classes >= 0
    shown = F.cross_entropy(scale[1] * seen[named] @ prototypes.T, classes[named], label_smoothing=0.05)
    spoken = F.cross_entropy(scale[1] * of_classes @ prototypes.T, of, label_smoothing=0.05)
    return pairs / 2 + shown + 0.5 * spoken


class Run:
    """One cycle of training."""

    def __init__(self, places: Places, arguments: argparse.Namespace) -> None:
        torch.set_num_threads(arguments.threads)
        self._folder = places.runs / arguments.run
        self._folder.mkdir(parents=True, exist_ok=True)
        self._budget, self._peak = arguments.minutes * 60.0, arguments.peak
        self._deadline = arguments.wall_minutes * 60.0
        self._begun = time.monotonic()
        self._labelled = load(places)
        self._random = np.random.default_rng(arguments.seed)
        self._sampler = Sampler(self._labelled, Drawings.opened(places), self._random)
        self._texts = all_texts(self._labelled)
        tokens = chosen_tokens(self._texts, arguments.wordnet)
        meanings = cached(tokens, arguments.language_model, places.root / "words")
        self._number = {text: at for at, text in enumerate(self._texts)}
        self._numbers = torch.from_numpy(numbered(self._texts, tokens))
        checkpoint = self._folder / "checkpoint.pt"
        if arguments.resume:
            self.trained = resumed(self._labelled, tokens, meanings, checkpoint)
        else:
            self.trained = fresh(self._labelled, tokens, meanings)
        pairs = [(text, cls) for cls, texts in self._labelled.texts.items() for text in texts]
        self._class_texts = np.array([self._number[text] for text, _ in pairs])
        self._class_of = np.array([cls for _, cls in pairs])
        earlier = self._folder / "history.json"
        self._history: list[tuple[float, float]] = (
            [tuple(row) for row in json.loads(earlier.read_text("utf-8"))]
            if arguments.resume and earlier.exists()
            else []
        )
        self._seen_before = self._history[-1][0] if self._history else 0.0
        print(
            f"{len(self._labelled.icons)} icons, {len(self._labelled.classes)} classes, {len(tokens)} tokens",
            flush=True,
        )

    def train(self) -> None:
        trained = self.trained
        parameters = [*trained.icon.parameters(), trained.prototypes, trained.scales, *trained.text.parameters()]
        optimiser = torch.optim.AdamW(parameters, lr=self._peak, weight_decay=0.02, betas=(0.9, 0.98))
        begun, saved, step, losses = time.process_time(), time.process_time(), 0, []
        # The next batch is drawn while one is learned from; all chance is drawn by that one thread, in order.
        with ThreadPoolExecutor(1) as drawing:
            following = drawing.submit(self._drawn)
            while (share := self._share(begun)) < 1:
                drawn, following = following.result(), drawing.submit(self._drawn)
                for group in optimiser.param_groups:
                    group["lr"] = self._peak * min(1.0, (step + 1) / 60) * min(1.0, 0.02 + (1 - share) / 0.7)
                loss = loss_of(trained, *drawn)
                optimiser.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(parameters, 3.0)
                optimiser.step()
                losses.append(loss.item())
                step += 1
                if step % REPORT_STEPS == 0:
                    self._report(step, share, float(np.mean(losses[-REPORT_STEPS:])))
                if time.process_time() - saved > CHECKPOINT_SECONDS:
                    saved = time.process_time()
                    self._save()
        self._save()

    def _share(self, begun: float) -> float:
        """Share of the cycle that is over, by CPU time or by the clock, whichever is larger."""
        return max((time.process_time() - begun) / self._budget, (time.monotonic() - self._begun) / self._deadline)

    def _drawn(self) -> tuple[Tensor, ...]:
        """Draw the input of one step: masks, their texts and classes, and texts of classes with their classes."""
        masks, icons = self._sampler.batch(BATCH)
        texts = [self._number[self._sampler.text(icon)] for icon in icons]
        chosen = self._random.integers(len(self._class_texts), size=CLASS_TEXTS)
        return (
            (torch.from_numpy(masks)[:, None].float() / 255).to(memory_format=torch.channels_last),
            self._numbers[texts],
            torch.tensor([icon.cls for icon in icons]),
            self._numbers[self._class_texts[chosen]],
            torch.from_numpy(self._class_of[chosen]),
        )

    def _report(self, step: int, share: float, loss: float) -> None:
        self._history.append((self._seen_before + step * BATCH / 1000, loss))
        print(f"{step:6} {step * BATCH:8} crops  {share:4.0%}  loss {loss:.3f}", flush=True)

    def _save(self) -> None:
        torch.save(self.trained.state(), self._folder / "checkpoint.new")
        (self._folder / "checkpoint.new").replace(self._folder / "checkpoint.pt")
        (self._folder / "history.json").write_text(json.dumps(self._history), "utf-8")
        draw_curve(self._history, self._folder / "curve.png")


def arguments_of() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    parser.add_argument("--run", default="icons", help="name of the run's folder")
    parser.add_argument("--minutes", type=float, default=60.0, help="CPU minutes of this cycle")
    parser.add_argument("--wall-minutes", type=float, default=math.inf, help="of the clock, at most")
    parser.add_argument("--peak", type=float, default=2e-3, help="highest learning rate")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", action="store_true", help="go on from the run's checkpoint")
    parser.add_argument("--language-model", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    parser.add_argument("--wordnet", type=Path, help="WordNet's cntlist.rev, for common words that no icon is named by")
    return parser.parse_args()


if __name__ == "__main__":
    given = arguments_of()
    Run(places_of(given), given).train()
