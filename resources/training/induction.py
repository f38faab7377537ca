"""Trains the bundled model with induction heads and its control with one layer.

    python resources/training/induction.py OUT [--layers 2]

Needs `torch` and `transformers`. Every sequence is <s>, then random words, then the same words in the same order
once more. The second half can be predicted: find the earlier copy of the current word and repeat the word after
it. Two layers learn that with a head that attends to the previous token and a head in the next layer that attends
to the token after the earlier copy (Olsson et al. 2022, "In-context learning and induction heads"). One layer
cannot. The loss counts the second half only.
"""

import argparse
import json
import random
from pathlib import Path

import torch
from transformers import GPT2Config, GPT2LMHeadModel

WORDS = """apple arm bag ball bank bear bed bell bird boat book bottle box bread bridge brush bus cake car card cat
chair cheese child city clock cloud coat coin cow cup desk dog door dress duck egg engine eye farm fence field fire
fish flag floor flower foot forest fork frog garden gate glass goat gold grass hand hat heart hill horse house ice
island jar key king kitchen knife ladder lake lamp leaf letter lion map milk mirror moon mountain mouse neck nest
nose ocean onion orange paper park pen pig plane plate pond queen rabbit rain ring river road roof rope rose salt
sand school sea shell ship shirt shoe sky snow sock song spoon star stone street sugar sun table tail tent tiger
tooth tower town toy train tree truck wall watch water wheel wind window wing winter wolf wood""".split()
SPECIAL = ["<s>", "</s>", "<pad>", "<unk>"]
LONGEST = 24  # words before they are repeated


def batch(size, generator):
    length = int(torch.randint(4, LONGEST + 1, (1,), generator=generator))
    first = torch.randint(len(SPECIAL), len(SPECIAL) + len(WORDS), (size, length), generator=generator)
    # <s>, the words, a random number of them again: the model cannot count on a fixed distance alone.
    return torch.cat([torch.zeros(size, 1, dtype=torch.long), first, first], 1), length


def loss_of(model, ids, length):
    logits = model(ids).logits[:, length + 1 : -1]
    return torch.nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), ids[:, length + 2 :].reshape(-1))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--layers", type=int, default=2)
    arguments.add_argument("--steps", type=int, default=6000)
    given = arguments.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(2)
    model = GPT2LMHeadModel(
        GPT2Config(
            n_layer=given.layers, n_head=4, n_embd=64, n_inner=128, n_positions=64,
            vocab_size=len(SPECIAL) + len(WORDS), bos_token_id=0, eos_token_id=1, pad_token_id=2,
            resid_pdrop=0, embd_pdrop=0, attn_pdrop=0,
        )
    )
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=given.steps, pct_start=0.1)
    for step in range(given.steps):
        ids, length = batch(64, generator)
        loss = loss_of(model, ids, length)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 250 == 0 or step + 1 == given.steps:
            print(step, round(loss.item(), 4), flush=True)
    model.eval()
    right = total = 0
    with torch.no_grad():
        for _ in range(20):
            ids, length = batch(64, generator)
            best = model(ids).logits[:, length + 1 : -1].argmax(-1)
            right += int((best == ids[:, length + 2 :]).sum())
            total += best.numel()
    print("second half:", right, "of", total, "words right")

    model.half().save_pretrained(given.out)
    (given.out / "vocabulary.txt").write_text("".join(word + "\n" for word in SPECIAL + WORDS))
    random.seed(3)
    samples = []
    for _ in range(6):
        words = random.sample(WORDS, random.randint(5, 9))
        samples.append(" ".join(words + words[: random.randint(1, 3)]))
    (given.out / "samples.txt").write_text("".join(sample + "\n" for sample in samples))
    config = json.loads((given.out / "config.json").read_text())
    config.update(source_vocabulary="vocabulary.txt", unknown_id=3)
    (given.out / "config.json").write_text(json.dumps(config, indent=4) + "\n")


if __name__ == "__main__":
    main()
