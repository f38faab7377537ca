"""Positions that no vector carries: a bias by distance (T5) and rotated queries and keys (RoPE), by their definitions.

Relative: Raffel et al. 2020, 2.1, with the buckets of T5's code: the score of query i and key j gets a learned number of the
head and of the bucket of j - i. One table a stack, for all its layers; none between decoder and encoder.
Rotary: Su et al. 2021, 3.2.2, in the form that pairs dimensions m and m + d_k / 2 (Llama): pair m of a token at place t is
turned by t * base^(-2m / d_k). Self-attention only.
"""

import math
from dataclasses import dataclass

import torch

from transformer import Transformer
from what_if import NEIGHBOURS, shuffled


@dataclass(frozen=True)
class Scheme:
    kind: str  # "relative" or "rotary"
    buckets: int = 32
    distance: int = 128
    base: float = 10000.0


def bucket(relative, buckets, distance, bidirectional):
    """relative: key's place - query's place, any shape of int64."""
    offset = torch.zeros_like(relative)
    if bidirectional:
        buckets //= 2
        offset = (relative > 0).long() * buckets
        away = relative.abs()
    else:
        away = (-relative).clamp(min=0)
    exact = buckets // 2
    # As T5's code does it, in single precision.
    far = exact + (torch.log(away.clamp(min=1).float() / exact) / math.log(distance / exact) * (buckets - exact)).long()
    return offset + torch.where(away < exact, away, far.clamp(max=buckets - 1))


class AttentionPositions(Transformer):
    """A model whose embeddings are words alone; `change` is what `--positions` takes, or None."""

    def __init__(self, parameters, architecture, scheme, change=None, temperature=1.0):
        super().__init__(parameters, architecture)
        self.scheme, self.change, self.temperature = scheme, change, temperature

    def norm(self, name, x, epsilon=None):
        if self.a.norm_kind != "root_mean_square":
            return super().norm(name, x, epsilon)
        return self.p[name + ".weight"] * x / (x.square().mean(-1, keepdim=True) + self.a.norm_epsilon).sqrt()

    def embed(self, side, ids, recording):
        table = self.p[side + "_embedding"]
        scale = self.a.embedding_scale if self.a.embedding_scale is not None else math.sqrt(table.shape[1])
        recording.single[f"positions/{side}"] = torch.zeros(len(ids), ids.shape[1], table.shape[1], dtype=table.dtype)
        return table[ids] * scale

    def places(self, stack, length):
        """Where the tokens of a stack stand; None: nowhere."""
        change, _, number = (self.change or "").partition(":")
        if change == "none":
            return None
        if change == "shift":
            return torch.arange(length) + int(number)
        if change == "shuffle":
            order = []
            while len(order) < length:  # the source as a whole, a target in blocks
                block = shuffled(length if stack == "encoder" else NEIGHBOURS, int(number))
                order += [len(order) + place for place in block]
            return torch.tensor(order[:length])
        return torch.arange(length)

    def bias(self, stack, length):
        """[heads, queries, keys]"""
        table, places = self.p[f"{stack}.relative_bias"], self.places(stack, length)
        if places is None:
            return torch.zeros(table.shape[1], length, length, dtype=table.dtype)
        relative = places.unsqueeze(0) - places.unsqueeze(1)  # key - query
        return table[bucket(relative, self.scheme.buckets, self.scheme.distance, stack == "encoder")].permute(2, 0, 1)

    def turned(self, stack, x):
        """[batch, heads, rows, d_k], each pair (m, m + d_k / 2) as a complex number times e^(i angle)."""
        places = self.places(stack, x.shape[2])
        if places is None:
            return x
        half = x.shape[-1] // 2
        frequencies = self.scheme.base ** (-torch.arange(half, dtype=torch.double) / half)
        angles = places.double().unsqueeze(1) * frequencies
        pairs = torch.complex(x[..., :half].double(), x[..., half:].double()) * torch.polar(torch.ones_like(angles), angles)
        return torch.cat([pairs.real, pairs.imag], -1).to(x.dtype)

    def attention(self, name, site, queries, keys, mask, recording):
        stack = name.split(".")[0]
        q, k, v = (self.split_heads(self.linear(f"{name}.{part}", x)) for part, x in
                   (("q", queries), ("k", keys), ("v", keys)))
        scale = self.a.score_scale if self.a.score_scale is not None else 1 / math.sqrt(q.shape[-1])
        is_self = name.endswith(".self")
        if is_self and self.scheme.kind == "rotary":
            q, k = self.turned(stack, q), self.turned(stack, k)
        scores = q @ k.transpose(-2, -1) * scale
        if is_self and self.scheme.kind == "relative":
            scores = scores + self.bias(stack, queries.shape[1])
        scores = scores / self.temperature
        weights = self.weights(name, scores, mask.expand(-1, queries.shape[1], -1).unsqueeze(1))
        heads = weights @ v
        for array, value in dict(q=q, k=k, v=v, scores=scores, weights=weights, heads=heads).items():
            recording.stacked[f"{site}/{array}"].append(value)
        recording.single[f"{site}/mask"] = mask.expand(-1, queries.shape[1], -1)
        return self.linear(name + ".o", heads.transpose(1, 2).flatten(2))
