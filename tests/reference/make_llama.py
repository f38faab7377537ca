"""Writes the folders `llama-original/*`: small random models in the files of llama2.c and of Llama's makers, and what the
program of `llama_original.py` computes with them; and `tokenizers/llama3_own`, a list of ranks as Llama 3's, with what
`tiktoken` makes of the texts.

    python tests/reference/make_llama.py

Needs `torch`, `tiktoken` and `tokenizers`. Traces are recorded in float64.
"""

import base64
import copy
import json
import shutil
import sys
from pathlib import Path

import tiktoken
import torch
from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from files import write_trace
from llama_original import Llama

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "llama-original"
TOKENIZERS = HERE / "tokenizers"
PROMPT = [44, 3, 28, 19, 51, 7, 22, 36]
NEW_TOKENS = 9
R3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")
NAMED = ["begin_of_text", "end_of_text", "reserved_special_token_0", "reserved_special_token_1", "finetune_right_pad_id",
         "step_id", "start_header_id", "end_header_id", "eom_id", "eot_id", "python_tag", "image"]
SPECIAL = [f"<|{name}|>" for name in NAMED + [f"reserved_special_token_{i + 2}" for i in range(256 - len(NAMED))]]

# Folder -> what the program is told, width of the feed-forward network, type of the stored numbers.
MODELS = {
    "llama2c-tiny": (dict(dim=24, n_layers=3, n_heads=4, n_kv_heads=2, vocab_size=53, hidden_dim=None, multiple_of=4,
                          norm_eps=1e-5, max_seq_len=64, dropout=0.0), 20, torch.float32),
    "llama2-tiny": (dict(dim=12, multiple_of=8, n_heads=2, n_layers=2, norm_eps=1e-6, vocab_size=-1), 24, torch.float16),
    "llama1-tiny-parts": (dict(dim=12, multiple_of=8, n_heads=2, n_layers=2, norm_eps=1e-6, vocab_size=54), 24, torch.float16),
    "llama3-tiny": (dict(dim=16, ffn_dim_multiplier=1.3, multiple_of=8, n_heads=4, n_kv_heads=2, n_layers=2, norm_eps=1e-5,
                         rope_theta=500000.0, use_scaled_rope=True, vocab_size=542), 24, torch.bfloat16),
}


def write_ranks(path):
    """A list of ranks, trained on the sentences of the tokenizers' texts."""
    sys.path.append(str(TOKENIZERS))
    from texts import SENTENCES
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(R3), "isolated"),
                                                       pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.train_from_iterator(SENTENCES, trainers.BpeTrainer(
        vocab_size=286, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False))
    merges = json.loads(tokenizer.to_str())["model"]["merges"]
    characters = {character: byte for byte, character in enumerate(byte_characters())}
    tokens = [bytes([byte]) for byte in sorted(range(256), key=lambda byte: (not 33 <= byte < 127, byte))]
    tokens += [bytes(characters[character] for character in "".join(merge)) for merge in merges]
    path.write_text("".join(f"{base64.b64encode(token).decode()} {rank}\n" for rank, token in enumerate(tokens)))
    return tokens


def byte_characters():
    """The printable character of every byte, as in GPT-2's vocabulary."""
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = iter(range(256, 512))
    return [chr(byte) if byte in plain else chr(next(others)) for byte in range(256)]


def write_tokenizer():
    folder = TOKENIZERS / "llama3_own"
    folder.mkdir(exist_ok=True)
    tokens = write_ranks(folder / "tokenizer.model")
    assert len(set(tokens)) == len(tokens) == 286
    encoding = tiktoken.Encoding("llama3", pat_str=R3, mergeable_ranks={token: rank for rank, token in enumerate(tokens)},
                                 special_tokens={name: len(tokens) + i for i, name in enumerate(SPECIAL)})
    recorded = []
    for text in json.loads((TOKENIZERS / "texts.json").read_text()):
        ids = encoding.encode(text, allowed_special="all")
        recorded.append([[len(tokens), *ids], encoding.decode([id for id in ids if id < len(tokens)])])
    (folder / "recorded.json").write_text("[" + ",\n".join(json.dumps(entry) for entry in recorded) + "]\n")
    return folder / "tokenizer.model"


