"""Writes the folders `hugging-face/*` of encoders alone: small random models of `transformers`, and what they compute.

    python tests/reference/make_encoders.py [FOLDER ...]

Needs `transformers` and its own PyTorch: folders up to `electra-tiny-classes` are of version 4, the others of 5. Recorded in float64, in eager mode.
"""

import math
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
ALBERT = dict(SIZES, embedding_size=8, num_hidden_layers=3)
MPNET = dict(SIZES, max_position_embeddings=PLACES + 2)
T5 = dict(d_model=12, d_kv=4, d_ff=20, num_layers=2, num_heads=3, relative_attention_num_buckets=8,
          relative_attention_max_distance=12)
DEBERTA = dict(SIZES, relative_attention=True, position_buckets=8, share_att_key=True, pos_att_type=["p2c", "c2p"],
               norm_rel_ebd="layer_norm", position_biased_input=False, type_vocab_size=0, pooler_hidden_size=12)
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
    "albert-tiny-masked": ("AlbertForMaskedLM", dict(ALBERT, hidden_act="gelu")),
    "albert-tiny-classes": ("AlbertForSequenceClassification", ALBERT),
    "electra-tiny": ("ElectraModel", dict(SIZES, embedding_size=8)),
    "electra-tiny-replaced": ("ElectraForPreTraining", dict(SIZES, embedding_size=8)),
    "electra-tiny-masked": ("ElectraForMaskedLM", dict(SIZES, embedding_size=8)),
    "electra-tiny-classes": ("ElectraForSequenceClassification", dict(SIZES, embedding_size=12, hidden_act="relu")),
    "bert-tiny-labels": ("BertForTokenClassification", SIZES),
    "bert-tiny-answer": ("BertForQuestionAnswering", SIZES),
    "bert-tiny-several": ("BertForSequenceClassification", dict(SIZES, problem_type="multi_label_classification")),
    "bert-tiny-number": ("BertForSequenceClassification", dict(SIZES, num_labels=1)),
    "bert-tiny-choice": ("BertForMultipleChoice", SIZES),
    "distilbert-tiny-labels": ("DistilBertForTokenClassification", DISTIL),
    "distilbert-tiny-answer": ("DistilBertForQuestionAnswering", DISTIL),
    "distilbert-tiny-number": ("DistilBertForSequenceClassification", dict(DISTIL, num_labels=1)),
    "roberta-tiny-labels": ("RobertaForTokenClassification", ROBERTA),
    "roberta-tiny-answer": ("RobertaForQuestionAnswering", ROBERTA),
    "roberta-tiny-numbers": ("RobertaForSequenceClassification", dict(ROBERTA, problem_type="regression")),
    "xlm-roberta-tiny-labels": ("XLMRobertaForTokenClassification", ROBERTA),
    "camembert-tiny-answer": ("CamembertForQuestionAnswering", ROBERTA),
    "electra-tiny-labels": ("ElectraForTokenClassification", dict(SIZES, embedding_size=8)),
    "electra-tiny-answer": ("ElectraForQuestionAnswering", dict(SIZES, embedding_size=8)),
    "electra-tiny-several": ("ElectraForSequenceClassification",
                             dict(SIZES, embedding_size=8, problem_type="multi_label_classification")),
    "albert-tiny-labels": ("AlbertForTokenClassification", ALBERT),
    "albert-tiny-answer": ("AlbertForQuestionAnswering", ALBERT),
    "mpnet-tiny": ("MPNetModel", MPNET),
    "mpnet-tiny-masked": ("MPNetForMaskedLM", dict(MPNET, hidden_act="relu")),
    "mpnet-tiny-classes": ("MPNetForSequenceClassification", MPNET),
    "mpnet-tiny-labels": ("MPNetForTokenClassification", MPNET),
    "mpnet-tiny-answer": ("MPNetForQuestionAnswering", MPNET),
    "t5-tiny-encoder": ("T5EncoderModel", T5),
    "t5-gated-tiny-encoder": ("T5EncoderModel", dict(T5, feed_forward_proj="gated-gelu")),
    "umt5-tiny-encoder": ("UMT5EncoderModel", dict(T5, feed_forward_proj="gated-gelu")),
    "deberta-v2-tiny": ("DebertaV2Model", dict(DEBERTA, type_vocab_size=2)),
    "deberta-v2-tiny-masked": ("DebertaV2ForMaskedLM", DEBERTA),
    "deberta-v2-tiny-masked-new": ("DebertaV2ForMaskedLM", dict(DEBERTA, legacy=False)),
    "deberta-v2-tiny-classes": ("DebertaV2ForSequenceClassification",
                                dict(DEBERTA, hidden_act="relu", max_relative_positions=16)),
    "deberta-v2-tiny-labels": ("DebertaV2ForTokenClassification", DEBERTA),
    "deberta-v2-tiny-answer": ("DebertaV2ForQuestionAnswering", DEBERTA),
}


