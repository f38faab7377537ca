"""Prints one line a family: how far Headscope is from the recordings, and how many sentences get the original's ids.

    python3 tests/reference/table.py CLI [--sentences FILE ...]

Distances are the largest of all maps (weights and scores) and of the log-probabilities, over every recording of the
folder. `share` is that of the limit, which is four times PyTorch's own float32 (README.md). SENTENCES are text or tab-separated files, gzipped or
not; every column is read. Tokenizers are compared with `sentencepiece` and, for Marian folders, with `transformers`'
MarianTokenizer, where these can be imported.
"""

import argparse
import gzip
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from compare import found_by_cli, is_compared, largest_distance, limit_of, select

HERE = Path(__file__).resolve().parent


class Largest:
    def __init__(self):
        self.distance, self.share = 0.0, 0.0

    def add(self, found, recorded, limit):
        distance = largest_distance(found, recorded)
        share = distance / limit if limit else float(distance > 0)
        # Written so that a NaN stays.
        self.distance = self.distance if distance <= self.distance else distance
        self.share = self.share if share <= self.share else share

    def __str__(self):
        return f"{self.distance:8.1e} {self.share:8.2f}"


def differences(cli, folder):
    """Largest difference of maps, of log-probabilities, of all else; whether masks and ids are equal."""
    maps, log_probabilities, rest, equal = Largest(), Largest(), Largest(), True
    changes = folder / "changes.json"
    options_of = json.loads(changes.read_text()) if changes.exists() else {}
    for path in sorted(folder.glob("trace*.npz")):
        with np.load(path) as stored:
            reference = dict(stored)
        with tempfile.TemporaryDirectory() as scratch:
            found = found_by_cli(cli, str(folder), reference, folder / "embeddings.npy", Path(scratch) / "trace.npz",
                                 options_of.get(path.stem.removeprefix("trace-"), ()))
        select(found, reference)
        for name, recorded in reference.items():
            if not is_compared(name):
                continue
            limit = limit_of(name, reference) if recorded.dtype == np.float32 else 0
            if recorded.dtype != np.float32:
                equal = equal and np.array_equal(found.get(name), recorded)
            elif name.endswith(("/weights", "/scores")):
                maps.add(found[name], recorded, limit)
            elif "log_probabilities" in name:
                log_probabilities.add(found[name], recorded, limit)
            else:
                rest.add(found[name], recorded, limit)
    return maps, log_probabilities, rest, equal


def read_sentences(paths):
    sentences = {}
    for path in paths:
        with gzip.open(path, "rt") if path.endswith(".gz") else open(path) as lines:
            for line in lines:
                sentences.update(dict.fromkeys(column for column in line.rstrip("\n").split("\t") if column.strip()))
    return list(sentences)


def original_of(folder):
    """sentence -> ids as the original program makes them; nothing where it cannot be had."""
    if (folder / "vocab.json").exists():
        try:
            from transformers import MarianTokenizer
        except ImportError:
            return None
        tokenizer = MarianTokenizer.from_pretrained(folder)
        return lambda sentence: tokenizer(sentence)["input_ids"]
    if (folder / "spm.model").exists():
        try:
            from sentencepiece import SentencePieceProcessor
        except ImportError:
            return None
        pieces = SentencePieceProcessor(model_file=str(folder / "spm.model"))
        config = json.loads((folder / "config.json").read_text())
        return lambda s: config["source_prefix"] + pieces.encode(s) + config["source_suffix"]
    return None


def agreement(cli, folder, sentences):
    original = original_of(folder) if sentences else None
    if original is None:
        return "-"
    command = [cli, "translate", str(folder), "--json", "--quiet", "--beam", "1", "--max-length", "1"]
    result = subprocess.run(command, input="\n".join(sentences) + "\n", text=True, capture_output=True)
    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(lines) == len(sentences), "one line out for every line in"
    # A sentence that is longer than the model's positions is refused, and has no ids to compare.
    pairs = [(line["source_ids"], original(s)) for line, s in zip(lines, sentences) if line["source_ids"]]
    same = sum(ours == theirs for ours, theirs in pairs)
    refused = len(sentences) - len(pairs)
    return f"{same} of {len(pairs)}" + (f" ({refused} too long)" if refused else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("--sentences", nargs="+", default=[])
    arguments = parser.parse_args()
    sentences = read_sentences(arguments.sentences)
    print(f"{'':42}{'maps':>17}   {'log-probabilities':>17}   {'all else':>17}")
    print(f"{'recorded model':42}" + "   ".join([f"{'distance':>8} {'share':>8}"] * 3) + "  equal  tokenizer")
    good = True
    folders = [*HERE.iterdir(), *(HERE / "hugging-face").iterdir()]
    for folder in sorted(path for path in folders if (path / "trace.npz").exists()):
        *found, equal = differences(arguments.cli, folder)
        good = good and equal and all(part.share <= 1 for part in found)
        print(f"{folder.name:42}" + "   ".join(map(str, found)) + f"  {'yes' if equal else 'NO':5}  "
              + agreement(arguments.cli, folder, sentences), flush=True)
    bundled = HERE.parent.parent / "resources" / "models" / "tatoeba-en-de"
    print(f"{'bundled tokenizer':42}{'':57}  {'':5}  {agreement(arguments.cli, bundled, sentences)}")
    print("PASS" if good else "FAIL")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
