"""torch.nn.Transformer itself, listened to while it runs, the translation tutorial's model around it, and the roles of
their tensors."""

import torch
from torch import nn
from torch.nn import functional as F

from originals import count_layers, linear, site_arrays, stream_array
from transformer import Architecture, Transformer


class TokenEmbedding(nn.Module):
    def __init__(self, vocabulary, d_model):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, d_model)

    def forward(self, ids):
        return self.embedding(ids) * self.embedding.embedding_dim**0.5


class PositionalEncoding(nn.Module):
    def __init__(self, places, d_model):
        super().__init__()
        self.register_buffer("pos_embedding", torch.empty(places, 1, d_model))

    def forward(self, x):
        return x + self.pos_embedding[: len(x)]


class Seq2SeqTransformer(nn.Module):
    """The tutorial's model; the sequence is the first dimension, the sentences of a batch the second."""

    def __init__(self, transformer, source_vocabulary, target_vocabulary, places):
        super().__init__()
        d_model = transformer.d_model
        self.transformer = transformer
        self.generator = nn.Linear(d_model, target_vocabulary)
        self.src_tok_emb = TokenEmbedding(source_vocabulary, d_model)
        self.tgt_tok_emb = TokenEmbedding(target_vocabulary, d_model)
        self.positional_encoding = PositionalEncoding(places, d_model)

    def forward(self, source, target, pad):
        source_pads, target_pads = (source == pad).T, (target == pad).T
        later = torch.ones(len(target), len(target), dtype=torch.bool).triu(1)
        decoded = self.transformer(self.positional_encoding(self.src_tok_emb(source)),
                                   self.positional_encoding(self.tgt_tok_emb(target)), tgt_mask=later,
                                   src_key_padding_mask=source_pads, tgt_key_padding_mask=target_pads,
                                   memory_key_padding_mask=source_pads)
        return self.generator(decoded)

    def trace(self, sources, targets, pad):
        """What one pass over a batch computes for its first sentence."""
        source, target = torch.tensor(sources).T, torch.tensor(targets).T
        stacks = listen_to_stack(self.transformer.encoder), listen_to_stack(self.transformer.decoder)
        log_probabilities = torch.log_softmax(self(source, target, pad), -1)[:, 0].detach()
        places = self.positional_encoding.pos_embedding
        return {"source_ids": source[:, 0], "target_ids": target[:, 0], "next_ids": log_probabilities.argmax(-1),
                **encoder_arrays(stacks[0]), **decoder_arrays(stacks[1]), "positions/source": places[: len(source), 0],
                "positions/target": places[: len(target), 0], "log_probabilities": log_probabilities}


def trace_of_vectors(encoder, vectors):
    """The arrays of an nn.TransformerEncoder for the vectors of one sentence, [places, d_model]."""
    heard = listen_to_stack(encoder)
    encoder(vectors.unsqueeze(1))
    return encoder_arrays(heard)


def allowed(attention_mask, padding_mask, rows, columns):
    """What the module's two masks let through; newer versions hand them over as additive -inf."""
    mask = torch.ones(1, rows, columns, dtype=torch.bool)
    for given in (attention_mask, None if padding_mask is None else padding_mask.unsqueeze(1)):
        if given is not None:
            mask = mask & ~(given if given.dtype == torch.bool else given != 0)
    return mask


def listen_to_attention(attention, calls):
    """Lets the module itself compute its weights, head by head, and rebuilds what it does not hand out."""
    original = type(attention).forward

    def forward(query, key, value, key_padding_mask=None, attn_mask=None, **ignored):
        output, weights = original(attention, query, key, value, key_padding_mask=key_padding_mask,
                                   attn_mask=attn_mask, need_weights=True, average_attn_weights=False)
        biases = (None,) * 3 if attention.in_proj_bias is None else attention.in_proj_bias.chunk(3)
        q, k, v = (F.linear(x, weight, bias).unflatten(-1, (attention.num_heads, -1)).permute(1, 2, 0, 3)
                   for x, weight, bias in zip((query, key, value), attention.in_proj_weight.chunk(3), biases))
        scores = q / q.shape[-1] ** 0.5 @ k.transpose(-2, -1)
        mask = allowed(attn_mask, key_padding_mask, len(query), len(key))
        heads = weights @ v
        rebuilt = scores.masked_fill(~mask.unsqueeze(1), float("-inf")).softmax(-1)
        assert (rebuilt - weights).abs().max() < 1e-12
        assert (attention.out_proj(heads.permute(2, 0, 1, 3).flatten(2)) - output).abs().max() < 1e-12
        calls.append({name: array.detach() for name, array in
                      dict(q=q, k=k, v=v, scores=scores, weights=weights, heads=heads, mask=mask).items()})
        return output, None

    attention.forward = forward


