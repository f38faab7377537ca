"""Makes the folder of a tiny GPT-2 with what `transformers` computes of it, in eager mode.

    python tests/reference/make_gpt2.py [--traces]

Needs `torch` and `transformers` 4.57.6. --traces: records the model that is there.
"""

import json
import sys
from pathlib import Path

import torch
from transformers import GPT2Config, GPT2LMHeadModel

from files import write_trace
from in_float64 import both

OUT = Path(__file__).resolve().parent / "hugging-face" / "gpt2-tiny"
PROMPT = [5, 9, 14, 22, 7, 30, 5, 9]
SEARCHES = [{}, {"num_beams": 3}, {"num_beams": 3, "length_penalty": 2.0, "early_stopping": True}]


@torch.no_grad()
def trace(model, fed):
    output = model(torch.tensor([fed]), output_attentions=True)
    log_probabilities = output.logits.log_softmax(-1)[0]
    return {"source_ids": torch.tensor(PROMPT), "target_ids": torch.tensor(fed), "next_ids": log_probabilities.argmax(-1),
            "decoder_self/weights": torch.stack(output.attentions)[:, 0], "log_probabilities": log_probabilities}


def record():
    model = GPT2LMHeadModel.from_pretrained(OUT, attn_implementation="eager").eval()
    ids = json.loads((OUT / "generate.json").read_text())["searches"][0]["ids"]
    write_trace(OUT / "trace.npz", *both(trace, model, ids[:-1]))


def main():
    torch.manual_seed(3)
    config = GPT2Config(
        n_layer=3, n_head=3, n_embd=36, n_positions=40, vocab_size=71, bos_token_id=0, eos_token_id=1
    )
    model = GPT2LMHeadModel(config).eval()
    for parameter in model.parameters():
        parameter.data += torch.randn_like(parameter) * 0.15  # norms and biases, too
    model.save_pretrained(OUT)
    model.set_attn_implementation("eager")
    with torch.no_grad():
        ids = torch.tensor([PROMPT])
        searches = []
        for options in SEARCHES:
            found = model.generate(ids, do_sample=False, max_new_tokens=9, pad_token_id=1, **options)[0].tolist()
            searches.append({"options": options, "ids": found})
    (OUT / "generate.json").write_text(json.dumps({"prompt": PROMPT, "searches": searches}, indent=1) + "\n")


if __name__ == "__main__":
    if "--traces" not in sys.argv:
        main()
    record()
