"""Writes the tiny random models beside this file and what PyTorch computes with them.

    python3 tests/reference/make_tiny.py

No two sizes are equal and no bias, gain or table is left at a value that computes nothing, so that a transposed
matrix, swapped layers, a forgotten bias or a recomputed positional table cannot stay unseen.
"""

import json
from collections import OrderedDict
from pathlib import Path

import torch
from torch import nn

from annotated_transformer import annotated_transformer
from beam_search import beam_search
from files import write_trace

HERE = Path(__file__).resolve().parent
D_MODEL, D_FF, HEADS, PLACES = 12, 20, 3, 64
PAD, UNKNOWN, START, END = 0, 1, 2, 3
LONGEST = 12
BEAMS = [(2, 0), (4, 0), (4, 1), (5, 0.6)]  # width, length penalty; a width of 1 is greedy decoding
SOURCE = [9, 4, 16, 7, 12, 5, END]
TARGET = [START, 14, 6, 11, 8]
COMPANION = ([6, 13, 4, 10, 15, 8, 5, 11, 14, END], [START, 10, 16, 5, 9, 7, 12])  # three and two tokens longer
GREEDY_SOURCES = [[4, END], [5, 6, 7, END], [16, 4, 9, 11, END], [15, 15, 15, END], SOURCE, COMPANION[0],
                  [8, 12, 10, 14, 13, 11, 9, 5, 7, 6, 4, END]]

# (folder, layers, source vocabulary, target vocabulary, tied, cross-attention has weights of its own, seed)
MODELS = [
    ("annotated-tiny", 2, 17, 23, False, True, 707),
    ("annotated-tiny-tied", 3, 19, 19, True, True, 107),
    ("annotated-tiny-shared-attention", 2, 17, 23, False, False, 365),
]


class Holder(nn.Module):
    """A module that only holds tensors under dotted names, so that `state_dict()` is what a real model's is."""

    def hold(self, name, tensor, buffer=False):
        owner = self
        *path, last = name.split(".")
        for part in path:
            if part not in owner._modules:
                owner.add_module(part, Holder())
            owner = owner._modules[part]
        owner.register_buffer(last, tensor) if buffer else owner.register_parameter(last, tensor)


def parameter(*shape, mean=0.0, spread=1.0):
    return nn.Parameter(mean + spread * torch.randn(*shape))


def hold_linear(model, name, rows, columns):
    model.hold(name + ".weight", parameter(rows, columns, spread=columns**-0.5))
    model.hold(name + ".bias", parameter(rows, spread=0.3))


def hold_norm(model, name):
    model.hold(name + ".a_2", parameter(D_MODEL, mean=1.0, spread=0.25))
    model.hold(name + ".b_2", parameter(D_MODEL, spread=0.25))


def hold_stack(model, stack, layers, attentions):
    for layer in range(layers):
        stored = f"{stack}.layers.{layer}"
        for attention in attentions:
            for i in range(4):
                hold_linear(model, f"{stored}.{attention}.linears.{i}", D_MODEL, D_MODEL)
        hold_linear(model, f"{stored}.feed_forward.w_1", D_FF, D_MODEL)
        hold_linear(model, f"{stored}.feed_forward.w_2", D_MODEL, D_FF)
        for i in range(2 if stack == "encoder" else 3):
            hold_norm(model, f"{stored}.sublayer.{i}.norm")
    hold_norm(model, f"{stack}.norm")


def random_model(layers, source_vocabulary, target_vocabulary, tied, own_cross_weights):
    model = Holder()
    hold_stack(model, "encoder", layers, ["self_attn"])
    hold_stack(model, "decoder", layers, ["self_attn", "src_attn"] if own_cross_weights else ["self_attn"])
    source = parameter(source_vocabulary, D_MODEL, spread=D_MODEL**-0.5)
    target = source if tied else parameter(target_vocabulary, D_MODEL, spread=D_MODEL**-0.5)
    model.hold("src_embed.0.lut.weight", source)
    model.hold("src_embed.1.pe", 0.7 * torch.randn(1, PLACES, D_MODEL), buffer=True)
    model.hold("tgt_embed.0.lut.weight", target)
    model.hold("tgt_embed.1.pe", 0.7 * torch.randn(1, PLACES, D_MODEL), buffer=True)
    model.hold("generator.proj.weight", target if tied else parameter(target_vocabulary, D_MODEL, spread=0.5))
    model.hold("generator.proj.bias", parameter(target_vocabulary, spread=0.3))
    return model


