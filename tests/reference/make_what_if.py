"""Writes the folder `what-if`: what tiny models compute with something in them changed.

    python3 tests/reference/make_what_if.py

Of every change there is a file named after it, and `what-if.json` beside it has the command line's options by the same
name. What is fed is what the model's own `trace.npz` was fed; the padded ones what `trace-padded.npz` was.
"""

import json
from pathlib import Path

import numpy as np
import torch

import pi_tau
import torch_transformers
from annotated_transformer import annotated_transformer
from files import read_model_folder, write_trace
from what_if import ChangedTransformer, MersenneTwister64

HERE = Path(__file__).resolve().parent
HEADS = 3
KEPT = ("source_ids", "target_ids", "next_ids", "padding", "encoder_self/weights", "encoder_self/scores",
        "decoder_self/weights", "decoder_self/scores", "cross/weights", "cross/scores", "encoder/residual",
        "decoder/residual", "log_probabilities")

CHANGES = {
    "head-of-encoder-off": "--disable-head encoder.1.0",
    "head-of-decoder-off": "--disable-head decoder.0.2",
    "head-of-cross-off": "--disable-head cross.1.1",
    "heads-halved": "--scale-head encoder.0.1=0.5 --scale-head decoder.1.0=0.5 --scale-head cross.0.0=0.5 "
                    "--scale-head cross.0.2=0.5",
    "head-turned-and-grown": "--scale-head cross.1.2=-1.75",
    "cross-sites-heads-all-off": "--disable-head cross.0.0 --disable-head cross.0.1 --disable-head cross.0.2",
    "encoder-attention-off": "--scale-sublayer encoder.0=0",
    "encoder-feed-forward-scaled": "--scale-sublayer encoder-ff.1=0.3",
    "decoder-attention-scaled": "--scale-sublayer decoder.1=0.3",
    "cross-attention-off": "--scale-sublayer cross.0=0",
    "decoder-feed-forward-off": "--scale-sublayer decoder-ff.0=0",
    "cell-blocked": "--block cross.0.1:2,3",
    "cells-blocked": "--block encoder.0.2:4,1 --block encoder.0.2:4,5 --block decoder.1.1:3,3",
    "row-even": "--force-row cross.1.0:1=uniform --force-row decoder.0.1:3=uniform",
    "row-hard": "--force-row encoder.1.2:0=argmax --force-row decoder.1.0:4=argmax",
    "row-on-a-key": "--force-row cross.0.2:4=2 --force-row decoder.0.0:3=1",
    "row-even-beside-a-blocked-cell": "--block decoder.0.1:3,2 --force-row decoder.0.1:3=uniform",
    "mask-lifted": "--no-mask",
    "scores-unscaled": "--no-scaling",
    "scores-scaled": "--score-scale 0.8",
    "softmax-cooled": "--softmax-temperature 0.4",
    "softmax-heated-and-unscaled": "--softmax-temperature 3 --no-scaling",
    "without-positions": "--positions none",
    "positions-shifted": "--positions shift:3",
    "positions-shuffled": "--positions shuffle:11",
    "everything-at-once": "--disable-head cross.0.1 --scale-sublayer decoder-ff.1=0.3 --block encoder.0.0:2,2 "
                          "--softmax-temperature 1.5 --positions shift:1",
    "padded-head-off": "--disable-head encoder.0.1",
    "padded-row-even": "--force-row cross.0.1:2=uniform --force-row decoder.1.2:4=uniform",
    "padded-mask-lifted": "--no-mask --scale-head decoder.0.0=0.5",
}

ONE_MODEL_IS_ENOUGH = {"head-of-encoder-off", "head-of-decoder-off", "head-turned-and-grown", "cell-blocked",
                       "row-even-beside-a-blocked-cell", "scores-scaled", "softmax-heated-and-unscaled",
                       "encoder-attention-off", "mask-lifted"}
SHARPENING = {"scores-unscaled", "softmax-cooled"}  # where scores are large, float32 differs by more than is accepted


def annotated(folder):
    return annotated_transformer(*read_model_folder(folder))


