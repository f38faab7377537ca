"""Writes the folder `quantities`: what `quantities.py` computes of tiny models, one file a model.

    python3 tests/reference/make_quantities.py

What is fed is what the model's own `trace.npz` was fed.
"""

from pathlib import Path

import numpy as np

from files import write_trace
from make_what_if import MODELS
from quantities import Quantities

HERE = Path(__file__).resolve().parent
STEP, CONTRAST = 3, 7


def main():
    (HERE / "quantities").mkdir(exist_ok=True)
    for name, (build, _) in MODELS.items():
        fed = np.load(HERE / name / "trace.npz")
        model = build(HERE / name)
        quantities, single = (Quantities(form, fed["source_ids"].tolist(), fed["target_ids"].tolist(), STEP, CONTRAST)
                              for form in (model, model.in_single()))
        given = {"source_ids": fed["source_ids"], "target_ids": fed["target_ids"], "step": np.array([STEP]),
                 "contrast": np.array([CONTRAST])}
        write_trace(HERE / "quantities" / f"{name}.npz", {**given, **quantities.arrays()}, single.arrays())


if __name__ == "__main__":
    main()
