"""Writes the tiny encoder-decoders that other programs save, and what those programs compute.

    python tests/reference/make_toolkits.py FOLDER ...

A folder is made by the program that its row names, which must be there; PyTorch must be the program's own. Weights,
distributions and encoder outputs are what the program itself computes in float64; `transformer.py`, given the tensors'
roles and the program's flags, must compute the same, and finds the ids of greedy and of beam search.
"""

import copy
import importlib.util
import json
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import torch
from torch import nn

import seq2seq_tutorial
from beam_search import beam_search
from files import write_trace
from originals import count_layers, linear
from transformer import Architecture, Transformer

HERE = Path(__file__).resolve().parent
BEAMS = [(2, 0), (4, 1), (5, 0.6)]
LONGEST = 12
CLOSE = 1e-3


class Listener:
    """Keeps the attention weights [heads, queries, keys] of the first sentence of every call, by site."""

    def __init__(self):
        self.weights = {"encoder_self": [], "decoder_self": [], "cross": []}

    def keep(self, site, weights):
        self.weights[site].append(weights.detach()[0])

    def arrays(self):
        return {f"{site}/weights": torch.stack(weights) for site, weights in self.weights.items()}


class Program:
    """A model within its own program. Subclasses say how it is run."""

    def __init__(self, model):
        self.model = copy.deepcopy(model).double()
        self.listener = None
        self.listen(lambda site, weights: self.listener.keep(site, weights))

    def listen(self, keep):
        """Has `keep` called with a site's name and the weights of every attention."""
        raise NotImplementedError

    def run(self, source, target):
        """Encoder output and logits or log-probabilities, [1, places, ...]."""
        raise NotImplementedError

    @torch.no_grad()
    def trace(self, source_ids, target_ids):
        self.listener = Listener()
        encoded, logits = self.run(torch.tensor([source_ids]), torch.tensor([target_ids]))
        log_probabilities = logits[0].log_softmax(-1)
        return {"source_ids": torch.tensor(source_ids), "target_ids": torch.tensor(target_ids),
                "next_ids": log_probabilities.argmax(-1), "encoder_output": encoded[0],
                "log_probabilities": log_probabilities, **self.listener.arrays()}

    def greedy(self, source_ids, start, end):
        fed = [start]
        while len(fed) <= LONGEST and (len(fed) == 1 or fed[-1] != end):
            best = self.trace(source_ids, fed)["log_probabilities"][-1].topk(2)
            assert best.values[0] - best.values[1] > CLOSE, "too close a choice: take another seed"
            fed.append(int(best.indices[0]))
        return fed[1:]


def fill(model, seed, spreads=()):
    """Random gains, biases and weights, so that none computes nothing; `spreads`: part of a name -> deviation."""
    torch.manual_seed(seed)
    norms = {f"{name}.weight" for name, module in model.named_modules() if isinstance(module, nn.LayerNorm)}
    for name, tensor in model.named_parameters():
        random = torch.randn(tensor.shape)
        named = [spread for part, spread in spreads if part in name]
        if name in norms:
            tensor.data = 1 + 0.25 * random
        elif tensor.ndim == 1:
            tensor.data = 0.3 * random
        else:
            tensor.data = random * (named[0] if named else 1.3 * tensor.shape[1] ** -0.5)
    return model.eval()


def compared(recorded, equations, single):
    """The equations' float32 for every recorded array; fails where the equations are not the program."""
    computed = {name: equations[name] for name in recorded}
    differences = {name: float((recorded[name].double() - computed[name].double()).abs().max()) for name in recorded}
    print("  equations", max(differences.values()))
    assert max(differences.values()) < 1e-10, differences
    return {name: single[name] for name in recorded}


def record(folder, program, equations, source, target, pad, pads=(3, 2)):
    single = equations.in_single()
    recorded = program.trace(source, target)
    write_trace(folder / "trace.npz", recorded, compared(recorded, equations.trace(source, target),
                                                         single.trace(source, target)))
    if pads:
        source, target = source + [pad] * pads[0], target + [pad] * pads[1]
        recorded = program.trace(source, target)
        others = compared(recorded, equations.trace(source, target), single.trace(source, target))
        recorded["padding"] = torch.tensor(pads)
        write_trace(folder / "trace-padded.npz", recorded, others)


def write_searches(folder, program, equations, sources, special, pad):
    start, end = special
    greedy, beams = [], []
    single = equations.in_single()
    looked = [tuple(single.greedy(source, start, end, LONGEST)) for source in sources]
    assert min(map(len, looked)) < LONGEST and len(set(looked)) > len(sources) // 3, "take another seed"
    for source in sources:
        output = program.greedy(source, start, end)
        assert output == equations.greedy(source, start, end, LONGEST) == single.greedy(source, start, end, LONGEST)
        assert pad not in output
        greedy.append({"source_ids": source, "output_ids": output})
        for beam, penalty in BEAMS:
            found = beam_search(equations, source, start, end, LONGEST, beam, penalty)
            assert found[0][2] == beam_search(single, source, start, end, LONGEST, beam, penalty)[0][2]
            assert len(found) < 2 or found[0][0] - found[1][0] > 1e-4, "too close a choice: take another seed"
            beams.append({"source_ids": source, "beam": beam, "length_penalty": penalty, "output_ids": found[0][2],
                          "log_probability": round(found[0][1], 6)})
    print("  greedy lengths", [len(entry["output_ids"]) for entry in greedy])
    for name, outputs in (("greedy", greedy), ("beam", beams)):
        lines = ",\n  ".join(json.dumps(output) for output in outputs)
        (folder / f"{name}.json").write_text(
            f'{{"start": {start}, "end": {end}, "longest": {LONGEST}, "outputs": [\n  {lines}\n]}}\n')


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n")


