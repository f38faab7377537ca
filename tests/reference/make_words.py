"""Writes the folder `words`: how word-level programs split text, and the vocabularies that they leave behind.

    python3 tests/reference/make_words.py

`basic_english` is written from torchtext's published rules. The pickled vocabularies are look-alikes: the same modules,
class names and members as torchtext's, and nothing of it behind them.
"""

import copy
import json
import re
import sys
import types
from collections import Counter, defaultdict
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent / "words"
SET_OFF = re.compile(r"[.,()!?']")  # become words of their own
BLANK = re.compile(r"<br />|[;:]")
TEXTS = [
    "You can now install TorchText using pip!", "Two dogs, one cat (asleep) and: a bird; no fish.",
    "It's the cat's \"own\" bed, isn't it?", "First line.<br />Second line<br/>third<BR />fourth", "", "   ", "...",
    "  leading and   trailing\t\n ", "A-b c–d e—f", "UPPER Ärger İstanbul ẞ ΣΑΣ", "3.14 is 3,14 at 7:45", "no\u00a0break thin\u2009x",
    "漢字 と かな。", "emoji 😀!😀", "“curly” ‘quotes’ don’t", "a\u0301 combining", "x(y)z!?", "\u200bzero\u2028separator", "<unk> <pad> words",
]
WORDS = ["<unk>", "<pad>", "<start>", "<end>", "the", "a", ".", ",", "dog", "two", "dogs", "'", "s", "it", "cat", "!", "own",
         "ärger", "é", "漢字", "😀", "bed"]


def basic_english(text):
    """Lower case; quotation marks vanish, even inside a word; only this spelling of a line break is one."""
    text = SET_OFF.sub(r" \g<0> ", text.lower().replace('"', ""))
    return BLANK.sub(" ", text).split()


def white_space(text):
    return text.split()


def ids_of(tokens, unknown=0):
    return [WORDS.index(token) if token in WORDS else unknown for token in tokens]


def fake(module_name, member_name, member):
    """Puts a class or function where a pickle will look for it: in a module that the reader doesn't have."""
    parts = module_name.split(".")
    for end in range(1, len(parts) + 1):
        name = ".".join(parts[:end])
        sys.modules.setdefault(name, types.ModuleType(name))
    member.__module__, member.__qualname__, member.__name__ = module_name, member_name, member_name
    setattr(sys.modules[module_name], member_name, member)
    return member


def legacy_vocabulary(with_default):
    """torchtext's Vocab up to 0.8: a plain object of `freqs`, `itos`, `stoi` and `vectors`. The older releases store
    `stoi` as a defaultdict with a function of theirs (`with_default`), the later ones as a dict beside `unk_index`."""
    vocabulary = fake("torchtext.vocab", "Vocab", type("Vocab", (), {}))()
    words = {word: i for i, word in enumerate(WORDS)}
    vocabulary.freqs = Counter({word: 40 - i for i, word in enumerate(WORDS[4:])})
    vocabulary.itos = list(WORDS)
    if with_default:
        vocabulary.stoi = defaultdict(fake("torchtext.vocab", "_default_unk_index", lambda: 0), words)
    else:
        vocabulary.unk_index, vocabulary.stoi = 0, words
    vocabulary.vectors = None
    return vocabulary


def module_vocabulary():
    """torchtext's Vocab since 0.10: an nn.Module without parameters whose `vocab` is a C++ object. That one's state is
    (version of the layout, [default index], words in order, [])."""
    state = ("0.0.2", [0], list(WORDS), [])
    methods = {"__getstate__": lambda self: state, "__setstate__": lambda self, given: None}
    inner = fake("torchtext._torchtext", "Vocab", type("Vocab", (), methods))()
    outer = fake("torchtext.vocab.vocab", "Vocab", type("Vocab", (torch.nn.Module,), {}))()
    outer.vocab = inner
    return outer


def main():
    HERE.mkdir(exist_ok=True)
    (HERE / "vocabulary.txt").write_text("".join(word + "\n" for word in WORDS), encoding="utf-8")
    entries = [{"text": text, "basic_english": basic_english(text), "basic_english_ids": ids_of(basic_english(text)),
                "white_space": white_space(text), "white_space_ids": ids_of(white_space(text))} for text in TEXTS]
    (HERE / "split.json").write_text("[\n  " + ",\n  ".join(map(json.dumps, entries)) + "\n]\n")
    torch.save(legacy_vocabulary(with_default=False), HERE / "vocab.pt")
    torch.save(legacy_vocabulary(with_default=True), HERE / "vocab-default.pt")
    source = legacy_vocabulary(with_default=False)
    target = copy.deepcopy(source)
    target.itos = WORDS[:4] + WORDS[:3:-1]
    target.stoi = {word: i for i, word in enumerate(target.itos)}
    torch.save((source, target), HERE / "vocab-pair.pt")
    torch.save(module_vocabulary(), HERE / "vocab-module.pt")


if __name__ == "__main__":
    main()
