"""Airtest's multi-scale template matching behind a pipe: run by `bench_template.py` in Airtest's own environment.

Reads lines of JSON, {"screen": PATH, "template": PATH}, and answers each with {"box": [left, top, right, bottom] or null,
"ms": milliseconds of CPU}.
"""

import json
import logging
import sys
import time

import cv2
from airtest.aircv.multiscale_template_matching import MultiScaleTemplateMatching

logging.disable(logging.CRITICAL)

for line in sys.stdin:
    asked = json.loads(line)
    screen, template = cv2.imread(asked["screen"]), cv2.imread(asked["template"])
    start = time.process_time()
    found = MultiScaleTemplateMatching(template, screen, threshold=0.8).find_best_result()
    elapsed = (time.process_time() - start) * 1000
    box = None
    if found:
        corners = found["rectangle"]
        box = [
            min(x for x, _ in corners),
            min(y for _, y in corners),
            max(x for x, _ in corners),
            max(y for _, y in corners),
        ]
    print(json.dumps({"box": box, "ms": elapsed}), flush=True)
