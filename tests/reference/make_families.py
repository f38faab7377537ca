"""Writes the tiny random models of the families beside the Annotated Transformer, and what they compute.

    python3 tests/reference/make_families.py [FOLDER ...]

Every model is the original program's module (rebuilt, or PyTorch's own) with random tensors, saved as its `state_dict()`.
It is recorded in float64 while it runs, and `transformer.py`, given the tensors' roles and the family's flags, must
compute the same. A padded recording is the first row of a real batch of two.
"""

import copy
import json
import re
import sys
from pathlib import Path

import numpy as np
import torch
from torch import nn

import classifiers
import pi_tau
import torch_transformers
import tutorial_encoder
from files import write_trace
from originals import equations_on_ids, equations_on_vectors

HERE = Path(__file__).resolve().parent
D_MODEL, D_FF, HEADS, PLACES, CLASSES = 12, 20, 3, 40, 4
UNKNOWN, PAD, START, END = 0, 1, 2, 3  # as pi-tau, the translation tutorial and the classifiers number them
LONGEST = 12
WORDS = [9, 4, 16, 7, 12, 5]
COMPANION = [6, 13, 4, 10, 15, 8, 5, 11, 14]
TARGET = [START, 14, 6, 11, 8]
TARGET_COMPANION = [START, 10, 16, 5, 9, 7, 12]
GREEDY_WORDS = [[4], [5, 6, 7], [16, 4, 9, 11], [15, 15, 15], WORDS, COMPANION]
NOT_IN_PADDED = re.compile(r"(.*/(q|k|v|heads)|positions/.*)$")
SPREADS = [  # of a tensor's values by its name, the first that fits; biases and norms are treated apart
    (r"pos_embed_weight|position_embeddings|pos_embedding|\bpe$", 0.7),
    (r"word_embed_weight|tgt_proj_weight|generator", 0.5),
    (r"tok_emb", D_MODEL**-0.5),
    (r"word_embeddings|^embedding\.|dense|linear_classifier", 1.0),
]


def fill(model, seed):
    """No gain, bias or table is left at a value that computes nothing."""
    torch.manual_seed(seed)
    norms = {f"{name}.weight" for name, module in model.named_modules() if isinstance(module, nn.LayerNorm)}
    tables = [entry for entry in model.named_buffers() if entry[1].is_floating_point() and entry[1].numel() > 1]
    for name, tensor in [*model.named_parameters(), *tables]:
        random = torch.randn(tensor.shape)
        named = [spread for pattern, spread in SPREADS if re.search(pattern, name)]
        if name in norms:
            tensor.data = 1 + 0.25 * random
        elif tensor.ndim == 1:
            tensor.data = 0.3 * random
        else:
            tensor.data = random * (named[0] if named else 1.3 * tensor.shape[1] ** -0.5)
    for module in model.modules():
        if isinstance(module, nn.Embedding) and module.padding_idx is not None:
            module.weight.data[module.padding_idx] = 0
    return model.eval()


def largest_difference(recorded, equations):
    """Over all arrays; both must have the same ones, of the same shapes."""
    assert set(recorded) == set(equations), set(recorded) ^ set(equations)
    assert all(recorded[name].shape == equations[name].shape for name in recorded)
    return max(float((recorded[name].double() - equations[name].double()).abs().max()) for name in recorded)


def write_recording(path, recorded, equations, single, padding=None):
    difference = largest_difference(recorded, equations)
    assert difference < 1e-12, f"the original and its equations differ by {difference}"
    print(f"  {path.name}: equations {difference:.1e}, float32 {largest_difference(recorded, single):.1e}")
    if padding is not None:
        recorded = {name: array for name, array in recorded.items() if not NOT_IN_PADDED.match(name)}
        recorded["padding"] = torch.tensor(padding)
    write_trace(path, recorded, single)


def padded(ids, longer):
    return ids + [PAD] * (len(longer) - len(ids))


def save(name, model, sidecar):
    """Returns the folder, the stored state and the model in float64."""
    print(name)
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    torch.save(model.state_dict(), folder / "model.pt")
    (folder / "headscope.json").write_text(json.dumps(sidecar, indent=1) + "\n")
    return folder, torch.load(folder / "model.pt"), copy.deepcopy(model).double()


