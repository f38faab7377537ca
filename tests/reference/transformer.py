"""The encoder-decoder Transformer as its equations read, recording everything that it computes on the way.

Vaswani et al., "Attention Is All You Need" (2017), sections 3.1 to 3.5. Parameters are a plain dict from role names to
tensors; what a family of models does its own way is a field of `Architecture`. Whole passes only, nothing is cached.

Role names: `source_embedding`, `target_embedding`, `source_positions`, `target_positions` (tables, [places, d_model]),
`encoder.L.{self,feed_forward}...`, `decoder.L.{self,cross,feed_forward}...`, `encoder.norm`, `decoder.norm`, `output`,
`source_embedding_norm`. A linear layer or norm has a `.weight` and, unless the model has none, a `.bias`.
"""

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import Optional

import torch
from torch.nn import functional as F

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu}


@dataclass(frozen=True)
class Architecture:
    encoder_layers: int
    decoder_layers: int
    heads: int
    pad: int
    norm: str = "pre"  # "pre": x + f(norm(x)); "post": norm(x + f(x)); "normed-residual": norm(x) + f(norm(x))
    norm_kind: str = "annotated"  # or "layer_norm"
    norm_epsilon: float = 1e-6
    final_norm: bool = True
    embedding_norm_epsilon: Optional[float] = None  # None: no norm between embedding and first layer
    activation: str = "relu"
    embedding_scale: Optional[float] = None  # None: sqrt(d_model)
    score_scale: Optional[float] = None  # None: 1 / sqrt(d_k)
    mask_fill: float = -1e9
    source_mask: str = "keys"  # pads are masked as "keys", as "queries" (their rows see nothing), or not: "none"
    target_pad_mask: bool = True


class Recording:
    """Arrays of one pass over a batch, under the names that a written trace uses."""

    def __init__(self):
        self.single = {}  # name -> [batch, ...]
        self.stacked = defaultdict(list)  # name -> one [batch, ...] a layer or sublayer

    def sentence(self, row):
        """The arrays of one sentence of the batch, layers first."""
        arrays = {name: value[row] for name, value in self.single.items()}
        arrays.update({name: torch.stack([v[row] for v in values]) for name, values in self.stacked.items()})
        return arrays


