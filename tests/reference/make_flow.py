"""Writes the folder `flow`: what flows through tiny models, one file a model.

    python3 tests/reference/make_flow.py

`before`, `added`, `after`, `cosine` of every sublayer and token, encoder first: lengths of the residual stream and of what the
sublayer adds. `dead` and `active` of every feed-forward: how many units are above 0 for no token, and the share of units times
tokens that are. What is fed is what the model's own `trace.npz` was fed.
"""

from pathlib import Path

import numpy as np
import torch

from files import write_trace
from make_what_if import MODELS
from transformer import Recording, Transformer

HERE = Path(__file__).resolve().parent


class MeasuredTransformer(Transformer):
    def __init__(self, model):
        super().__init__(model.p, model.a)
        self.rows, self.units = {"before": [], "added": [], "after": [], "cosine": []}, {"dead": [], "active": []}

    def sublayer(self, name, x, function):
        seen = {}

        def watched(y):
            seen["added"] = function(y)
            return seen["added"]

        after = super().sublayer(name, x, watched)
        for key, value in {"before": x, "added": seen["added"], "after": after}.items():
            self.rows[key].append(value[0].norm(dim=-1))
        self.rows["cosine"].append(torch.cosine_similarity(seen["added"][0], x[0], dim=-1))
        return after

    def feed_forward(self, name, x):
        active = self.linear(name + ".in", x)[0] > 0
        self.units["dead"].append(float((~active.any(0)).sum()))
        self.units["active"].append(float(active.double().mean()))
        return super().feed_forward(name, x)


def measured(model, source_ids, target_ids):
    model = MeasuredTransformer(model)
    memory, mask = model.encode(torch.tensor([source_ids]), Recording())
    model.decode(torch.tensor([target_ids]), memory, mask, Recording())
    arrays = {key: torch.cat(values) for key, values in model.rows.items()}
    return {**arrays, **{key: torch.tensor(values, dtype=arrays["before"].dtype) for key, values in model.units.items()}}


def main():
    (HERE / "flow").mkdir(exist_ok=True)
    for name, (build, _) in MODELS.items():
        fed = np.load(HERE / name / "trace.npz")
        model = build(HERE / name)
        arrays, single = (measured(form, fed["source_ids"].tolist(), fed["target_ids"].tolist())
                          for form in (model, model.in_single()))
        given = {"source_ids": fed["source_ids"], "target_ids": fed["target_ids"]}
        write_trace(HERE / "flow" / f"{name}.npz", {**given, **arrays}, single)


if __name__ == "__main__":
    main()
