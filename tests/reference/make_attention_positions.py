"""Writes the folders `relative-tiny` and `rotary-tiny`: random models whose positions stand in attention, and what they
compute.

    python3 tests/reference/make_attention_positions.py

`model.pt` has Headscope's own names and `config.json` its own keys. `changes.json` has the command line's options of every
recording beside `trace.npz` by the file's name; `buckets.json` the buckets of T5's rule.
"""

import json
import re
from dataclasses import replace
from pathlib import Path

import torch

from attention_positions import AttentionPositions, Scheme, bucket
from files import write_trace
from transformer import Architecture

HERE = Path(__file__).resolve().parent
D_MODEL, D_FF, HEADS, SOURCE_WORDS, TARGET_WORDS = 12, 20, 3, 17, 23
PAD, START, END, LONGEST = 0, 2, 3, 24
SOURCE = [9, 4, 16, 7, 12, 5, 8, 11, 6, 13, 10, 4, 15, 3]
TARGET = [START, 14, 6, 11, 8, 21, 17, 9, 4, 19, 5, 12, 20, 7, 16, 10, 18, 13]  # more than a block of shuffled places
COMPANION, TARGET_COMPANION = SOURCE + [7, 9], TARGET + [6, 15, 22]
GREEDY_SOURCES = [[4], [5, 6, 7, 3], [16, 4, 9, 11], SOURCE, COMPANION]
CHANGES = {"none": "--positions none", "shift": "--positions shift:5", "shuffle": "--positions shuffle:11",
           "shuffle-cooled": "--positions shuffle:4 --softmax-temperature 0.7"}
NAMES = [(r"\.q\.", ".query."), (r"\.k\.", ".key."), (r"\.v\.", ".value."), (r"\.o\.", ".output."),
         (r"^output\.", "generator."), (r"^(encoder|decoder)\.norm\.weight", r"\1.final_norm.gain"),
         (r"^(encoder|decoder)\.norm\.bias", r"\1.final_norm.bias"),
         (r"\.(self|cross|feed_forward)\.norm\.weight", r".norm_\1.gain"),
         (r"\.(self|cross|feed_forward)\.norm\.bias", r".norm_\1.bias"), (r"_embedding$", "_embedding.weight")]


def own_name(role):
    for pattern, name in NAMES:
        role = re.sub(pattern, name, role)
    return role


def random_parameters(scheme, layers, head_width, biases):
    p = {}

    def linear(name, rows, columns, spread=1.2):
        p[name + ".weight"] = torch.randn(rows, columns) * spread * columns**-0.5
        if biases:
            p[name + ".bias"] = 0.3 * torch.randn(rows)

    def norm(name):
        p[name + ".weight"] = 1 + 0.25 * torch.randn(D_MODEL)
        if biases:
            p[name + ".bias"] = 0.3 * torch.randn(D_MODEL)

    p["source_embedding"] = 0.6 * torch.randn(SOURCE_WORDS, D_MODEL)
    p["target_embedding"] = 0.6 * torch.randn(TARGET_WORDS, D_MODEL)
    for stack, count in layers.items():
        if scheme.kind == "relative":
            p[f"{stack}.relative_bias"] = 1.5 * torch.randn(scheme.buckets, HEADS)
        for layer in range(count):
            for part in ("self", "cross") if stack == "decoder" else ("self",):
                name = f"{stack}.{layer}.{part}"
                for projection in "qkv":
                    # Where scores are not scaled the queries are, as T5's initialiser does it.
                    unscaled = scheme.kind == "relative" and projection == "q"
                    linear(f"{name}.{projection}", HEADS * head_width, D_MODEL, 1.2 * head_width**-0.5 if unscaled else 1.2)
                linear(name + ".o", D_MODEL, HEADS * head_width)
                norm(name + ".norm")
            name = f"{stack}.{layer}.feed_forward"
            linear(name + ".in", D_FF, D_MODEL)
            linear(name + ".out", D_MODEL, D_FF)
            norm(name + ".norm")
        norm(stack + ".norm")
    linear("output", TARGET_WORDS, D_MODEL)
    return p


def padded(ids, longer):
    return ids + [PAD] * (len(longer) - len(ids))


def greedy(model):
    outputs = []
    for source in GREEDY_SOURCES:
        ids = model.greedy(source, START, END, LONGEST)
        assert PAD not in ids, "take another seed"
        best = model.trace(source, [START] + ids[:-1])["log_probabilities"].topk(2).values
        assert (best[:, 0] - best[:, 1]).min() > 1e-3, "too close a choice: take another seed"
        outputs.append({"source_ids": source, "output_ids": ids})
    return outputs