def with_a_seed(write, first=0):
    """Some random models only ever say one word, or choose too closely: the first seed that does not."""
    for seed in range(first, first + 60):
        try:
            return write(seed)
        except AssertionError as reason:
            if "seed" not in str(reason) and str(reason):
                raise
            print("  seed", seed, reason)
    raise RuntimeError("no seed will do")


# The pytorch-seq2seq tutorial, and anarcii. ids: unknown 0, pad 1, start 2, end 3; anarcii: pad 0, start 1, end 2.


class Tutorial(Program):
    def listen(self, keep):
        for stack, site, own in (("encoder", "encoder_self", "self_attention"), ("decoder", "decoder_self", "self_attention"),
                                 ("decoder", "cross", "encoder_attention")):
            for layer in getattr(self.model, stack).layers:
                getattr(layer, own).register_forward_hook(lambda _, x, y, site=site: keep(site, y[1]))

    def run(self, source, target):
        encoded = []
        hook = self.model.encoder.register_forward_hook(lambda _, x, y: encoded.append(y))
        logits = self.model(source, target)
        hook.remove()
        return encoded[0], logits


class Anarcii(Program):
    def listen(self, keep):
        for stack in (self.model.encoder, self.model.decoder):
            stack.scale = torch.tensor(stack.tok_embedding.embedding_dim, dtype=torch.float64).sqrt()
        for stack, site, own in (("encoder", "encoder_self", "self_attention"), ("decoder", "decoder_self", "self_attention"),
                                 ("decoder", "cross", "encoder_attention")):
            for layer in getattr(self.model, stack).layers:
                attention = getattr(layer, own).multihead_attn
                original = attention.forward

                def forward(*given, original=original, site=site, **options):
                    output, weights = original(*given, **{**options, "is_causal": False}, average_attn_weights=False)
                    keep(site, weights)
                    return output, weights

                attention.forward = forward

    def run(self, source, target):
        model = self.model
        mask = model.make_src_mask(source)
        encoded = model.encoder(source, mask)
        return encoded, model.decoder(target, encoded, *model.make_trg_mask(target), mask)[0]


