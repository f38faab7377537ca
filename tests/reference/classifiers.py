"""Two encoder-only classifiers of film reviews, rebuilt, and their tensors' roles.

Both: post-norm, a norm on the embeddings, no mask anywhere, the largest value over time into one linear layer. In `Imdb`
every head has the width of the model, and all projections have biases; `Nyu` divides the width, and q, k and v have none.
"""

import torch
from torch import nn

from originals import Attention, count_layers, linear, site_arrays, stream_array
from transformer import Architecture, Transformer

PAD = 1  # the embeddings' padding_idx, whose row stays zero


class ClassifierAttention(Attention):
    def __init__(self, d_model, heads, head_width, bias):
        super().__init__(heads)
        self.W_q = nn.Linear(d_model, heads * head_width, bias=bias)
        self.W_k = nn.Linear(d_model, heads * head_width, bias=bias)
        self.W_v = nn.Linear(d_model, heads * head_width, bias=bias)
        self.W_h = nn.Linear(heads * head_width, d_model)

    def project(self):
        return self.W_q, self.W_k, self.W_v, self.W_h


class ImdbFeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.layer1, self.layer2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.layer2(torch.relu(self.layer1(x)))


class ImdbLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attention = ClassifierAttention(d_model, heads, d_model, bias=True)
        self.layer_norm1, self.layer_norm2 = nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)
        self.mlp = ImdbFeedForward(d_model, d_ff)

    def forward(self, x):
        y = self.layer_norm1(self.attention(x, x) + x)
        self.seen, self.stream = self.attention.seen, [y, self.layer_norm2(self.mlp(y) + y)]
        return self.stream[-1]


class ImdbPositions(nn.Module):
    def __init__(self, places, d_model):
        super().__init__()
        self.register_buffer("pe", torch.empty(places, d_model))

    def forward(self, x):
        self.added = self.pe[: x.shape[1]].unsqueeze(0)
        return self.added + x


class ImdbEmbeddings(nn.Module):
    def __init__(self, vocabulary, places, d_model):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocabulary, d_model, padding_idx=PAD)
        self.positional_encoding = ImdbPositions(places, d_model)
        self.layer_norm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, ids):
        embedded = self.layer_norm(self.positional_encoding(self.word_embeddings(ids)))
        self.added = self.positional_encoding.added
        return embedded


class NyuFeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.k1convL1, self.k1convL2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def forward(self, x):
        return self.k1convL2(torch.relu(self.k1convL1(x)))


class NyuLayer(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.mha = ClassifierAttention(d_model, heads, d_model // heads, bias=False)
        self.cnn = NyuFeedForward(d_model, d_ff)
        self.layernorm1, self.layernorm2 = nn.LayerNorm(d_model, eps=1e-6), nn.LayerNorm(d_model, eps=1e-6)

    def forward(self, x):
        y = self.layernorm1(x + self.mha(x, x))
        self.seen, self.stream = self.mha.seen, [y, self.layernorm2(y + self.cnn(y))]
        return self.stream[-1]


class NyuEmbeddings(nn.Module):
    def __init__(self, vocabulary, places, d_model):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocabulary, d_model, padding_idx=PAD)
        self.position_embeddings = nn.Embedding(places, d_model)
        self.LayerNorm = nn.LayerNorm(d_model, eps=1e-12)

    def forward(self, ids):
        self.added = self.position_embeddings(torch.arange(ids.shape[1]).unsqueeze(0))
        return self.LayerNorm(self.word_embeddings(ids) + self.added)


class Encoder(nn.Module):
    def __init__(self, embedding, layers):
        super().__init__()
        self.embedding, self.enc_layers = embedding, nn.ModuleList(layers)

    def forward(self, ids):
        x = self.embedding(ids)
        self.stream = [x]
        for layer in self.enc_layers:
            x = layer(x)
            self.stream += layer.stream
        return x


class Classifier(nn.Module):
    """`head`: what the program calls its last layer."""

    def __init__(self, encoder, head, d_model, classes):
        super().__init__()
        self.encoder, self.head = encoder, head
        self.add_module(head, nn.Linear(d_model, classes))

    def forward(self, ids):
        self.encoded = self.encoder(ids)
        return getattr(self, self.head)(self.encoded.max(dim=1)[0])

    @torch.no_grad()
    def trace(self, sources):
        """What one pass over a batch computes for its first sentence."""
        source = torch.tensor(sources)
        log_probabilities = torch.log_softmax(self(source), -1)[0]
        return {"source_ids": source[0], "positions/source": self.encoder.embedding.added[0],
                **site_arrays("encoder_self", [layer.seen for layer in self.encoder.enc_layers]),
                "encoder/residual": stream_array(self.encoder.stream), "encoder_output": self.encoded[0],
                "class_log_probabilities": log_probabilities}


def imdb(layers, vocabulary, places, d_model, heads, d_ff, classes):
    stack = [ImdbLayer(d_model, heads, d_ff) for _ in range(layers)]
    return Classifier(Encoder(ImdbEmbeddings(vocabulary, places, d_model), stack), "linear_classifier", d_model, classes)


def nyu(layers, vocabulary, places, d_model, heads, d_ff, classes):
    stack = [NyuLayer(d_model, heads, d_ff) for _ in range(layers)]
    return Classifier(Encoder(NyuEmbeddings(vocabulary, places, d_model), stack), "dense", d_model, classes)


IMDB_NAMES = {"attention": "attention", "norm": "layer_norm", "in": "mlp.layer1", "out": "mlp.layer2",
              "embedding_norm": "layer_norm", "positions": "positional_encoding.pe", "head": "linear_classifier"}
NYU_NAMES = {"attention": "mha", "norm": "layernorm", "in": "cnn.k1convL1", "out": "cnn.k1convL2",
             "embedding_norm": "LayerNorm", "positions": "position_embeddings.weight", "head": "dense"}


def by_equations(state, heads, dtype=torch.float64):
    """The model of either program's state dict in the roles of `transformer.py`."""
    names = IMDB_NAMES if "linear_classifier.weight" in state else NYU_NAMES
    roles = {"source_embedding": state["encoder.embedding.word_embeddings.weight"],
             "source_positions": state["encoder.embedding." + names["positions"]],
             **linear("source_embedding_norm", state, "encoder.embedding." + names["embedding_norm"]),
             **linear("output", state, names["head"])}
    layers = count_layers(state, "encoder.enc_layers.")
    for layer in range(layers):
        role, stored = f"encoder.{layer}", f"encoder.enc_layers.{layer}"
        for part, own in zip("qkvo", ("W_q", "W_k", "W_v", "W_h")):
            roles.update(linear(f"{role}.self.{part}", state, f"{stored}.{names['attention']}.{own}"))
        for place in ("in", "out"):
            roles.update(linear(f"{role}.feed_forward.{place}", state, f"{stored}.{names[place]}"))
        for i, sublayer in enumerate(("self", "feed_forward"), 1):
            roles.update(linear(f"{role}.{sublayer}.norm", state, f"{stored}.{names['norm']}{i}"))
    architecture = Architecture(layers, 0, heads, PAD, "post", "layer_norm", 1e-6, final_norm=False, embedding_scale=1,
                                embedding_norm_epsilon=1e-12, source_mask="none")
    return Transformer({role: tensor.to(dtype) for role, tensor in roles.items()}, architecture)
