"""Marian models as Hugging Face's `transformers` runs them, listened to, and the roles of their tensors."""

import torch

from originals import count_layers, linear, stream_array
from transformer import Architecture, Transformer


def listen(model, heard, hooks):
    """Keeps what enters and leaves the parts under (part, layer, attention) names while the model runs."""

    def keep(key, pick):
        return lambda module, given, output: heard.__setitem__(key, pick(given, output))

    for stack in ("encoder", "decoder"):
        part = getattr(model.model, stack)
        hooks.append(part.embed_positions.register_forward_hook(keep((stack, "positions"), lambda x, y: y)))
        for number, layer in enumerate(part.layers):
            attentions = {f"{stack}_self": layer.self_attn}
            norms = [layer.self_attn_layer_norm, layer.final_layer_norm]
            if stack == "decoder":
                attentions["cross"] = layer.encoder_attn
                norms.insert(1, layer.encoder_attn_layer_norm)
            if number == 0:
                hook = lambda module, given, stack=stack: heard.__setitem__((stack, "stream"), [given[0]])
                hooks.append(layer.register_forward_pre_hook(hook))
            for norm in norms:
                hook = lambda module, given, y, stack=stack: heard[stack, "stream"].append(y)
                hooks.append(norm.register_forward_hook(hook))
            for site, attention in attentions.items():
                for name in "qkv":
                    projection = getattr(attention, f"{name}_proj")
                    hooks.append(projection.register_forward_hook(keep((site, name, number), lambda x, y: y)))
                hooks.append(attention.out_proj.register_forward_hook(keep((site, "heads", number), lambda x, y: x[0])))


def site_arrays(site, heard, weights):
    """`weights`: what the model hands out, one a layer. Scores are rebuilt, and must give these weights again."""
    heads = weights[0].shape[1]
    arrays = {f"{site}/weights": torch.stack([layer[0] for layer in weights])}
    for name in ("q", "k", "v", "heads"):
        rows = [heard[site, name, layer][0] for layer in range(len(weights))]
        arrays[f"{site}/{name}"] = torch.stack([x.unflatten(-1, (heads, -1)).transpose(0, 1) for x in rows])
    q, k = arrays[f"{site}/q"], arrays[f"{site}/k"]
    arrays[f"{site}/scores"] = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    mask = (arrays[f"{site}/weights"] > 0).flatten(0, 1).any(0)
    rebuilt = arrays[f"{site}/scores"].masked_fill(~mask, -float("inf")).softmax(-1)
    assert (rebuilt - arrays[f"{site}/weights"]).abs().max() < 1e-6
    return {**arrays, f"{site}/mask": mask}


@torch.no_grad()
def trace(model, source_ids, target_ids, pad):
    """The arrays of one sentence. Pads behind a source are masked; nothing masks those behind a target."""
    heard, hooks = {}, []
    listen(model, heard, hooks)
    source, target = torch.tensor([source_ids]), torch.tensor([target_ids])
    output = model(input_ids=source, attention_mask=(source != pad).long(), decoder_input_ids=target,
                   output_attentions=True, use_cache=False)
    for hook in hooks:
        hook.remove()
    log_probabilities = torch.log_softmax(output.logits[0], -1)
    return {"source_ids": source[0], "target_ids": target[0], "next_ids": log_probabilities.argmax(-1),
            **site_arrays("encoder_self", heard, output.encoder_attentions),
            **site_arrays("decoder_self", heard, output.decoder_attentions),
            **site_arrays("cross", heard, output.cross_attentions),
            "positions/source": heard["encoder", "positions"], "positions/target": heard["decoder", "positions"],
            "encoder/residual": stream_array(heard["encoder", "stream"]),
            "encoder_output": output.encoder_last_hidden_state[0],
            "decoder/residual": stream_array(heard["decoder", "stream"]), "log_probabilities": log_probabilities}


def sinusoid_halves(places, d_model):
    """Sines in the first half of the dimensions, cosines in the second."""
    frequency = 10000 ** (-2 * torch.arange(d_model // 2, dtype=torch.float64) / d_model)
    angle = torch.arange(places, dtype=torch.float64).unsqueeze(1) * frequency
    return torch.cat([angle.sin(), angle.cos()], dim=1)


def by_equations(state, config, dtype=torch.float64):
    """The model of stored tensors and its `config.json`. Any alias of a tied tensor may be the stored one."""
    shared = state.get("model.shared.weight")
    encoder, decoder = (state.get(f"model.{stack}.embed_tokens.weight", shared) for stack in ("encoder", "decoder"))
    roles = {"source_embedding": encoder, "target_embedding": decoder,
             "output.weight": state.get("lm_head.weight", decoder), "output.bias": state["final_logits_bias"][0]}
    # The library's table is rounded to float32, whatever the model computes in.
    table = sinusoid_halves(config["max_position_embeddings"], config["d_model"]).float()
    layers = {}
    for stack, side in (("encoder", "source"), ("decoder", "target")):
        roles[f"{side}_positions"] = state.get(f"model.{stack}.embed_positions.weight", table)
        layers[stack] = count_layers(state, f"model.{stack}.layers.")
        attentions = {"self": "self_attn", "cross": "encoder_attn"} if stack == "decoder" else {"self": "self_attn"}
        for layer in range(layers[stack]):
            role, stored = f"{stack}.{layer}", f"model.{stack}.layers.{layer}"
            for kind, own in attentions.items():
                for part, projection in zip("qkvo", ("q_proj", "k_proj", "v_proj", "out_proj")):
                    roles.update(linear(f"{role}.{kind}.{part}", state, f"{stored}.{own}.{projection}"))
                roles.update(linear(f"{role}.{kind}.norm", state, f"{stored}.{own}_layer_norm"))
            roles.update(linear(f"{role}.feed_forward.in", state, stored + ".fc1"))
            roles.update(linear(f"{role}.feed_forward.out", state, stored + ".fc2"))
            roles.update(linear(f"{role}.feed_forward.norm", state, stored + ".final_layer_norm"))
    activation = {"swish": "silu"}.get(config["activation_function"], config["activation_function"])
    architecture = Architecture(layers["encoder"], layers["decoder"], config["encoder_attention_heads"],
                                config["pad_token_id"], "post", "layer_norm", 1e-5, final_norm=False,
                                activation=activation, embedding_scale=None if config["scale_embedding"] else 1,
                                mask_fill=-float("inf"), target_pad_mask=False)
    return Transformer({role: tensor.to(dtype) for role, tensor in roles.items()}, architecture)
