#!/usr/bin/env python3
"""Makes the traces of older forms in `traces/` from the newest form, by taking away what was not written then:

    tests/reference/make_older_traces.py

Run it after a change of the format only to add the form of that time: files that are there stay as they are.
"""

import json
import pathlib
import struct

FOLDER = pathlib.Path(__file__).parent / "traces"


def read(path):
    data = path.read_bytes()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    words = json.loads(header.pop("__metadata__")["tokens.json"])
    return words, {name: (entry, data[8 + length :][slice(*entry["data_offsets"])]) for name, entry in header.items()}


def write(path, words, arrays):
    header, data = {"__metadata__": {"tokens.json": json.dumps(words, indent=2)}}, b""
    for name, (entry, content) in arrays.items():
        header[name] = {**entry, "data_offsets": [len(data), len(data) + len(content)]}
        data += content
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    if not path.exists():
        path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def without(words, arrays, keys, model_keys, beginnings):
    words = {key: value for key, value in words.items() if key not in keys}
    words["model"] = {key: value for key, value in words["model"].items() if key not in model_keys}
    return words, {name: array for name, array in arrays.items() if not name.startswith(beginnings)}


words, arrays = read(FOLDER / "everything.safetensors")
# The shown path was named in the tree; the token that runs are compared with was not written.
words["tree"]["shown"] = len(words["tree"]["paths"]) - 1
for run in [words, *words.get("beside", [])]:
    run.pop("contrast", None)
    run["self_check"].pop("kernels", None)
trees = without(words, arrays, set(), {"decoder_d_ff", "decoder_d_k", "further_end_ids", "mask_id"}, ("lens/leads",))
write(FOLDER / "trees.safetensors", *trees)
analyses = without(*trees, {"tree", "flow", "beside"}, set(), ("flow/", "beside/"))
write(FOLDER / "analyses.safetensors", *analyses)
runs = without(*analyses, {"path_ranks", "lens", "importance"}, {"d_k", "position_kind"},
               ("lens/", "importance/", "attribution/", "positions/source_table", "positions/target_table"))
runs = (runs[0], {name: array for name, array in runs[1].items()
                  if name.split("/")[-1] not in {"score_terms", "norm_weighted", "rollout", "contributions", "gradient"}})
write(FOLDER / "runs.safetensors", *runs)
