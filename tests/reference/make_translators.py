"""Makes folders of tiny encoder-decoders in `hugging-face` with what `transformers` computes of them, in eager mode.

    python tests/reference/make_translators.py [--traces] [FOLDER ...]

Traces are in float64, ids what `generate()` gives in float32. --traces: records the models that are there. Needs `torch`, `safetensors` and `transformers` 4.57.6. Every weight, norm, bias and buffer is random, so that none computes
nothing; sizes are odd, and those of the encoder differ from the decoder's where the family allows it.
"""

import json
import re
import sys
from pathlib import Path

import torch
import transformers
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForSeq2SeqLM, EncoderDecoderConfig, EncoderDecoderModel

from files import write_trace
from in_float64 import both

OUT = Path(__file__).resolve().parent / "hugging-face"
SOURCES = [[5, 9, 14, 22, 7, 30, 2], [41, 6, 17, 2], [11, 33, 8, 27, 19, 50, 12, 9, 2]]
TARGET = [4, 13, 8, 44, 21, 9]
SKELETON = {  # of BART and its kin
    "vocab_size": 61, "d_model": 12, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 3,
    "decoder_attention_heads": 2, "encoder_ffn_dim": 20, "decoder_ffn_dim": 28, "max_position_embeddings": 40,
    "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2,
    "forced_eos_token_id": None,
}
T5 = {
    "vocab_size": 61, "d_model": 14, "d_kv": 5, "num_heads": 3, "d_ff": 20, "num_layers": 3, "num_decoder_layers": 2,
    "relative_attention_num_buckets": 8, "relative_attention_max_distance": 20, "pad_token_id": 0, "eos_token_id": 1,
    "decoder_start_token_id": 0,
}
FOLDERS = {
    "bart-tiny": ("Bart", SKELETON),
    "bart-tiny-bare": ("Bart", {**SKELETON, "activation_function": "relu"}),
    "mbart-tiny": ("MBart", {**SKELETON, "scale_embedding": True, "activation_function": "relu"}),
    "marian-tiny-sides": ("Marian", {**SKELETON, "scale_embedding": True, "activation_function": "swish"}),
    "m2m100-tiny": ("M2M100", {**SKELETON, "d_model": 24, "scale_embedding": True, "activation_function": "relu"}),
    "pegasus-tiny": ("Pegasus", {**SKELETON, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0,
                                 "scale_embedding": True, "activation_function": "relu"}),
    "t5-tiny": ("T5", T5),
    "flan-t5-tiny": ("T5", {**T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "mt5-tiny": ("MT5", {**T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
    "umt5-tiny": ("UMT5", {**T5, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}),
}
BERT = {"vocab_size": 61, "hidden_size": 12, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 20,
        "max_position_embeddings": 40}
GPT2 = {"vocab_size": 67, "n_embd": 16, "n_layer": 3, "n_head": 4, "n_inner": 28, "n_positions": 30,
        "bos_token_id": 1, "eos_token_id": 2}
ROBERTA = {**BERT, "type_vocab_size": 1, "max_position_embeddings": 42, "layer_norm_eps": 1e-5}
PAIRS = {  # encoder and decoder of an EncoderDecoderModel
    "bert2bert-tiny": (("Bert", BERT), ("Bert", {**BERT, "vocab_size": 53, "num_hidden_layers": 3, "num_attention_heads": 2,
                                                 "intermediate_size": 28, "hidden_act": "gelu_new", "layer_norm_eps": 1e-6})),
    "bert2bert-tiny-tied": (("Bert", BERT), ("Bert", BERT)),
    "bert2gpt2-tiny": (("Bert", BERT), ("GPT2", GPT2)),
    "roberta2roberta-tiny": (("Roberta", ROBERTA), ("Roberta", {**ROBERTA, "num_hidden_layers": 3, "hidden_act": "relu"})),
    "bert2roberta-tiny": (("Bert", BERT), ("Roberta", {**ROBERTA, "num_attention_heads": 2})),
    "roberta2gpt2-tiny": (("Roberta", ROBERTA), ("GPT2", {**GPT2, "n_embd": 12, "n_head": 2})),
}
GENERATION = {  # what the folder's generation_config.json says beside the ids
    "bart-tiny": {"num_beams": 4, "length_penalty": 2.0, "early_stopping": True, "no_repeat_ngram_size": 3,
                  "min_length": 6, "max_length": 16, "forced_bos_token_id": 0, "forced_eos_token_id": 2,
                  "suppress_tokens": [7, 20], "begin_suppress_tokens": [12, 39], "eos_token_id": [2, 33]},
    "bart-tiny-bare": {"repetition_penalty": 1.5, "max_length": 14, "num_beams": 2},
    "mbart-tiny": {"num_beams": 5, "max_length": 18, "forced_bos_token_id": 58, "forced_eos_token_id": 2,
                   "no_repeat_ngram_size": 2},
    "m2m100-tiny": {"num_beams": 5, "max_length": 18, "forced_bos_token_id": 57, "no_repeat_ngram_size": 2},
    "pegasus-tiny": {"num_beams": 4, "max_length": 17, "min_length": 5, "length_penalty": 0.6, "no_repeat_ngram_size": 2},
    "marian-tiny-sides": {"no_repeat_ngram_size": 2, "num_beams": 2, "max_length": 16},
    **{name: {"num_beams": 4, "max_length": 15, "early_stopping": True, "no_repeat_ngram_size": 2}
       for name in ("t5-tiny", "flan-t5-tiny", "mt5-tiny", "umt5-tiny")},
    **{name: {"num_beams": 4, "max_length": 14, "early_stopping": True, "no_repeat_ngram_size": 3, "length_penalty": 2.0}
       for name in PAIRS},
}
SEARCHES = [{}, {"num_beams": 1}, {"num_beams": 3, "length_penalty": 0.5, "early_stopping": False}]
BARE = {"bart-tiny-bare", "marian-tiny-sides"}  # names without "model.", and every tied tensor stored


def fill(model, seed):
    torch.manual_seed(seed)
    for name, tensor in model.named_parameters():
        if "embed_positions" in name and not tensor.requires_grad:
            continue  # computed
        random = torch.randn(tensor.shape)
        if tensor.ndim == 1:
            is_gain = name.endswith(("norm.weight", "Norm.weight")) or "layernorm" in name or re.search(r"ln_\w+\.weight$", name)
            tensor.data = (1 + 0.25 * random) if is_gain else 0.3 * random
        else:
            is_vocabulary = tensor.shape[0] == getattr(model.config, "vocab_size", None) or "embeddings." in name
            tensor.data = random * (0.5 if is_vocabulary else tensor.shape[1] ** -0.5)
        if name.endswith("Attention.q.weight"):
            tensor.data *= 0.3  # scores are not scaled; large ones would magnify the rounding of float32
        elif name == "decoder.cls.predictions.bias":
            tensor.data[2] += 2  # so that some outputs end
    if hasattr(model, "final_logits_bias"):
        model.final_logits_bias = 0.3 * torch.randn(model.final_logits_bias.shape)
        model.final_logits_bias[0, model.config.eos_token_id] += 1.5  # so that some outputs end


def store_bare(folder):
    """As older programs wrote the files: no prefix, every name of a tied tensor, and no bias of the logits."""
    stored = load_file(folder / "model.safetensors")
    bare = {name.removeprefix("model."): tensor for name, tensor in stored.items() if name != "final_logits_bias"}
    for name in ("encoder.embed_tokens.weight", "decoder.embed_tokens.weight", "lm_head.weight"):
        bare[name] = bare["shared.weight"].clone()
    save_file(bare, folder / "model.safetensors", metadata={"format": "pt"})


def tie_stacks(folder, model):
    """As `tie_encoder_decoder` of version 4: the encoder has the decoder's weights, and half of them are stored by its
    names only."""
    stored = load_file(folder / "model.safetensors")
    own = {name.removeprefix("encoder."): tensor for name, tensor in model.named_parameters() if name.startswith("encoder.")}
    for name, tensor in own.items():
        decoders = f"decoder.bert.{name}"
        if decoders not in stored:
            continue
        tensor.data = stored[decoders].clone()
        stored.pop(decoders if ".attention." in name or "word" in name else f"encoder.{name}")
        if ".attention." in name or "word" in name:
            stored[f"encoder.{name}"] = tensor.data
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "tie_encoder_decoder": True}, indent=2) + "\n")


class T5Scores:
    """The scores of every attention before its mask, with their bias, in the order in which they are computed."""

    def __init__(self, model):
        self.scores = []
        self.hooks = []
        for stack in (model.encoder, model.decoder):
            for block in stack.block:
                self.watch(block.layer[0].SelfAttention, stack.block[0].layer[0].SelfAttention)
                if stack is model.decoder:
                    self.watch(block.layer[1].EncDecAttention, None)

    def watch(self, attention, shared):
        """`shared` has the bias of an attention without one of its own; None for cross-attention."""
        projected = {}

        def heads(vectors):
            return vectors[0].view(len(vectors[0]), attention.n_heads, -1).transpose(0, 1)

        def record(*_):
            scores = heads(projected["q"]) @ heads(projected["k"]).transpose(1, 2)
            if shared is not None:
                own = attention if attention.has_relative_attention_bias else shared
                scores = scores + own.compute_bias(*scores.shape[1:])[0]
            self.scores.append(scores)

        for name in "qk":
            hook = lambda _, __, output, name=name: projected.update({name: output})
            self.hooks.append(getattr(attention, name).register_forward_hook(hook))
        self.hooks.append(attention.register_forward_hook(record))

    def __enter__(self):
        return self.scores

    def __exit__(self, *_):
        for hook in self.hooks:
            hook.remove()


class Scores:
    """The scores of every attention before its mask, in the order in which they are computed."""

    def __init__(self, model):
        self.scores = []
        parts = (model.encoder, model.decoder) if type(model).__name__ == "EncoderDecoderModel" else (model,)
        self.originals = {module: module.eager_attention_forward
                          for module in {sys.modules[type(part).__module__] for part in parts}}

    def __enter__(self):
        def recording(original):
            def forward(module, query, key, value, mask, scaling=None, **options):
                self.scores.append((query @ key.transpose(2, 3) * (scaling or query.shape[-1] ** -0.5))[0])
                return original(module, query, key, value, mask, scaling=scaling, **options)
            return forward

        for module, original in self.originals.items():
            module.eager_attention_forward = recording(original)
        return self.scores

    def __exit__(self, *_):
        for module, original in self.originals.items():
            module.eager_attention_forward = original


@torch.no_grad()
def trace(model, source_ids, target_ids):
    with (T5Scores if "T5" in type(model).__name__ else Scores)(model) as scores:
        output = model(input_ids=torch.tensor([source_ids]), decoder_input_ids=torch.tensor([target_ids]),
                       output_attentions=True, use_cache=False)
    layers = len(output.encoder_attentions)
    arrays = {"source_ids": torch.tensor(source_ids), "target_ids": torch.tensor(target_ids),
              "next_ids": output.logits[0].argmax(-1), "encoder_output": output.encoder_last_hidden_state[0],
              "log_probabilities": output.logits[0].log_softmax(-1)}
    for site, weights, its_scores in (("encoder_self", output.encoder_attentions, scores[:layers]),
                                      ("decoder_self", output.decoder_attentions, scores[layers::2]),
                                      ("cross", output.cross_attentions, scores[layers + 1::2])):
        arrays[site + "/weights"] = torch.cat(weights)
        arrays[site + "/scores"] = torch.stack(its_scores)
        arrays[site + "/mask"] = torch.ones(weights[0].shape[2:], dtype=torch.bool)
    arrays["decoder_self/mask"] = arrays["decoder_self/mask"].tril()
    return arrays


def searches(model):
    found = []
    for options in SEARCHES:
        outputs = [model.generate(torch.tensor([ids]), do_sample=False, **options)[0].tolist() for ids in SOURCES]
        print("  ", options, [output[1:] for output in outputs])
        found.append({"options": options, "outputs": outputs})
    return {"sources": SOURCES, "searches": found}


def make(name, family, config, seed):
    folder = OUT / name
    if name in PAIRS:
        encoder, decoder = (getattr(transformers, part + "Config")(**sizes) for part, sizes in (family, config))
        model = EncoderDecoderModel(config=EncoderDecoderConfig.from_encoder_decoder_configs(encoder, decoder)).eval()
        for settings in (model.config, model.generation_config):
            settings.eos_token_id = 2
            settings.decoder_start_token_id, settings.pad_token_id = (0, 1) if config[0] == "Roberta" else (1, 0)
    else:
        model = getattr(transformers, family + "ForConditionalGeneration", None) or getattr(transformers, family + "MTModel")
        model = model(getattr(transformers, family + "Config")(**config)).eval()
    fill(model, seed)
    for key, value in GENERATION.get(name, {}).items():
        setattr(model.generation_config, key, value)
    model.generation_config._from_model_config = False
    model.save_pretrained(folder)
    if name in BARE:
        store_bare(folder)
    if name.endswith("-tied"):
        tie_stacks(folder, model)
    (folder / "model.safetensors").chmod(0o644)
    if name in BARE:
        model.final_logits_bias.zero_()
    elif not name.endswith("-tied"):
        model = opened(folder)
    (folder / "generate.json").write_text(json.dumps(searches(model)) + "\n")
    record(folder, model)


def opened(folder):
    if folder.name.endswith("-tied"):
        raise SystemExit(f"{folder.name} can only be made")
    if folder.name in PAIRS:
        return EncoderDecoderModel.from_pretrained(folder).eval()
    if folder.name not in BARE:
        return AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    model = AutoModelForSeq2SeqLM.from_config(AutoConfig.from_pretrained(folder)).eval()
    stored = load_file(folder / "model.safetensors")
    missing, unexpected = model.load_state_dict(
        {name if name.startswith("lm_head") else "model." + name: tensor for name, tensor in stored.items()}, strict=False)
    assert not unexpected and all(name == "final_logits_bias" or "embed_positions" in name for name in missing), missing
    return model


def record(folder, model):
    model.set_attn_implementation("eager")
    write_trace(folder / "trace.npz", *both(trace, model, SOURCES[0], [model.config.decoder_start_token_id] + TARGET))


def main():
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    wanted = [word for word in sys.argv[1:] if word != "--traces"] or [*FOLDERS, *PAIRS]
    with torch.no_grad():
        for seed, (name, (family, config)) in enumerate([*FOLDERS.items(), *PAIRS.items()]):
            if name in wanted:
                print(name)
                if "--traces" in sys.argv:
                    record(OUT / name, opened(OUT / name))
                else:
                    make(name, family, config, seed)


if __name__ == "__main__":
    main()