@torch.no_grad()
def greedy(model, end):
    ids = list(PROMPT)
    while len(ids) < len(PROMPT) + NEW_TOKENS and ids[-1] != end:
        ids.append(model(ids)[-1].argmax().item())
    return ids


@torch.no_grad()
def trace(model, ids):
    log_probabilities = model(ids).log_softmax(-1)
    seen = [layer.attention.seen for layer in model.layers]
    stacked = {f"decoder_self/{name}": torch.stack([layer[name] for layer in seen]) for name in seen[0]}
    return {"source_ids": torch.tensor(PROMPT), "target_ids": torch.tensor(ids), "next_ids": log_probabilities.argmax(-1),
            **stacked, "decoder_self/mask": torch.ones(len(ids), len(ids), dtype=torch.bool).tril(),
            "log_probabilities": log_probabilities}


def write_parts(state, folder):
    """Every matrix in two parts: columns of what reads the divided numbers, and of the first versions' embedding, else rows."""
    for part in (0, 1):
        own = {}
        for name, tensor in state.items():
            by_columns = name.endswith((".wo.weight", ".w2.weight", "tok_embeddings.weight"))
            own[name] = (tensor if tensor.ndim == 1 else tensor.chunk(2, int(by_columns))[part]).clone().contiguous()
        torch.save(own, folder / f"consolidated.0{part}.pth")


def write_model(name, seed, ranks):
    args, hidden, kind = MODELS[name]
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary, end = args["vocab_size"], None
    if name == "llama2-tiny":
        shutil.copy(TOKENIZERS / "older_llama2/tokenizer.model", folder)
        vocabulary, end = 676, 2
    if name == "llama3-tiny":
        shutil.copy(ranks, folder)
        end = vocabulary - 256 + 1
    generator = torch.Generator().manual_seed(seed)
    model = Llama(args, vocabulary, hidden).eval()
    for tensor_name, tensor in sorted(model.named_parameters()):
        random = torch.randn(tensor.shape, generator=generator)
        scale = 1.0 if tensor_name.startswith("tok_emb") else tensor.shape[-1] ** -0.5
        tensor.data = (1 + 0.25 * random if tensor.ndim == 1 else random * scale).to(kind).float()
    if name == "llama2c-tiny":
        model.output.weight = model.tok_embeddings.weight
        state = {"_orig_mod." + name: tensor for name, tensor in model.state_dict().items()}
        torch.save({"model": state, "model_args": args, "iter_num": 7, "best_val_loss": torch.tensor(2.5),
                    "config": {"dataset": "tinystories", "vocab_size": 53, "compile": True, "learning_rate": 5e-4}},
                   folder / "ckpt.pt")
    else:
        state = {name: tensor.to(kind) for name, tensor in model.state_dict().items()}
        if name == "llama1-tiny-parts":
            write_parts(state, folder)
            state = {}
        state["rope.freqs"] = 1 / 10000 ** (torch.arange(0, 8, 2).float() / 8)
        if len(state) > 1:
            torch.save(state, folder / "consolidated.00.pth")
        (folder / "params.json").write_text(json.dumps(args) + "\n")
    ids = greedy(model, end)
    (folder / "generate.json").write_text(json.dumps(dict(prompt=PROMPT, searches=[dict(options={}, ids=ids)])) + "\n")
    ids = ids[: len(PROMPT) + 4]
    write_trace(folder / "trace.npz", trace(copy.deepcopy(model).double(), ids), trace(model, ids))
    print(name, ids, sum(path.stat().st_size for path in folder.iterdir()), "bytes")


if __name__ == "__main__":
    torch.set_num_threads(1)
    print("torch", torch.__version__, "tiktoken", tiktoken.__version__)
    written = write_tokenizer()
    for number, model_name in enumerate(MODELS):
        write_model(model_name, number + 1, written)
