"""Writes the folders `marian-tiny*`: small random Marian models as they are published, and what `transformers` does.

    python tests/reference/make_marian.py TATOEBA.tsv.gz | --traces

--traces: records the models that are there. Needs `transformers` 4, its own PyTorch and SentencePiece, and a file of English-German sentence pairs, of which only
the pieces remain. Traces are recorded in float64; ids are what `generate()` gives in float32, and independent
searches over `transformer.py` must give the same.
"""

import json
import shutil
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
import transformers
from transformers import GenerationConfig, MarianConfig, MarianMTModel, MarianTokenizer

import hugging_face_beam
import marian
from files import read_safetensors, write_trace
from make_families import HERE, NOT_IN_PADDED, largest_difference
from marian_texts import NASTY, SENTENCES
from marian_tokenizer import sample, write_tokenizer

D_MODEL, D_FF, HEADS, ENCODERS, DECODERS, PLACES = 12, 20, 3, 2, 3, 48
LONGEST, EOS = 24, 0
STEPS, BATCH = 700, 48
PADS = 3, 2
SEARCHES = {  # the options that differ from the folder's generation_config.json
    "greedy": dict(num_beams=1),
    "default": {},
    "early_stopping": dict(early_stopping=True),
    "two_beams_long": dict(num_beams=2, length_penalty=2.0),
    "three_beams_summed": dict(num_beams=3, length_penalty=0.0),
}


def fill(model, seed):
    """Random gains, biases and weights, so that no two are alike and none computes nothing."""
    torch.manual_seed(seed)
    for name, tensor in model.named_parameters():
        if "embed_positions" in name:
            continue
        random = torch.randn(tensor.shape)
        if "layer_norm.weight" in name:
            tensor.data = 1 + 0.25 * random
        elif tensor.ndim == 1:
            tensor.data = 0.3 * random
        else:
            tensor.data = random * (0.3 if tensor.shape[0] == model.config.vocab_size else tensor.shape[1] ** -0.5)
    model.final_logits_bias = 0.3 * torch.randn(model.final_logits_bias.shape)
    clear_pad(model)


def clear_pad(model):
    """As the converter leaves it: no embedding and no bias, so that the pad's logit is 0."""
    pad = model.config.pad_token_id
    for table in (model.get_encoder().embed_tokens, model.get_decoder().embed_tokens, model.lm_head):
        table.weight.data[pad] = 0
    model.final_logits_bias[0, pad] = 0


def train(model, tokenizer, pairs):
    """A little, since a random model says one token again and again and never ends."""
    pad = model.config.pad_token_id
    encoded = [(tokenizer(pair[0])["input_ids"], tokenizer(text_target=pair[1])["input_ids"]) for pair in pairs]
    sources, targets = zip(*(pair for pair in encoded if max(map(len, pair)) <= PLACES))
    rows = lambda ids: torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in ids], True, pad)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], 0.005, betas=(0.9, 0.98))
    for _ in range(STEPS):
        chosen = torch.randint(len(sources), (BATCH,)).tolist()
        source, target = rows([sources[i] for i in chosen]), rows([targets[i] for i in chosen])
        fed = torch.cat([torch.full((BATCH, 1), pad), target[:, :-1]], 1)
        logits = model(input_ids=source, attention_mask=(source != pad).long(), decoder_input_ids=fed).logits
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), target.flatten(), ignore_index=pad)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        clear_pad(model)
    print(f"  loss after {STEPS} steps: {loss.item():.3f}")


def configuration(vocabulary, separate):
    """As published config.json files are: with options of other programs, and of generation, among the sizes."""
    pad = vocabulary - 1
    return {
        "activation_dropout": 0.0, "activation_function": "swish", "add_bias_logits": False,
        "add_final_layer_norm": False, "architectures": ["MarianMTModel"], "attention_dropout": 0.0,
        "bad_words_ids": [[pad]], "bos_token_id": EOS, "classifier_dropout": 0.0, "d_model": D_MODEL,
        "decoder_attention_heads": HEADS, "decoder_ffn_dim": D_FF, "decoder_layerdrop": 0.0,
        "decoder_layers": DECODERS, "decoder_start_token_id": pad, "decoder_vocab_size": vocabulary, "dropout": 0.1,
        "encoder_attention_heads": HEADS, "encoder_ffn_dim": D_FF, "encoder_layerdrop": 0.0,
        "encoder_layers": ENCODERS, "eos_token_id": EOS, "forced_eos_token_id": EOS, "init_std": 0.02,
        "is_encoder_decoder": True, "max_length": LONGEST, "max_position_embeddings": PLACES, "model_type": "marian",
        "normalize_before": False, "normalize_embedding": False, "num_beams": 4, "num_hidden_layers": ENCODERS,
        "pad_token_id": pad, "scale_embedding": True, "share_encoder_decoder_embeddings": not separate,
        "static_position_embeddings": True, "tie_word_embeddings": not separate, "transformers_version": "4.22.0",
        "use_cache": True, "vocab_size": vocabulary,
    }