def listen_to_stack(stack):
    """What the layers compute at the next pass. Gradients must be on: without them the encoder takes a fused path that
    calls none of its parts."""
    heard = {"self": [], "cross": [], "stream": [], "output": None, "hooks": []}
    keep = lambda x: heard["stream"].append(x.detach().transpose(0, 1))
    hear = lambda module, function: heard["hooks"].append(module.register_forward_hook(function))
    for number, layer in enumerate(stack.layers):
        listen_to_attention(layer.self_attn, heard["self"])
        norms = [layer.norm1, layer.norm2]
        if hasattr(layer, "multihead_attn"):
            listen_to_attention(layer.multihead_attn, heard["cross"])
            norms.append(layer.norm3)
        for norm in norms:  # what enters a pre-norm is the stream, and what leaves a post-norm is
            hear(norm, lambda _, x, y, first=layer.norm_first: keep(x[0] if first else y))
        if layer.norm_first and number == len(stack.layers) - 1:
            hear(layer, lambda _, x, y: keep(y))
        if not layer.norm_first and number == 0:
            heard["hooks"].append(layer.register_forward_pre_hook(lambda _, x: keep(x[0])))
    hear(stack, lambda _, x, y: heard.update(output=y.detach().transpose(0, 1)))
    return heard


def stop_listening(heard):
    for hook in heard["hooks"]:
        hook.remove()


def encoder_arrays(heard):
    stop_listening(heard)
    return {**site_arrays("encoder_self", heard["self"]), "encoder/residual": stream_array(heard["stream"]),
            "encoder_output": heard["output"][0]}


def decoder_arrays(heard):
    stop_listening(heard)
    return {**site_arrays("decoder_self", heard["self"]), **site_arrays("cross", heard["cross"]),
            "decoder/residual": stream_array(heard["stream"])}


def attention_roles(role, state, stored):
    """q, k and v are the rows of one matrix, in this order."""
    roles = linear(role + ".o", state, stored + ".out_proj")
    for kind in ("weight", "bias"):
        fused = state.get(f"{stored}.in_proj_{kind}")
        if fused is not None:
            roles.update({f"{role}.{part}.{kind}": rows for part, rows in zip("qkv", fused.chunk(3))})
    return roles


def stack_roles(stack, state, prefix, layers):
    attentions = {"self": "self_attn", "cross": "multihead_attn"} if stack == "decoder" else {"self": "self_attn"}
    roles = linear(f"{stack}.norm", state, prefix + "norm") if prefix + "norm.weight" in state else {}
    for layer in range(layers):
        role, stored = f"{stack}.{layer}", f"{prefix}layers.{layer}"
        for kind, own in attentions.items():
            roles.update(attention_roles(f"{role}.{kind}", state, f"{stored}.{own}"))
        for i, kind in enumerate([*attentions, "feed_forward"], 1):
            roles.update(linear(f"{role}.{kind}.norm", state, f"{stored}.norm{i}"))
        roles.update(linear(f"{role}.feed_forward.in", state, stored + ".linear1"))
        roles.update(linear(f"{role}.feed_forward.out", state, stored + ".linear2"))
    return roles


def by_equations(state, heads, norm, activation, pad=0, dtype=torch.float64):
    """The model of a state dict: the tutorial's, a bare nn.Transformer's or a bare nn.TransformerEncoder's."""
    prefix = "transformer." if "generator.weight" in state else ""
    prefixes = {"encoder": prefix + "encoder.", "decoder": prefix + "decoder."}
    if "layers.0.linear1.weight" in state:
        prefixes = {"encoder": ""}
    layers = {stack: count_layers(state, own + "layers.") for stack, own in prefixes.items()}
    roles = {}
    for stack, own in prefixes.items():
        roles.update(stack_roles(stack, state, own, layers[stack]))
    if prefix:
        places = state["positional_encoding.pos_embedding"][:, 0]
        roles.update(source_embedding=state["src_tok_emb.embedding.weight"], source_positions=places,
                     target_embedding=state["tgt_tok_emb.embedding.weight"], target_positions=places,
                     **linear("output", state, "generator"))
    architecture = Architecture(layers["encoder"], layers.get("decoder", 0), heads, pad, norm, "layer_norm", 1e-5,
                                final_norm="encoder.norm.weight" in roles, activation=activation,
                                mask_fill=float("-inf"))
    return Transformer({role: tensor.to(dtype) for role, tensor in roles.items()}, architecture)
