"""Writes `head-statistics.json`: what heads do with words that come again, and between the two texts of a pair.

    python3 tests/reference/make_head_statistics.py

From the definitions, key by key, in float64, with weights that PyTorch computed: of the bundled model with induction heads
(gpt2.py, and its samples) and of the decoders and encoders of `hugging-face`, whose weights their recordings hold. Rows of
padding do not count, nor does a key that is masked.

duplicate_token: weight on earlier keys of the row's token, mean of the rows that have one. induction: weight on the keys
behind these, but before the row. a_reads_b: weight on the second text, mean of the rows of the first; b_reads_a: the reverse.
"""

import json
from pathlib import Path

import numpy as np

from gpt2 import Gpt2

HERE = Path(__file__).resolve().parent
BUNDLED = HERE.parents[1] / "resources" / "models"
DECODERS = ["gpt2-tiny", "llama-tiny", "mistral-tiny"]
PAIRS = ["bert-tiny-masked", "distilbert-tiny-masked", "roberta-tiny-masked"]


def mean(values):
    return float(np.mean(values)) if values else None


def repetitions(weights, ids, allowed):
    """`weights` [T, T]; `allowed(row, key)`."""
    duplicate, induction = [], []
    for row in range(len(ids)):
        copies = [key for key in range(row) if ids[key] == ids[row]]
        seen = [key for key in copies if allowed(row, key)]
        after = [key + 1 for key in copies if key + 1 < row and allowed(row, key + 1)]
        if seen:
            duplicate.append(sum(weights[row, key] for key in seen))
        if after:
            induction.append(sum(weights[row, key] for key in after))
    return {"duplicate_token": mean(duplicate), "induction": mean(induction), "induction_rows": len(induction)}


def between(weights, second):
    rows = len(weights)
    return {"a_reads_b": mean([sum(weights[row, second:]) for row in range(second)]),
            "b_reads_a": mean([sum(weights[row, :second]) for row in range(second, rows)])}


def of_heads(kind, weights, one):
    return {f"{kind}.{layer}.{head}": one(np.float64(weights[layer, head]))
            for layer in range(weights.shape[0]) for head in range(weights.shape[1])}


def bundled():
    model = Gpt2(BUNDLED / "induction")
    for text in (BUNDLED / "induction" / "samples.txt").read_text().split("\n")[:-1]:
        ids = model.ids(text)
        weights = model.weights(ids)[0].numpy()
        yield {"model": "induction", "text": text,
               "heads": of_heads("decoder", weights, lambda one: repetitions(one, ids, lambda row, key: key <= row))}


def decoders():
    for name in DECODERS:
        trace = np.load(HERE / "hugging-face" / name / "trace.npz")
        ids = trace["target_ids"].tolist()
        window = json.loads((HERE / "hugging-face" / name / "config.json").read_text()).get("sliding_window") or len(ids)
        yield {"model": name, "ids": ids,
               "heads": of_heads("decoder", trace["decoder_self/weights"],
                                 lambda one: repetitions(one, ids, lambda row, key: row - window < key <= row))}


def pairs():
    """The second text begins behind what ends the first one."""
    for name in PAIRS:
        trace = np.load(HERE / "hugging-face" / name / "trace.npz")
        ids = trace["source_ids"].tolist()
        ends = [at for at, token in enumerate(ids) if token == ids[-1]]
        second = ends[-2] + 1
        if "source_segments" in trace:
            assert second == trace["source_segments"].tolist().index(1)
        yield {"model": name, "second": second,
               "heads": of_heads("encoder", trace["encoder_self/weights"], lambda one: between(one, second))}


if __name__ == "__main__":
    cases = [*bundled(), *decoders(), *pairs()]
    (HERE / "head-statistics.json").write_text(json.dumps(cases, indent=1) + "\n")
    for case in cases:
        print(case["model"], case.get("text", ""), list(case["heads"].items())[-2:])
