"""Writes the folders `gguf/*`: small random models in GGUF files, and what `transformers` computes with the same numbers.

    python tests/reference/make_gguf.py [--traces] [NAME ...]

Needs `transformers` 5.24, its own PyTorch, `sentencepiece`, and PyPI's `gguf` 0.19, which names the tensors, writes the files and says which
numbers their blocks stand for: these are put back into the model before it is recorded (--traces: of the files that are there). Blocks that `gguf` cannot make
(K-quants) are random bytes with scales of a usual size. What llama.cpp's converter does to tensors is done here: the rows of
Llama's queries and keys are put in pairs, gains of Gemma get their 1, matrices of GPT-2 are transposed. `blocks` holds blocks
of every type and their numbers; `tokenizers` the tokenizers of the folder beside it, as the converter would write them.
"""

import json
import sys
import warnings
import zlib
from pathlib import Path

import gguf
import numpy as np
import torch
import transformers
from gguf import GGMLQuantizationType as Type
from sentencepiece import sentencepiece_model_pb2

import make_decoders
import make_translators
from files import write_trace
from in_float64 import both
from make_decoders import PROMPT, SEARCHES, generated
from make_decoders import trace as trace_decoder

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "gguf"
TOKENIZERS = HERE / "tokenizers"
ROW = dict(vocab_size=53, num_hidden_layers=2, num_attention_heads=4, max_position_embeddings=64, hidden_size=32,
           intermediate_size=32, pad_token_id=None, bos_token_id=1, eos_token_id=2, attn_implementation="eager")
GROUPED = dict(ROW, num_key_value_heads=2, head_dim=8)
T5 = dict(vocab_size=53, d_model=32, d_kv=8, d_ff=32, num_layers=2, num_decoder_layers=3, num_heads=4, pad_token_id=0,
          eos_token_id=1, decoder_start_token_id=0, relative_attention_num_buckets=8, relative_attention_max_distance=128,
          attn_implementation="eager")
K_TYPES = [Type.Q2_K, Type.Q3_K, Type.Q4_K, Type.Q5_K, Type.Q6_K]
SIMPLE_TYPES = [Type.Q4_0, Type.Q4_1, Type.Q5_0, Type.Q5_1, Type.Q8_0]
MODELS = {  # folder -> class, options, architecture, types of the matrices in turn
    "llama-tiny": ("Llama", dict(GROUPED, tie_word_embeddings=True, rope_theta=50000.0), "llama", [Type.Q8_0]),
    "llama-tiny-3": ("Llama", dict(GROUPED, rope_theta=50000.0, rope_scaling=dict(
        rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)),
        "llama", [Type.F16]),
    "llama-tiny-biases": ("Llama", dict(GROUPED, attention_bias=True, rope_scaling=dict(type="linear", factor=3.0)), "llama",
                          [Type.BF16, Type.F32]),
    "llama-tiny-k": ("Llama", {**GROUPED, "hidden_size": 256, "intermediate_size": 32, "num_attention_heads": 2,
                               "num_key_value_heads": 1, "head_dim": 16}, "llama", K_TYPES),
    "qwen2-tiny": ("Qwen2", {**{k: v for k, v in GROUPED.items() if k != "head_dim"}, "vocab_size": 423}, "qwen2", [Type.Q4_0]),
    "qwen3-tiny": ("Qwen3", dict(GROUPED, head_dim=16, rope_theta=1e6, tie_word_embeddings=True), "qwen3", [Type.Q4_1]),
    "qwen3-tiny-yarn": ("Qwen3", dict(GROUPED, rope_scaling=dict(
        rope_type="yarn", factor=4.0, original_max_position_embeddings=16)), "qwen3", [Type.Q8_0]),
    "gemma-tiny": ("Gemma", {**GROUPED, "tie_word_embeddings": True, "num_key_value_heads": 1, "head_dim": 16, "hidden_act": "gelu_pytorch_tanh",
                             "hidden_activation": None}, "gemma", [Type.Q5_0]),
    "gemma2-tiny": ("Gemma2", dict(GROUPED, tie_word_embeddings=True, sliding_window=4, query_pre_attn_scalar=8, attn_logit_softcapping=5.0,
                                   final_logit_softcapping=8.0), "gemma2", [Type.Q5_1]),
    "gemma3-tiny": ("Gemma3Text", dict(
        GROUPED, tie_word_embeddings=True, num_hidden_layers=6, sliding_window=4, query_pre_attn_scalar=8, rope_local_base_freq=10000.0, rope_theta=1e6,
        rope_scaling=dict(rope_type="linear", factor=2.0)), "gemma3", SIMPLE_TYPES),
    "gpt2-tiny": ("GPT2", dict(vocab_size=53, n_embd=32, n_inner=64, n_layer=2, n_head=4, n_positions=64, bos_token_id=1,
                               eos_token_id=2, attn_implementation="eager"), "gpt2", [Type.Q8_0]),
    "phi2-tiny": ("Phi", {**ROW, "partial_rotary_factor": 0.5}, "phi2", [Type.Q8_0, Type.Q5_1]),
    "phi3-tiny": ("Phi3", {**ROW, "num_key_value_heads": 2, "sliding_window": 6, "original_max_position_embeddings": 32,
                           "rope_scaling": dict(type="longrope", short_factor=[1.0, 1.5, 2.5, 3.0],
                                                long_factor=[2.0, 3.0, 4.0, 5.0])}, "phi3", [Type.Q8_0]),
    "bert-tiny": ("Bert", dict(vocab_size=53, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
                               max_position_embeddings=64, attn_implementation="eager"), "bert", [Type.Q8_0]),
    "t5-tiny": ("T5", dict(T5, feed_forward_proj="relu"), "t5", [Type.Q8_0]),
    "t5-tiny-gated": ("T5", dict(T5, num_decoder_layers=2, feed_forward_proj="gated-gelu", tie_word_embeddings=False), "t5", [Type.Q5_0, Type.F16]),
}
CLASSES = {"GPT2": "GPT2LMHeadModel", "Gemma3Text": "Gemma3ForCausalLM", "Bert": "BertModel", "T5": "T5ForConditionalGeneration"}
# Where scales of 16 bits are in a block of each type, and where offsets are, with their usual share of the scale.
SCALES = {Type.Q2_K: (80, 82, 1.5), Type.Q3_K: (108, None, 0), Type.Q4_K: (0, 2, 7.5), Type.Q5_K: (0, 2, 15.5),
          Type.Q6_K: (208, None, 0)}


