"""A recording: what one run of a model computed, as a file that Headscope opens without the model."""

import json
import os
import struct
import tempfile
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Dict, Mapping, Optional, Sequence, Set, Union

import numpy as np

from .arrays import as_numpy, is_bfloat16, stacked, texts
from .tokens import spelled_roles
from .window import open_window

KINDS = {"encoder": "encoder_self", "decoder": "decoder_self", "cross": "cross"}
TYPES = {"float64": "F64", "float32": "F32", "float16": "F16", "int64": "I64", "bool": "BOOL"}


@dataclass
class Recording:
    """The arrays of a run, and its tokens and all else in `words` (tokens.json), both as traces.md of the manual describes them.

    `bfloat16` names arrays, float32 here, that are of this type in a .safetensors file: Headscope then allows for its rounding.
    """

    arrays: Dict[str, np.ndarray] = field(default_factory=dict)
    words: Dict[str, Any] = field(default_factory=dict)
    bfloat16: Set[str] = field(default_factory=set)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> Path:
        """Writes a .safetensors or .npz file, which replaces an older one only when it is complete."""
        path = Path(path)
        if path.suffix not in (".safetensors", ".npz"):
            raise ValueError(f"{path}: expected a name that ends in .safetensors or .npz, found {path.suffix or 'no ending'}")
        handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                if path.suffix == ".npz":
                    write_npz(file, self.arrays, json.dumps(self.words))
                else:
                    write_safetensors(file, self.arrays, json.dumps(self.words), self.bfloat16)
            os.chmod(unfinished, 0o666 & ~current_umask())
            os.replace(unfinished, path)
        except BaseException:
            os.unlink(unfinished)
            raise
        return path

    def show(self, path: Union[str, "os.PathLike[str]", None] = None) -> Path:
        """Writes the recording, by default to a temporary file, and opens it in Headscope's window."""
        if path is None:
            name = str(self.words.get("model", {}).get("name") or "recording").replace(os.sep, "-")
            path = Path(tempfile.mkdtemp(prefix="headscope-")) / f"{name}.safetensors"
        return open_window(self.save(path))

    def __repr__(self) -> str:
        of = [f"{kind}: {array.shape[0]} layers of {array.shape[1]} heads, {array.shape[2]} x {array.shape[3]}"
              for kind in KINDS.values() for array in [self.arrays.get(f"{kind}/weights")] if array is not None]
        return f"<Recording: {'; '.join(of)}>"


def recording(*, encoder: Any = None, decoder: Any = None, cross: Any = None, source: Optional[Sequence[str]] = None,
              target: Optional[Sequence[str]] = None, next: Optional[Sequence[str]] = None, masks: Optional[Mapping[str, Any]] = None,
              second_text: Optional[int] = None, name: Optional[str] = None, arrays: Optional[Mapping[str, Any]] = None,
              words: Optional[Mapping[str, Any]] = None) -> Recording:
    """Returns a recording of weights that another program computed.

    `encoder`, `decoder` (its self-attention) and `cross` are weights after the softmax: [layers, heads, queries, keys], or a list
    with [heads, queries, keys] or [1, heads, queries, keys] per layer. One of them is enough. `source` are the encoder's tokens,
    `target` those that were fed to the decoder, and `next` those that each row chose.

    Tokens that are spelled as usual, such as [CLS] and </s>, are special ones, unless `words` has "roles".

    `masks` has, for "encoder", "decoder" or "cross", true where a query may attend: [queries, keys] or [layers, queries, keys].
    `second_text` is the index of the source token with which the second of two texts begins. `name` is the model's.
    `arrays` and `words` are further arrays and keys of tokens.json, by the names in traces.md of the manual.
    """
    tokens = {key: texts(value, key) for key, value in (("source", source), ("target", target), ("next", next)) if value is not None}
    spelled = {key: spelled_roles(value, begins_decoder=key == "target") for key, value in tokens.items()}
    roles = {key: value for key, value in spelled.items() if set(value) != {"text"}}
    made = Recording(words={**tokens, **({"roles": roles} if roles else {}), **(words or {})})
    if name:
        made.words["model"] = {"name": str(name), **made.words.get("model", {})}
    given = {"encoder": (encoder, "source", "source"), "decoder": (decoder, "target", "target"), "cross": (cross, "target", "source")}
    for kind, (weights, queries, keys) in given.items():
        if weights is None:
            continue
        stack = stacked(weights, kind)
        for axis, side in ((2, queries), (3, keys)):
            if side not in tokens:
                raise ValueError(f"{side}: expected the tokens of the {('queries', 'keys')[axis - 2]} of {kind}, found none")
            if len(tokens[side]) != stack.shape[axis]:
                raise ValueError(
                    f"{kind}: expected {len(tokens[queries])} queries and {len(tokens.get(keys, []))} keys, as there are tokens, "
                    f"found {list(stack.shape)} [layers, heads, queries, keys]")
        made.arrays[f"{KINDS[kind]}/weights"] = stack
        if is_bfloat16(weights):
            made.bfloat16.add(f"{KINDS[kind]}/weights")
        if masks and masks.get(kind) is not None:
            made.arrays[f"{KINDS[kind]}/mask"] = mask_of(masks[kind], stack, kind)
    if not made.arrays:
        raise ValueError("expected the weights of encoder, decoder or cross, found none")
    if "next" in tokens and len(tokens["next"]) != len(tokens.get("target", [])):
        raise ValueError(f"next: expected one token per token of target, found {len(tokens['next'])} and {len(tokens.get('target', []))}")
    if second_text is not None:
        if not 0 < second_text < len(tokens.get("source", [])):
            raise ValueError(
                f"second_text: expected the index of a source token from 1 to {len(tokens.get('source', [])) - 1}, found {second_text}")
        made.words["second_text"] = int(second_text)
    for key, values in (arrays or {}).items():
        made.arrays[key] = storable(as_numpy(values), key)
    return made


