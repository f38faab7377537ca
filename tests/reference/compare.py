"""Compares what `headscope-cli trace` writes with recorded traces, array by array.

    python3 tests/reference/compare.py CLI MODEL REFERENCE.npz ...

A recording without source ids is of the vectors in `embeddings.npy` beside it, one without target ids of an encoder alone;
what was changed in the model stands in `what-if.json` beside it.
Accepted: no array is further from float64 than four times PyTorch's own float32, which is recorded with it (README.md). Token ids
and masks must be equal.
Needs NumPy only. Ends with 1 if anything differs more.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

LAYERED = ("encoder_self/", "decoder_self/", "cross/", "encoder/", "decoder/")  # first dimension: layer or sublayer
HOW_TO_FEED = ("padding", "candidate_ids")  # recorded to say what to ask for and to look at
FLOAT32 = "float32/"  # how far PyTorch's float32 is from an array


def joined(values):
    return ",".join(str(value) for value in values)


def fed(side, reference, padding):
    """The options for the recorded ids. The padding that a recording ends with is asked for, not typed."""
    ids = reference.get(f"{side}_ids")
    if ids is None:
        return []
    return [f"--{side}-ids", joined(ids[: len(ids) - padding]), f"--pad-{side}", str(padding)]


def segments(reference, padding):
    """The options for the recorded segments, which padding has none of."""
    values = reference.get("source_segments")
    return [] if values is None else ["--source-segments", joined(values[: len(values) - padding])]


def what_if(path):
    """The options of the changes that a recording was made with."""
    changes = Path(path).with_name("what-if.json")
    return json.loads(changes.read_text())[Path(path).stem] if changes.exists() else []


def found_by_cli(cli, model, reference, embeddings, out, options=()):
    pad_source, pad_target = reference.get("padding", (0, 0))
    source = fed("source", reference, pad_source) or ["--source-embeddings", str(embeddings)]
    source += segments(reference, pad_source)
    command = [cli, "trace", model, *source, *fed("target", reference, pad_target), "--qkv", "--residual", "--hidden",
               "--log-probabilities", *(["--experts"] if "experts/chosen" in reference else []), *options,
               "--quiet", "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with np.load(out) as trace:
        return {name: trace[name] for name in trace.files if not name.endswith(".json")}


def select(found, reference):
    """Adds what is recorded for some tokens only, taken from the whole distributions."""
    distributions = found.get("log_probabilities")
    if distributions is None or len(distributions) != len(reference.get("next_ids", ())):
        return
    if "chosen_log_probabilities" in reference:
        chosen = reference["next_ids"][:, None]
        found["chosen_log_probabilities"] = np.take_along_axis(distributions, chosen, 1)[:, 0]
    if "candidate_ids" in reference:
        candidates = reference["candidate_ids"]
        found["candidate_log_probabilities"] = np.take_along_axis(distributions, candidates, 1)


def is_compared(name):
    return name not in HOW_TO_FEED and not name.startswith(FLOAT32)


def limit_of(name, reference):
    """Four times PyTorch's float32, and the rounding of what is stored in float32."""
    return 4 * float(reference[FLOAT32 + name][0]) + 2.0**-24 * float(np.abs(reference[name]).max())


def largest_distance(found, recorded):
    return np.abs(found.astype(np.float64) - recorded).max()


def compare_array(name, found, recorded, limit):
    """Prints a line a layer; says whether all is well."""
    if found is None:
        print(f"  {name:32} {'missing':>21}  FAIL")
        return False
    if found.shape != recorded.shape:
        print(f"  {name:32} shape {found.shape}, recorded {recorded.shape}  FAIL")
        return False
    if recorded.dtype != np.float32:
        equal = np.array_equal(found, recorded)
        print(f"  {name:32} {'equal' if equal else 'different':>21}  {'PASS' if equal else 'FAIL'}")
        return equal
    passed = True
    layered = recorded.ndim > 2 and name.startswith(LAYERED)
    for layer in range(len(recorded)) if layered else [...]:
        label = f"{name} {layer}" if layered else name
        distance = largest_distance(found[layer], recorded[layer])
        good = bool(distance <= limit)  # a NaN is not
        print(f"  {label:32} {distance:10.2e} {limit:10.2e}  {'PASS' if good else 'FAIL'}")
        passed = passed and good
    return passed


def compare_file(cli, model, path):
    with np.load(path) as stored:
        reference = dict(stored)
    with tempfile.TemporaryDirectory() as folder:
        found = found_by_cli(cli, model, reference, Path(path).with_name("embeddings.npy"),
                             Path(folder) / "trace.npz", what_if(path))
    select(found, reference)
    print(f"{path}\n  {'array, layer':32} {'distance':>10} {'limit':>10}")
    results = [compare_array(name, found.get(name), recorded,
                             limit_of(name, reference) if recorded.dtype == np.float32 else 0)
               for name, recorded in reference.items() if is_compared(name)]
    return all(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cli")
    parser.add_argument("model")
    parser.add_argument("references", nargs="+", metavar="REFERENCE.npz")
    arguments = parser.parse_args()
    results = [compare_file(arguments.cli, arguments.model, path) for path in arguments.references]
    print(f"{sum(results)} of {len(results)} recordings agree: {'PASS' if all(results) else 'FAIL'}")
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