def check(model, arrays):
    """What must be so by the definitions."""
    trace = lambda change, source=SOURCE: type(model)(model.p, model.a, model.scheme, change).trace(source, TARGET)
    moved = trace("shift:9")
    worst = max(float((moved[name] - arrays[name]).abs().max()) for name in ("encoder_self/scores", "log_probabilities"))
    assert worst < 1e-12, f"places count by their distance alone, but a shift changes {worst}"
    order = [1, 0] + list(range(2, len(SOURCE)))
    swapped, in_place = trace("none", [SOURCE[i] for i in order]), trace("none")
    assert (swapped["log_probabilities"] - in_place["log_probabilities"]).abs().max() < 1e-12


def write_model(name, seed, scheme, architecture, head_width, biases, config):
    torch.manual_seed(seed)
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    layers = {"encoder": architecture.encoder_layers, "decoder": architecture.decoder_layers}
    single = random_parameters(scheme, layers, head_width, biases)
    torch.save({own_name(role): tensor for role, tensor in single.items()}, folder / "model.pt")
    sizes = {"family": "headscope", "encoder_layers": layers["encoder"], "decoder_layers": layers["decoder"],
             "model_width": D_MODEL, "feed_forward_width": D_FF, "heads": HEADS, "head_width": head_width,
             "source_vocabulary_size": SOURCE_WORDS, "target_vocabulary_size": TARGET_WORDS}
    specials = {"start_id": START, "end_id": END, "pad_id": PAD}
    (folder / "config.json").write_text(json.dumps({**sizes, **config, **specials}, indent=4) + "\n")
    double = {role: tensor.double() for role, tensor in single.items()}
    model, in_single = (AttentionPositions(p, architecture, scheme) for p in (double, single))
    arrays = model.trace(SOURCE, TARGET)
    check(model, arrays)
    write_trace(folder / "trace.npz", arrays, in_single.trace(SOURCE, TARGET))
    source, target = padded(SOURCE, COMPANION), padded(TARGET, TARGET_COMPANION)
    batch = model.run(torch.tensor([source, COMPANION]), torch.tensor([target, TARGET_COMPANION])).sentence(0)
    batch["padding"] = torch.tensor([len(source) - len(SOURCE), len(target) - len(TARGET)])
    write_trace(folder / "trace-padded.npz", batch, in_single.trace(source, target))
    for change, options in CHANGES.items():
        words = options.split()
        temperature = float(words[3]) if len(words) > 2 else 1.0
        changed = [AttentionPositions(p, architecture, scheme, words[1], temperature).trace(SOURCE, TARGET)
                   for p in (double, single)]
        write_trace(folder / f"trace-{change}.npz", *changed)
    lines = ",\n ".join(f"{json.dumps(change)}: {json.dumps(options.split())}" for change, options in CHANGES.items())
    (folder / "changes.json").write_text(f"{{{lines}}}\n")
    lines = ",\n  ".join(json.dumps(output) for output in greedy(model))
    (folder / "greedy.json").write_text(f'{{"start": {START}, "end": {END}, "longest": {LONGEST}, "outputs": [\n  {lines}\n]}}\n')
    print(name, "greedy lengths", [len(entry["output_ids"]) for entry in greedy(model)])


def write_buckets(path):
    """T5's own numbers and others, both ways, for distances -200 .. 200."""
    relative = torch.arange(-200, 201)
    entries = [{"buckets": buckets, "distance": distance, "bidirectional": both,
                "of": bucket(relative, buckets, distance, both).tolist()}
               for buckets, distance in ((32, 128), (8, 20), (16, 40)) for both in (True, False)]
    lines = ",\n ".join(json.dumps(entry) for entry in entries)
    path.write_text(f'{{"first": -200, "entries": [{lines}]}}\n')


def main():
    tiny = Architecture(2, 3, HEADS, PAD, norm="pre", norm_kind="layer_norm", norm_epsilon=1e-6, mask_fill=-float("inf"))
    relative = replace(tiny, norm_kind="root_mean_square", embedding_scale=1.0, score_scale=1.0)
    write_model("relative-tiny", 4, Scheme("relative", buckets=8, distance=20), relative, 5, False,
                {"norm": "pre", "norm_kind": "root-mean-square", "norm_eps": 1e-6, "final_norm": "yes",
                 "embedding_scale": 1, "score_scale": 1, "positions": "relative-buckets", "position_buckets": 8,
                 "position_distance": 20, "activation": "relu"})
    rotary = replace(tiny, norm="post", activation="gelu", norm_epsilon=1e-5)
    write_model("rotary-tiny", 5, Scheme("rotary", base=100.0), rotary, 4, True,
                {"norm": "post", "norm_kind": "layer-norm", "norm_eps": 1e-5, "final_norm": "yes",
                 "positions": "rotary", "position_base": 100.0, "activation": "gelu"})
    write_buckets(HERE / "relative-tiny" / "buckets.json")


if __name__ == "__main__":
    main()
