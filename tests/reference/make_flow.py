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


def main():
    (HERE / "flow").mkdir(exist_ok=True)
    for name, (build, _) in MODELS.items():
        fed = np.load(HERE / name / "trace.npz")
        model = MeasuredTransformer(build(HERE / name))
        memory, mask = model.encode(torch.tensor([fed["source_ids"].tolist()]), Recording())
        model.decode(torch.tensor([fed["target_ids"].tolist()]), memory, mask, Recording())
        arrays = {key: torch.cat(values).float() for key, values in model.rows.items()}
        arrays.update({key: torch.tensor(values) for key, values in model.units.items()})
        write_trace(HERE / "flow" / f"{name}.npz", {"source_ids": fed["source_ids"], "target_ids": fed["target_ids"], **arrays})


if __name__ == "__main__":
    main()