def configuration(family, layers, source_vocabulary, target_vocabulary):
    sizes = dict(layers=layers, d_model=D_MODEL, d_ff=D_FF, heads=HEADS)
    same = source_vocabulary == target_vocabulary
    vocabularies = (dict(vocab=source_vocabulary) if same
                    else dict(source_vocab=source_vocabulary, target_vocab=target_vocabulary))
    return dict(family=family, **sizes, **vocabularies, norm="pre", layer_norm="annotated",
                pe_base=10000, pad=PAD, unk=UNKNOWN, bos=START, eos=END, source_prefix=[], source_suffix=[END])


def largest_difference(left, right):
    return max(float((left[name].double() - right[name].double()).abs().max()) for name in left)


PADDING = [len(longer) - len(shorter) for longer, shorter in zip(COMPANION, (SOURCE, TARGET))]
PADDED = [SOURCE + [PAD] * PADDING[0], TARGET + [PAD] * PADDING[1]]


def padded_trace(model):
    """The sentence padded to its companion's length, checked against their real batch of two."""
    source, target = PADDED
    alone = model.trace(source, target)
    batch = model.run(torch.tensor([source, COMPANION[0]]), torch.tensor([target, COMPANION[1]]))
    difference = max(largest_difference(alone, batch.sentence(0)),
                     largest_difference(model.trace(*COMPANION), batch.sentence(1)))
    assert difference < 1e-6, difference
    kept = model.trace(SOURCE, TARGET)["log_probabilities"]
    assert (alone["log_probabilities"][: len(TARGET)] - kept).abs().max() < 1e-6
    print(f"  batch of two against one padded sentence: {difference:.1e}")
    return {**alone, "padding": torch.tensor(PADDING)}


def greedy_outputs(model, single):
    """float32 must choose as float64 does, or no other program could be expected to."""
    outputs = []
    for source in GREEDY_SOURCES:
        output = model.greedy(source, START, END, LONGEST)
        assert output == single.greedy(source, START, END, LONGEST)
        assert PAD not in output, "a fed pad token is masked: take another seed"
        best = model.trace(source, [START] + output[:-1])["log_probabilities"].topk(2).values
        assert (best[:, 0] - best[:, 1]).min() > 1e-3, "too close a choice: take another seed"
        outputs.append({"source_ids": source, "output_ids": output})
    lengths = [len(entry["output_ids"]) for entry in outputs]
    assert min(lengths) < LONGEST == max(lengths), f"both ends should occur: take another seed, {lengths}"
    return {"start": START, "end": END, "longest": LONGEST, "outputs": outputs}


def beam_outputs(model, single):
    outputs = []
    for source in GREEDY_SOURCES:
        for beam, length_penalty in BEAMS:
            best, *others = beam_search(model, source, START, END, LONGEST, beam, length_penalty)
            assert best[2] == beam_search(single, source, START, END, LONGEST, beam, length_penalty)[0][2]
            assert not others or best[0] - others[0][0] > 1e-4, "too close a choice: take another seed"
            assert PAD not in best[2], "a fed pad token is masked: take another seed"
            outputs.append({"source_ids": source, "beam": beam, "length_penalty": length_penalty,
                            "output_ids": best[2], "log_probability": round(best[1], 6)})
    return {"start": START, "end": END, "longest": LONGEST, "outputs": outputs}


def write_json(path, decoded):
    """One output a line, so that a difference can be read."""
    outputs = ",\n  ".join(json.dumps(output) for output in decoded.pop("outputs"))
    path.write_text(json.dumps(decoded)[:-1] + f', "outputs": [\n  {outputs}\n]}}\n')


def write_model(folder, layers, source_vocabulary, target_vocabulary, tied, own_cross_weights, seed):
    torch.manual_seed(seed)
    state = random_model(layers, source_vocabulary, target_vocabulary, tied, own_cross_weights).state_dict()
    family = "annotated-transformer" if own_cross_weights else "shared-attention"
    config = configuration(family, layers, source_vocabulary, target_vocabulary)
    assert isinstance(state, OrderedDict) and state._metadata
    folder.mkdir(exist_ok=True)
    torch.save(state, folder / "model.pt")
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")

    print(folder.name)
    model = annotated_transformer(state, config)
    single = annotated_transformer(state, config, torch.float32)
    trace = model.trace(SOURCE, TARGET)
    print(f"  float32 against float64: {largest_difference(trace, single.trace(SOURCE, TARGET)):.1e}")
    write_trace(folder / "trace.npz", trace, single.trace(SOURCE, TARGET))
    write_trace(folder / "trace-padded.npz", padded_trace(model), single.trace(*PADDED))
    greedy = greedy_outputs(model, single)
    print("  greedy lengths:", [len(entry["output_ids"]) for entry in greedy["outputs"]])
    write_json(folder / "greedy.json", greedy)
    write_json(folder / "beam.json", beam_outputs(model, single))


if __name__ == "__main__":
    for name, *sizes in MODELS:
        write_model(HERE / name, *sizes)
