#!/usr/bin/env python3
"""Trains a small tokenizer of every family and records what transformers makes of texts.

make.py [--out FOLDER] [--corpus FILE --size N] [FAMILY ...]
Without --corpus: on the sentences of texts.py, as the folders beside this file are. A corpus has a sentence a line.
"""

import argparse
import json
import os
import shutil
import tempfile

import tokenizers
import transformers
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from texts import ALPHABETS, NASTY, SENTENCES, generated

R3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
      r"|\s+(?!\S)|\s+")


class Training:
    def __init__(self, sentences, size, folder):
        self.sentences = sentences
        self.size = size
        self.folder = folder

    def byte_level(self, special=(), normalizer=None, pre=None, post=None, **model):
        """A byte-level BPE, trained in its own pipeline."""
        tokenizer = Tokenizer(models.BPE(**model))
        tokenizer.normalizer = normalizer
        tokenizer.pre_tokenizer = pre or pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(vocab_size=self.size, special_tokens=list(special), show_progress=False,
                                      initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()))
        tokenizer.train_from_iterator(self.sentences, trainer)
        if post:
            tokenizer.post_processor = post(tokenizer)
        return tokenizer

    def files_of(self, tokenizer):
        """vocab.json and merges.txt."""
        folder = tempfile.mkdtemp()
        tokenizer.model.save(folder)
        return os.path.join(folder, "vocab.json"), os.path.join(folder, "merges.txt")

    def save(self, tokenizer):
        tokenizer.save_pretrained(self.folder)


def template(single, pair, *tokens):
    return lambda tokenizer: processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[(token, tokenizer.token_to_id(token)) for token in tokens])


def gpt2(training):
    vocabulary, merges = training.files_of(training.byte_level(["<|endoftext|>"]))
    training.save(transformers.GPT2TokenizerFast(vocab_file=vocabulary, merges_file=merges))


def roberta(training, kind=transformers.RobertaTokenizerFast):
    vocabulary, merges = training.files_of(training.byte_level(["<s>", "<pad>", "</s>", "<unk>", "<mask>"]))
    training.save(kind(vocab_file=vocabulary, merges_file=merges))


def bart(training):
    roberta(training, transformers.BartTokenizerFast)


def gpt_neox(training):
    tokenizer = training.byte_level(["<|endoftext|>", "<|padding|>"], normalizers.NFC())
    tokenizer.add_tokens([AddedToken(" " * length, normalized=True) for length in range(24, 1, -1)])
    tokenizer.post_processor = template("$A:0", "$A:0 $B:1")(tokenizer)
    training.save(transformers.GPTNeoXTokenizerFast(tokenizer_object=tokenizer))


def smollm2(training):
    pre = pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer = training.byte_level(["<|endoftext|>", "<|im_start|>", "<|im_end|>"], pre=pre)
    training.save(transformers.GPT2TokenizerFast(tokenizer_object=tokenizer))


def split_then_bytes(pattern):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"),
                                    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def llama3(training):
    names = ["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"]
    tokenizer = training.byte_level(names, pre=split_then_bytes(R3), ignore_merges=True)
    frame = template("<|begin_of_text|> $A", "<|begin_of_text|> $A <|begin_of_text|>:1 $B:1", "<|begin_of_text|>")
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), frame(tokenizer)])
    training.save(transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<|begin_of_text|>",
                                                       eos_token="<|end_of_text|>"))


def qwen2(training):
    tokenizer = training.byte_level(pre=split_then_bytes(R3.replace(r"\p{N}{1,3}", r"\p{N}")),
                                    normalizer=normalizers.NFC())
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    training.save(transformers.Qwen2TokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>"))


def olmo2(training):
    tokenizer = training.byte_level(["<|endoftext|>", "<|pad|>"], pre=split_then_bytes(R3))
    training.save(transformers.GPT2TokenizerFast(tokenizer_object=tokenizer, pad_token="<|pad|>"))


def phi2(training):
    vocabulary, merges = training.files_of(training.byte_level(["<|endoftext|>"]))
    tokenizer = transformers.CodeGenTokenizerFast(vocab_file=vocabulary, merges_file=merges)
    tokenizer.add_tokens([AddedToken(" " * length, normalized=False) for length in range(31, 1, -1)])
    tokenizer.add_tokens([AddedToken("\t" * length, normalized=False) for length in range(9, 1, -1)])
    training.save(tokenizer)


FAMILIES = {make.__name__: make for make in (gpt2, roberta, bart, gpt_neox, smollm2, llama3, qwen2, olmo2, phi2)}


def write_lines(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")


def record(folder, texts):
    """[ids, decoded] for each text: ids with what the tokenizer puts around, text without special tokens."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    rows = []
    for text in texts:
        ids = tokenizer(text)["input_ids"]
        rows.append([ids, tokenizer.decode(ids, skip_special_tokens=True)])
    write_lines(os.path.join(folder, "recorded.json"), rows)


def compact(folder):
    """Leaves tokenizer.json alone, without indentation, where older files say the same."""
    path = os.path.join(folder, "tokenizer.json")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False, separators=(",", ":"))
    for name in ("vocab.json", "merges.txt", "vocab.txt", "added_tokens.json", "special_tokens_map.json"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--out", default=here)
    parser.add_argument("--corpus")
    parser.add_argument("--size", type=int, default=420)
    given = parser.parse_args()
    if given.corpus:
        with open(given.corpus, encoding="utf-8") as file:
            sentences = file.read().splitlines()
    else:
        sentences = SENTENCES + [text for kind in ALPHABETS for text in generated(kind, 5, 1)]
        write_lines(os.path.join(given.out, "texts.json"), NASTY + SENTENCES)
    for name in given.families or FAMILIES:
        folder = os.path.join(given.out, name)
        shutil.rmtree(folder, ignore_errors=True)
        FAMILIES[name](Training(sentences, given.size, folder))
        if not given.corpus:
            compact(folder)
            record(folder, NASTY + SENTENCES)
        print(name, len(transformers.AutoTokenizer.from_pretrained(folder)))


if __name__ == "__main__":
    print("transformers", transformers.__version__, "tokenizers", tokenizers.__version__)
    main()
