"""Functions with the arguments of BertViz. They open Headscope's window instead of a view in the notebook."""

from typing import Any, List, Optional, Sequence

import numpy as np

from .arrays import stacked
from .recording import Recording, recording


def head_view(attention: Any = None, tokens: Optional[Sequence[str]] = None, sentence_b_start: Optional[int] = None,
              prettify_tokens: bool = True, layer: Optional[int] = None, heads: Optional[Sequence[int]] = None,
              encoder_attention: Any = None, decoder_attention: Any = None, cross_attention: Any = None,
              encoder_tokens: Optional[Sequence[str]] = None, decoder_tokens: Optional[Sequence[str]] = None,
              include_layers: Optional[Sequence[int]] = None, html_action: str = "view") -> Recording:
    """Opens the weights of attention in Headscope's window, and returns them as a recording.

    All layers and heads are in the window, so `include_layers`, `layer` and `heads` are checked and not needed;
    `sentence_b_start` means nothing to a decoder. With `html_action="return"` no window opens: call save() or show() of what is
    returned.
    """
    if html_action not in ("view", "return"):
        raise ValueError(f"html_action: expected 'view' or 'return', found {html_action!r}")
    pretty = pretty_tokens if prettify_tokens else list
    second = None
    if attention is not None:
        others = {"encoder_attention": encoder_attention, "decoder_attention": decoder_attention, "cross_attention": cross_attention,
                  "encoder_tokens": encoder_tokens, "decoder_tokens": decoder_tokens}
        if found := [name for name, value in others.items() if value is not None]:
            raise ValueError(f"expected attention of one model, or of an encoder and a decoder, found attention and {', '.join(found)}")
        if tokens is None:
            raise ValueError("tokens: expected the tokens of attention, found none")
        if is_causal(attention):
            made = recording(decoder=attention, target=pretty(tokens))
        else:
            made = recording(encoder=attention, source=pretty(tokens), second_text=sentence_b_start)
    elif encoder_attention is not None or decoder_attention is not None or cross_attention is not None:
        if sentence_b_start is not None or tokens is not None:
            raise ValueError("expected encoder_tokens and decoder_tokens, found tokens or sentence_b_start, which belong to attention")
        made = recording(encoder=encoder_attention, decoder=decoder_attention, cross=cross_attention,
                         source=None if encoder_tokens is None else pretty(encoder_tokens),
                         target=None if decoder_tokens is None else pretty(decoder_tokens))
    else:
        raise ValueError("expected attention, or attention of an encoder or a decoder, found none")
    check_numbers(made, include_layers, layer, heads)
    if html_action == "view":
        made.show()
    return made


def model_view(attention: Any = None, tokens: Optional[Sequence[str]] = None, sentence_b_start: Optional[int] = None,
               prettify_tokens: bool = True, display_mode: str = "dark", encoder_attention: Any = None, decoder_attention: Any = None,
               cross_attention: Any = None, encoder_tokens: Optional[Sequence[str]] = None,
               decoder_tokens: Optional[Sequence[str]] = None, include_layers: Optional[Sequence[int]] = None,
               include_heads: Optional[Sequence[int]] = None, html_action: str = "view") -> Recording:
    """Like head_view(): the window has all heads at a glance (O), and its own setting for dark colours instead of `display_mode`."""
    return head_view(attention, tokens, sentence_b_start, prettify_tokens, None, include_heads, encoder_attention, decoder_attention,
                     cross_attention, encoder_tokens, decoder_tokens, include_layers, html_action)


def is_causal(attention: Any) -> bool:
    """Whether no query attends to a key after it, as in a decoder alone."""
    weights = stacked(attention, "attention")
    return weights.shape[2] == weights.shape[3] > 1 and not np.triu(weights, 1).any()


def pretty_tokens(tokens: Sequence[str]) -> List[str]:
    """A token that begins with a space begins with a mark for it, which the window draws between words."""
    return [token.replace("Ġ", "\u2581").replace("</w>", "") if isinstance(token, str) else token for token in tokens]


def check_numbers(made: Recording, include_layers: Any, layer: Any, heads: Any) -> None:
    for array in made.arrays.values():
        for what, numbers, limit in (("include_layers", include_layers, array.shape[0]), ("layer", [layer], array.shape[0]),
                                     ("heads", heads, array.shape[1])):
            if wrong := [number for number in numbers or [] if number is not None and not 0 <= number < limit]:
                raise ValueError(f"{what}: expected numbers from 0 to {limit - 1}, found {wrong}")
    if layer is not None and include_layers is not None and layer not in include_layers:
        raise ValueError(f"layer: expected one of include_layers, found {layer}")
