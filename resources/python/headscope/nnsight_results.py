"""Recordings of weights that nnsight saved while it traced a model."""

from typing import Any, Mapping, Optional, Sequence

from .arrays import as_numpy
from .recording import Recording, recording


def from_nnsight(decoder: Any = None, tokens: Optional[Sequence[str]] = None, *, encoder: Any = None, cross: Any = None,
                 source: Optional[Sequence[str]] = None, target: Optional[Sequence[str]] = None,
                 name: Optional[str] = None) -> Recording:
    """Returns saved outputs of attention modules as a recording.

        model = LanguageModel(name, attn_implementation="eager")
        with model.trace(text):
            saved = [block.attn.output.save() for block in model.transformer.h]
        headscope.from_nnsight(saved, tokens).show()

    What was saved of a layer may be the weights, or the output of a module that has them among other tensors. A dict of modules'
    names has its layers in its order. `tokens` are those of a decoder alone, or of an encoder alone.
    """
    if tokens is not None:
        source, target = (tokens, target) if decoder is None else (source, tokens)
    return recording(encoder=of_layers(encoder, "encoder"), decoder=of_layers(decoder, "decoder"), cross=of_layers(cross, "cross"),
                     source=source, target=target, name=name)


def of_layers(saved: Any, what: str) -> Any:
    if saved is None:
        return None
    saved = value_of(saved)
    layers = saved.values() if isinstance(saved, Mapping) else saved
    return [weights_in(value_of(layer), f"{what}, layer {number}") for number, layer in enumerate(layers)]


def value_of(saved: Any) -> Any:
    """What older versions of nnsight save is in a proxy."""
    return saved.value if type(saved).__module__.startswith("nnsight") and hasattr(saved, "value") else saved


def weights_in(saved: Any, what: str) -> Any:
    """The one tensor [1, heads, queries, keys] whose rows sum to 1."""
    if not isinstance(saved, (tuple, list)):
        return saved
    tensors = [value_of(value) for value in saved]
    found = [tensor for tensor in tensors if getattr(tensor, "ndim", 0) == 4 and
             abs(as_numpy(tensor).astype("float64").sum(axis=-1) - 1).max() < 0.02]
    if len(found) != 1:
        shapes = [list(getattr(tensor, "shape", [])) or type(tensor).__name__ for tensor in tensors]
        raise ValueError(
            f"{what}: expected one tensor [1, heads, queries, keys] whose rows sum to 1, found {shapes}. "
            'Load the model with attn_implementation="eager"')
    return found[0]
