"""The transformer of the pytorch-seq2seq tutorial, rebuilt with its own tensor names, and the roles of those names. The
program anarcii has the same, with `nn.MultiheadAttention` in the place of the tutorial's own attention."""

import math

import torch
from torch import nn

from originals import count_layers, linear
from transformer import Architecture, Transformer


class MultiHeadAttentionLayer(nn.Module):
    def __init__(self, hid_dim, n_heads):
        super().__init__()
        self.hid_dim, self.n_heads, self.head_dim = hid_dim, n_heads, hid_dim // n_heads
        self.fc_q, self.fc_k = nn.Linear(hid_dim, hid_dim), nn.Linear(hid_dim, hid_dim)
        self.fc_v, self.fc_o = nn.Linear(hid_dim, hid_dim), nn.Linear(hid_dim, hid_dim)
        self.scale = math.sqrt(self.head_dim)

    def forward(self, query, key, value, mask):
        batch = query.shape[0]
        Q, K, V = (layer(x).view(batch, -1, self.n_heads, self.head_dim).permute(0, 2, 1, 3)
                   for layer, x in ((self.fc_q, query), (self.fc_k, key), (self.fc_v, value)))
        energy = torch.matmul(Q, K.permute(0, 1, 3, 2)) / self.scale
        attention = torch.softmax(energy.masked_fill(mask == 0, -1e10), dim=-1)
        x = torch.matmul(attention, V).permute(0, 2, 1, 3).contiguous().view(batch, -1, self.hid_dim)
        return self.fc_o(x), attention


class PositionwiseFeedforwardLayer(nn.Module):
    def __init__(self, hid_dim, pf_dim):
        super().__init__()
        self.fc_1, self.fc_2 = nn.Linear(hid_dim, pf_dim), nn.Linear(pf_dim, hid_dim)

    def forward(self, x):
        return self.fc_2(torch.relu(self.fc_1(x)))


class EncoderLayer(nn.Module):
    def __init__(self, hid_dim, n_heads, pf_dim):
        super().__init__()
        self.self_attn_layer_norm, self.ff_layer_norm = nn.LayerNorm(hid_dim), nn.LayerNorm(hid_dim)
        self.self_attention = MultiHeadAttentionLayer(hid_dim, n_heads)
        self.positionwise_feedforward = PositionwiseFeedforwardLayer(hid_dim, pf_dim)

    def forward(self, src, src_mask):
        src = self.self_attn_layer_norm(src + self.self_attention(src, src, src, src_mask)[0])
        return self.ff_layer_norm(src + self.positionwise_feedforward(src))


class DecoderLayer(nn.Module):
    def __init__(self, hid_dim, n_heads, pf_dim):
        super().__init__()
        self.self_attn_layer_norm, self.enc_attn_layer_norm = nn.LayerNorm(hid_dim), nn.LayerNorm(hid_dim)
        self.ff_layer_norm = nn.LayerNorm(hid_dim)
        self.self_attention = MultiHeadAttentionLayer(hid_dim, n_heads)
        self.encoder_attention = MultiHeadAttentionLayer(hid_dim, n_heads)
        self.positionwise_feedforward = PositionwiseFeedforwardLayer(hid_dim, pf_dim)

    def forward(self, trg, enc_src, trg_mask, src_mask):
        trg = self.self_attn_layer_norm(trg + self.self_attention(trg, trg, trg, trg_mask)[0])
        trg = self.enc_attn_layer_norm(trg + self.encoder_attention(trg, enc_src, enc_src, src_mask)[0])
        return self.ff_layer_norm(trg + self.positionwise_feedforward(trg))


class Embedded(nn.Module):
    """What the tutorial's encoder and decoder begin with."""

    def __init__(self, vocabulary, hid_dim, max_length):
        super().__init__()
        self.tok_embedding = nn.Embedding(vocabulary, hid_dim)
        self.pos_embedding = nn.Embedding(max_length, hid_dim)
        self.scale = math.sqrt(hid_dim)

    def embed(self, ids):
        return self.tok_embedding(ids) * self.scale + self.pos_embedding(torch.arange(ids.shape[1]).unsqueeze(0))


