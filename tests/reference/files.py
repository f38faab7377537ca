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


def float32_distances(arrays, single):
    """How far what was computed in float32 is from float64: `float32/NAME` -> the largest distance in that array."""
    distances = {}
    for name, value in arrays.items():
        array = np.asarray(value)
        if array.dtype == np.float64:
            other = np.asarray(single[name])
            assert other.dtype == np.float32 and other.shape == array.shape, name
            assert np.array_equal(np.isnan(other), np.isnan(array)), name
            distances["float32/" + name] = np.array([np.nanmax(np.abs(array - other))])
    return distances


def write_trace(path, arrays, single):
    """`arrays` are computed in float64, `single` are the same in float32; only their distance is written. Every set of
    instructions rounds differently: where the file holds the same array with a larger distance, that stays."""
    plain, distances = plain_arrays(arrays), float32_distances(arrays, single)
    if Path(path).exists():
        with np.load(path) as before:
            same = lambda name: name in before and np.array_equal(before[name], plain[name], equal_nan=True)
            distances = {name: np.maximum(distance, before[name]) if same(name.removeprefix("float32/")) else distance
                         for name, distance in distances.items()}
    np.savez_compressed(path, **plain, **distances)