def greedy_output(model, equations, single, source):
    """What the original chooses; both precisions of the equations must choose the same."""
    fed = [START]
    while len(fed) <= LONGEST and fed[-1] != END:
        log_probabilities = model.trace([source], [fed], PAD)["log_probabilities"][-1]
        best = log_probabilities.topk(2)
        assert best.values[0] - best.values[1] > 1e-3, "too close a choice: take another seed"
        fed.append(int(best.indices[0]))
    for other in (equations, single):
        assert other.greedy(source, START, END, LONGEST) == fed[1:]
    assert PAD not in fed, "take another seed"
    return fed[1:]


def write_greedy(path, sources, choose):
    outputs = [{"source_ids": source, "output_ids": choose(source)} for source in sources]
    lengths = [len(entry["output_ids"]) for entry in outputs]
    assert min(lengths) < LONGEST == max(lengths), f"both ends should occur: take another seed, {lengths}"
    lines = ",\n  ".join(json.dumps(output) for output in outputs)
    path.write_text(f'{{"start": {START}, "end": {END}, "longest": {LONGEST}, "outputs": [\n  {lines}\n]}}\n')
    print("  greedy lengths:", lengths)


def write_translator(name, model, sidecar, by_equations, prefix, suffix):
    """An encoder-decoder with its framing of the source, plain and padded, and its greedy outputs."""
    sidecar = {"heads": HEADS, **sidecar, "unknown_id": UNKNOWN, "pad_id": PAD, "start_id": START, "end_id": END,
               "source_prefix": prefix, "source_suffix": suffix}
    folder, state, double = save(name, model, sidecar)
    equations, single = by_equations(state), by_equations(state, dtype=torch.float32)
    source, companion = prefix + WORDS + suffix, prefix + COMPANION + suffix
    write_recording(folder / "trace.npz", double.trace([source], [TARGET], PAD), equations.trace(source, TARGET),
                    single.trace(source, TARGET))
    longer = padded(source, companion), padded(TARGET, TARGET_COMPANION)
    batch = double.trace([longer[0], companion], [longer[1], TARGET_COMPANION], PAD)
    write_recording(folder / "trace-padded.npz", batch, equations.trace(*longer), single.trace(*longer),
                    [len(longer[0]) - len(source), len(longer[1]) - len(TARGET)])
    sources = [prefix + words + suffix for words in GREEDY_WORDS]
    write_greedy(folder / "greedy.json", sources, lambda ids: greedy_output(double, equations, single, ids))


def write_encoder(name, model, sidecar, by_equations, trace, trace_by_equations):
    """An encoder that is fed ids, plain and padded. `trace` takes the model and a batch."""
    folder, state, double = save(name, model, {"heads": HEADS, **sidecar})
    forms = by_equations(state), by_equations(state, dtype=torch.float32)
    write_recording(folder / "trace.npz", trace(double, [WORDS]), *(trace_by_equations(form, WORDS) for form in forms))
    longer = padded(WORDS, COMPANION)
    write_recording(folder / "trace-padded.npz", trace(double, [longer, COMPANION]),
                    *(trace_by_equations(form, longer) for form in forms), [len(longer) - len(WORDS), 0])


def write_encoder_of_vectors(name, model, sidecar, by_equations, trace):
    """An encoder that is fed `embeddings.npy` as it is. `trace` takes the model and the vectors."""
    folder, state, double = save(name, model, {"heads": HEADS, **sidecar})
    vectors = torch.randn(len(WORDS) + 1, D_MODEL)
    np.save(folder / "embeddings.npy", vectors.numpy())
    write_recording(folder / "trace.npz", trace(double, vectors.double()),
                    equations_on_vectors(by_equations(state), vectors.double()),
                    equations_on_vectors(by_equations(state, dtype=torch.float32), vectors))


def write_pi_tau(name, target_vocabulary, seed):
    model = fill(pi_tau.PiTau(17, target_vocabulary, PLACES, D_MODEL, HEADS, 2, 3, D_FF), seed)
    by_equations = lambda state, dtype=torch.float64: pi_tau.by_equations(state, HEADS, PAD, dtype)
    write_translator(name, model, {}, by_equations, [], [])