def anarcii_module():
    """Without the package itself, which wants more than its network needs."""
    package = Path(importlib.util.find_spec("anarcii").submodule_search_locations[0])
    spec = importlib.util.spec_from_file_location("anarcii_model", package / "inference" / "model.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TUTORIAL_SPREADS = [("tok_embedding", 12**-0.5), ("pos_embedding", 0.7), ("fc_out", 0.5)]
SENTENCES = [[4], [5, 6, 7], [16, 4, 9, 11], [15, 15, 15], [9, 4, 16, 7, 12, 5], [6, 13, 4, 10, 15, 8, 5, 11, 14]]


def write_tutorial(name):
    folder = HERE / name
    folder.mkdir(exist_ok=True)

    def write(seed):
        model = seq2seq_tutorial.Seq2Seq(seq2seq_tutorial.Encoder(17, 12, 2, 3, 20, 40),
                                         seq2seq_tutorial.Decoder(23, 12, 3, 3, 20, 40), 1)
        program = Tutorial(fill(model, seed, TUTORIAL_SPREADS))
        equations = seq2seq_tutorial.by_equations(model.state_dict(), 3, 1)
        write_searches(folder, program, equations, [[2] + ids + [3] for ids in SENTENCES], (2, 3), 1)
        record(folder, program, equations, [2, 9, 4, 16, 7, 12, 5, 3], [2, 14, 6, 11, 8], 1)
        torch.save(model.state_dict(), folder / "model.pt")

    with_a_seed(write)
    write_json(folder / "headscope.json", {"heads": 3, "unknown_id": 0, "pad_id": 1, "start_id": 2, "end_id": 3,
                                           "source_prefix": [2], "source_suffix": [3]})


def write_anarcii(name):
    """The stored file and its neighbour have the names that the package gives them."""
    anarcii = anarcii_module()
    folder = HERE / name
    folder.mkdir(exist_ok=True)
    cpu = torch.device("cpu")

    def write(seed):
        anarcii_sizes = (12, 2, 3, 20, 0.1, cpu, 40)
        model = anarcii.S2S(anarcii.Encoder(17, *anarcii_sizes), anarcii.Decoder(23, *anarcii_sizes), 0, 0, cpu)
        program = Anarcii(fill(model, seed, TUTORIAL_SPREADS))
        equations = seq2seq_tutorial.by_equations(model.state_dict(), 3, 0)
        write_searches(folder, program, equations, [[1] + ids + [2] for ids in SENTENCES], (1, 2), 0)
        record(folder, program, equations, [1, 9, 4, 16, 7, 12, 5, 2], [1, 14, 6, 11, 8], 0)
        torch.save(model.state_dict(), folder / "numbering_3_2_12_20.pt")

    with_a_seed(write, 9)
    write_json(folder / "numbering_3_2_12_20.json", {
        "HEADS": 3, "DROPOUT": 0.1, "SRC_PAD_IDX": 0, "TRG_PAD_IDX": 0, "INPUT_DIM": 17, "OUTPUT_DIM": 23, "HID_DIM": 12,
        "LAYERS": 2, "TOKENIZER_SEQUENCE": "protein_antibody", "TOKENIZER_NUMBER": "number_antibody"})
    write_json(folder / "headscope.json", {"start_id": 1, "end_id": 2, "source_prefix": [1], "source_suffix": [2]})


# Marian's own model.npz, with a model of `transformers` that computes what marian-dev's src/models/transformer.h and
# src/graph/node_initializers.cpp say: its positions (which its conversion to `transformers` changes: the exponents are
# i / (d / 2 - 1) instead of 2 i / d) and its norms' epsilon. ids: end 0, unknown 1; the last row is no token.

BART_NAMES = {
    **{f"{stack}.L.self.{part}": f"model.{stack}.layers.L.self_attn.{own}_proj" for stack in ("encoder", "decoder")
       for part, own in (("q", "q"), ("k", "k"), ("v", "v"), ("o", "out"))},
    **{f"decoder.L.cross.{part}": f"model.decoder.layers.L.encoder_attn.{own}_proj"
       for part, own in (("q", "q"), ("k", "k"), ("v", "v"), ("o", "out"))},
    **{f"{stack}.L.{role}": f"model.{stack}.layers.L.{own}" for stack in ("encoder", "decoder")
       for role, own in (("self.norm", "self_attn_layer_norm"), ("cross.norm", "encoder_attn_layer_norm"),
                         ("feed_forward.in", "fc1"), ("feed_forward.out", "fc2"), ("feed_forward.norm", "final_layer_norm"))},
    "encoder.norm": "model.encoder.layer_norm", "decoder.norm": "model.decoder.layer_norm", "output": "lm_head",
}
MARIAN_PARTS = {  # of a layer: what follows "encoder_l1_" -> what follows "model.encoder.layers.0."
    **{f"self_{kind}{part}": f"self_attn.{own}_proj.{tensor}" for kind, tensor in (("W", "weight"), ("b", "bias"))
       for part, own in (("q", "q"), ("k", "k"), ("v", "v"), ("o", "out"))},
    **{f"context_{kind}{part}": f"encoder_attn.{own}_proj.{tensor}" for kind, tensor in (("W", "weight"), ("b", "bias"))
       for part, own in (("q", "q"), ("k", "k"), ("v", "v"), ("o", "out"))},
    "ffn_W1": "fc1.weight", "ffn_b1": "fc1.bias", "ffn_W2": "fc2.weight", "ffn_b2": "fc2.bias",
    **{f"{own}_ln_{kind}": f"{norm}_layer_norm.{tensor}" for kind, tensor in (("scale", "weight"), ("bias", "bias"))
       for own, norm in (("self_Wo", "self_attn"), ("context_Wo", "encoder_attn"), ("ffn_ffn", "final"))},
}


def inclusive_sinusoids(places, d_model, first=0):
    """Sines in the first half of the dimensions, cosines in the second; the slowest wavelength is 2 pi 10000."""
    frequency = 10000 ** (-torch.arange(d_model // 2, dtype=torch.float64) / (d_model // 2 - 1))
    angle = torch.arange(first, first + places, dtype=torch.float64).unsqueeze(1) * frequency
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def roles_of(state, names):
    """The roles of a state dict by a table of names, where "L" stands for the number of a layer."""
    roles = {}
    for role, stored in names.items():
        if "L" not in role.split("."):
            roles.update(linear(role, state, stored) if stored + ".weight" in state else {})
            continue
        for layer in range(count_layers(state, stored.split(".L.")[0] + ".")):
            own = stored.replace(".L.", f".{layer}.")
            roles.update(linear(role.replace(".L.", f".{layer}."), state, own) if own + ".weight" in state else {})
    return roles


def equations_of(roles, heads, pad, norm, epsilon=1e-5, **options):
    layers = [len({role.split(".")[1] for role in roles if role.startswith(stack + ".") and role.split(".")[1].isdigit()})
              for stack in ("encoder", "decoder")]
    architecture = Architecture(*layers, heads, pad, norm, "layer_norm", epsilon,
                                final_norm="encoder.norm.weight" in roles, **options)
    return Transformer({role: tensor.double() for role, tensor in roles.items()}, architecture)


class HuggingFace(Program):
    def listen(self, keep):
        self.keep = keep

    def run(self, source, target):
        output = self.model(input_ids=source, attention_mask=(source != self.model.config.pad_token_id).long(),
                            decoder_input_ids=target, output_attentions=True, use_cache=False)
        for site, weights in (("encoder_self", output.encoder_attentions), ("decoder_self", output.decoder_attentions),
                              ("cross", output.cross_attentions)):
            for layer in weights:
                self.keep(site, layer)
        return output.encoder_last_hidden_state, output.logits


def npy(array):
    """As cnpy writes it for Marian: one byte has an order, too."""
    shape = ", ".join(map(str, array.shape)) + ("," if array.ndim == 1 else "")
    header = f"{{'descr': '<{array.dtype.kind}{array.dtype.itemsize}', 'fortran_order': False, 'shape': ({shape}), }}"
    header += " " * (15 - (len(header) + 10) % 16) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + array.tobytes()


def write_npz(path, arrays):
    with zipfile.ZipFile(path, "w") as archive:
        for name, array in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy", (1980, 1, 1, 0, 0, 0)), npy(array))


def marian_arrays(state, separate, final):
    """The inverse of the conversion of `transformers`."""
    arrays = {}
    for stack in ("encoder", "decoder"):
        for layer in range(count_layers(state, f"model.{stack}.layers.")):
            for own, stored in MARIAN_PARTS.items():
                tensor = state.get(f"model.{stack}.layers.{layer}.{stored}")
                if tensor is not None:
                    name = f"{stack}_l{layer + 1}_{own}" + ("_pre" if final and "_ln_" in own else "")
                    arrays[name] = tensor.reshape(-1, tensor.shape[-1]) if tensor.ndim == 1 else tensor.T
        if separate:
            arrays[f"{stack}_Wemb"] = state[f"model.{stack}.embed_tokens.weight"][:-1]
        if final:
            arrays[f"{stack}_top_ln_scale"] = state[f"model.{stack}.layer_norm.weight"].unsqueeze(0)
            arrays[f"{stack}_top_ln_bias"] = state[f"model.{stack}.layer_norm.bias"].unsqueeze(0)
    if not separate:
        arrays["Wemb"] = state["model.decoder.embed_tokens.weight"][:-1]
    arrays["decoder_ff_logit_out_b"] = state["final_logits_bias"][:, :-1]
    return {name: np.ascontiguousarray(tensor.numpy()) for name, tensor in arrays.items()}


def marian_options(name, sizes, separate, final, activation, vocabularies):
    """What matters of the options, as yaml-cpp writes them."""
    lines = ["bert-train-type-embeddings: true", "dec-depth: 3", "dim-emb: 12", "dim-vocabs:", *(f"  - {size}" for size in sizes),
             "enc-depth: 2", "input-types:", "  []", "layer-normalization: false", "lemma-dim-emb: 0", "output-omit-bias: false",
             "right-left: false", "tied-embeddings: " + ("true" if separate else "false"),
             "tied-embeddings-all: " + ("false" if separate else "true"), "tied-embeddings-src: false",
             "transformer-decoder-autoreg: self-attention", "transformer-depth-scaling: false", "transformer-dim-ffn: 20",
             f"transformer-ffn-activation: {activation}", "transformer-ffn-depth: 2", "transformer-heads: 3",
             "transformer-no-projection: false", "transformer-postprocess: " + ("da" if final else "dan"),
             "transformer-postprocess-emb: d", "transformer-postprocess-top: " + ("n" if final else '""'),
             "transformer-preprocess: " + ("n" if final else '""'), "transformer-tied-layers:", "  []",
             "transformer-train-position-embeddings: false", "type: transformer", "ulr: false", "version: v1.9.0", "vocabs:",
             *(f"  - /data/{name}/{vocabulary}" for vocabulary in vocabularies)]
    return np.frombuffer(("\n".join(lines) + "\n\0").encode(), np.int8)


def write_marian(name, separate):
    """Norms behind the sublayers and one vocabulary, or norms before them and two."""
    from transformers import M2M100Config, M2M100ForConditionalGeneration, MarianConfig, MarianMTModel

    folder = HERE / name
    folder.mkdir(exist_ok=True)
    sizes = (17, 23) if separate else (23, 23)
    common = dict(d_model=12, encoder_layers=2, decoder_layers=3, encoder_attention_heads=3, decoder_attention_heads=3,
                  encoder_ffn_dim=20, decoder_ffn_dim=20, max_position_embeddings=40, scale_embedding=True,
                  pad_token_id=sizes[1], eos_token_id=0, decoder_start_token_id=sizes[1], vocab_size=sizes[1] + 1)
    activation = "relu" if separate else "swish"
    words = [[(2 + i * 7 + j * 3) % (sizes[0] - 2) + 2 for j in range(i + 1)] + [0] for i in range(7)]

    def write(seed):
        if separate:  # the same network with norms before the sublayers, within `transformers`
            model = M2M100ForConditionalGeneration(M2M100Config(**common, activation_function=activation, dropout=0))
        else:
            model = MarianMTModel(MarianConfig(**common, activation_function=activation, dropout=0))
        model.set_attn_implementation("eager")
        fill(model, seed, [("embed_tokens", 12**-0.5), ("shared", 12**-0.5)])
        places = inclusive_sinusoids(40, 12)
        for stack in (model.get_encoder(), model.get_decoder()):
            if separate:
                stack.embed_positions.forward = lambda ids, *given, **options: places[None, : ids.shape[1]]
            else:
                stack.embed_positions.forward = lambda shape, *given, **options: places[: shape[1]]
        for module in model.modules():
            if isinstance(module, nn.LayerNorm):
                module.eps = 1e-6
        if separate:
            model.model.encoder.embed_tokens = scaled_like(model.model.encoder.embed_tokens, seed)
        model.get_encoder().embed_tokens.weight.data[-1] = 0
        model.get_decoder().embed_tokens.weight.data[-1] = 0
        bias = 0.3 * torch.randn(1, sizes[1] + 1)
        bias[0, 0] += 1.5  # so that some outputs end
        bias[0, -1] = -200
        model.register_buffer("final_logits_bias", bias)
        if separate:
            model.lm_head.register_forward_hook(lambda module, x, y: y + bias)
        program = HuggingFace(model)
        state = {key: value for key, value in model.state_dict().items()}
        roles = roles_of(state, BART_NAMES)
        roles.update(source_embedding=state["model.encoder.embed_tokens.weight"],
                     target_embedding=state["model.decoder.embed_tokens.weight"], source_positions=places,
                     target_positions=places)
        roles["output.weight"], roles["output.bias"] = roles["target_embedding"], bias[0]
        equations = equations_of(roles, 3, sizes[1], "pre" if separate else "post", 1e-6, activation=activation.replace("swish", "silu"),
                                 mask_fill=float("-inf"), target_pad_mask=False)
        write_searches(folder, program, equations, words, (sizes[1], 0), sizes[1])
        record(folder, program, equations, words[6], [sizes[1], 14, 6, 11, 8], sizes[1], None)
        vocabularies = ["vocab.src.yml", "vocab.trg.yml"] if separate else ["vocab.yml", "vocab.yml"]
        arrays = marian_arrays(state, separate, separate)
        if separate:
            arrays["encoder_Wemb"] = arrays["encoder_Wemb"][: sizes[0]]
        write_npz(folder / "model.npz", {**arrays, "special:model.yml": marian_options(name, sizes, separate, separate, activation,
                                                                                        vocabularies)})
        for vocabulary, size in set(zip(vocabularies, sizes)):
            entries = ['"</s>": 0', '"<unk>": 1', *(f"{word}: {i}" for i, word in enumerate(WORD_LIST[: size - 2], 2))]
            (folder / vocabulary).write_text("\n".join(entries) + "\n")

    with_a_seed(write)


def scaled_like(embedding, seed):
    """Another table of the same class, as `transformers` shares one between the stacks."""
    other = copy.deepcopy(embedding)
    torch.manual_seed(seed + 1000)
    other.weight = nn.Parameter(torch.randn(embedding.weight.shape) * embedding.weight.shape[1] ** -0.5)
    return other


WORD_LIST = ["'the'", '"\\""', '","', "dog", "cat", "sees", "a", "house", "we", "you", "here", "there", '"1990"', "old", "red", "and",
             "or", "not", "now", "then", "who", "why", "how"]


# fairseq 0.12.2, in the two forms that it saved over the years: options in an argparse.Namespace, or in a dictionary with
# such a namespace for the model. ids: start 0, pad 1, end 2, unknown 3; the decoder begins with the end.


class Fairseq(Program):
    def listen(self, keep):
        from fairseq import utils
        from fairseq.modules import MultiheadAttention

        utils.softmax = lambda x, dim, onnx_trace=False: x.softmax(dim)  # it is float32 whatever the model's type is
        for name, module in self.model.named_modules():
            if not isinstance(module, MultiheadAttention):
                continue
            site = "cross" if "encoder_attn" in name else name.split(".")[0] + "_self"
            original = module.forward
            module.skip_embed_dim_check = True  # no way around its own steps, which hand out every head

            def forward(*given, original=original, site=site, **options):
                output, weights = original(*given, **{**options, "need_weights": True, "need_head_weights": True})
                keep(site, weights.transpose(0, 1))
                return output, weights

            module.forward = forward
        for layer in self.model.encoder.layers:
            layer.can_use_fastpath = False

    def run(self, source, target):
        torch.Tensor.float = lambda tensor: tensor  # its GELU is float32, too
        encoded = self.model.encoder(source, src_lengths=torch.tensor([source.shape[1]]))
        logits, _ = self.model.decoder(target, encoder_out=encoded)
        del torch.Tensor.float
        return encoded["encoder_out"][0].transpose(0, 1), logits


def fairseq_roles(state):
    names = {role: stored.replace("model.", "", 1) for role, stored in BART_NAMES.items()}
    names["output"] = "decoder.output_projection"
    roles = roles_of(state, names)
    for side, stack in (("source", "encoder"), ("target", "decoder")):
        roles[f"{side}_embedding"] = state[f"{stack}.embed_tokens.weight"]
        learned = state.get(f"{stack}.embed_positions.weight")
        roles[f"{side}_positions"] = inclusive_sinusoids(40, 12, 2) if learned is None else learned[2:]
    return roles


def write_fairseq(name, options, is_old):
    from argparse import Namespace

    from fairseq.data import Dictionary
    from fairseq.models.transformer import TransformerModel, base_architecture
    from fairseq.modules import SinusoidalPositionalEmbedding

    folder = HERE / name
    folder.mkdir(exist_ok=True)
    words = [[(4 + (i * 7 + j * 3) % 13) for j in range(i + 1)] + [2] for i in range(7)]
    args = Namespace(arch="transformer", task="translation", source_lang="de", target_lang="en", encoder_layers=2,
                     decoder_layers=3, encoder_embed_dim=12, decoder_embed_dim=12, encoder_ffn_embed_dim=20,
                     decoder_ffn_embed_dim=20, encoder_attention_heads=3, decoder_attention_heads=3, dropout=0.0,
                     max_source_positions=40, max_target_positions=40, **options)
    base_architecture(args)
    sizes = (17, 17) if args.share_all_embeddings else (17, 23)
    dictionaries = []
    for size, language in zip(sizes, ("de", "en")):
        dictionary = Dictionary()
        for i in range(size - 5):
            dictionary.add_symbol((language if not args.share_all_embeddings else "w") + str(i), 100 - i)
        dictionary.add_symbol("madeupword0000", 0)
        dictionaries.append(dictionary)
        dictionary.save(str(folder / f"dict.{language}.txt"))
    task = Namespace(source_dictionary=dictionaries[0], target_dictionary=dictionaries[1])

    def write(seed):
        model = TransformerModel.build_model(args, task)
        fill(model, seed, [("embed_tokens", 12**-0.5), ("embed_positions", 0.7), ("output_projection", 0.5)])
        if args.share_all_embeddings or args.share_decoder_input_output_embed:
            model.decoder.output_projection.weight = model.decoder.embed_tokens.weight
        model.decoder.output_projection.weight.data[2] *= 2.5  # so that some outputs end
        program = Fairseq(model)
        state = model.state_dict()
        for module in program.model.modules():  # the program's own is float32 in a float64 model, too
            if isinstance(module, SinusoidalPositionalEmbedding):
                module.weights = torch.cat([torch.zeros(2, 12), inclusive_sinusoids(40, 12, 2)])
        equations = equations_of(fairseq_roles(state), 3, 1, "pre" if args.encoder_normalize_before else "post",
                                 activation=args.activation_fn, embedding_scale=1.0 if args.no_scale_embedding else None,
                                 mask_fill=float("-inf"))
        write_searches(folder, program, equations, words, (2, 2), 1)
        record(folder, program, equations, words[6], [2, 14, 6, 11, 8], 1, None)
        state = {key: value for key, value in state.items()}
        extra = {"criterion": None, "optimizer_history": [], "task_state": {}, "extra_state": {"epoch": 1},
                 "last_optimizer_state": None}
        if is_old:
            torch.save({"args": args, "cfg": None, "model": state, **extra}, folder / "checkpoint_best.pt",
                       _use_new_zipfile_serialization=False)
        else:
            cfg = {"_name": None, "common": {"seed": 1, "fp16": False}, "task": {"_name": "translation", "source_lang": "de",
                   "target_lang": "en", "left_pad_source": True}, "model": args}
            torch.save({"args": None, "cfg": cfg, "model": state, **extra}, folder / "checkpoint_best.pt")

    with_a_seed(write)


# OpenNMT-py 3.5.1: options in a namespace, the output projection beside the rest, vocabularies as lists; and what version
# 2 stored, by its published source. ids: unknown 0, blank 1, start 2, end 3.


class OpenNMT(Program):
    def listen(self, keep):
        for name, module in self.model.named_modules():
            if name.endswith("_attn"):
                site = "cross" if name.endswith("context_attn") else name.split(".")[0] + "_self"
                module.softmax.register_forward_hook(lambda _, x, y, site=site: keep(site, y))
                original = module.forward  # else it takes a way that hands out no weights
                module.forward = lambda *given, original=original, **options: original(*given, **{**options, "return_attn": True})

    def run(self, source, target):
        model, lengths = self.model, torch.tensor([source.shape[1]])
        torch.Tensor.float = lambda tensor: tensor  # it takes scores to float32 whatever the model's type is
        encoded, states, _ = model.encoder(source.unsqueeze(2), lengths)
        model.decoder.init_state(source.unsqueeze(2), encoded, states)
        decoded, _ = model.decoder(target.unsqueeze(2), encoded, src_len=lengths, tgt_pad_mask=target.eq(1).unsqueeze(1))
        del torch.Tensor.float
        return encoded, model.generator(decoded)


ONMT_NAMES = {
    **{f"{stack}.L.{kind}.{part}": f"{stack}.{layers}.L.{own}_attn.{projection}"
       for stack, layers, kind, own in (("encoder", "transformer", "self", "self"),
                                        ("decoder", "transformer_layers", "self", "self"),
                                        ("decoder", "transformer_layers", "cross", "context"))
       for part, projection in (("q", "linear_query"), ("k", "linear_keys"), ("v", "linear_values"), ("o", "final_linear"))},
    **{f"{stack}.L.feed_forward.{role}": f"{stack}.{layers}.L.feed_forward.{own}"
       for stack, layers in (("encoder", "transformer"), ("decoder", "transformer_layers"))
       for role, own in (("in", "w_1"), ("out", "w_2"), ("norm", "layer_norm"))},
    "encoder.L.self.norm": "encoder.transformer.L.layer_norm", "decoder.L.self.norm": "decoder.transformer_layers.L.layer_norm_1",
    "decoder.L.cross.norm": "decoder.transformer_layers.L.layer_norm_2", "encoder.norm": "encoder.layer_norm",
    "decoder.norm": "decoder.layer_norm", "output": "generator",
}


def write_onmt(name, is_old):
    from argparse import Namespace

    from onmt.decoders.transformer import TransformerDecoder
    from onmt.encoders.transformer import TransformerEncoder
    from onmt.models import NMTModel
    from onmt.modules.embeddings import Embeddings

    folder = HERE / name
    folder.mkdir(exist_ok=True)
    opt = Namespace(model_task="seq2seq", model_type="text", encoder_type="transformer", decoder_type="transformer",
                    enc_layers=2, dec_layers=3, enc_hid_size=12, dec_hid_size=12, word_vec_size=12, heads=3,
                    transformer_ff=20, dropout=[0.0], attention_dropout=[0.0], max_relative_positions=0,
                    position_encoding=True, pos_ffn_activation_fn="relu" if is_old else "gelu", share_embeddings=False,
                    share_decoder_embeddings=False, copy_attn=False, self_attn_type="scaled-dot", aan_useffn=False,
                    full_context_alignment=False, alignment_layer=-3, alignment_heads=0, generator_function="softmax")
    newer = Namespace(**vars(opt), relative_positions_buckets=0, add_qkvbias=is_old, num_kv=0, add_ffnbias=True,
                      parallel_residual=False, shared_layer_norm=False, layer_norm="standard", norm_eps=1e-6, use_ckpting=[],
                      parallel_mode="data_parallel", world_size=1, sliding_window=0, rotary_interleave=True, rotary_theta=10000,
                      rotary_dim=0, num_experts=0, num_experts_per_tok=2)
    words = [[(4 + (i * 7 + j * 3) % 13) for j in range(i + 1)] for i in range(7)]

    def write(seed):
        torch.manual_seed(1000 + seed)
        embeddings = []
        for size in (17, 23):
            embeddings.append(Embeddings(word_vec_size=12, word_vocab_size=size, word_padding_idx=1, position_encoding=True))
            embeddings[-1].make_embedding.pe.pe = 0.7 * torch.randn(40, 1, 12)  # what is stored counts
        model = NMTModel(TransformerEncoder.from_opt(newer, embeddings[0]), TransformerDecoder.from_opt(newer, embeddings[1]))
        model.generator = nn.Linear(12, 23)
        fill(model, seed, [("emb_luts", 12**-0.5), ("generator", 0.5)])
        model.generator.bias.data[3] += 1.5  # so that some outputs end
        program, state = OpenNMT(model), model.state_dict()
        roles = roles_of(state, ONMT_NAMES)
        for side, stack in (("source", "encoder"), ("target", "decoder")):
            roles[f"{side}_embedding"] = state[f"{stack}.embeddings.make_embedding.emb_luts.0.weight"]
            roles[f"{side}_positions"] = state[f"{stack}.embeddings.make_embedding.pe.pe"][:, 0]
        equations = equations_of(roles, 3, 1, "pre", 1e-6, activation=opt.pos_ffn_activation_fn, mask_fill=-1e18)
        write_searches(folder, program, equations, words, (2, 3), 1)
        record(folder, program, equations, words[6], [2, 14, 6, 11, 8], 1, None)
        generator = {("0." if is_old else "") + key.removeprefix("generator."): value for key, value in state.items()
                     if "generator" in key}
        special = ["<unk>", "<blank>", "<s>", "</s>"]
        vocabularies = {"src": special + [f"de{i}" for i in range(13)], "tgt": special + [f"en{i}" for i in range(19)],
                        "data_task": "seq2seq", "decoder_start_token": "<s>"}
        torch.save({"model": {key: value for key, value in state.items() if "generator" not in key}, "generator": generator,
                    "vocab": vocabularies, "opt": opt if is_old else newer, "optim": None}, folder / "model_step_100.pt")

    with_a_seed(write)


# JoeyNMT 2.3.0: the state of the model, with its configuration in YAML and its vocabularies beside it. ids: unknown 0,
# pad 1, start 2, end 3.


class JoeyNMT(Program):
    def listen(self, keep):
        for name, module in self.model.named_modules():
            if name.endswith("_att"):
                site = "cross" if name.endswith("src_trg_att") else name.split(".")[0] + "_self"
                module.softmax.register_forward_hook(lambda _, x, y, site=site: keep(site, y))

    def run(self, source, target):
        model, mask = self.model, source.ne(1).unsqueeze(1)
        encoded, _ = model.encoder(model.src_embed(source), None, mask)
        logits, _, _, _ = model.decoder(model.trg_embed(target), encoded, None, mask, None, None, target.ne(1).unsqueeze(1))
        return encoded, logits


JOEY_NAMES = {
    **{f"{stack}.L.{kind}.{part}": f"{stack}.layers.L.{own}_att.{part if part != 'o' else 'output'}_layer"
       for stack, kind, own in (("encoder", "self", "src_src"), ("decoder", "self", "trg_trg"), ("decoder", "cross", "src_trg"))
       for part in "qkvo"},
    **{f"{stack}.L.feed_forward.{role}": f"{stack}.layers.L.feed_forward.{own}" for stack in ("encoder", "decoder")
       for role, own in (("in", "pwff_layer.0"), ("out", "pwff_layer.3"), ("norm", "layer_norm"))},
    "encoder.L.self.norm": "encoder.layers.L.layer_norm", "decoder.L.self.norm": "decoder.layers.L.x_layer_norm",
    "decoder.L.cross.norm": "decoder.layers.L.dec_layer_norm", "encoder.norm": "encoder.layer_norm",
    "decoder.norm": "decoder.layer_norm", "output": "decoder.output_layer",
}
JOEY_CONFIG = """name: "tiny"
joeynmt_version: "2.3.0"
model_dir: "models/tiny" # where it lies
data:
    train: "train"
    dataset_type: "plain"
    src:
        lang: "de"
        level: "word"
        lowercase: False
    trg:
        lang: "en"
        level: "word"
    special_symbols:
        unk_token: "<unk>"
        unk_id: 0
        pad_token: "<pad>"
        pad_id: 1
        bos_token: "<s>"
        bos_id: 2
        eos_token: "</s>"
        eos_id: 3
testing:
    beam_size: 5
    alpha: 1.0
model:
    initializer: "xavier_uniform"
    tied_embeddings: False
    tied_softmax: {tied}
    encoder:
        type: "transformer"
        num_layers: 2
        num_heads: 3
        embeddings:
            embedding_dim: 12
            scale: {scale}
        hidden_size: 12
        ff_size: 20
        dropout: 0.0
        layer_norm: "{norm}"
        activation: "{activation}"
    decoder:
        type: "transformer"
        num_layers: 3
        num_heads: 3
        embeddings:
            embedding_dim: 12
            scale: {scale}
        hidden_size: 12
        ff_size: 20
        dropout: 0.0
        layer_norm: "{norm}"
        activation: "{activation}"
"""


def write_joey(name, norm, activation, scale, tied):
    from types import SimpleNamespace

    import yaml
    from joeynmt.model import build_model
    from joeynmt.vocabulary import Vocabulary

    folder = HERE / name
    folder.mkdir(exist_ok=True)
    text = JOEY_CONFIG.format(norm=norm, activation=activation, scale=scale, tied=tied)
    (folder / "config.yaml").write_text(text)
    config = yaml.safe_load(text)
    special = SimpleNamespace(**config["data"]["special_symbols"], sep_token=None, lang_tags=[])
    vocabularies = [Vocabulary([f"{language}{i}" for i in range(size - 4)], special)
                    for language, size in (("de", 17), ("en", 23))]
    for side, vocabulary in zip(("src", "trg"), vocabularies):
        vocabulary.to_file(folder / f"{side}_vocab.txt")
    words = [[(4 + (i * 7 + j * 3) % 13) for j in range(i + 1)] + [3] for i in range(7)]

    def write(seed):
        torch.manual_seed(1000 + seed)
        model = build_model(config["model"], *vocabularies)
        for part in (model.encoder, model.decoder):
            part.pe.pe = 0.7 * torch.randn(1, 40, 12)  # what is stored counts
        fill(model, seed, [("lut", 12**-0.5 if scale else 1.0), ("output_layer.weight", 0.5)])
        model.decoder.output_layer.weight.data[3] *= 2.5  # so that some outputs end
        program, state = JoeyNMT(model), model.state_dict()
        roles = roles_of(state, JOEY_NAMES)
        roles.update(source_embedding=state["src_embed.lut.weight"], target_embedding=state["trg_embed.lut.weight"],
                     source_positions=state["encoder.pe.pe"][0], target_positions=state["decoder.pe.pe"][0])
        equations = equations_of(roles, 3, 1, norm, 1e-6, activation=activation, mask_fill=float("-inf"),
                                 embedding_scale=None if scale else 1.0)
        write_searches(folder, program, equations, words, (2, 3), 1)
        record(folder, program, equations, words[6], [2, 14, 6, 11, 8], 1)
        torch.save({"model_state": state, "optimizer_state": {"state": {}, "param_groups": []}, "scaler_state": None,
                    "scheduler_state": None, "train_iter_state": None, "stats_state": {"steps": 100}}, folder / "best.ckpt")

    with_a_seed(write)


FOLDERS = {
    "onmt-tiny": lambda name: write_onmt(name, False),
    "onmt-tiny-2": lambda name: write_onmt(name, True),
    "joeynmt-tiny": lambda name: write_joey(name, "pre", "gelu", True, False),
    "joeynmt-tiny-post": lambda name: write_joey(name, "post", "relu", False, True),
    "fairseq-tiny": lambda name: write_fairseq(name, dict(), False),
    "fairseq-tiny-old": lambda name: write_fairseq(name, dict(encoder_normalize_before=True, decoder_normalize_before=True,
        share_all_embeddings=True, encoder_learned_pos=True, decoder_learned_pos=True, share_decoder_input_output_embed=True,
        no_scale_embedding=True, activation_fn="gelu"), True),
    "marian-npz-tiny": lambda name: write_marian(name, False),
    "marian-npz-tiny-pre": lambda name: write_marian(name, True),
    "seq2seq-tutorial-tiny": write_tutorial,
    "anarcii-tiny": write_anarcii,
}


if __name__ == "__main__":
    torch.set_num_threads(1)
    try:
        import stubs_on  # stands in for what the programs import and these models never use
    except ImportError:
        pass
    for folder in sys.argv[1:]:
        print(folder)
        FOLDERS[folder](folder)
