"""How much of a first layer's scores comes from words, positions and biases: nine terms that sum to the scores.

By the definition of a linear map: with the norms on the way frozen at what they were given, query and key are affine
functions of the stream, A(word + position) = (A(word) - A(0)) + (A(position) - A(0)) + A(0). Dai et al. 2019, 3.3.
"""

import math

import torch

PARTS = ("word", "position", "bias")  # of the query, then of the key; the key's change faster


class FirstLayer:
    """The first self-attention of one side ("source" or "target") of a model for one sentence's ids."""

    def __init__(self, model, side, ids):
        self.model = model
        self.name = "encoder.0.self" if side == "source" else "decoder.0.self"
        table = model.p[side + "_embedding"]
        scale = model.a.embedding_scale if model.a.embedding_scale is not None else math.sqrt(table.shape[1])
        self.word = table[ids] * scale
        self.position = model.positions(side, model.p[side + "_positions"], len(ids))
        self.norms = []  # what the stream goes through: name, divisor
        whole = self.word + self.position
        if model.a.embedding_norm_epsilon is not None:
            whole = self.freeze(side + "_embedding_norm", whole, model.a.embedding_norm_epsilon)
        if model.a.norm in ("pre", "normed-residual"):
            whole = self.freeze(self.name + ".norm", whole, model.a.norm_epsilon)
        self.whole = whole

    def freeze(self, name, x, epsilon):
        """Keeps the divisor; what comes out must be what the model's own norm gives."""
        if self.model.a.norm_kind == "annotated":
            divisor = x.std(-1, keepdim=True) + epsilon
        else:
            divisor = (x.var(-1, unbiased=False, keepdim=True) + epsilon).sqrt()
        self.norms.append((name, divisor))
        out = self.through(x, len(self.norms) - 1)
        assert (out - self.model.norm(name, x, epsilon)).abs().max() < 1e4 * torch.finfo(x.dtype).eps
        return out

    def through(self, x, first=0):
        for name, divisor in self.norms[first:]:
            gain, bias = self.model.p[name + ".weight"], self.model.p.get(name + ".bias", 0)
            x = gain * (x - x.mean(-1, keepdim=True)) / divisor + bias
        return x

    def affine(self, projection, x):
        """[n, d_model] -> [heads, n, d_k]"""
        return self.model.split_heads(self.model.linear(f"{self.name}.{projection}", self.through(x)).unsqueeze(0))[0]

    def parts(self, projection):
        nothing = self.affine(projection, torch.zeros_like(self.word))
        return [self.affine(projection, part) - nothing for part in (self.word, self.position)] + [nothing]

    def terms(self):
        """[9, heads, n, n], as the softmax reads them: scale and temperature inside."""
        queries, keys = self.parts("q"), self.parts("k")
        scale = self.model.a.score_scale
        if scale is None:
            scale = 1 / math.sqrt(queries[0].shape[-1])
        return torch.stack([q @ k.transpose(-2, -1) * scale for q in queries for k in keys])