class Encoder(Embedded):
    def __init__(self, vocabulary, hid_dim, n_layers, n_heads, pf_dim, max_length):
        super().__init__(vocabulary, hid_dim, max_length)
        self.layers = nn.ModuleList([EncoderLayer(hid_dim, n_heads, pf_dim) for _ in range(n_layers)])

    def forward(self, src, src_mask):
        src = self.embed(src)
        for layer in self.layers:
            src = layer(src, src_mask)
        return src


class Decoder(Embedded):
    def __init__(self, vocabulary, hid_dim, n_layers, n_heads, pf_dim, max_length):
        super().__init__(vocabulary, hid_dim, max_length)
        self.layers = nn.ModuleList([DecoderLayer(hid_dim, n_heads, pf_dim) for _ in range(n_layers)])
        self.fc_out = nn.Linear(hid_dim, vocabulary)

    def forward(self, trg, enc_src, trg_mask, src_mask):
        trg = self.embed(trg)
        for layer in self.layers:
            trg = layer(trg, enc_src, trg_mask, src_mask)
        return self.fc_out(trg)


class Seq2Seq(nn.Module):
    def __init__(self, encoder, decoder, pad):
        super().__init__()
        self.encoder, self.decoder, self.pad = encoder, decoder, pad

    def forward(self, src, trg):
        src_mask = (src != self.pad).unsqueeze(1).unsqueeze(2)
        trg_pad_mask = (trg != self.pad).unsqueeze(1).unsqueeze(2)
        trg_sub_mask = torch.tril(torch.ones((trg.shape[1], trg.shape[1]))).bool()
        enc_src = self.encoder(src, src_mask)
        return self.decoder(trg, enc_src, trg_pad_mask & trg_sub_mask, src_mask)


def attention_roles(role, state, stored):
    fused = stored + ".multihead_attn"
    if fused + ".in_proj_weight" not in state:
        return {name: tensor for part in "qkvo"
                for name, tensor in linear(f"{role}.{part}", state, f"{stored}.fc_{part}").items()}
    roles = linear(role + ".o", state, fused + ".out_proj")
    for kind in ("weight", "bias"):
        roles.update({f"{role}.{part}.{kind}": rows
                      for part, rows in zip("qkv", state[f"{fused}.in_proj_{kind}"].chunk(3))})
    return roles


def by_equations(state, heads, pad, dtype=torch.float64):
    """The model of a state dict in the roles of `transformer.py`."""
    layers = {stack: count_layers(state, f"{stack}.layers.") for stack in ("encoder", "decoder")}
    roles = linear("output", state, "decoder.fc_out")
    for side, stack in (("source", "encoder"), ("target", "decoder")):
        roles[f"{side}_embedding"] = state[f"{stack}.tok_embedding.weight"]
        roles[f"{side}_positions"] = state[f"{stack}.pos_embedding.weight"]
    parts = {"encoder": {"self": ("self_attention", "self_attn_layer_norm")},
             "decoder": {"self": ("self_attention", "self_attn_layer_norm"),
                         "cross": ("encoder_attention", "enc_attn_layer_norm")}}
    for stack, attentions in parts.items():
        for layer in range(layers[stack]):
            role, stored = f"{stack}.{layer}", f"{stack}.layers.{layer}"
            for kind, (own, norm) in attentions.items():
                roles.update(attention_roles(f"{role}.{kind}", state, f"{stored}.{own}"))
                roles.update(linear(f"{role}.{kind}.norm", state, f"{stored}.{norm}"))
            roles.update(linear(f"{role}.feed_forward.in", state, f"{stored}.positionwise_feedforward.fc_1"))
            roles.update(linear(f"{role}.feed_forward.out", state, f"{stored}.positionwise_feedforward.fc_2"))
            roles.update(linear(f"{role}.feed_forward.norm", state, f"{stored}.ff_layer_norm"))
    architecture = Architecture(layers["encoder"], layers["decoder"], heads, pad, "post", "layer_norm", 1e-5,
                                final_norm=False)
    return Transformer({role: tensor.to(dtype) for role, tensor in roles.items()}, architecture)
