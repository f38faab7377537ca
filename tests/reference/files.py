"""Reading a model folder and writing traces, with no code in common with what is tested."""

import json
import struct
from pathlib import Path

import numpy as np
import torch

SAFETENSORS_TYPES = {"F64": np.float64, "F32": np.float32, "F16": np.float16, "I64": np.int64}


def read_safetensors(path):
    """Name -> tensor: a little-endian u64 length, that many bytes of JSON, then the tensors' bytes."""
    data = Path(path).read_bytes()
    (length,) = struct.unpack_from("<Q", data)
    header = json.loads(data[8 : 8 + length])
    state = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        array = np.frombuffer(data[begin:end], SAFETENSORS_TYPES[entry["dtype"]]).reshape(entry["shape"])
        state[name] = torch.from_numpy(array.astype(np.float32) if array.dtype == np.float16 else array.copy())
    for name, kept in header.get("__metadata__", {}).items():
        if kept in state:  # tied: stored once
            state[name] = state[kept]
    return state


# What the configurations of annotated_train.py and of Headscope call the same.
OUR_KEYS = {"layers": "encoder_layers", "pe_base": "position_base", "pad": "pad_id", "bos": "start_id", "eos": "end_id"}
OUR_DEFAULTS = {"layer_norm": "annotated", "pe_base": 10000, "source_prefix": []}


def read_model_folder(folder):
    """The state dict and the configuration of a folder with `model.safetensors` or `model.pt`."""
    folder = Path(folder)
    stored = folder / "model.safetensors"
    state = read_safetensors(stored) if stored.exists() else torch.load(folder / "model.pt", map_location="cpu")
    config = json.loads((folder / "config.json").read_text())
    ours = {key: config[name] for key, name in OUR_KEYS.items() if name in config}
    return state, {**OUR_DEFAULTS, **config, **ours}


def plain_arrays(arrays):
    """Tensors as NumPy arrays of the types that a trace has: float32, int64 and bool."""
    plain = {}
    for name, value in arrays.items():
        array = np.asarray(value)
        plain[name] = array.astype(np.float32) if array.dtype == np.float64 else array
    return plain


def write_trace(path, arrays):
    np.savez_compressed(path, **plain_arrays(arrays))
