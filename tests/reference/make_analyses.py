"""Writes `analyses/llama-tiny`: what analyses say of a decoder alone with RMS norms, rotated queries and keys, and shared
keys and values.

    python tests/reference/make_analyses.py
    python3 tests/reference/compare.py CLI tests/reference/hugging-face/llama-tiny tests/reference/analyses/llama-tiny/*.npz

Straight from the definitions, with the model of `transformers`, hooks and PyTorch's own gradients, in float64: norm-weighted
attention (Kobayashi et al. 2020), roll-out (Abnar and Zuidema 2020), ALTI+ (Ferrando et al. 2022), gradient times attention,
logit lens, shares of a logit with the last norm frozen, importance of heads, knock-out losses of earlier tokens (Geva et al. 2023),
all of them once more against another token; a head that is off, and a scaled one. Needs `transformers` 4.57.
"""

import json
from pathlib import Path

import numpy as np
import torch
from transformers import LlamaForCausalLM
from transformers.models.llama import modeling_llama

from files import write_trace
from in_float64 import both

HERE = Path(__file__).resolve().parent
MODEL = HERE / "hugging-face" / "llama-tiny"
OUT = HERE / "analyses" / "llama-tiny"
FED = [44, 3, 28, 19, 51, 7, 22, 36, 3, 28]
PROMPT = 6  # the first tokens of FED
CONTRAST = 12
OF_TOKENS = ["--gradients", "--lens", "--attribution", "--importance", "--knock-out"]
OPTIONS = {"analyses": ["--quantities", *OF_TOKENS], "contrast": [*OF_TOKENS, "--rather-than", f"#{CONTRAST}"],
           "head-off": ["--disable-head", "decoder.1.2"], "head-scaled": ["--scale-head", "decoder.0.1=0.25"]}


class Watched:
    """The model with what passes through each layer, all of it a node of the graph. `hidden`: a token that no later
    row attends to."""

    def __init__(self, model, factors=None, hidden=None):
        self.model = model
        self.config = self.model.config
        self.heads, self.width = self.config.num_attention_heads, self.config.head_dim
        self.factors = factors or {}
        self.weights, self.outputs, self.v, self.residuals = [], [], [], []
        usual = modeling_llama.eager_attention_forward

        def attention(module, query, key, value, mask, scaling, dropout=0.0, **kwargs):
            if hidden is not None:
                mask = mask.clone()
                mask[:, :, hidden + 1:, hidden] = torch.finfo(mask.dtype).min
            output, weights = usual(module, query, key, value, mask, scaling, dropout, **kwargs)
            weights.retain_grad()
            values = modeling_llama.repeat_kv(value, module.num_key_value_groups)
            output = (weights @ values).transpose(1, 2)  # through this node, [1, T, heads, d_k]
            scale = torch.ones(self.heads, dtype=output.dtype)
            for head, factor in self.factors.get(module.layer_idx, {}).items():
                scale[head] = factor
            self.weights.append(weights)
            self.v.append(values)
            self.outputs.append(output * scale[:, None])
            return self.outputs[-1].contiguous(), weights

        self.attention = attention

    def run(self):
        """[T, vocabulary] logits."""
        hooks = []
        for layer in self.model.model.layers:
            hooks.append(layer.input_layernorm.register_forward_pre_hook(lambda _, x: self.residuals.append(x[0])))
            hooks.append(layer.post_attention_layernorm.register_forward_pre_hook(
                lambda _, x: self.residuals.append(x[0])))
        hooks.append(self.model.model.norm.register_forward_pre_hook(lambda _, x: self.residuals.append(x[0])))
        usual = modeling_llama.eager_attention_forward
        modeling_llama.eager_attention_forward = self.attention
        try:
            logits = self.model(torch.tensor([FED]), use_cache=False).logits[0]
        finally:
            modeling_llama.eager_attention_forward = usual
            for hook in hooks:
                hook.remove()
        self.residuals = [x[0] for x in self.residuals]  # [T, d_model] each
        return logits

    def matrix(self, layer):
        """W_O by head, [heads, d_model, d_k]."""
        whole = self.model.model.layers[layer].self_attn.o_proj.weight
        return torch.stack(whole.chunk(self.heads, dim=1)).detach()

    def says(self, x):
        """Log-probabilities after the last norm."""
        return self.model.lm_head(self.model.model.norm(x)).log_softmax(-1)


def multiplied(shares):
    through, maps = torch.eye(len(FED), dtype=shares[0][0].dtype), []
    for keys, around in shares:
        through = (keys + around.diag()) @ through
        maps.append(through)
    return torch.stack(maps)