def is_roberta(folder):
    return not folder.startswith(("bert", "distilbert", "electra", "albert", "deberta"))


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
        # A choice between texts reads them one by one: its head is left out.
        outputs = (base if "MultipleChoice" in type(model).__name__ else model)(**inputs, output_attentions=True)
        state = base(**inputs).last_hidden_state[0]
    arrays = {"source_ids": inputs["input_ids"][0], "encoder_self/weights": torch.cat(outputs.attentions),
              "encoder_output": state}
    name = type(model).__name__
    if name.endswith("MaskedLM"):
        arrays["log_probabilities"] = outputs.logits[0].log_softmax(-1)
    elif name.endswith("SequenceClassification"):
        logits = outputs.logits[0]
        if model.config.num_labels == 1 or model.config.problem_type == "regression":
            arrays["numbers"] = logits
        elif model.config.problem_type == "multi_label_classification":
            arrays["class_log_probabilities"] = torch.nn.functional.logsigmoid(logits)
        else:
            arrays["class_log_probabilities"] = logits.log_softmax(-1)
    elif name.endswith("TokenClassification"):
        arrays["log_probabilities"] = outputs.logits[0].log_softmax(-1)
    elif name.endswith("QuestionAnswering"):
        marks = torch.cat([outputs.start_logits, outputs.end_logits])
        arrays["span_log_probabilities"] = marks.log_softmax(-1)
    elif name.endswith("PreTraining"):
        arrays["replaced_probabilities"] = outputs.logits.flatten().sigmoid()
    return arrays


def disentangled_terms(model, inputs):
    """Of every layer the three terms of scores (He et al. 2021, equation 4), cell by cell: {"terms": [layers, 3, heads, S, S]}."""
    config, encoder = model.config, model.base_model.encoder
    span, heads = config.position_buckets, config.num_attention_heads
    with torch.no_grad():
        states = model.base_model(**inputs, output_hidden_states=True).hidden_states
        distances = encoder.LayerNorm(encoder.rel_embeddings.weight)
        layers = []
        for layer, x in zip(encoder.layer, states):
            attention = layer.attention.self
            of = lambda projection, rows: projection(rows).view(len(rows), heads, -1).transpose(0, 1)
            q, k = of(attention.query_proj, x[0]), of(attention.key_proj, x[0])
            q_of, k_of = of(attention.query_proj, distances), of(attention.key_proj, distances)
            terms = torch.zeros(3, heads, *[x.shape[1]] * 2, dtype=x.dtype)
            for i in range(x.shape[1]):
                for j in range(x.shape[1]):
                    away = abs(i - j)
                    if away > span // 2:
                        share = math.log(away / (span // 2)) / math.log((PLACES - 1) / (span // 2))
                        away = span // 2 + math.ceil(share * (span // 2 - 1))
                    bucket = min(max(span + (away if i > j else -away), 0), 2 * span - 1)
                    terms[0, :, i, j] = (q[:, i] * k[:, j]).sum(-1)
                    terms[1, :, i, j] = (q[:, i] * k_of[:, bucket]).sum(-1)
                    terms[2, :, i, j] = (k[:, j] * q_of[:, bucket]).sum(-1)
            layers.append(terms / (3 * q.shape[-1]) ** 0.5)
    return {"terms": torch.stack(layers)}


def write_traces(folder, model, tokenizer):
    inputs = tokenizer(*(text.replace("[MASK]", tokenizer.mask_token) for text in PAIR), return_tensors="pt",
                       return_token_type_ids=True)
    types = inputs.pop("token_type_ids")
    has_segments = getattr(model.config, "type_vocab_size", 1) > 1
    if has_segments:
        inputs["token_type_ids"] = types
    arrays, single = both(recorded, model, inputs)
    if has_segments:
        arrays["source_segments"] = types[0]
    write_trace(folder / "trace.npz", arrays, single)
    if folder.name == "deberta-v2-tiny":
        write_trace(folder / "terms.npz", *both(disentangled_terms, model, inputs))
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
    if kind.endswith(("SequenceClassification", "TokenClassification")) and "num_labels" not in sizes:
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
