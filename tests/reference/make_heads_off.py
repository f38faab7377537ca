"""Writes `analyses/FOLDER.npz` for encoders alone of `hugging-face`: what they lose without each of their heads.

    python tests/reference/make_heads_off.py [FOLDER ...]

Of a pair of texts with two masks: the log-probabilities of each mask's first candidate, of the label of each token of the
text, of the chosen class, or of where the answer starts and ends, and predicted numbers, with all heads and with each of them
off in turn (its columns of the output projection are 0), alone and, but for numbers, against another token, label, class or
place. Needs `transformers` 4 or 5. Recorded in float64, in eager mode.
"""

import sys
from contextlib import contextmanager
from pathlib import Path

import torch
import transformers

from files import write_trace
from in_float64 import both

HERE = Path(__file__).resolve().parent
TEXTS = ("my [MASK] good cat", "a [MASK] dog sat")
FOLDERS = {
    "bert-tiny-masked": "BertForMaskedLM", "distilbert-tiny-masked": "DistilBertForMaskedLM",
    "roberta-tiny-masked": "RobertaForMaskedLM", "electra-tiny-masked": "ElectraForMaskedLM",
    "bert-tiny-classes": "BertForSequenceClassification", "roberta-tiny-classes": "RobertaForSequenceClassification",
    "bert-tiny-labels": "BertForTokenClassification", "roberta-tiny-labels": "RobertaForTokenClassification",
    "bert-tiny-several": "BertForSequenceClassification", "mpnet-tiny-masked": "MPNetForMaskedLM",
    "deberta-v2-tiny-masked": "DebertaV2ForMaskedLM", "bert-tiny-answer": "BertForQuestionAnswering",
    "distilbert-tiny-answer": "DistilBertForQuestionAnswering", "mpnet-tiny-answer": "MPNetForQuestionAnswering",
    "bert-tiny-number": "BertForSequenceClassification", "roberta-tiny-numbers": "RobertaForSequenceClassification",
}
OUTPUT = "attention.output.dense", "attention.out_lin", "attention.attn.o"  # projections of the heads' outputs
CONTRAST = {"MaskedLM": 9, "SequenceClassification": 2, "TokenClassification": 2, "QuestionAnswering": 2}


def heads_off(folder, kind):
    path = HERE / "hugging-face" / folder
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = getattr(transformers, kind).from_pretrained(path, attn_implementation="eager").eval()
    inputs = tokenizer(*(text.replace("[MASK]", tokenizer.mask_token) for text in TEXTS), return_tensors="pt",
                       return_token_type_ids=True)
    types = inputs.pop("token_type_ids")
    given = {"source_ids": inputs["input_ids"][0]}
    if getattr(model.config, "type_vocab_size", 1) > 1:
        inputs["token_type_ids"] = types
        given["source_segments"] = types[0]
    ids = inputs["input_ids"][0]
    of_text = ~torch.isin(ids, torch.tensor([tokenizer.cls_token_id, tokenizer.sep_token_id]))
    masks = (of_text if kind.endswith("TokenClassification") else ids == tokenizer.mask_token_id).nonzero()[:, 0]
    if kind.endswith("QuestionAnswering"):  # of the second text, where the model can tell
        masks = (of_text & (types[0] == 1) if "source_segments" in given else of_text).nonzero()[:, 0]
    contrast = next(id for name, id in CONTRAST.items() if kind.endswith(name))
    if predicts_numbers(model):
        contrast = None
    else:
        given["contrast"] = torch.tensor([contrast])

    arrays, single = both(losses, model, kind, inputs, masks, contrast)
    return {**given, **arrays}, single


def predicts_numbers(model):
    return type(model).__name__.endswith("SequenceClassification") and (
        model.config.num_labels == 1 or model.config.problem_type == "regression")


@contextmanager
def without_head(model, layer, head):
    """Its output reaches nothing."""
    (projection,) = (module for name, module in model.named_modules()
                     if f"layer.{layer}." in name and name.endswith(OUTPUT))
    width = projection.in_features // model.config.num_attention_heads
    kept = projection.weight.data.clone()
    projection.weight.data[:, head * width : (head + 1) * width] = 0
    yield
    projection.weight.data.copy_(kept)


@torch.no_grad()
def losses(model, kind, inputs, masks, contrast):
    separate = model.config.problem_type == "multi_label_classification"

    def says():
        """[masks, vocabulary], [tokens, labels], [1, classes], [2, tokens], or [numbers, numbers], each row the same."""
        found = model(**inputs)
        if kind.endswith("QuestionAnswering"):
            return torch.cat([found.start_logits, found.end_logits]).log_softmax(-1)
        logits = found.logits
        if predicts_numbers(model):
            return logits.expand(logits.shape[1], -1)
        if separate:
            return torch.nn.functional.logsigmoid(logits)
        return (logits if kind.endswith("SequenceClassification") else logits[0, masks]).log_softmax(-1)

    def of_token(values):
        own = values.gather(1, chosen)[:, 0]
        return (own,) if contrast is None else (own, own - values[:, contrast])

    def best(values):
        if predicts_numbers(model):
            return torch.arange(len(values))
        if not kind.endswith("QuestionAnswering"):
            return values.argmax(-1)
        pairs = [(values[0, i] + values[1, j], i, j) for i in masks for j in masks if i <= j]
        return torch.stack(max(pairs, key=lambda pair: pair[0])[1:])

    original = says()
    chosen = best(original)[:, None]
    layers, heads = model.config.num_hidden_layers, model.config.num_attention_heads
    alone, against, divergence = [], [], []
    for layer in range(layers):
        for head in range(heads):
            with without_head(model, layer, head):
                left = says()
            lost = original - left
            alone.append(of_token(lost)[0])
            against += of_token(lost)[1:]
            if predicts_numbers(model):
                divergence.append(alone[-1].abs())
                continue
            nats = original.exp() * lost
            if separate:  # each label comes about or not
                nats = nats + (1 - original.exp()) * ((1 - original.exp()) / (1 - left.exp())).log()
            divergence.append(nats.sum(-1))
    assert all(lost.abs().max() > 1e-4 for lost in alone)
    arrays = {"tokens": chosen[:, 0], "importance/undisturbed": of_token(original)[0],
              "importance/heads": torch.stack(alone), "importance/divergence": torch.stack(divergence)}
    if against:
        arrays |= {"importance/contrast_undisturbed": of_token(original)[1], "importance/contrast_heads": torch.stack(against)}
    return arrays


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    for name, kind in FOLDERS.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        write_trace(HERE / "analyses" / f"{name}.npz", *heads_off(name, kind))