def generation_configuration(pad):
    """Without the published files' `_from_model_config`, which makes `transformers` 4 rebuild it from config.json, and
    lose `renormalize_logits`, which is not there."""
    return {"bad_words_ids": [[pad]], "bos_token_id": EOS, "decoder_start_token_id": pad,
            "eos_token_id": EOS, "forced_eos_token_id": EOS, "max_length": LONGEST, "num_beams": 4,
            "pad_token_id": pad, "renormalize_logits": True, "transformers_version": "4.32.0"}


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


def write_model(folder, separate, corpus, seed):
    """The folder with safetensors; returns the model as `transformers` opens it again."""
    folder.mkdir(exist_ok=True)
    sizes = write_tokenizer(folder, corpus, separate)
    assert sizes[0] == sizes[1], "one pad id serves both vocabularies"
    config = configuration(sizes[0], separate)
    model = MarianMTModel(MarianConfig(**config)).eval()
    fill(model, seed)
    train(model, MarianTokenizer.from_pretrained(folder), sample(corpus))
    model.save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)
    write_json(folder / "config.json", config)
    write_json(folder / "generation_config.json", generation_configuration(config["pad_token_id"]))
    return MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()


def write_legacy(folder, tiny, model):
    """The same model as it was published before 2020: no zip, every alias but the output layer's, tables stored."""
    folder.mkdir(exist_ok=True)
    for name in ("config.json", "generation_config.json", "vocab.json", "source.spm", "target.spm",
                 "tokenizer_config.json"):
        shutil.copyfile(tiny / name, folder / name)
    state = model.state_dict()
    del state["lm_head.weight"]
    path = folder / "pytorch_model.bin"
    stored = torch.load(path) if path.exists() else {}
    # The format holds memory addresses, so that a new file would differ in its bytes only.
    if list(stored) != list(state) or not all(torch.equal(stored[name], state[name]) for name in state):
        torch.save(state, path, _use_new_zipfile_serialization=False)
    equations = marian.by_equations(torch.load(path), json.loads((folder / "config.json").read_text()))
    with np.load(tiny / "trace.npz") as trace:
        found = equations.trace(trace["source_ids"].tolist(), trace["target_ids"].tolist())
        difference = max(abs(np.asarray(found[name]) - trace[name]).max() for name in trace if "mask" not in name)
    print(f"{folder.name}: {difference:.1e} from {tiny.name}/trace.npz")
    assert difference < 1e-6


def record(name):
    folder = HERE / name
    model = MarianMTModel.from_pretrained(folder, attn_implementation="eager").eval()
    state, config = read_safetensors(folder / "model.safetensors"), json.loads((folder / "config.json").read_text())
    outputs = json.loads((folder / "generate.json").read_text())["outputs"]
    short = min(outputs, key=lambda entry: abs(len(entry["source_ids"]) - 9))  # whole distributions are large
    write_traces(folder, model, marian.by_equations(state, config), short["source_ids"], short["greedy"]["ids"][:-1][:8],
                 config["pad_token_id"])


def write_traces(folder, model, equations, source_ids, target_ids, pad):
    double = MarianMTModel.from_pretrained(folder, attn_implementation="eager", dtype=torch.float64).eval()
    double.model.encoder.embed_positions.weight.data = model.model.encoder.embed_positions.weight.data.double()
    double.model.decoder.embed_positions.weight.data = model.model.decoder.embed_positions.weight.data.double()
    recordings = [("trace.npz", (0, 0))] + [("trace-padded.npz", PADS)] * model.config.tie_word_embeddings
    for name, pads in recordings:
        ids = source_ids + [pad] * pads[0], target_ids + [pad] * pads[1]
        recorded, computed = marian.trace(double, *ids, pad), equations.trace(*ids)
        difference = largest_difference(recorded, computed)
        assert pad not in recorded["next_ids"]
        single = marian.trace(model, *ids, pad)
        print(f"  {name}: equations {difference:.1e}, float32 {largest_difference(recorded, single):.1e}")
        assert difference < 1e-6
        if any(pads):
            recorded = {array: value for array, value in recorded.items()
                        if not NOT_IN_PADDED.match(array) and array != "log_probabilities"}
            recorded["padding"] = torch.tensor(pads)
        write_trace(folder / name, recorded, single)


