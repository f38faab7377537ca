#!/usr/bin/env python3
"""What the Python package records of models of transformers, beside what Headscope itself computes: models_test.py PROGRAMS

Runs with the first Python that HEADSCOPE_TEST_PYTHON names, which has transformers.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
FOLDERS = ROOT / "tests/reference/hugging-face"
SOURCE = [5, 6, 7, 8, 9, 10, 11]
TARGET = [12, 13, 14]
LIMIT = 1e-5
KINDS = ("encoder_self", "decoder_self", "cross")

python = os.environ.get("HEADSCOPE_TEST_PYTHON", "").split(":")[0]
if python and Path(python) != Path(sys.executable):
    os.execv(python, [python, "-B", *sys.argv])
try:
    import transformers
except ImportError as error:
    print(f"skipped: {error}; HEADSCOPE_TEST_PYTHON names a Python that has it")
    sys.exit(77)
import numpy as np

sys.path.insert(0, str(ROOT / "resources/python"))
import headscope

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()
programs = Path(sys.argv[1])
wanted = sys.argv[2:]


def of_headscope(folder, path, *options):
    ids = ",".join(map(str, SOURCE))
    said = subprocess.run([programs / "headscope-cli", "trace", folder, "--source-ids", ids, "--out", path, *options],
                          capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    return np.load(path)


def compare(made, arrays):
    for kind in KINDS:
        name = f"{kind}/weights"
        assert (name in made.arrays) == (name in arrays.files), (name, sorted(made.arrays), arrays.files)
        if name not in arrays.files:
            continue
        assert made.arrays[name].shape == arrays[name].shape, (name, made.arrays[name].shape, arrays[name].shape)
        far = np.abs(made.arrays[name] - arrays[name]).max()
        assert far <= LIMIT, (name, far)
        masks = [np.broadcast_to(of[f"{kind}/mask"], (of[name].shape[0], *of[name].shape[2:])) for of in (made.arrays, arrays)]
        assert (masks[0] == masks[1]).all(), f"{kind}/mask"
    for name in ("target_ids", "next_ids"):
        if name in arrays.files:
            assert made.arrays[name].tolist() == arrays[name].tolist(), (name, made.arrays[name], arrays[name])
    for name in ("class_log_probabilities", "numbers", "span_log_probabilities"):
        assert (name in made.arrays) == (name in arrays.files), (name, sorted(made.arrays), arrays.files)
        if name in arrays.files:
            assert np.abs(np.asarray(made.arrays[name]) - arrays[name]).max() <= LIMIT, name


compared, differ = 0, []
with tempfile.TemporaryDirectory() as scratch:
    for folder in sorted(FOLDERS.iterdir()):
        config = folder / "config.json"
        if not config.exists() or (wanted and folder.name not in wanted):
            continue
        if json.loads(config.read_text()).get("tie_encoder_decoder"):  # transformers 5 leaves the other stack random when it loads them
            continue
        architecture = json.loads(config.read_text()).get("architectures", [None])[0]
        if not hasattr(transformers, str(architecture)) or "MultipleChoice" in architecture:  # which read several texts at once
            continue
        writes = re.search(r"CausalLM|LMHead|ForCondit|MTModel|EncoderDecoder", architecture) is not None
        reads = json.loads(config.read_text()).get("is_encoder_decoder") and writes
        asked = {"target": TARGET} if reads else {"new_tokens": 4} if writes else {}
        # These cannot be switched, and narrow experts need the plain loops.
        given = {"attn_implementation": "eager"} if "falcon" in folder.name else {"experts_implementation": "eager"} if re.search(
            "mixtral|moe", folder.name) else {}
        try:
            model = getattr(transformers, architecture).from_pretrained(folder, **given)
            before = model.config._attn_implementation
            made = headscope.record(model, None, SOURCE, **asked)
            assert model.config._attn_implementation == before
            target = ",".join(map(str, made.arrays.get("target_ids", [])))
            options = ["--target-ids", target] if reads else ["--max-length", "4"] if writes else []
            arrays = of_headscope(folder, f"{scratch}/x.npz", *options)
            compare(made, arrays)
            read = subprocess.run([programs / "headscope-cli", "info", made.save(f"{scratch}/y.safetensors")], capture_output=True, text=True)
            assert read.returncode == 0 and "failed" not in read.stdout, read.stdout + read.stderr
            if limit := headscope.transformers_models.positions_of(model.get_encoder() if reads else model):
                read = json.loads(subprocess.run([programs / "headscope-cli", "info", "--json", folder], capture_output=True).stdout)
                assert read["maximum_positions"] == limit, (read["maximum_positions"], limit)
                try:
                    headscope.record(model, None, [5] * (limit + 1))
                    raise AssertionError("a text without positions is recorded")
                except ValueError as refusal:
                    assert f"at most {limit} tokens" in str(refusal), refusal
        except Exception as error:
            print(f"{folder.name} ({architecture}) differs: {type(error).__name__} {error}")
            differ.append(folder.name)
            continue
        compared += 1
print(f"{compared} models agree")
sys.exit(bool(differ))