# Model -> how to build it, and which changes are not recorded.
MODELS = {
    "annotated-tiny": (annotated, set()),
    "torch-transformer-tiny-post-relu": (lambda folder: torch_transformers.by_equations(
        torch.load(folder / "model.pt"), HEADS, "post", "relu", pad=1), ONE_MODEL_IS_ENOUGH),
    "pi-tau-tiny": (lambda folder: pi_tau.by_equations(torch.load(folder / "model.pt"), HEADS, pad=1),
                    ONE_MODEL_IS_ENOUGH | SHARPENING),
}


def same(left, right):
    return max(float((left[name].double() - right[name].double()).abs().max()) for name in KEPT if name in left) < 1e-12


def check_random_numbers():
    """The 10000th draw that the C++ standard demands of its mt19937_64, [rand.predef]."""
    random = MersenneTwister64(5489)
    assert [random.draw() for _ in range(10000)][-1] == 9981545732273789042


def with_columns_zeroed(model, name, head):
    """The model whose output projection does not read a head."""
    width = model.p[f"{name}.o.weight"].shape[1] // model.a.heads
    projection = model.p[f"{name}.o.weight"].clone()
    projection[:, head * width : (head + 1) * width] = 0
    return type(model)({**model.p, f"{name}.o.weight": projection}, model.a)


def check(model, source, target):
    """What must be so by the definitions, whatever the model."""
    trace = lambda *options: ChangedTransformer(model, options).trace(source, target)
    plain = model.trace(source, target)
    nothing = trace("--scale-head", "cross.0.1=1", "--scale-sublayer", "encoder-ff.0=1", "--softmax-temperature", "1",
                    "--positions", "shift:0")
    assert same(plain, nothing)
    off = with_columns_zeroed(model, "decoder.1.cross", 1).trace(source, target)
    assert same(off, trace("--disable-head", "cross.1.1")) and not same(off, plain)
    assert same(trace("--no-scaling", "--softmax-temperature", "2"), trace("--score-scale", "0.5"))
    blocked = trace("--block", "cross.0.1:2,3")["cross/weights"][0, 1]
    assert blocked[2, 3] == 0 and (blocked.sum(-1) - 1).abs().max() < 1e-12
    order = [1, 0] + list(range(2, len(source)))
    swapped = ChangedTransformer(model, ["--positions", "none"]).trace([source[i] for i in order], target)
    in_place = trace("--positions", "none")
    assert (swapped["log_probabilities"] - in_place["log_probabilities"]).abs().max() < 1e-12
    assert (swapped["encoder_output"] - in_place["encoder_output"][order]).abs().max() < 1e-12


def write_model(name, build, changes):
    model = build(HERE / name)
    folder = HERE / "what-if" / name
    folder.mkdir(parents=True, exist_ok=True)
    fed = {kind: np.load(HERE / name / f"{kind}.npz") for kind in ("trace", "trace-padded")}
    check(model, *(fed["trace"][side].tolist() for side in ("source_ids", "target_ids")))
    distances = []
    for change, options in changes.items():
        ids = fed["trace-padded" if change.startswith("padded") else "trace"]
        source, target = ids["source_ids"].tolist(), ids["target_ids"].tolist()
        arrays = ChangedTransformer(model, options.split()).trace(source, target)
        before = model.trace(source, target)["log_probabilities"]
        distances.append(float((arrays["log_probabilities"] - before).abs().max()))
        assert distances[-1] > 1e-3, f"{change} changes nothing in {name}"
        if "padding" in ids:
            arrays["padding"] = torch.from_numpy(ids["padding"])
        single = ChangedTransformer(model.in_single(), options.split()).trace(source, target)
        write_trace(folder / f"{change}.npz", {array: arrays[array] for array in KEPT if array in arrays}, single)
    lines = ",\n ".join(f"{json.dumps(change)}: {json.dumps(options.split())}" for change, options in changes.items())
    (folder / "what-if.json").write_text(f"{{{lines}}}\n")
    print(f"{name}: {len(changes)} changes; a log-probability differs by {min(distances):.1e} at least")


if __name__ == "__main__":
    check_random_numbers()
    for model_name, (build_model, left_out) in MODELS.items():
        wanted = {change: options for change, options in CHANGES.items() if change not in left_out}
        write_model(model_name, build_model, wanted)
