"""Writes each folder `hugging-face/*` in every form in which folders are found, and compares what Headscope computes.

    python tests/reference/folder_forms.py CLI [FOLDER ...]

Forms: as the installed `transformers` saves it again (4 and 5 write different configurations), as `.bin`, in shards of both
kinds, without the prefix of the base model, with tied tensors stored twice, in float16 and in bfloat16. Weights and
log-probabilities must be those that were recorded or, in 16 bits, those of the rounded numbers in float32.
Needs `transformers` and its PyTorch. Ends with 1 if anything is further from the recording than its limit (README.md).
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

import numpy as np
import torch
import transformers
from safetensors.torch import load_file, save_file

from compare import found_by_cli, is_compared, largest_distance, limit_of, select

HERE = Path(__file__).resolve().parent / "hugging-face"


def largest_share(cli, folder, reference):
    """Of the limit; more than 1 is too far."""
    with tempfile.TemporaryDirectory() as scratch:
        found = found_by_cli(cli, str(folder), reference, None, Path(scratch) / "trace.npz")
    select(found, reference)
    worst = 0.0
    for name, recorded in reference.items():
        if not is_compared(name) or name not in found:
            continue
        if recorded.dtype.kind != "f":
            worst = worst if np.array_equal(found[name], recorded) else np.inf
        else:
            worst = np.fmax(worst, largest_distance(found[name], recorded) / limit_of(name, reference))
    return worst, found


def beside(folder, out):
    """Copies everything but the weights."""
    out.mkdir()
    for path in folder.iterdir():
        if path.suffix not in (".safetensors", ".npz"):
            shutil.copy(path, out)
    return out


def write(tensors, out, binary=False, shards=1):
    names = sorted(tensors)
    suffix = "bin" if binary else "safetensors"
    stem = "pytorch_model" if binary else "model"
    save = torch.save if binary else lambda part, path: save_file(part, path, metadata={"format": "pt"})
    if shards == 1:
        save(dict(tensors), out / f"{stem}.{suffix}")
        return
    files = {}
    for shard in range(shards):
        name = f"{stem}-{shard + 1:05}-of-{shards:05}.{suffix}"
        part = {key: tensors[key] for key in names[shard::shards]}
        save(part, out / name)
        files.update(dict.fromkeys(part, name))
    (out / f"{stem}.{suffix}.index.json").write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": files}))


def model_class(folder):
    return getattr(transformers, json.loads((folder / "config.json").read_text())["architectures"][0])


def check(cli, folder, scratch):
    with np.load(folder / "trace.npz") as stored:
        reference = dict(stored)
    tensors = load_file(folder / "model.safetensors")
    results = {"as it is": largest_share(cli, folder, reference)[0]}

    def form(name, make, reference=reference):
        out = beside(folder, scratch / f"{folder.name}-{len(results)}")
        make(out)
        try:
            results[name], found = largest_share(cli, out, reference)
            return found
        except Exception as error:  # the program's own words are on the screen
            results[name] = np.inf
            print(folder.name, name, error, file=sys.stderr)

    try:
        model = model_class(folder).from_pretrained(folder)
    except ValueError:  # a folder in a form that this version does not read
        model = None

    def again(out):
        shutil.rmtree(out)
        model.save_pretrained(out)
        for path in folder.glob("*token*"):
            shutil.copy(path, out)

    if model:
        form("saved again", again)
    form(".bin", lambda out: write(tensors, out, binary=True))
    form("shards", lambda out: write(tensors, out, shards=3))
    form(".bin shards", lambda out: write(tensors, out, binary=True, shards=2))
    if model:
        prefix = model.base_model_prefix + "."
        bare = {key.removeprefix(prefix): value for key, value in tensors.items()}
        if prefix != "." and bare.keys() != tensors.keys():
            form("no prefix", lambda out: write(bare, out))
        whole = {key: value.detach().clone() for key, value in model.state_dict().items()}
        if whole.keys() != tensors.keys():
            form("tied twice", lambda out: write({**whole, **tensors}, out))
    for name, kind in (("float16", torch.float16), ("bfloat16", torch.bfloat16)):
        rounded = {key: value.to(kind) if value.is_floating_point() else value for key, value in tensors.items()}
        wide = beside(folder, scratch / f"{folder.name}-{name}-wide")
        write({key: value.float() if value.is_floating_point() else value for key, value in rounded.items()}, wide)
        _, of_wide = largest_share(cli, wide, reference)
        again = {key: of_wide[key] for key in reference if key in of_wide}
        form(name, lambda out: write(rounded, out), {**reference, **again})
    return results


def main():
    cli, *names = sys.argv[1:]
    folders = [HERE / name for name in names] or sorted(path for path in HERE.iterdir() if (path / "trace.npz").exists())
    print("transformers", transformers.__version__)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders:
            results = check(cli, folder, Path(scratch))
            worst = max(results.values())
            failed += not worst <= 1
            print(f"{folder.name:28} {worst:8.2f} {'PASS' if worst <= 1 else 'FAIL'}  "
                  + (", ".join(f"{name} {value:.2f}" for name, value in results.items()) if not worst <= 1
                     else f"{len(results)} forms"), flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
