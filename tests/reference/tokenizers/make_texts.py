#!/usr/bin/env python3
"""Makes a corpus for make.py and 10,000 other texts for compare.py.

make_texts.py DATA OUT: DATA has tatoeba-en-de, tatoeba-en-fr and multi30k-en-de, OUT gets train.txt and texts.jsonl.
"""

import gzip
import itertools
import json
import os
import random
import sys

from texts import ALPHABETS, generated


def column(path, index, first, count):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t")[index] for line in itertools.islice(file, first, first + count)]


def texts(data, count, seed, first):
    """English, German and French of people, and generated Cyrillic, CJK, Arabic and Thai."""
    german, french, captions = (os.path.join(data, name, "train.tsv.gz")
                                for name in ("tatoeba-en-de", "tatoeba-en-fr", "multi30k-en-de"))
    return (column(german, 0, first, count) + column(german, 1, first, count) + column(french, 1, first, count)
            + column(captions, 1, first // 10, count // 2)
            + [text for alphabet in ALPHABETS for text in generated(alphabet, count // 2, seed)])


def main():
    data, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    with open(os.path.join(out, "train.txt"), "w", encoding="utf-8") as file:
        file.write("".join(text + "\n" for text in texts(data, 4000, 1, 0) if text.strip()))
    compared = texts(data, 2000, 2, 100_000)
    random.Random(5).shuffle(compared)
    with open(os.path.join(out, "texts.jsonl"), "w", encoding="utf-8") as file:
        file.write("".join(json.dumps(text, ensure_ascii=False) + "\n" for text in compared[:10_000]))
    print(len(compared[:10_000]), "texts")


if __name__ == "__main__":
    main()
