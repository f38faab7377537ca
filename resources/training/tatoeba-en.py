"""Trains the bundled language model of English sentences.

    python resources/training/tatoeba-en.py DATA OUT

Needs `torch`, `transformers` and `tokenizers`. DATA holds the folders tatoeba-en-de and tatoeba-en-fr, each with
train.tsv.gz, valid.tsv.gz and test.tsv.gz: one pair a line, English first. The English sides are used, each sentence
once. A sentence of one set's validation or test split is not used for training if it is in the other set's training
split; case and punctuation do not count in that comparison. Every sequence is <s>, one sentence and </s>, so that the
model ends a sentence by itself. The tokenizer is byte-level BPE, the architecture that of Llama. At the end, the model
is measured on the validation split as it was saved: perplexity, and for each head the mean weight on the previous
token, on <s> and on the token itself, and how much the loss rises without that head.
"""

import argparse
import gzip
import json
import math
import random
import time
import unicodedata
from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

SETS = ["tatoeba-en-de", "tatoeba-en-fr"]
START, END = 0, 1  # <s>, </s>
PROMPTS = ["The weather", "I don't know why", "Tom wants to", "She told me that", "How many", "If I were you, I",
           "My father", "Can you"]


def english(data, split):
    sentences = {}  # in the order of the files, each once
    for name in SETS:
        with gzip.open(data / name / f"{split}.tsv.gz", "rt", encoding="utf-8") as lines:
            sentences.update((line.split("\t")[0], None) for line in lines)
    return list(sentences)


def key(sentence):
    """The sentence without case, punctuation and symbols."""
    folded = unicodedata.normalize("NFKC", sentence).casefold()
    return " ".join("".join(c for c in folded if unicodedata.category(c)[0] not in "PS").split())


def splits(data):
    """Sentences for training and for validation: no key is in both, or in a test split."""
    test = {key(sentence) for sentence in english(data, "test")}
    valid = {}
    for sentence in english(data, "valid"):
        if key(sentence) not in test:
            valid.setdefault(key(sentence), sentence)
    train = [s for s in english(data, "train") if key(s) not in test and key(s) not in valid]
    return train, list(valid.values())


def tokenizer_of(sentences, size):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        sentences,
        trainers.BpeTrainer(vocab_size=size, special_tokens=["<s>", "</s>"], show_progress=False,
                            initial_alphabet=pre_tokenizers.ByteLevel.alphabet()),
    )
    tokenizer.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", START)])
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>",
                                   clean_up_tokenization_spaces=False)


def encoded(tokenizer, sentences):
    return [ids + [END] for ids in tokenizer(sentences)["input_ids"]]


def padded(sequences):
    """ids and labels [size, longest]; what follows </s> is not counted (-100)."""
    length = max(map(len, sequences))
    ids = torch.tensor([s + [END] * (length - len(s)) for s in sequences])
    labels = torch.tensor([s + [-100] * (length - len(s)) for s in sequences])
    return ids, labels


def batches(sequences, size, generator):
    """Endless: sequences of about one length together, in another order in each epoch."""
    while True:
        order = generator.sample(sequences, len(sequences))
        pools = [sorted(order[i : i + 50 * size], key=len) for i in range(0, len(order), 50 * size)]
        found = [pool[i : i + size] for pool in pools for i in range(0, len(pool), size)]
        generator.shuffle(found)
        yield from map(padded, found)


def losses_of(model, ids, labels):
    """Loss of each token that is counted, nats."""
    logits = model(ids).logits[:, :-1]
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels[:, 1:].flatten(), reduction="none",
                                             ignore_index=-100)


@torch.no_grad()
def mean_loss(model, sequences):
    total = sum(losses_of(model, *padded(sequences[i : i + 128])).sum().item() for i in range(0, len(sequences), 128))
    return total / sum(len(s) - 1 for s in sequences)


@torch.no_grad()
def mean_weights(model, sequences):
    """Mean weights of each head [3, layers, heads]: on the previous token, on <s>, on the token itself.

    Only rows from position 2 on, where these are three tokens. Also returns the number of rows, and the mean weight
    that uniform rows would have on any one token.
    """
    sums, uniform, rows = 0, 0, 0
    for sequence in sequences:
        length = len(sequence) - 1  # without </s>, which reads nothing
        if length < 3:
            continue
        maps = torch.stack(model(torch.tensor([sequence[:-1]]), output_attentions=True).attentions)[:, 0]
        row = torch.arange(2, length)
        sums = sums + torch.stack([maps[:, :, row, row - 1], maps[:, :, row, 0], maps[:, :, row, row]]).sum(-1)
        uniform += (1 / (row + 1)).sum().item()
        rows += length - 2
    return sums / rows, rows, uniform / rows