def generated(model, equations, source_ids, options, rules):
    """The ids with their start token and the score, from `generate()`, checked against a search of our own."""
    output = model.generate(torch.tensor([source_ids]), return_dict_in_generate=True, output_scores=True, **options)
    ids = output.sequences[0].tolist()
    if options.get("num_beams") == 1:
        assert hugging_face_beam.greedy(equations, source_ids, rules) == ids
        return {"ids": ids}
    found = hugging_face_beam.beam_search(equations, source_ids, rules, options.get("num_beams", 4),
                                          options.get("length_penalty", 1.0), options.get("early_stopping", False))
    score = float(output.sequences_scores[0])
    assert found[0][1] == ids and abs(found[0][0] - score) < 1e-4, (found[0], ids, score)
    if len(found) > 1 and found[0][0] - found[1][0] < 1e-4:
        return None  # too close a choice to expect of another program
    return {"ids": ids, "score": round(found[0][0], 6)}


def write_generated(folder, model, equations, tokenizer, searches):
    config = model.generation_config
    rules = {"start": config.decoder_start_token_id, "end": EOS, "max_length": config.max_length,
             "forbidden": [ids[0] for ids in config.bad_words_ids]}
    outputs = []
    for text in SENTENCES:
        source_ids = tokenizer(text)["input_ids"]
        found = {name: generated(model, equations, source_ids, options, rules) for name, options in searches.items()}
        if None in found.values():
            print(f"  left out, two outputs are almost equally good: {text}")
            continue
        text_out = {"greedy_text": tokenizer.decode(found["greedy"]["ids"], skip_special_tokens=True)}
        outputs.append({"text": text, "source_ids": source_ids, **found, **text_out})
    greedy = [tuple(entry["greedy"]["ids"]) for entry in outputs]
    print("  greedy: distinct", len(set(greedy)), "lengths", [len(ids) for ids in greedy])
    assert len(outputs) > 16
    differs = {name: sum(entry[name]["ids"] != entry["greedy"]["ids"] for entry in outputs) for name in searches}
    print("  differ from greedy:", differs)
    lines = ",\n  ".join(json.dumps(entry) for entry in outputs)
    (folder / "generate.json").write_text(f'{{"searches": {json.dumps(searches)}, "outputs": [\n  {lines}\n]}}\n')
    return outputs


def write_tokenized(folder, tokenizer, texts):
    entries = []
    for text in texts:
        ids = tokenizer(text)["input_ids"]
        target = tokenizer(text_target=text)["input_ids"]
        entries.append({"text": text, "ids": ids, "pieces": tokenizer.tokenize(text),
                        "decoded": tokenizer.decode(ids, skip_special_tokens=True),
                        "decoded_with_special": tokenizer.decode(ids), "target_ids": target,
                        "target_decoded": tokenizer.decode(target, skip_special_tokens=True)})
    lines = ",\n  ".join(json.dumps(entry) for entry in entries)
    (folder / "tokenized.json").write_text(f"[\n  {lines}\n]\n")


def print_behaviour(model, outputs):
    """What this version does where files and habits leave it open."""
    other = [model.generate(torch.tensor([entry["source_ids"]]), renormalize_logits=False)[0].tolist()
             for entry in outputs]
    changed = sum(ids != entry["default"]["ids"] for ids, entry in zip(other, outputs))
    print(f"  without renormalisation {changed} of {len(other)} outputs differ")
    stored = read_safetensors(HERE / model.name_or_path / "model.safetensors")
    print("  stored of the tied ones:", [name for name in stored if "embed" in name or "shared" in name or "head" in name])
    print("  stored beside the layers:", [name for name in stored if "layers" not in name])


def write_folder(name, separate, corpus, seed):
    print(name)
    folder = HERE / name
    model = write_model(folder, separate, corpus, seed)
    state, config = read_safetensors(folder / "model.safetensors"), json.loads((folder / "config.json").read_text())
    equations, pad = marian.by_equations(state, config), config["pad_token_id"]
    tokenizer = MarianTokenizer.from_pretrained(folder)
    outputs = write_generated(folder, model, equations, tokenizer, SEARCHES)
    record(name)
    write_tokenized(folder, tokenizer, NASTY[:20] if separate else NASTY)
    print_behaviour(model, outputs)
    return folder, model


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    print("transformers", transformers.__version__, "torch", torch.__version__)
    if sys.argv[1] == "--traces":
        sys.exit(any(map(record, ("marian-tiny", "marian-tiny-untied"))))
    tiny, shared_model = write_folder("marian-tiny", False, sys.argv[1], 1)
    write_legacy(HERE / "marian-tiny-legacy", tiny, shared_model)
    write_folder("marian-tiny-untied", True, sys.argv[1], 2)
