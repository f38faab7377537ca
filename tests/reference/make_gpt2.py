"""Makes the folder of a tiny GPT-2 with what `transformers` computes of it, in eager mode.

    python tests/reference/make_gpt2.py

Needs `torch` and `transformers` 4.57.6.
"""

import json
from pathlib import Path

import numpy as np
import torch
from transformers import GPT2Config, GPT2LMHeadModel

OUT = Path(__file__).resolve().parent / "hugging-face" / "gpt2-tiny"
PROMPT = [5, 9, 14, 22, 7, 30, 5, 9]
SEARCHES = [{}, {"num_beams": 3}, {"num_beams": 3, "length_penalty": 2.0, "early_stopping": True}]


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
        fed = torch.tensor([searches[0]["ids"][:-1]])
        output = model(fed, output_attentions=True, output_hidden_states=True)
    log_probabilities = output.logits.log_softmax(-1)[0].numpy()
    arrays = {
        "source_ids": np.array(PROMPT),
        "target_ids": fed[0].numpy(),
        "next_ids": log_probabilities.argmax(-1),
        "decoder_self/weights": torch.stack(output.attentions)[:, 0].numpy(),
        "log_probabilities": log_probabilities,
    }
    np.savez_compressed(OUT / "trace.npz", **arrays)
    (OUT / "generate.json").write_text(json.dumps({"prompt": PROMPT, "searches": searches}, indent=1) + "\n")


if __name__ == "__main__":
    main()
