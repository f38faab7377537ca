"""Writes `targets.json`: what the decoder is fed of a given target, by the tokenizers that have a token for each language.

    python tests/reference/make_targets.py

The labels are those of `text_target`, moved to the right as the models' own code does. NLLB is there a second time, with
`legacy_behaviour`. Needs `torch` and `transformers` 4.57.6.
"""

import json
from pathlib import Path

import torch
import transformers
from transformers.models.m2m_100.modeling_m2m_100 import shift_tokens_right
from transformers.models.mbart.modeling_mbart import shift_tokens_right as shift_language_first

HERE = Path(__file__).resolve().parent
TEXTS = ["So is it.", "The old man laughed.", "I see"]
START, PADDING = 2, 1
FOLDERS = {"nllb": ("deu_Latn", "fra_Latn"), "m2m100": ("de", "fr"), "mbart50": ("de_DE", "fr_XX"),
           "mbart": ("de_DE", "fr_XX")}


def fed(tokenizer, text, shift):
    labels = torch.tensor([tokenizer(text_target=text)["input_ids"]])
    return labels[0].tolist(), shift(labels)[0].tolist()


def main():
    rows = []
    for name, (source, target) in FOLDERS.items():
        for legacy in [False, True] if name == "nllb" else [False]:
            options = {"legacy_behaviour": True} if legacy else {}
            tokenizer = transformers.AutoTokenizer.from_pretrained(HERE / "tokenizers" / name, src_lang=source,
                                                                   tgt_lang=target, **options)
            shift = ((lambda labels: shift_language_first(labels, PADDING)) if name == "mbart" else
                     (lambda labels: shift_tokens_right(labels, PADDING, START)))
            for text in TEXTS:
                labels, ids = fed(tokenizer, text, shift)
                rows.append({"tokenizer": name, "legacy": legacy, "source": source, "target": target, "text": text,
                             "labels": labels, "fed": ids})
    lines = ",\n".join(json.dumps(row) for row in rows)
    (HERE / "targets.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
