"""pi-tau/transformer: an encoder-decoder whose stream carries the normalised values on, and its tensors' roles."""

import torch
from torch import nn
from torch.nn import functional as F

from originals import Attention, count_layers, linear, site_arrays, stream_array
from transformer import Architecture, Transformer


class TokenEmbedding(nn.Module):
    def __init__(self, words, places, scale):
        super().__init__()
        self.word_embed_weight, self.pos_embed_weight = words, places
        self.register_buffer("positions", torch.arange(len(places)).unsqueeze(0))
        # The caller passes sqrt(d_model) already; the root is taken once more.
        self.register_buffer("scale", torch.sqrt(torch.tensor([scale])))

    def forward(self, ids):
        self.added = F.embedding(self.positions[:, : ids.shape[1]], self.pos_embed_weight)
        return self.added + F.embedding(ids, self.word_embed_weight) * self.scale


class MultiHeadAttention(Attention):
    def __init__(self, d_model, heads):
        super().__init__(heads)
        self.Q = nn.Linear(d_model, d_model, bias=False)
        self.K = nn.Linear(d_model, d_model, bias=False)
        self.V = nn.Linear(d_model, d_model, bias=False)
        self.Wo = nn.Linear(d_model, d_model)

    def project(self):
        return self.Q, self.K, self.V, self.Wo


def feed_forward(d_model, d_ff):
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class EncoderBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.attn_norm, self.attn = nn.LayerNorm(d_model), MultiHeadAttention(d_model, heads)
        self.mlp_norm, self.mlp = nn.LayerNorm(d_model), feed_forward(d_model, d_ff)

    def forward(self, x, mask):
        x = self.attn_norm(x)
        # One value a query: a pad's row is masked throughout, so it attends evenly, and no other row is masked at all.
        after_attention = x + self.attn(x, x, mask.unsqueeze(-1))
        y = self.mlp_norm(after_attention)
        self.stream = [after_attention, y + self.mlp(y)]
        return self.stream[-1]


class DecoderBlock(nn.Module):
    def __init__(self, d_model, heads, d_ff):
        super().__init__()
        self.self_attn_norm, self.self_attn = nn.LayerNorm(d_model), MultiHeadAttention(d_model, heads)
        self.cross_attn_norm, self.cross_attn = nn.LayerNorm(d_model), MultiHeadAttention(d_model, heads)
        self.mlp_norm, self.mlp = nn.LayerNorm(d_model), feed_forward(d_model, d_ff)

    def forward(self, x, memory, memory_mask):
        causal = torch.ones(1, x.shape[1], x.shape[1], dtype=torch.bool).tril()
        x = self.self_attn_norm(x)
        after_self = x + self.self_attn(x, x, causal)
        y = self.cross_attn_norm(after_self)
        after_cross = y + self.cross_attn(y, memory, memory_mask.unsqueeze(-2))
        z = self.mlp_norm(after_cross)
        self.stream = [after_self, after_cross, z + self.mlp(z)]
        return self.stream[-1]


class PiTau(nn.Module):
    def __init__(self, source_vocabulary, target_vocabulary, places, d_model, heads, encoders, decoders, d_ff):
        """target_vocabulary None: both languages share one."""
        super().__init__()
        place = nn.Parameter(torch.empty(places, d_model))
        source = nn.Parameter(torch.empty(source_vocabulary, d_model))
        target = source if target_vocabulary is None else nn.Parameter(torch.empty(target_vocabulary, d_model))
        self.src_embed = TokenEmbedding(source, place, d_model**0.5)
        self.tgt_embed = TokenEmbedding(target, place, d_model**0.5)
        self.tgt_proj_weight = target
        self.encoder_stack = nn.ModuleList([EncoderBlock(d_model, heads, d_ff) for _ in range(encoders)])
        self.enc_norm = nn.LayerNorm(d_model)
        self.decoder_stack = nn.ModuleList([DecoderBlock(d_model, heads, d_ff) for _ in range(decoders)])
        self.dec_norm = nn.LayerNorm(d_model)

    def forward(self, source, target, source_mask):
        x = self.src_embed(source)
        self.encoder_stream = [x]
        for block in self.encoder_stack:
            x = block(x, source_mask)
            self.encoder_stream += block.stream
        self.memory = self.enc_norm(x)
        y = self.tgt_embed(target)
        self.decoder_stream = [y]
        for block in self.decoder_stack:
            y = block(y, self.memory, source_mask)
            self.decoder_stream += block.stream
        return F.linear(self.dec_norm(y), self.tgt_proj_weight)

    @torch.no_grad()
    def trace(self, sources, targets, pad):
        """What one pass over a batch computes for its first sentence."""
        source, target = torch.tensor(sources), torch.tensor(targets)
        log_probabilities = torch.log_softmax(self(source, target, source != pad), -1)[0]
        return {"source_ids": source[0], "target_ids": target[0], "next_ids": log_probabilities.argmax(-1),
                **site_arrays("encoder_self", [block.attn.seen for block in self.encoder_stack]),
                **site_arrays("decoder_self", [block.self_attn.seen for block in self.decoder_stack]),
                **site_arrays("cross", [block.cross_attn.seen for block in self.decoder_stack]),
                "positions/source": self.src_embed.added[0], "positions/target": self.tgt_embed.added[0],
                "encoder/residual": stream_array(self.encoder_stream), "encoder_output": self.memory[0],
                "decoder/residual": stream_array(self.decoder_stream), "log_probabilities": log_probabilities}


def attention_roles(role, state, stored):
    return {name: tensor for part, own in zip("qkvo", ("Q", "K", "V", "Wo"))
            for name, tensor in linear(f"{role}.{part}", state, f"{stored}.{own}").items()}


def by_equations(state, heads, pad, dtype=torch.float64):
    """The model of a state dict in the roles of `transformer.py`."""
    layers = {stack: count_layers(state, f"{stack}_stack.") for stack in ("encoder", "decoder")}
    roles = {"output.weight": state["tgt_proj_weight"], **linear("encoder.norm", state, "enc_norm"),
             **linear("decoder.norm", state, "dec_norm")}
    for side, stored in (("source", "src_embed"), ("target", "tgt_embed")):
        roles[f"{side}_embedding"] = state[f"{stored}.word_embed_weight"]
        roles[f"{side}_positions"] = state[f"{stored}.pos_embed_weight"]
    for stack, attentions in (("encoder", {"self": "attn"}), ("decoder", {"self": "self_attn", "cross": "cross_attn"})):
        for layer in range(layers[stack]):
            role, stored = f"{stack}.{layer}", f"{stack}_stack.{layer}"
            for kind, own in attentions.items():
                roles.update(attention_roles(f"{role}.{kind}", state, f"{stored}.{own}"))
                roles.update(linear(f"{role}.{kind}.norm", state, f"{stored}.{own}_norm"))
            roles.update(linear(f"{role}.feed_forward.in", state, f"{stored}.mlp.0"))
            roles.update(linear(f"{role}.feed_forward.out", state, f"{stored}.mlp.2"))
            roles.update(linear(f"{role}.feed_forward.norm", state, f"{stored}.mlp_norm"))
    architecture = Architecture(layers["encoder"], layers["decoder"], heads, pad, "normed-residual", "layer_norm", 1e-5,
                                embedding_scale=float(state["src_embed.scale"]), source_mask="queries",
                                target_pad_mask=False)
    return Transformer({role: tensor.to(dtype) for role, tensor in roles.items()}, architecture)
