"""Weights of attention in the forms that programs have them, as one NumPy array."""

from typing import Any, List, Sequence

import numpy as np


def as_numpy(values: Any) -> np.ndarray:
    """Returns tensors of PyTorch, JAX or TensorFlow, arrays and lists as an array. Bfloat16, which NumPy lacks, becomes float32."""
    if hasattr(values, "detach"):
        values = values.detach()
        if "bfloat16" in str(values.dtype):
            values = values.float()
        values = values.cpu()
    if hasattr(values, "numpy"):
        values = values.numpy()
    return np.asarray(values)


def is_bfloat16(values: Any) -> bool:
    """Whether weights, or those of the first layer, are of this type."""
    first = values if hasattr(values, "dtype") else next(iter(values), None)
    return "bfloat16" in str(getattr(first, "dtype", ""))


def shape_of(values: Any) -> List[int]:
    return list(getattr(values, "shape", np.shape(values)))


def stacked(weights: Any, what: str) -> np.ndarray:
    """Returns weights as float32, or float16 if they are, of shape [layers, heads, queries, keys].

    `weights` is such an array, or a list with one array per layer: [heads, queries, keys], [1, heads, queries, keys] as models of
    transformers return it, or [queries, keys] of a single head. `what` names the weights in errors.
    """
    if weights is None or len(weights) == 0:
        raise ValueError(f"{what}: expected one array of weights per layer, found none")
    missing = [number for number, layer in enumerate(weights) if layer is None]
    if missing:
        raise ValueError(
            f"{what}: expected weights of every layer, found None for layers {missing}. Load the model with "
            'attn_implementation="eager" and ask for output_attentions=True')
    layers = [one_layer(layer, f"{what}, layer {number}") for number, layer in enumerate(weights)]
    shapes = {layer.shape for layer in layers}
    if len(shapes) > 1:
        raise ValueError(
            f"{what}: expected the same heads, queries and keys in every layer, found {[list(layer.shape) for layer in layers]}")
    return np.stack(layers)


def one_layer(weights: Any, what: str) -> np.ndarray:
    layer = as_numpy(weights)
    if layer.ndim == 4 and layer.shape[0] == 1:
        layer = layer[0]
    elif layer.ndim == 4:
        raise ValueError(
            f"{what}: expected a batch of one, [1, heads, queries, keys], found {list(layer.shape)}. "
            "Take one of the batch: [layer[:1] for layer in attention]")
    elif layer.ndim == 2:
        layer = layer[np.newaxis]
    if layer.ndim != 3 or 0 in layer.shape:
        raise ValueError(f"{what}: expected [heads, queries, keys], found {shape_of(weights)}")
    if not (np.issubdtype(layer.dtype, np.number) or layer.dtype.name == "bfloat16") or np.iscomplexobj(layer):
        raise ValueError(f"{what}: expected real numbers, found {layer.dtype}")
    return layer if layer.dtype == np.float16 else layer.astype(np.float32)


def texts(tokens: Any, what: str) -> List[str]:
    """Returns tokens as strings that a file can hold."""
    if isinstance(tokens, (str, bytes)) or not isinstance(tokens, (Sequence, np.ndarray)):
        raise ValueError(f"{what}: expected a list of tokens, found {type(tokens).__name__}")
    for token in tokens:
        if not isinstance(token, str):
            raise ValueError(
                f"{what}: expected tokens as strings, found {token!r}. Of ids they are tokenizer.convert_ids_to_tokens(ids)")
    return [str(token).encode("utf-8", "replace").decode() for token in tokens]