def write_tutorial(name, vocabulary, seed):
    model = fill(tutorial_encoder.TutorialEncoder(3, D_MODEL, HEADS, D_FF, vocabulary, PLACES), seed)
    by_equations = lambda state, dtype=torch.float64: tutorial_encoder.by_equations(state, HEADS, PAD, dtype)
    if vocabulary is None:
        write_encoder_of_vectors(name, model, {}, by_equations, lambda encoder, x: encoder.trace_embedded(x))
    else:
        write_encoder(name, model, {"pad_id": PAD}, by_equations, lambda encoder, ids: encoder.trace(ids, PAD),
                      equations_on_ids)


def write_classifier(name, build, seed):
    model = fill(build(2, 17, PLACES, D_MODEL, HEADS, D_FF, CLASSES), seed)
    by_equations = lambda state, dtype=torch.float64: classifiers.by_equations(state, HEADS, dtype)
    write_encoder(name, model, {"pad_id": PAD, "unknown_id": UNKNOWN}, by_equations,
                  lambda classifier, ids: classifier.trace(ids),
                  lambda equations, ids: equations.classify(torch.tensor([ids])).sentence(0))


def form_of(norm, activation):
    """What a state dict of PyTorch's own modules doesn't tell, and the equations that know it."""
    by_equations = lambda state, dtype=torch.float64: torch_transformers.by_equations(state, HEADS, norm, activation,
                                                                                      PAD, dtype)
    return {"norm": norm, "activation": activation}, by_equations


def write_torch(name, norm, activation, seed, **options):
    sidecar, by_equations = form_of(norm, activation)
    transformer = nn.Transformer(D_MODEL, HEADS, 2, 3, D_FF, 0.0, activation, norm_first=norm == "pre", **options)
    model = fill(torch_transformers.Seq2SeqTransformer(transformer, 17, 23, PLACES), seed)
    write_translator(name, model, sidecar, by_equations, [START], [END])


def write_torch_encoder(name, norm, activation, final_norm, seed):
    sidecar, by_equations = form_of(norm, activation)
    layer = nn.TransformerEncoderLayer(D_MODEL, HEADS, D_FF, 0.0, activation, norm_first=norm == "pre")
    model = fill(nn.TransformerEncoder(layer, 3, nn.LayerNorm(D_MODEL) if final_norm else None), seed)
    write_encoder_of_vectors(name, model, sidecar, by_equations, torch_transformers.trace_of_vectors)


def write_torch_bare(name, norm, activation, seed):
    sidecar, by_equations = form_of(norm, activation)
    model = fill(nn.Transformer(D_MODEL, HEADS, 3, 2, D_FF, 0.0, activation, norm_first=norm == "pre"), seed)
    write_encoder_of_vectors(name, model, sidecar, by_equations,
                             lambda bare, x: torch_transformers.trace_of_vectors(bare.encoder, x))


FOLDERS = {
    "pi-tau-tiny": (write_pi_tau, 23, 24),
    "pi-tau-tiny-shared": (write_pi_tau, None, 115),
    "tutorial-encoder-tiny": (write_tutorial, None, 3),
    "tutorial-encoder-tiny-embedded": (write_tutorial, 17, 4),
    "imdb-classifier-tiny": (write_classifier, classifiers.imdb, 5),
    "nyu-classifier-tiny": (write_classifier, classifiers.nyu, 6),
    "torch-transformer-tiny-post-relu": (write_torch, "post", "relu", 93),
    "torch-transformer-tiny-pre-gelu": (write_torch, "pre", "gelu", 33),
    "torch-encoder-tiny": (write_torch_encoder, "post", "relu", False, 9),
    "torch-encoder-tiny-final-norm": (write_torch_encoder, "pre", "gelu", True, 10),
    "torch-transformer-bare": (write_torch_bare, "post", "gelu", 11),
}
WITHOUT_BIASES = "torch-transformer-tiny-no-bias"  # newer PyTorch can build it, and its files look different


if __name__ == "__main__":
    for folder in sys.argv[1:] or FOLDERS:
        if folder == WITHOUT_BIASES:
            write_torch(folder, "post", "gelu", 6, bias=False)
        else:
            write, *arguments = FOLDERS[folder]
            write(folder, *arguments)