def random_blocks(shape, kind, spread, generator):
    """Bytes of a matrix in blocks whose numbers have about this spread."""
    length, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = generator.integers(0, 256, (shape[0], shape[1] // length, size), dtype=np.uint8)
    scale, offset, share = SCALES[kind]

    def with_scale(value):
        blocks[..., scale : scale + 2] = np.array([value], np.float16).view(np.uint8)
        if offset is not None:
            blocks[..., offset : offset + 2] = np.array([value * share], np.float16).view(np.uint8)
        return gguf.quants.dequantize(blocks.reshape(shape[0], -1), kind)

    with_scale(spread / with_scale(1.0).std())
    return blocks.reshape(shape[0], -1)


def paired(array, heads):
    """The converter's order of the rows of Llama's queries and keys: halves of a head become pairs."""
    return array.reshape(heads, 2, array.shape[0] // heads // 2, *array.shape[1:]).swapaxes(1, 2).reshape(array.shape)


def in_halves(array, heads):
    return array.reshape(heads, array.shape[0] // heads // 2, 2, *array.shape[1:]).swapaxes(1, 2).reshape(array.shape)


def conversion(name, arch, config):
    """What the converter does to a tensor of this name, and the way back."""
    if arch == "llama" and ".q_proj." in name:
        return (lambda x: paired(x, config.num_attention_heads)), (lambda x: in_halves(x, config.num_attention_heads))
    if arch == "llama" and ".k_proj." in name:
        return (lambda x: paired(x, config.num_key_value_heads)), (lambda x: in_halves(x, config.num_key_value_heads))
    if arch.startswith("gemma") and "norm" in name:
        return (lambda x: x + 1), (lambda x: x - 1)
    if arch == "gpt2" and name.endswith(("c_attn.weight", "c_proj.weight", "c_fc.weight")):
        return np.transpose, np.transpose
    return (lambda x: x), (lambda x: x)


def add_metadata(writer, arch, config):
    get = lambda *names: next((getattr(config, name) for name in names if getattr(config, name, None) is not None), None)
    heads, width = get("num_attention_heads", "num_heads", "n_head"), get("hidden_size", "d_model", "n_embd")
    if arch == "qwen2":
        add_tokenizer(writer, "qwen2")
    else:
        writer.add_tokenizer_model("no_vocab")
    writer.add_vocab_size(config.vocab_size)
    writer.add_context_length(get("max_position_embeddings", "n_positions") or 512)
    writer.add_embedding_length(width)
    writer.add_block_count(get("num_layers" if arch == "t5" else "num_hidden_layers", "n_layer"))
    writer.add_feed_forward_length(get("intermediate_size", "d_ff", "n_inner"))
    writer.add_head_count(heads)
    if arch in ("llama", "qwen2", "qwen3", "gemma", "gemma2", "gemma3", "phi3", "phi2"):
        writer.add_head_count_kv(get("num_key_value_heads") or heads)
    if (rms := get("rms_norm_eps")) is not None or arch == "t5":
        writer.add_layer_norm_rms_eps(config.layer_norm_epsilon if arch == "t5" else rms)
    elif (eps := get("layer_norm_eps", "layer_norm_epsilon")) is not None:
        writer.add_layer_norm_eps(eps)
    if arch == "t5":
        writer.add_decoder_block_count(config.num_decoder_layers)
        writer.add_decoder_start_token_id(config.decoder_start_token_id)
        writer.add_relative_attn_buckets_count(config.relative_attention_num_buckets)
    head = get("head_dim", "d_kv") or width // heads
    if get("head_dim", "d_kv") is not None:
        writer.add_key_length(head)
        writer.add_value_length(head)
    if arch == "bert":
        writer.add_causal_attention(False)
        writer.add_token_type_count(config.type_vocab_size)
    rope = getattr(config, "rope_parameters", None)
    if rope and "full_attention" in rope:  # Gemma 3
        writer.add_rope_freq_base_swa(rope["sliding_attention"]["rope_theta"])
        rope = rope["full_attention"]
    if rope:
        writer.add_rope_freq_base(rope["rope_theta"])
        writer.add_rope_dimension_count(int(head * rope.get("partial_rotary_factor", 1)))
        if rope["rope_type"] in ("linear", "longrope", "yarn"):
            writer.add_rope_scaling_type(gguf.RopeScalingType(rope["rope_type"]))
        if rope["rope_type"] in ("linear", "yarn"):
            writer.add_rope_scaling_factor(rope["factor"])
        if rope["rope_type"] == "yarn":
            writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
        if rope["rope_type"] == "longrope":
            original = rope.get("original_max_position_embeddings") or config.original_max_position_embeddings
            writer.add_rope_scaling_orig_ctx_len(original)
            scale = config.max_position_embeddings / original
            writer.add_rope_scaling_attn_factors((1 + np.log(scale) / np.log(original)) ** 0.5)
            for which in ("long", "short"):
                writer.add_tensor(f"rope_factors_{which}.weight", np.array(rope[which + "_factor"], np.float32))
        if rope["rope_type"] == "llama3":
            frequencies, _ = transformers.modeling_rope_utils.ROPE_INIT_FUNCTIONS["llama3"](config, None)
            plain = 1.0 / rope["rope_theta"] ** (torch.arange(0, head, 2).float() / head)
            writer.add_tensor("rope_freqs.weight", (plain / frequencies).numpy().astype(np.float32))
    if arch in ("gemma2", "gemma3", "phi3"):
        writer.add_sliding_window(config.sliding_window)
    if arch == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)
    for add, token in () if arch == "qwen2" else ((writer.add_bos_token_id, "bos"), (writer.add_eos_token_id, "eos"), (writer.add_pad_token_id, "pad")):
        if (number := getattr(config, token + "_token_id", None)) is not None:
            add(number)


def named_parameters(model, arch):
    """Name in the file and in `transformers`, and tensor, of what a converter stores; tied ones once."""
    sizes = [getattr(model.config, name, 0) for name in ("num_hidden_layers", "n_layer", "num_decoder_layers")]
    names = gguf.get_tensor_name_map(next(key for key, name in gguf.MODEL_ARCH_NAMES.items() if name == arch), max(sizes))
    for name, tensor in model.named_parameters():
        if "pooler" not in name:
            stored = names.get_name(name, try_suffixes=(".weight", ".bias"))
            assert stored, name
            yield stored, name, tensor


def write_gguf(path, model, arch, kinds, seed):
    generator = np.random.default_rng(seed)
    writer = gguf.GGUFWriter(path, arch)
    add_metadata(writer, arch, model.config)
    turn = 0
    for stored, name, tensor in named_parameters(model, arch):
        array = np.ascontiguousarray(conversion(name, arch, model.config)[0](tensor.detach().float().numpy()))
        kind = Type.F32
        if array.ndim == 2 and not any(part in stored for part in ("position_embd", "token_types", "rel_b")):
            kind = kinds[turn % len(kinds)]
            turn += 1
            if kind in SCALES and array.shape[1] % 256:
                kind = SIMPLE_TYPES[turn % len(SIMPLE_TYPES)]
        data = random_blocks(array.shape, kind, array.std(), generator) if kind in SCALES else gguf.quants.quantize(array, kind)
        writer.add_tensor(stored, data, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def take_numbers(path, model, arch):
    """Gives the model the numbers that the file's blocks stand for."""
    tensors = {tensor.name: gguf.quants.dequantize(tensor.data, tensor.tensor_type) for tensor in gguf.GGUFReader(path).tensors}
    for stored, name, tensor in named_parameters(model, arch):
        array = conversion(name, arch, model.config)[1](tensors[stored])
        tensor.data.copy_(torch.from_numpy(np.ascontiguousarray(array)))


def record(folder, model, arch):
    if arch == "bert":
        inputs = {"input_ids": torch.tensor([PROMPT]), "token_type_ids": torch.tensor([[0] * 5 + [1] * 3])}
        arrays, single = both(trace_encoder, model, inputs)
        arrays["source_segments"] = inputs["token_type_ids"][0]
        return write_trace(folder / "trace.npz", arrays, single)
    if arch == "t5":
        start = [model.config.decoder_start_token_id]
        return write_trace(folder / "trace.npz", *both(make_translators.trace, model, PROMPT + [1], start + [9, 31, 4, 17]))
    searches = [{"options": options, "ids": generated(model, options)} for options in SEARCHES]
    lines = ",\n  ".join(map(json.dumps, searches))
    (folder / "generate.json").write_text(f'{{"prompt": {PROMPT}, "searches": [\n  {lines}\n]}}\n')
    write_trace(folder / "trace.npz", *both(trace_decoder, model, PROMPT, searches[0]["ids"][: len(PROMPT) + 4]))


@torch.no_grad()
def trace_encoder(model, inputs):
    output = model(**inputs, output_attentions=True)
    return {"source_ids": inputs["input_ids"][0], "encoder_self/weights": torch.cat(output.attentions),
            "encoder_output": output.last_hidden_state[0]}


def write_folder(name, traces_alone):
    kind, options, arch, kinds = MODELS[name]
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    config = getattr(transformers, kind + "Config")(**options)
    model = getattr(transformers, CLASSES.get(kind, kind + "ForCausalLM"))(config).eval()
    if not getattr(config, "scale_decoder_outputs", True):  # T5 1.1, whose output projection version 5 ties all the same
        model.lm_head.weight = torch.nn.Parameter(model.lm_head.weight.detach().clone())
    if not traces_alone:
        seed = zlib.crc32(("gguf " + name).encode())
        (make_translators if arch == "t5" else make_decoders).fill(model, seed)
        write_gguf(folder / "model.gguf", model, arch, kinds, seed)
    take_numbers(folder / "model.gguf", model, arch)
    record(folder, model, arch)
    print(f"{name}: {sum(path.stat().st_size for path in folder.iterdir())} bytes")


def write_blocks():
    """Three blocks of each type, and their numbers."""
    generator = np.random.default_rng(61)
    arrays = {}
    for kind in SIMPLE_TYPES + K_TYPES:
        length, size = gguf.GGML_QUANT_SIZES[kind]
        if kind in SCALES:
            data = random_blocks((1, 3 * length), kind, 1.0, generator)
        else:
            data = gguf.quants.quantize(generator.standard_normal((1, 3 * length), np.float32), kind)
        arrays[kind.name + "/blocks"] = data[0]
        arrays[kind.name + "/numbers"] = gguf.quants.dequantize(data, kind)[0]
    np.savez_compressed(FOLDER / "blocks.npz", **arrays)


# Folder of `tokenizers` -> model and pre-tokenizer in the words of llama.cpp.
VOCABULARIES = {"older_llama2": ("llama", ""), "gemma": ("llama", ""), "older_t5": ("t5", ""), "gpt2": ("gpt2", "gpt-2"),
                "llama3": ("gpt2", "llama-bpe"), "qwen2": ("gpt2", "qwen2"), "phi2": ("gpt2", "phi-2"),
                "smollm2": ("gpt2", "smollm"), "bert": ("bert", ""), "bert_cased": ("bert", "")}
ROLES = [("bos", "bos_token"), ("bos", "cls_token"), ("eos", "eos_token"), ("unk", "unk_token"), ("sep", "sep_token"),
         ("pad", "pad_token"), ("mask", "mask_token")]


def pieces_of(folder):
    """Tokens, scores and types of a SentencePiece file, and its map of characters; else of the tokenizer.json."""
    stored = next(folder.glob("*.model"), None)
    if stored:
        model = sentencepiece_model_pb2.ModelProto.FromString(stored.read_bytes())
        return ([piece.piece for piece in model.pieces], [piece.score for piece in model.pieces],
                [piece.type for piece in model.pieces], model.normalizer_spec.precompiled_charsmap, None)
    file = json.loads((folder / "tokenizer.json").read_text())
    ids = dict(file["model"]["vocab"])
    ids |= {token["content"]: token["id"] for token in file["added_tokens"]}
    tokens = sorted(ids, key=ids.get)
    special = {token["content"]: token["special"] for token in file["added_tokens"]}
    merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in file["model"].get("merges", [])]
    ranks = {merge.replace(" ", "", 1): -1.0 - rank for rank, merge in reversed([*enumerate(merges)])}
    types = [gguf.TokenType.CONTROL if special.get(token) else gguf.TokenType.USER_DEFINED if token in special
             else gguf.TokenType.BYTE if file["model"].get("byte_fallback") and token.startswith("<0x") else gguf.TokenType.NORMAL
             for token in tokens]
    return tokens, [ranks.get(token, 0.0) for token in tokens], types, b"", merges


def marked(token, kind):
    """WordPiece in the form of llama.cpp: the beginning of a word has a mark."""
    if kind == gguf.TokenType.CONTROL:
        return token
    return token[2:] if token.startswith("##") else "\u2581" + token


def add_tokenizer(writer, name):
    folder, (model, splitting) = TOKENIZERS / name, VOCABULARIES[name]
    tokens, scores, types, characters, merges = pieces_of(folder)
    settings = json.loads((folder / "tokenizer_config.json").read_text())
    for number, token in sorted(settings.get("added_tokens_decoder", {}).items(), key=lambda item: int(item[0])):
        if int(number) >= len(tokens):  # T5's are no pieces
            tokens.append(token["content"])
            scores.append(0.0)
            types.append(gguf.TokenType.CONTROL)
    writer.add_tokenizer_model(model)
    if splitting:
        writer.add_tokenizer_pre(splitting)
    ids = {token: number for number, token in enumerate(tokens)}
    for key, role in ROLES:
        token = settings.get(role)
        token = token["content"] if isinstance(token, dict) else token
        if token in ids:
            getattr(writer, f"add_{key}_token_id")(ids[token])
    writer.add_token_list([marked(*token) for token in zip(tokens, types)] if model == "bert" else tokens)
    writer.add_token_types(types)
    if model == "gpt2":
        writer.add_token_merges(merges)
    elif model != "bert":
        writer.add_token_scores(scores)
        writer.add_add_space_prefix(name != "gemma")
    if characters:
        writer.add_precompiled_charsmap(characters)


def write_tokenizer(name):
    writer = gguf.GGUFWriter(FOLDER / "tokenizers" / (name + ".gguf"), "llama")
    add_tokenizer(writer, name)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    print("transformers", transformers.__version__, "torch", torch.__version__, "gguf", Path(gguf.__file__).parent.name)
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "tokenizers").mkdir(exist_ok=True)
    traces_alone = "--traces" in sys.argv
    names = [word for word in sys.argv[1:] if word != "--traces"]
    for chosen in names or ([*MODELS] if traces_alone else [*MODELS, *VOCABULARIES, "blocks"]):
        if chosen in MODELS:
            write_folder(chosen, traces_alone)
        elif chosen == "blocks":
            write_blocks()
        else:
            write_tokenizer(chosen)
