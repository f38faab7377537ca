"""Writes `analyses/FOLDER.npz` for encoders alone of `hugging-face`: what they lose without each of their heads.

    python tests/reference/make_heads_off.py

Of a pair of texts with two masks: the log-probabilities of each mask's first candidate, or of the chosen class, with all
heads and with each of them off in turn (`head_mask` of `transformers`), alone and against another token or class. Needs
`transformers` 4.57.6. Recorded in float64, in eager mode.
"""

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
}
CONTRAST = {"MaskedLM": 9, "SequenceClassification": 2}


def heads_off(folder, kind):
    path = HERE / "hugging-face" / folder
    tokenizer = transformers.AutoTokenizer.from_pretrained(path)
    model = getattr(transformers, kind).from_pretrained(path, attn_implementation="eager").eval()
    inputs = tokenizer(*(text.replace("[MASK]", tokenizer.mask_token) for text in TEXTS), return_tensors="pt")
    types = inputs.pop("token_type_ids")
    given = {"source_ids": inputs["input_ids"][0]}
    if getattr(model.config, "type_vocab_size", 1) > 1:
        inputs["token_type_ids"] = types
        given["source_segments"] = types[0]
    masks = (inputs["input_ids"][0] == tokenizer.mask_token_id).nonzero()[:, 0]
    contrast = next(id for name, id in CONTRAST.items() if kind.endswith(name))

    arrays, single = both(losses, model, kind, inputs, masks, contrast)
    return {**given, "contrast": torch.tensor([contrast]), **arrays}, single


@torch.no_grad()
def losses(model, kind, inputs, masks, contrast):
    def says(head_mask=None):
        """[masks, vocabulary], or [1, classes]."""
        logits = model(**inputs, head_mask=head_mask).logits
        return (logits[0, masks] if kind.endswith("MaskedLM") else logits).log_softmax(-1)

    def of_token(values):
        own = values.gather(1, chosen)[:, 0]
        return own, own - values[:, contrast]

    original = says()
    chosen = original.argmax(-1, keepdim=True)
    layers, heads = model.config.num_hidden_layers, model.config.num_attention_heads
    alone, against, divergence = [], [], []
    for layer in range(layers):
        for head in range(heads):
            mask = torch.ones(layers, heads, dtype=original.dtype)
            mask[layer, head] = 0
            lost = original - says(mask)
            alone.append(of_token(lost)[0])
            against.append(of_token(lost)[1])
            divergence.append((original.exp() * lost).sum(-1))
    assert all(lost.abs().max() > 1e-4 for lost in alone)
    return {"tokens": chosen[:, 0], "importance/undisturbed": of_token(original)[0],
            "importance/heads": torch.stack(alone), "importance/divergence": torch.stack(divergence),
            "importance/contrast_undisturbed": of_token(original)[1], "importance/contrast_heads": torch.stack(against)}


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    for name, kind in FOLDERS.items():
        write_trace(HERE / "analyses" / f"{name}.npz", *heads_off(name, kind))
