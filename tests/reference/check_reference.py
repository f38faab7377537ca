"""Checks the reference itself against PyTorch programs that have no line in common with it.

    python3 tests/reference/check_reference.py [MODEL_FOLDER TRACE.npz ...]

`transformer.py` against torch.nn.Transformer in all the forms that it has; with arguments also against traces that a
training program recorded with the model of a folder. Prints the largest differences.
"""

import itertools
import sys

import numpy as np
import torch
from torch import nn

from annotated_transformer import annotated_transformer, sinusoids
from files import plain_arrays, read_model_folder
from transformer import Architecture, Transformer

D_MODEL, D_FF, HEADS, LAYERS, VOCABULARY, PAD = 12, 20, 3, 2, 19, 0


def linear(name, module):
    return {name + ".weight": module.weight, name + ".bias": module.bias}


def attention(name, module):
    """torch.nn.MultiheadAttention stores q, k and v as the rows of one matrix."""
    roles = linear(name + ".o", module.out_proj)
    for role, weight, bias in zip("qkv", module.in_proj_weight.chunk(3), module.in_proj_bias.chunk(3)):
        roles[f"{name}.{role}.weight"], roles[f"{name}.{role}.bias"] = weight, bias
    return roles


def roles_of(model):
    roles = {}
    for stack, module in (("encoder", model.encoder), ("decoder", model.decoder)):
        roles.update(linear(f"{stack}.norm", module.norm))
        for i, layer in enumerate(module.layers):
            name = f"{stack}.{i}"
            roles.update(attention(name + ".self", layer.self_attn))
            norms = ["self", "feed_forward"]
            if stack == "decoder":
                norms.insert(1, "cross")
                roles.update(attention(name + ".cross", layer.multihead_attn))
            for number, sublayer in enumerate(norms, 1):
                roles.update(linear(f"{name}.{sublayer}.norm", getattr(layer, f"norm{number}")))
            roles.update(linear(name + ".feed_forward.in", layer.linear1))
            roles.update(linear(name + ".feed_forward.out", layer.linear2))
    return roles


def torch_difference(norm, activation):
    model = nn.Transformer(D_MODEL, HEADS, LAYERS, LAYERS, D_FF, 0.0, activation, batch_first=True,
                           norm_first=norm == "pre", dtype=torch.float64).eval()
    for parameter in model.parameters():  # its own gains and biases are ones and zeros
        parameter.data += 0.3 * torch.randn_like(parameter)
    embedding = torch.randn(VOCABULARY, D_MODEL, dtype=torch.float64)
    output = nn.Linear(D_MODEL, VOCABULARY, dtype=torch.float64)
    table = sinusoids(32, D_MODEL, 10000)
    roles = {**roles_of(model), **linear("output", output), "source_embedding": embedding,
             "target_embedding": embedding, "source_positions": table, "target_positions": table}
    ours = Transformer(roles, Architecture(LAYERS, LAYERS, HEADS, PAD, norm, "layer_norm", 1e-5,
                                           activation=activation, mask_fill=float("-inf")))
    source = torch.tensor([[5, 9, 3, 11, 7, PAD, PAD], [4, 8, 15, 16, 12, 10, 3]])
    target = torch.tensor([[2, 8, 4, PAD, PAD], [2, 6, 14, 18, 13]])
    embed = lambda ids: embedding[ids] * D_MODEL**0.5 + table[: ids.shape[1]]
    decoded = model(embed(source), embed(target), src_key_padding_mask=source == PAD,
                    memory_key_padding_mask=source == PAD, tgt_key_padding_mask=target == PAD,
                    tgt_mask=torch.ones(5, 5, dtype=torch.bool).triu(1))
    theirs = torch.log_softmax(output(decoded), -1)
    return float((ours.run(source, target).single["log_probabilities"] - theirs).abs().max())


def trace_differences(model, path):
    with np.load(path) as stored:
        recorded = dict(stored)
    found = plain_arrays(model.trace(recorded["source_ids"].tolist(), recorded["target_ids"].tolist()))
    return {name: np.abs(found[name].astype(np.float64) - array).max() for name, array in recorded.items()}


if __name__ == "__main__":
    torch.manual_seed(1)
    for form in itertools.product(("pre", "post"), ("relu", "gelu")):
        difference = torch_difference(*form)
        print(f"torch.nn.Transformer, {', '.join(form)}: {difference:.1e}")
        assert difference < 1e-12
    for trace in sys.argv[2:]:
        print(trace)
        for array, difference in trace_differences(annotated_transformer(*read_model_folder(sys.argv[1])), trace).items():
            print(f"  {array:24} {difference:.1e}")
            assert difference < 1e-5
