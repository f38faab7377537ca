"""Compares beam search of `headscope-cli translate` with `beam_search.py` on a model folder of the Annotated family.

    python3 tests/reference/compare_beams.py CLI MODEL_FOLDER SENTENCES [--beam 4] [--length-penalty 0] [--count 200]

SENTENCES has one source a line; of a tab-separated file the first column. The independent search makes whole passes in
float64, every hypothesis by itself. Ends with 1 if a best hypothesis differs or a score by more than 1e-4.
"""

import argparse
import gzip
import json
import subprocess
import sys
from pathlib import Path

import torch
from sentencepiece import SentencePieceProcessor

from annotated_transformer import annotated_transformer
from beam_search import beam_search
from files import read_model_folder

LONGEST, TOLERANCE = 60, 1e-4


def sentences(path, count):
    opened = gzip.open(path, "rt") if path.endswith(".gz") else open(path)
    with opened as lines:
        distinct = dict.fromkeys(line.rstrip("\n").split("\t")[0] for line in lines)
    return list(distinct)[:count]


def found_by_cli(options, texts):
    command = [options.cli, "translate", options.model, "--json", "--quiet", "--beam", str(options.beam),
               "--length-penalty", str(options.length_penalty), "--max-length", str(LONGEST)]
    result = subprocess.run(command, input="\n".join(texts), text=True, capture_output=True, check=True)
    return [json.loads(line) for line in result.stdout.splitlines()]


def main(options):
    state, config = read_model_folder(options.model)
    model = annotated_transformer(state, config)
    pieces = SentencePieceProcessor(model_file=str(Path(options.model) / "spm.model"))
    texts = sentences(options.sentences, options.count)
    found = found_by_cli(options, texts)
    different, largest = 0, 0.0
    for text, line in zip(texts, found):
        source = config["source_prefix"] + pieces.encode(text) + config["source_suffix"]
        score, _, tokens = beam_search(model, source, config["bos"], config["eos"], LONGEST, options.beam,
                                       options.length_penalty)[0]
        difference = abs(score - line["score"])
        largest = max(largest, difference)
        if tokens != line["ids"] or difference > TOLERANCE:
            different += 1
            print(f"{text}\n  expected {tokens} {score:.6f}\n  found    {line['ids']} {line['score']:.6f}")
    print(f"{len(texts)} sentences, beam {options.beam}, length penalty {options.length_penalty}: {different} differ,"
          f" largest difference of a score {largest:.1e}")
    return 1 if different else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("model")
    parser.add_argument("sentences")
    parser.add_argument("--beam", type=int, default=4)
    parser.add_argument("--length-penalty", type=float, default=0)
    parser.add_argument("--count", type=int, default=200)
    with torch.no_grad():
        sys.exit(main(parser.parse_args()))
