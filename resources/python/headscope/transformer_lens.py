"""Recordings of what TransformerLens keeps: an ActivationCache, or a dict with its names."""

import re
from typing import Any, Dict, List, Mapping, Optional, Sequence

import numpy as np

from .arrays import as_numpy
from .recording import Recording, recording

#: Prefixes of the names of hooks, the last part of `hook_` names, and the kind of attention.
STACKS = {"encoder": r"encoder\.(\d+)\.attn\.", "decoder": r"decoder\.(\d+)\.attn\.", "cross": r"decoder\.(\d+)\.cross_attn\."}
ALONE = r"blocks\.(\d+)\.attn\."


def from_transformer_lens(cache: Mapping[str, Any], tokens: Optional[Sequence[str]] = None, *,
                          source: Optional[Sequence[str]] = None, target: Optional[Sequence[str]] = None,
                          name: Optional[str] = None) -> Recording:
    """Returns the attention patterns of a cache as a recording.

        logits, cache = model.run_with_cache(text)
        headscope.from_transformer_lens(cache, model.to_str_tokens(text)).show()

    `tokens` are those of a model with one stack; `source` and `target` those of an encoder and a decoder. The mask is taken from
    the scores, which TransformerLens sets to -inf where a query may not attend.
    """
    model = getattr(cache, "model", None)
    name = name or getattr(getattr(model, "cfg", None), "model_name", None)
    alone = layers_of(cache, ALONE, "pattern")
    if alone:
        if tokens is None:
            raise ValueError("tokens: expected model.to_str_tokens(text), found none")
        is_encoder = getattr(getattr(model, "cfg", None), "attention_dir", "causal") == "bidirectional" or any(
            np.triu(as_numpy(layer).reshape(-1, *as_numpy(layer).shape[-2:]), 1).any() for layer in alone)
        kind, side = ("encoder", "source") if is_encoder else ("decoder", "target")
        return recording(**{kind: alone, side: spaced(tokens)}, masks={kind: mask_in(cache, ALONE)}, name=name)
    found: Dict[str, List[Any]] = {kind: layers_of(cache, names, "pattern") for kind, names in STACKS.items()}
    if not any(found.values()):
        raise ValueError(
            "expected a cache with blocks.0.attn.hook_pattern, as run_with_cache() returns it, found "
            f"{sorted(map(str, cache.keys()))[:5]}")
    return recording(**{kind: layers or None for kind, layers in found.items()}, name=name,
                     source=None if source is None else spaced(source), target=None if target is None else spaced(target),
                     masks={kind: mask_in(cache, STACKS[kind]) for kind in found})


def layers_of(cache: Mapping[str, Any], names: str, hook: str) -> List[Any]:
    """Returns the values of a hook by layer. A layer without a value between others is an error of the cache."""
    layers = {int(match[1]): cache[key] for key in cache.keys() if (match := re.fullmatch(f"{names}hook_{hook}", str(key)))}
    if layers and sorted(layers) != list(range(len(layers))):
        raise ValueError(f"expected hook_{hook} of all layers from 0 on, found layers {sorted(layers)}. Cache it for all layers")
    return [layers[number] for number in sorted(layers)]


def mask_in(cache: Mapping[str, Any], names: str) -> Optional[np.ndarray]:
    """[layers, queries, keys]: true where a score is finite; nothing if scores are not in the cache."""
    scores = [as_numpy(layer) for layer in layers_of(cache, names, "attn_scores")]
    if not scores:
        return None
    return np.stack([(layer.reshape(-1, *layer.shape[-2:]) > -9000).any(axis=0) for layer in scores])


def spaced(tokens: Sequence[str]) -> List[str]:
    """A space before a token becomes the mark that the window draws for it."""
    return ["\u2581" + token[1:] if isinstance(token, str) and token.startswith(" ") else token for token in tokens]
