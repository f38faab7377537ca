"""A tutorial's batch-first encoder over vectors from elsewhere, rebuilt, and its tensors' roles."""

import torch
from torch import nn

from originals import Attention, count_layers, linear, site_arrays, stream_array
from transformer import Architecture, Transformer


class TutorialAttention(Attention):
    def __init__(self, d_model, heads):
        super().__init__(heads)
        self.W_Q, self.W_K = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.W_V, self.W_O = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)

    def project(self):
        return self.W_Q, self.W_K, self.W_V, self.W_O


class TutorialLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.multi_head_attention = TutorialAttention(d_model, heads)
        self.feed_forward = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
        self.layer_norm1, self.layer_norm2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def forward(self, x, mask):
        y = self.layer_norm1(x + self.multi_head_attention(x, x, mask))
        self.stream = [y, self.layer_norm2(y + self.feed_forward(y))]
        return self.stream[-1]


class TutorialPositions(nn.Module):
    """The table's first dimension is the sequence; the tutorial's batch-first encoder needs it in the second."""

    def __init__(self, places, d_model):
        super().__init__()
        self.register_buffer("pe", torch.empty(places, 1, d_model))

    def forward(self, x):
        self.added = self.pe[: x.shape[1]].transpose(0, 1)
        return x + self.added


class TutorialEncoder(nn.Module):
    """With a vocabulary the wrapper that a person writes around the tutorial's encoder, which has none of its own."""

    def __init__(self, layers, d_model, heads, d_ff, vocabulary=None, places=None):
        super().__init__()
        if vocabulary is not None:
            self.embedding, self.pos_encoder = nn.Embedding(vocabulary, d_model), TutorialPositions(places, d_model)
        self.layers = nn.ModuleList([TutorialLayer(d_model, heads, d_ff) for _ in range(layers)])
        self.layer_norm = nn.LayerNorm(d_model)

    def forward(self, x, mask=None):
        self.stream = [x]
        for layer in self.layers:
            x = layer(x, mask)
            self.stream += layer.stream
        return self.layer_norm(x)

    def encoder_arrays(self, x, mask=None):
        output = self(x, mask)[0]
        return {**site_arrays("encoder_self", [layer.multi_head_attention.seen for layer in self.layers]),
                "encoder/residual": stream_array(self.stream), "encoder_output": output}

    @torch.no_grad()
    def trace_embedded(self, vectors):
        return self.encoder_arrays(vectors.unsqueeze(0))

    @torch.no_grad()
    def trace(self, sources, pad):
        """What one pass over a batch computes for its first sentence."""
        source = torch.tensor(sources)
        arrays = self.encoder_arrays(self.pos_encoder(self.embedding(source)), (source != pad).unsqueeze(1))
        return {"source_ids": source[0], "positions/source": self.pos_encoder.added[0], **arrays}


def by_equations(state, heads, pad=0, dtype=torch.float64):
    roles = linear("encoder.norm", state, "layer_norm")
    if "embedding.weight" in state:
        roles.update(source_embedding=state["embedding.weight"], source_positions=state["pos_encoder.pe"][:, 0])
    layers = count_layers(state, "layers.")
    for layer in range(layers):
        role, stored = f"encoder.{layer}", f"layers.{layer}"
        for part in "qkvo":
            roles.update(linear(f"{role}.self.{part}", state, f"{stored}.multi_head_attention.W_{part.upper()}"))
        roles.update(linear(f"{role}.self.norm", state, f"{stored}.layer_norm1"))
        roles.update(linear(f"{role}.feed_forward.in", state, f"{stored}.feed_forward.0"))
        roles.update(linear(f"{role}.feed_forward.out", state, f"{stored}.feed_forward.2"))
        roles.update(linear(f"{role}.feed_forward.norm", state, f"{stored}.layer_norm2"))
    architecture = Architecture(layers, 0, heads, pad, "post", "layer_norm", 1e-5, embedding_scale=1)
    return Transformer({role: tensor.to(dtype) for role, tensor in roles.items()}, architecture)
