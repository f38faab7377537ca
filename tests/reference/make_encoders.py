"""Writes the folders `hugging-face/*` of encoders alone: small random models of `transformers`, and what they compute.

    python tests/reference/make_encoders.py [FOLDER ...]

Needs `transformers` 4 and its own PyTorch. Recorded in float64, in eager mode.
"""

import sys
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from files import write_trace
from in_float64 import both

HERE = Path(__file__).resolve().parent / "hugging-face"
WORDS = "the a my cat dog sat ran on mat fog is was red and not good bad very film ##s ##ing".split()
SPECIAL = {"bert": ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"], "roberta": ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]}
LABELS = {0: "negative", 1: "neutral", 2: "positive"}
PLACES, PADS = 24, 2
PAIR = ("my very good cat", "a [MASK] dog sat")

SIZES = dict(hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=20)
DISTIL = dict(dim=12, n_layers=2, n_heads=3, hidden_dim=20)
ROBERTA = dict(SIZES, max_position_embeddings=PLACES + 2, type_vocab_size=1, layer_norm_eps=1e-5)
# Folder -> class, configuration. The heads' own activations are checked by a model activation that is another.
FOLDERS = {
    "bert-tiny": ("BertModel", SIZES),
    "bert-tiny-masked": ("BertForMaskedLM", SIZES),
    "bert-tiny-classes": ("BertForSequenceClassification", dict(SIZES, hidden_act="gelu_new")),
    "distilbert-tiny": ("DistilBertModel", DISTIL),
    "distilbert-tiny-masked": ("DistilBertForMaskedLM", DISTIL),
    "distilbert-tiny-classes": ("DistilBertForSequenceClassification", DISTIL),
    "roberta-tiny": ("RobertaModel", ROBERTA),
    "roberta-tiny-masked": ("RobertaForMaskedLM", dict(ROBERTA, hidden_act="relu")),
    "roberta-tiny-classes": ("RobertaForSequenceClassification", ROBERTA),
    "xlm-roberta-tiny-masked": ("XLMRobertaForMaskedLM", ROBERTA),
    "camembert-tiny-classes": ("CamembertForSequenceClassification", ROBERTA),
    "electra-tiny": ("ElectraModel", dict(SIZES, embedding_size=8)),
    "electra-tiny-replaced": ("ElectraForPreTraining", dict(SIZES, embedding_size=8)),
    "electra-tiny-masked": ("ElectraForMaskedLM", dict(SIZES, embedding_size=8)),
    "electra-tiny-classes": ("ElectraForSequenceClassification", dict(SIZES, embedding_size=12, hidden_act="relu")),
}


def is_roberta(folder):
    return not folder.startswith(("bert", "distilbert", "electra"))


def write_tokenizer(folder):
    """A list of words, framed as the family frames texts."""
    special = SPECIAL["roberta" if is_roberta(folder.name) else "bert"]
    words = special + WORDS if not is_roberta(folder.name) else special[:4] + WORDS + special[4:]
    ids = {word: i for i, word in enumerate(words)}
    start, pad, end, unknown, mask = special if is_roberta(folder.name) else [special[i] for i in (2, 0, 3, 1, 4)]
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token=unknown, max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    pair = f"{start} $A {end} {end} $B {end}" if is_roberta(folder.name) else f"{start} $A {end} $B:1 {end}:1"
    tokenizer.post_processor = processors.TemplateProcessing(f"{start} $A {end}", pair,
                                                             [(start, ids[start]), (end, ids[end])])
    tokenizer.add_special_tokens(special)
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, cls_token=start, sep_token=end,
                                                pad_token=pad, unk_token=unknown, mask_token=mask)
    fast.save_pretrained(folder)
    return fast


def fill(model):
    """Random gains, biases and weights, so that no two are alike and none computes nothing."""
    for name, tensor in model.named_parameters():
        random = torch.randn(tensor.shape)
        if tensor.ndim == 1:
            tensor.data = 1 + 0.25 * random if "norm.weight" in name.lower() else 0.3 * random
        else:
            tensor.data = random * (0.5 if "embeddings" in name and tensor.shape[0] > 12 else tensor.shape[1] ** -0.5)
    model.tie_weights()


def recorded(model, inputs):
    base = model.base_model
    with torch.no_grad():
        outputs = model(**inputs, output_attentions=True)
        state = base(**inputs).last_hidden_state[0]
    arrays = {"source_ids": inputs["input_ids"][0], "encoder_self/weights": torch.cat(outputs.attentions),
              "encoder_output": state}
    name = type(model).__name__
    if name.endswith("MaskedLM"):
        arrays["log_probabilities"] = outputs.logits[0].log_softmax(-1)
    elif name.endswith("SequenceClassification"):
        arrays["class_log_probabilities"] = outputs.logits[0].log_softmax(-1)
    elif name.endswith("PreTraining"):
        arrays["replaced_probabilities"] = outputs.logits.flatten().sigmoid()
    return arrays


def write_traces(folder, model, tokenizer):
    inputs = tokenizer(*(text.replace("[MASK]", tokenizer.mask_token) for text in PAIR), return_tensors="pt")
    types = inputs.pop("token_type_ids")
    has_segments = getattr(model.config, "type_vocab_size", 1) > 1
    if has_segments:
        inputs["token_type_ids"] = types
    arrays, single = both(recorded, model, inputs)
    if has_segments:
        arrays["source_segments"] = types[0]
    write_trace(folder / "trace.npz", arrays, single)
    if is_roberta(folder.name):
        return  # there a pad's own row depends on what training leaves untouched
    inputs = {name: torch.cat([values, torch.full((1, PADS), 0)], 1) for name, values in inputs.items()}
    arrays, single = both(recorded, model, inputs)
    if has_segments:
        arrays["source_segments"] = inputs["token_type_ids"][0]
    arrays["padding"] = torch.tensor([PADS, 0])
    write_trace(folder / "trace-padded.npz", arrays, single)


def write_folder(name, seed):
    print(name)
    folder = HERE / name
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = write_tokenizer(folder)
    kind, sizes = FOLDERS[name]
    model_class = getattr(transformers, kind)
    options = dict(vocab_size=len(tokenizer), pad_token_id=tokenizer.pad_token_id,
                   attn_implementation="eager") | dict(max_position_embeddings=PLACES) | sizes
    if kind.endswith("SequenceClassification"):
        options |= dict(id2label=LABELS, label2id={label: i for i, label in LABELS.items()})
    torch.manual_seed(seed)
    model = model_class(model_class.config_class(**options)).eval()
    fill(model)
    model.save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)
    record(name)


def record(name):
    folder = HERE / name
    model = getattr(transformers, FOLDERS[name][0]).from_pretrained(folder, attn_implementation="eager").eval()
    write_traces(folder, model, transformers.PreTrainedTokenizerFast.from_pretrained(folder))


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    print("transformers", transformers.__version__, "torch", torch.__version__)
    for number, name in enumerate(FOLDERS):
        chosen = [word for word in sys.argv[1:] if word != "--traces"]
        if not chosen or name in chosen:
            if "--traces" in sys.argv:
                record(name)
            else:
                write_folder(name, number + 1)
