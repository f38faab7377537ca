#!/usr/bin/env python3
"""Compares ids, token types and decoded text with transformers.

compare.py TOKENIZE_TEXTS TEXTS FOLDER ...
TEXTS has a text a line, as JSON strings; the texts of texts.py are added. With pairs of neighbours, too.
"""

import argparse
import json
import subprocess
import time

import transformers

from texts import NASTY, SENTENCES


def read(program, folder, texts):
    begin = time.time()
    done = subprocess.run([program, folder], input=json.dumps(texts), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{folder}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.split("\n")[:-1]], time.time() - begin


def character_ranges(text, ranges):
    """Of byte ranges; nothing where there is none."""
    at = {len(text[:i].encode()): i for i in range(len(text) + 1)}
    return [pair and [at.get(pair[0]), at.get(pair[1])] for pair in ranges]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("texts")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    parser.add_argument("--show", type=int, default=3)
    given = parser.parse_args()
    with open(given.texts, encoding="utf-8") as file:
        texts = [json.loads(line) for line in file] + NASTY + SENTENCES
    pairs = [[a, b] for a, b in zip(texts[::50], texts[1::50])]
    failed = False
    for folder in given.folders:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        found, seconds = read(given.program, folder, texts + pairs)
        wrong, ranges, same = [], 0, 0
        for text, mine in zip(texts + pairs, found):
            theirs = tokenizer(*text) if isinstance(text, list) else tokenizer(text)
            ids = theirs["input_ids"]
            decoded = tokenizer.decode(ids, skip_special_tokens=True)
            if mine["ids"] != ids:
                wrong.append((text, "ids", mine["ids"], ids))
            elif mine["decoded"] != decoded:
                wrong.append((text, "text", mine["decoded"], decoded))
            elif "token_type_ids" in theirs and mine["segments"] != theirs["token_type_ids"]:
                wrong.append((text, "types", mine["segments"], theirs["token_type_ids"]))
            elif isinstance(text, str) and tokenizer.is_fast:
                theirs = tokenizer(text, return_offsets_mapping=True)["offset_mapping"]
                for one, other in zip(character_ranges(text, mine["ranges"]), theirs):
                    if one:
                        ranges += 1
                        same += one == list(other)
        failed |= bool(wrong)
        print(f"{folder}: {len(found) - len(wrong)} of {len(found)} equal, {seconds:.1f} s, "
              f"ranges {same} of {ranges} equal", flush=True)
        for text, what, mine, theirs in wrong[: given.show]:
            print(f"  {what} of {text!r:.200}\n    {mine!r:.300}\n    {theirs!r:.300}")
    raise SystemExit(failed)


if __name__ == "__main__":
    main()
