"""The Annotated Transformer (harvardnlp): what its checkpoints call the roles of `transformer.py`."""

import torch

from transformer import Architecture, Transformer

ATTENTION = {"q": 0, "k": 1, "v": 2, "o": 3}  # places in `linears`


def sinusoids(places, d_model, base):
    """Vaswani et al. (2017), section 3.5: sines in the even dimensions, cosines in the odd ones."""
    position = torch.arange(places, dtype=torch.float64).unsqueeze(1)
    angle = position * base ** (-torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)[:, :d_model]


def layer_roles(stack, layer, state):
    """Role -> stored prefix of what one layer holds."""
    stored = f"{stack}.layers.{layer}"
    attentions = {"self": "self_attn"}
    if stack == "decoder":
        # A variant of this family stores no `src_attn` and attends to the source with its self-attention's weights.
        has_own = f"{stored}.src_attn.linears.0.weight" in state
        attentions["cross"] = "src_attn" if has_own else "self_attn"
    roles = {}
    for kind, module in attentions.items():
        roles.update({f"{kind}.{role}": f"{stored}.{module}.linears.{i}" for role, i in ATTENTION.items()})
    roles["feed_forward.in"] = f"{stored}.feed_forward.w_1"
    roles["feed_forward.out"] = f"{stored}.feed_forward.w_2"
    norms = {f"{kind}.norm": f"{stored}.sublayer.{i}.norm" for i, kind in enumerate([*attentions, "feed_forward"])}
    return roles, norms


def roles_of(state, layers, pe_base):
    """The parameters under their roles. A tensor that is stored under one of its tied names only is found there."""
    source = state.get("src_embed.0.lut.weight", state.get("tgt_embed.0.lut.weight"))
    target = state.get("tgt_embed.0.lut.weight", source)
    roles = {"source_embedding": source, "target_embedding": target,
             "output.weight": state.get("generator.proj.weight", target), "output.bias": state["generator.proj.bias"]}
    for side, module in (("source", "src_embed"), ("target", "tgt_embed")):
        table = state.get(f"{module}.1.pe")
        roles[f"{side}_positions"] = sinusoids(5000, source.shape[1], pe_base) if table is None else table[0]
    for stack in ("encoder", "decoder"):
        norms = {f"{stack}.norm": f"{stack}.norm"}
        for layer in range(layers):
            linears, layer_norms = layer_roles(stack, layer, state)
            norms.update({f"{stack}.{layer}.{role}": stored for role, stored in layer_norms.items()})
            for role, stored in linears.items():
                roles[f"{stack}.{layer}.{role}.weight"] = state[stored + ".weight"]
                roles[f"{stack}.{layer}.{role}.bias"] = state[stored + ".bias"]
        for role, stored in norms.items():
            roles[role + ".weight"], roles[role + ".bias"] = state[stored + ".a_2"], state[stored + ".b_2"]
    return roles


def annotated_transformer(state, config, dtype=torch.float64):
    """The model of a state dict and its `config.json`. Computing in float64 keeps rounding out of what is recorded."""
    roles = roles_of(state, config["layers"], config["pe_base"])
    architecture = Architecture(encoder_layers=config["layers"], decoder_layers=config["layers"],
                                heads=config["heads"], pad=config["pad"], norm=config["norm"],
                                norm_kind=config["layer_norm"])
    return Transformer({role: tensor.to(dtype) for role, tensor in roles.items()}, architecture)