def analyses(model, contrast=None):
    """`contrast`: the token that every step's token is compared with."""
    watched = Watched(model)
    logits = watched.run()
    layers = range(watched.config.num_hidden_layers)
    chosen = logits.argmax(-1).detach()
    steps = torch.arange(len(FED))

    def of_token(says):
        """[T] of [T, vocabulary], of what each step chose, less that of the other token."""
        own = says[steps, chosen]
        return own if contrast is None else own - says[:, contrast]

    gradients = []
    for step, token in zip(steps, chosen):
        for weights in watched.weights:
            weights.grad = None
        (logits[step, token] - (0 if contrast is None else logits[step, contrast])).backward(retain_graph=True)
        gradients.append(torch.stack([(w * w.grad)[0] for w in watched.weights]).detach())
    with torch.no_grad():
        weights = torch.stack(watched.weights)[:, 0]  # [layers, heads, T, T]
        written = torch.stack([torch.einsum("hkd,hmd->hkm", watched.v[i][0], watched.matrix(i)) for i in layers])
        contributions = weights.unsqueeze(-1) * written.unsqueeze(2)  # [layers, heads, T, keys, d_model]
        shares = []
        for layer in layers:
            before, after = watched.residuals[2 * layer], watched.residuals[2 * layer + 1]
            parts = torch.cat([contributions[layer].sum(0), before.unsqueeze(1)], 1)
            nearer = (after.abs().sum(-1, keepdim=True) - (after.unsqueeze(1) - parts).abs().sum(-1)).clamp(min=0)
            nearer = nearer / nearer.sum(-1, keepdim=True)
            shares.append((nearer[:, :-1], nearer[:, -1]))
        halves = [(weights[layer].mean(0) / 2, torch.full((len(FED),), 0.5, dtype=model.dtype)) for layer in layers]
        lens = torch.stack([watched.says(x) for x in watched.residuals], 1)  # [T, stages, vocabulary]
        last = lens[:, -1:]
        own = lens.gather(-1, chosen[:, None, None].expand(-1, lens.shape[1], 1))[..., 0]
        # A logit is the last stream, divided by its root mean square, times gain and output row.
        stream = watched.residuals[-1]
        divisor = (stream.square().mean(-1, keepdim=True) + watched.config.rms_norm_eps).sqrt()
        rows = watched.model.lm_head.weight
        directions = rows[chosen] if contrast is None else rows[chosen] - rows[contrast]
        reading = watched.model.model.norm.weight * directions / divisor  # [T, d_model]
        zero = torch.zeros(len(FED), dtype=model.dtype)
        parts = [zero, (reading * watched.residuals[0]).sum(-1), zero]  # bias, embedding, position
        for layer in layers:
            parts += [(reading * head).sum(-1) for head in contributions[layer].sum(2)]
            added = watched.residuals[2 * layer + 2] - watched.residuals[2 * layer + 1]
            parts.append((reading * added).sum(-1))
        undisturbed = logits.log_softmax(-1)
        losses, divergences = [], []
        for layer in layers:
            for head in range(watched.heads):
                without = Watched(model, {layer: {head: 0.0}})
                with torch.enable_grad():
                    says = without.run().log_softmax(-1).detach()
                losses.append(of_token(undisturbed - says))
                divergences.append((undisturbed.exp() * (undisturbed - says)).sum(-1))
        knocked = torch.full((len(FED), len(FED)), float("nan"), dtype=model.dtype)
        for key in range(len(FED) - 1):
            with torch.enable_grad():
                says = Watched(model, hidden=key).run().log_softmax(-1).detach()
            knocked[key + 1:, key] = of_token(undisturbed - says)[key + 1:]
        leads = {} if contrast is None else {"lens/leads": own - lens[..., contrast]}
        return {
            "next_ids": chosen, "decoder_self/weights": weights, "decoder_self/norm_weighted": contributions.norm(dim=-1),
            "decoder_self/gradient": torch.stack(gradients), "decoder_self/rollout": multiplied(halves),
            "decoder_self/contributions": multiplied(shares), "lens/log_probabilities": own,
            "lens/divergence": (last.exp() * (last - lens)).sum(-1), "attribution/logits": of_token(logits),
            "attribution/parts": torch.stack(parts, 1), "importance/undisturbed": of_token(undisturbed),
            "importance/heads": torch.stack(losses), "importance/divergence": torch.stack(divergences), "knock_out/losses": knocked,
            "knock_out/log_probabilities": of_token(undisturbed), **leads}


def contrasted(model, contrast):
    """What depends on the token that others are compared with."""
    return {name: array for name, array in analyses(model, contrast).items()
            if not name.startswith("decoder_self/") or name.endswith("/gradient")}


def changed(model, factors):
    watched = Watched(model, factors)
    says = watched.run().log_softmax(-1)
    return {"decoder_self/weights": torch.stack(watched.weights)[:, 0], "log_probabilities": says}


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    given = {"source_ids": np.array(FED[:PROMPT]), "target_ids": np.array(FED)}
    model = LlamaForCausalLM.from_pretrained(MODEL, attn_implementation="eager").eval()
    for name, (trace, *arguments) in {"analyses": (analyses,), "contrast": (contrasted, CONTRAST),
                                      "head-off": (changed, {1: {2: 0.0}}), "head-scaled": (changed, {0: {1: 0.25}})}.items():
        arrays, single = ({key: value.detach() for key, value in form.items()} for form in both(trace, model, *arguments))
        write_trace(OUT / f"{name}.npz", {**given, **arrays}, single)
    (OUT / "what-if.json").write_text(json.dumps(OPTIONS, indent=1) + "\n")


if __name__ == "__main__":
    main()
