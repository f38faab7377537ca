"""Trains the bundled model with induction heads and its control with one layer.

    python resources/training/induction.py OUT [--layers 2]

Needs `torch` and `transformers`. Every sequence is <s> and random words, of which some in a row occur once more
later, after a random distance. From its second word on, the copy can be predicted: find the earlier place of the
current word and repeat the word that followed it. Two layers learn that with a head that attends to the previous
token and a head in the next layer that attends to the token after the earlier place (Olsson et al. 2022,
"In-context learning and induction heads"). One layer cannot. The loss counts the predictable words only.
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
LENGTH = 56  # tokens of a sequence
# What the program shows first: in training, what is repeated stood before, so that the heads of layer 0 no longer attend to
# the previous token from about row 20 on.
MOST_WORDS, NEW_TOKENS, CLEAR = 9, 4, 0.85


def batch(size, generator):
    """ids [size, LENGTH], and which of them can be predicted [size, LENGTH]."""
    def draw(least, most):
        return int(torch.randint(least, most + 1, (1,), generator=generator))

    ids = torch.randint(len(SPECIAL), len(SPECIAL) + len(WORDS), (size, LENGTH), generator=generator)
    ids[:, 0] = 0
    known = torch.zeros(size, LENGTH, dtype=torch.bool)
    for row in range(size):
        length = draw(4, 20)
        first = draw(1, 8)
        second = draw(first + length, LENGTH - length)
        ids[row, second : second + length] = ids[row, first : first + length].clone()
        known[row, second + 1 : second + length] = True  # from the second word on
    return ids, known


def loss_of(model, ids, known):
    logits = model(ids).logits[:, :-1]
    return torch.nn.functional.cross_entropy(logits[known[:, 1:]], ids[:, 1:][known[:, 1:]])


def induction(model, words):
    """Weight of each head of layer 1 on the word that followed the earlier one, of words that are said twice: mean of
    the rows of the second time, [heads]."""
    ids = [0] + [len(SPECIAL) + WORDS.index(word) for word in words + words]
    with torch.no_grad():
        weights = model(torch.tensor([ids]), output_attentions=True).attentions[1][0]
    rows = range(len(words) + 1, len(ids))
    return torch.stack([weights[:, row, row - len(words) + 1] for row in rows]).mean(0)


def best_head(model):
    """The head of layer 1 that does so most."""
    generator = random.Random(2)
    means = [induction(model, generator.sample(WORDS, generator.randint(4, MOST_WORDS))) for _ in range(200)]
    return int(torch.stack(means).mean(0).argmax())


def clear_samples(model, head):
    """Six prompts of words that are said twice, on which the head has most of its weight where it belongs."""
    generator, samples = random.Random(3), []
    while len(samples) < 6:
        words = generator.sample(WORDS, generator.randint(6, MOST_WORDS))
        if induction(model, words)[head] >= CLEAR:
            samples.append(" ".join(words + words))
    return samples


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
    log = ["step,loss"]
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 2e-3, total_steps=given.steps, pct_start=0.1)
    for step in range(given.steps):
        ids, known = batch(64, generator)
        loss = loss_of(model, ids, known)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 250 == 0 or step + 1 == given.steps:
            log.append(f"{step},{loss.item():.4f}")
            print(log[-1], flush=True)
    model.eval()
    right = total = 0
    with torch.no_grad():
        for _ in range(20):
            ids, known = batch(64, generator)
            best = model(ids).logits[:, :-1].argmax(-1)[known[:, 1:]]
            right += int((best == ids[:, 1:][known[:, 1:]]).sum())
            total += best.numel()
    print("copies:", right, "of", total, "words right")

    head = best_head(model) if given.layers > 1 else None
    model.half().save_pretrained(given.out)
    (given.out / "log.csv").write_text("\n".join(log) + "\n")
    (given.out / "vocabulary.txt").write_text("".join(word + "\n" for word in SPECIAL + WORDS))
    config = json.loads((given.out / "config.json").read_text())
    config.update(source_vocabulary="vocabulary.txt", source_prefix=[0], unknown_id=3, max_new_tokens=NEW_TOKENS)
    if head is not None:  # the control of one layer gets the same samples
        config.update(opens_at=f"decoder.1.{head}")
        samples = clear_samples(model.float(), head)
        (given.out / "samples.txt").write_text("".join(sample + "\n" for sample in samples))
    (given.out / "config.json").write_text(json.dumps(config, indent=4) + "\n")
    (given.out / "generation_config.json").unlink()  # it says nothing that config.json does not say


if __name__ == "__main__":
    main()