class Transformer:
    def __init__(self, parameters, architecture):
        self.p = parameters
        self.a = architecture

    def linear(self, name, x):
        return F.linear(x, self.p[name + ".weight"], self.p.get(name + ".bias"))

    def norm(self, name, x, epsilon=None):
        epsilon = self.a.norm_epsilon if epsilon is None else epsilon
        gain, bias = self.p[name + ".weight"], self.p.get(name + ".bias", 0)
        centred = x - x.mean(-1, keepdim=True)
        if self.a.norm_kind == "annotated":
            # The Annotated Transformer's own: the sample standard deviation, and epsilon outside the root.
            return gain * centred / (x.std(-1, unbiased=True, keepdim=True) + epsilon) + bias
        variance = centred.square().mean(-1, keepdim=True)
        return gain * centred / torch.sqrt(variance + epsilon) + bias

    def split_heads(self, x):
        """[batch, rows, heads * d] -> [batch, heads, rows, d]"""
        batch, rows, _ = x.shape
        return x.view(batch, rows, self.a.heads, -1).transpose(1, 2)

    def attention(self, name, site, queries, keys, mask, recording):
        """Section 3.2. mask [batch, queries or 1, keys], true = may attend."""
        q = self.split_heads(self.linear(name + ".q", queries))
        k = self.split_heads(self.linear(name + ".k", keys))
        v = self.split_heads(self.linear(name + ".v", keys))
        scale = self.a.score_scale if self.a.score_scale is not None else 1 / math.sqrt(q.shape[-1])
        scores = q @ k.transpose(-2, -1) * scale
        weights = self.weights(name, scores, mask.expand(-1, queries.shape[1], -1).unsqueeze(1))
        heads = self.head_outputs(name, weights @ v)
        for array, value in dict(q=q, k=k, v=v, scores=scores, weights=weights, heads=heads).items():
            recording.stacked[f"{site}/{array}"].append(value)
        recording.single[f"{site}/mask"] = mask.expand(-1, queries.shape[1], -1)
        return self.linear(name + ".o", heads.transpose(1, 2).flatten(2))

    def in_single(self):
        """The same model, computing in float32."""
        return type(self)({role: tensor.float() for role, tensor in self.p.items()}, self.a)

    # What `what_if.py` changes.

    def weights(self, name, scores, mask):
        """scores [batch, heads, queries, keys], mask [batch, 1 or heads, queries, keys], true = may attend."""
        return torch.softmax(scores.masked_fill(~mask, self.a.mask_fill), dim=-1)

    def head_outputs(self, name, heads):
        """[batch, heads, queries, d]"""
        return heads

    def contribution(self, name, added):
        """What the sublayer adds to the residual stream, [batch, rows, d_model]."""
        return added

    def earlier(self, length):
        """What a target token may attend to: itself and what comes before it, [length, length]."""
        return torch.ones(length, length, dtype=torch.bool).tril()

    def positions(self, side, table, length):
        """[length, d_model] of the table [places, d_model]."""
        return table[:length]

    def feed_forward(self, name, x):
        return self.linear(name + ".out", ACTIVATIONS[self.a.activation](self.linear(name + ".in", x)))

    def sublayer(self, name, x, function):
        if self.a.norm == "pre":
            return x + self.contribution(name, function(self.norm(name + ".norm", x)))
        if self.a.norm == "normed-residual":
            normed = self.norm(name + ".norm", x)
            return normed + self.contribution(name, function(normed))
        return self.norm(name + ".norm", x + self.contribution(name, function(x)))

    def embed(self, side, ids, recording):
        """Sections 3.4 and 3.5."""
        table = self.p[side + "_embedding"]
        scale = self.a.embedding_scale if self.a.embedding_scale is not None else math.sqrt(table.shape[1])
        positions = self.positions(side, self.p[side + "_positions"], ids.shape[1])
        recording.single[f"positions/{side}"] = positions.expand(len(ids), -1, -1)
        x = table[ids] * scale + positions
        if self.a.embedding_norm_epsilon is None:
            return x
        return self.norm(side + "_embedding_norm", x, self.a.embedding_norm_epsilon)

    def source_mask(self, is_token):
        """[batch, queries or 1, keys] for the encoder; is_token [batch, places]."""
        if self.a.source_mask == "none":
            return torch.ones_like(is_token).unsqueeze(1)
        if self.a.source_mask == "queries":
            return is_token.unsqueeze(2).expand(-1, -1, is_token.shape[1])
        return is_token.unsqueeze(1)

    def encode(self, source_ids, recording):
        is_token = source_ids != self.a.pad
        x = self.embed("source", source_ids, recording)
        return self.encode_embedded(x, self.source_mask(is_token), recording), is_token.unsqueeze(1)

    def encode_embedded(self, x, mask, recording):
        """The layers alone, for vectors [batch, places, d_model] that hold their positions already."""
        residual = recording.stacked["encoder/residual"]
        residual.append(x)
        for layer in range(self.a.encoder_layers):
            name = f"encoder.{layer}"
            attend = lambda y: self.attention(name + ".self", "encoder_self", y, y, mask, recording)
            x = self.sublayer(name + ".self", x, attend)
            residual.append(x)
            x = self.sublayer(name + ".feed_forward", x, lambda y: self.feed_forward(name + ".feed_forward", y))
            residual.append(x)
        output = self.norm("encoder.norm", x) if self.a.final_norm else x
        recording.single["encoder_output"] = output
        return output

    def decode(self, target_ids, memory, memory_mask, recording):
        length = target_ids.shape[1]
        mask = self.earlier(length).expand(len(target_ids), -1, -1)
        if self.a.target_pad_mask:
            mask = (target_ids != self.a.pad).unsqueeze(1) & mask
        x = self.embed("target", target_ids, recording)
        residual = recording.stacked["decoder/residual"]
        residual.append(x)
        for layer in range(self.a.decoder_layers):
            name = f"decoder.{layer}"
            to_self = lambda y: self.attention(name + ".self", "decoder_self", y, y, mask, recording)
            x = self.sublayer(name + ".self", x, to_self)
            residual.append(x)
            to_source = lambda y: self.attention(name + ".cross", "cross", y, memory, memory_mask, recording)
            x = self.sublayer(name + ".cross", x, to_source)
            residual.append(x)
            x = self.sublayer(name + ".feed_forward", x, lambda y: self.feed_forward(name + ".feed_forward", y))
            residual.append(x)
        output = self.norm("decoder.norm", x) if self.a.final_norm else x
        recording.single["log_probabilities"] = torch.log_softmax(self.linear("output", output), dim=-1)

    @torch.no_grad()
    def classify(self, source_ids):
        """One pass of a classifier: per dimension the largest value over all places, then the output layer."""
        recording = Recording()
        encoded, _ = self.encode(source_ids, recording)
        logits = self.linear("output", encoded.max(dim=1).values)
        recording.single.update(source_ids=source_ids, class_log_probabilities=torch.log_softmax(logits, -1))
        return recording

    @torch.no_grad()
    def run(self, source_ids, target_ids):
        """One teacher-forced pass over a batch, [batch, S] and [batch, T] token ids."""
        recording = Recording()
        memory, memory_mask = self.encode(source_ids, recording)
        self.decode(target_ids, memory, memory_mask, recording)
        recording.single.update(source_ids=source_ids, target_ids=target_ids)
        recording.single["next_ids"] = recording.single["log_probabilities"].argmax(-1)
        return recording

    def trace(self, source_ids, target_ids):
        """The arrays of one sentence given as lists of token ids."""
        return self.run(torch.tensor([source_ids]), torch.tensor([target_ids])).sentence(0)

    @torch.no_grad()
    def greedy(self, source_ids, start, end, longest):
        """The most probable token again and again: at most `longest` of them, the end token among them."""
        discarded = Recording()
        memory, memory_mask = self.encode(torch.tensor([source_ids]), discarded)
        fed, generated = [start], []
        while len(generated) < longest and end not in generated:
            self.decode(torch.tensor([fed]), memory, memory_mask, discarded)
            generated.append(int(discarded.single["log_probabilities"][0, -1].argmax()))
            fed.append(generated[-1])
        return generated