@torch.no_grad()
def losses_without(model, sequences):
    """Rise of the mean loss when one head's output is replaced by zeros [layers][heads]."""
    original = mean_loss(model, sequences)
    width = model.config.head_dim
    rises = []
    for layer in model.model.layers:
        weight = layer.self_attn.o_proj.weight
        rises.append([])
        for first in range(0, weight.shape[1], width):
            columns = weight[:, first : first + width].clone()
            weight[:, first : first + width] = 0
            rises[-1].append(mean_loss(model, sequences) - original)
            weight[:, first : first + width] = columns
    return rises


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("data", type=Path)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--steps", type=int, default=5500)
    given = arguments.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(1)
    train, valid = splits(given.data)
    tokenizer = tokenizer_of(train, 2500)
    sequences, held_out = encoded(tokenizer, train), encoded(tokenizer, valid)
    print(len(train), "sentences for training,", len(valid), "for validation;",
          sum(map(len, sequences)) - len(sequences), "and", sum(map(len, held_out)) - len(held_out), "tokens to predict")
    model = LlamaForCausalLM(
        LlamaConfig(
            num_hidden_layers=4, hidden_size=192, intermediate_size=512, num_attention_heads=8, num_key_value_heads=2,
            max_position_embeddings=128, vocab_size=len(tokenizer), bos_token_id=START, eos_token_id=END,
            tie_word_embeddings=True,
        )
    )
    print(model.num_parameters(), "parameters", flush=True)
    decayed = [p for p in model.parameters() if p.ndim > 1]
    gains = [p for p in model.parameters() if p.ndim == 1]
    optimizer = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1}, {"params": gains, "weight_decay": 0}],
                                  betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 3e-3, total_steps=given.steps, pct_start=0.05,
                                                   cycle_momentum=False)
    log = ["step,loss,valid_loss,seconds"]
    begun, recent = time.monotonic(), []
    for step, (ids, labels) in zip(range(1, given.steps + 1), batches(sequences, 128, random.Random(2))):
        losses = losses_of(model, ids, labels)
        loss = losses.sum() / (labels[:, 1:] >= 0).sum()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        recent.append(loss.item())
        if step % 50 == 0 or step == given.steps:
            measured = f"{mean_loss(model, held_out):.4f}" if step % 500 == 0 or step == given.steps else ""
            log.append(f"{step},{sum(recent) / len(recent):.4f},{measured},{time.monotonic() - begun:.0f}")
            recent = []
            print(log[-1], flush=True)

    model.half().save_pretrained(given.out)
    tokenizer.save_pretrained(given.out)
    (given.out / "log.csv").write_text("\n".join(log) + "\n")
    (given.out / "samples.txt").write_text("".join(prompt + "\n" for prompt in PROMPTS))

    model = LlamaForCausalLM.from_pretrained(given.out, dtype=torch.float32, attn_implementation="eager").eval()
    loss = mean_loss(model, held_out)
    nats = loss * sum(len(s) - 1 for s in held_out)
    print(f"validation: {loss:.4f} nats a token, perplexity {math.exp(loss):.2f} a token,",
          f"{math.exp(nats / sum(len(s.split()) for s in valid)):.2f} a word,",
          f"{nats / math.log(2) / sum(len(s.encode()) for s in valid):.3f} bits a byte")
    means, rows, uniform = mean_weights(model, held_out)
    print("mean weights of", rows, f"rows; uniform: {uniform:.3f}")
    for name, table in [*zip(["previous token", "<s>", "itself"], means.tolist()),
                        ("loss without the head", losses_without(model, held_out))]:
        print(name, *(" ".join(f"{value:.3f}" for value in layer) for layer in table), sep="\n")
    for prompt in PROMPTS:
        ids = torch.tensor([tokenizer(prompt)["input_ids"]])
        written = model.generate(ids, attention_mask=torch.ones_like(ids), pad_token_id=END, do_sample=False,
                                 max_new_tokens=40)
        print(tokenizer.decode(written[0]))

    layer, head = divmod(int(means[0].argmax()), means.shape[2])
    config = json.loads((given.out / "config.json").read_text())
    config.update(opens_at=f"decoder.{layer}.{head}")  # the head with the most weight on the previous token
    (given.out / "config.json").write_text(json.dumps(config, indent=4) + "\n")


if __name__ == "__main__":
    main()