def write(path: Union[str, "os.PathLike[str]"], **contents: Any) -> Path:
    """Writes a recording of the arrays of any program; for the arguments see recording()."""
    return recording(**contents).save(path)


def show(what: Any = None, path: Union[str, "os.PathLike[str]", None] = None, **contents: Any) -> Path:
    """Opens a recording, or a file, in Headscope's window; or writes one of arrays, given as to recording(), and opens it."""
    if what is None:
        what = recording(**contents)
    elif not isinstance(what, (Recording, str, os.PathLike)):
        raise ValueError(f"expected a recording or a path, found {type(what).__name__}. Name arrays: show(encoder=weights, source=tokens)")
    elif contents:
        raise ValueError(f"expected a recording or arrays, found both, with {sorted(contents)}")
    return what.show(path) if isinstance(what, Recording) else open_window(Path(what))


def mask_of(mask: Any, stack: np.ndarray, kind: str) -> np.ndarray:
    array = as_numpy(mask).astype(bool)
    layers, _, queries, keys = stack.shape
    if array.shape not in ((queries, keys), (layers, queries, keys)):
        raise ValueError(
            f"mask of {kind}: expected [{queries}, {keys}] or [{layers}, {queries}, {keys}], found {list(array.shape)}")
    return array


def storable(array: np.ndarray, name: str) -> np.ndarray:
    if np.issubdtype(array.dtype, np.integer):
        return array.astype(np.int64)
    if array.dtype.name not in TYPES:
        raise ValueError(f"{name}: expected {', '.join(TYPES)}, found {array.dtype}")
    return array


def write_safetensors(file: Any, arrays: Mapping[str, np.ndarray], words: str, bfloat16: Set[str]) -> None:
    stored = {name: ("BF16", upper_halves(array)) if name in bfloat16 else (TYPES[array.dtype.name], array)
              for name, array in arrays.items()}
    # The widest numbers first: each is aligned then, and of large files only the visible parts are read.
    names = sorted(stored, key=lambda name: (-stored[name][1].dtype.itemsize, name))
    header: Dict[str, Any] = {"__metadata__": {"tokens.json": words}}
    end = 0
    for name in names:
        dtype, array = stored[name]
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": dtype, "shape": list(array.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    for name in names:
        array = np.ascontiguousarray(stored[name][1])
        file.write(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())


def upper_halves(array: np.ndarray) -> np.ndarray:
    """The bits of bfloat16 numbers, which are the upper half of those of float32."""
    return (np.ascontiguousarray(array, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def write_npz(file: Any, arrays: Mapping[str, np.ndarray], words: str) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, np.asanyarray(array), allow_pickle=False)
        archive.writestr("tokens.json", words)


def current_umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
