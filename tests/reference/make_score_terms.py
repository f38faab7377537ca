"""Writes the folder `score-terms`: what `score_terms.py` computes of tiny models, one file a model and change.

    python3 tests/reference/make_score_terms.py

What is fed is what the model's own `trace.npz` was fed. The changed ones have options of the command line, which stand in
`score-terms.json` by the file's name.
"""

import json
from pathlib import Path

import numpy as np
import torch

import classifiers
import pi_tau
import torch_transformers
from files import write_trace
from make_what_if import HEADS, MODELS
from score_terms import FirstLayer
from transformer import Recording
from what_if import ChangedTransformer

HERE = Path(__file__).resolve().parent
CHANGES = {"": "", "-shuffled": "--positions shuffle:11 --softmax-temperature 0.8", "-shifted": "--positions shift:3 "
           "--no-scaling", "-without": "--positions none"}


def state_of(folder):
    return torch.load(folder / "model.pt")


BUILT = {
    **{name: (build, ("", "-shuffled")) for name, (build, _) in MODELS.items()},
    "torch-transformer-tiny-pre-gelu": (
        lambda folder: torch_transformers.by_equations(state_of(folder), HEADS, "pre", "gelu", pad=1), ("", "-without")),
    "imdb-classifier-tiny": (lambda folder: classifiers.by_equations(state_of(folder), HEADS), ("", "-shifted")),
    "nyu-classifier-tiny": (lambda folder: classifiers.by_equations(state_of(folder), HEADS), ("",)),
}


@torch.no_grad()
def recorded_scores(model, fed):
    """The first layers' scores as the model itself computes them, by side."""
    recording = Recording()
    memory, mask = model.encode(torch.tensor([fed["source"]]), recording)
    scores = {"source": recording.stacked["encoder_self/scores"][0][0]}
    if "target" in fed:
        model.decode(torch.tensor([fed["target"]]), memory, mask, recording)
        scores["target"] = recording.stacked["decoder_self/scores"][0][0]
    return scores


def main():
    (HERE / "score-terms").mkdir(exist_ok=True)
    options = {}
    for name, (build, changes) in BUILT.items():
        ids = np.load(HERE / name / "trace.npz")
        fed = {side: ids[f"{side}_ids"].tolist() for side in ("source", "target") if f"{side}_ids" in ids}
        for change in changes:
            model = ChangedTransformer(build(HERE / name), CHANGES[change].split())
            scores = recorded_scores(model, fed)
            in_single = ChangedTransformer(build(HERE / name).in_single(), CHANGES[change].split())
            arrays, single = {f"{side}_ids": ids[f"{side}_ids"] for side in fed}, {}
            for side, site in (("source", "encoder"), ("target", "decoder")):
                if side not in fed:
                    continue
                arrays[f"terms/{site}"] = FirstLayer(model, side, fed[side]).terms()
                single[f"terms/{site}"] = FirstLayer(in_single, side, fed[side]).terms()
                missing = (arrays[f"terms/{site}"].sum(0) - scores[side]).abs().max()
                assert missing < 1e-12, f"{name}{change}: the terms miss the scores by {missing}"
            write_trace(HERE / "score-terms" / f"{name}{change}.npz", arrays, single)
            options[name + change] = {"model": name, "options": CHANGES[change].split()}
    lines = ",\n ".join(f"{json.dumps(file)}: {json.dumps(entry)}" for file, entry in options.items())
    (HERE / "score-terms" / "score-terms.json").write_text(f"{{{lines}}}\n")
    print(f"{len(options)} recordings; the terms sum to the scores within 1e-12")


if __name__ == "__main__":
    main()
