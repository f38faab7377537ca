"""What can be drawn beside weights and scores: norm-weighted attention, roll-out, ALTI+, gradient times attention;
what a head adds in one row; what a step loses without a source token.

Straight from the definitions, with whole tensors and PyTorch's own gradients: nothing is taken apart for speed.
Kobayashi et al. 2020 and 2021, Abnar and Zuidema 2020, Ferrando et al. 2022 (ALTI+), Geva et al. 2023 (knock-out).
"""

import torch

from transformer import Recording, Transformer
from what_if import ChangedTransformer

MODULES = {"encoder": "encoder.{}.self", "decoder": "decoder.{}.self", "cross": "decoder.{}.cross"}
RECORDED = {"encoder": "encoder_self", "decoder": "decoder_self", "cross": "cross"}


class WatchedTransformer(Transformer):
    """Keeps the weights of every attention as the nodes that gradients arrive at."""

    def __init__(self, model):
        super().__init__(model.p, model.a)
        self.nodes, self.added = {}, {}

    def contribution(self, name, added):
        self.added[name] = added
        return added

    def weights(self, name, scores, mask):
        weights = super().weights(name, scores, mask)
        if not weights.requires_grad:
            weights.requires_grad_()
        weights.retain_grad()
        self.nodes[name] = weights
        return weights


class Quantities:
    """Of one sentence, [S] and [T] token ids, and the token that step `step` chose rather than `contrast`."""

    def __init__(self, model, source_ids, target_ids, step, contrast):
        self.model = WatchedTransformer(model)
        self.recording = Recording()
        memory, mask = self.model.encode(torch.tensor([source_ids]), self.recording)
        self.model.decode(torch.tensor([target_ids]), memory, mask, self.recording)
        says = self.recording.single["log_probabilities"][0, step]
        (says[says.argmax()] - says[contrast]).backward()  # of logits: what they are normalised by cancels
        self.layers = {"encoder": model.a.encoder_layers, "decoder": model.a.decoder_layers,
                       "cross": model.a.decoder_layers}
        self.sources, self.targets = len(source_ids), len(target_ids)
        self.fed, self.step, self.contrast = (source_ids, target_ids), step, contrast

    def recorded(self, site, layer, array):
        return self.recording.stacked[f"{RECORDED[site]}/{array}"][layer][0].detach()

    def gradient(self, site, layer):
        weights = self.model.nodes[MODULES[site].format(layer)]
        return (weights * weights.grad)[0].detach()

    def written(self, site, layer):
        """W_O v of every head and key, [heads, keys, d_model]."""
        v = self.recorded(site, layer, "v")
        matrix = self.model.p[MODULES[site].format(layer) + ".o.weight"]
        parts = matrix.chunk(v.shape[0], dim=1)
        return torch.stack([v[head] @ part.T for head, part in enumerate(parts)])

    def contributions(self, site, layer):
        """a f(x), [heads, rows, keys, d_model]."""
        return self.recorded(site, layer, "weights").unsqueeze(-1) * self.written(site, layer).unsqueeze(1)

    def norm_weighted(self, site, layer):
        return self.contributions(site, layer).norm(dim=-1)

    def stream(self, site, layer):
        """The residual stream before and after the sublayer, [rows, d_model] each."""
        stack = "encoder" if site == "encoder" else "decoder"
        sublayer = 2 * layer if site == "encoder" else 3 * layer + (site == "cross")
        residual = self.recording.stacked[stack + "/residual"]
        return residual[sublayer][0].detach(), residual[sublayer + 1][0].detach()

    def shares(self, site, layer):
        """Of each key and of the stream that went around, [rows, keys] and [rows]."""
        name, norm = MODULES[site].format(layer), self.model.a.norm
        before, after = self.stream(site, layer)
        parts = self.contributions(site, layer).sum(0)  # [rows, keys, d_model]
        around = self.model.norm(name + ".norm", before) if norm == "normed-residual" else before
        if norm == "post":
            bias = self.model.p.get(name + ".o.bias", 0)
            whole = before + parts.sum(1) + bias
            centred = whole - whole.mean(-1, keepdim=True)
            if self.model.a.norm_kind == "annotated":
                divisor = whole.std(-1, unbiased=True, keepdim=True) + self.model.a.norm_epsilon
            else:
                divisor = (centred.square().mean(-1, keepdim=True) + self.model.a.norm_epsilon).sqrt()
            gain = self.model.p[name + ".norm.weight"]
            parts = gain * (parts - parts.mean(-1, keepdim=True)) / divisor.unsqueeze(1)
            around = gain * (around - around.mean(-1, keepdim=True)) / divisor
        parts = torch.cat([parts, around.unsqueeze(1)], dim=1)
        nearer = after.abs().sum(-1, keepdim=True) - (after.unsqueeze(1) - parts).abs().sum(-1)
        nearer = nearer.clamp(min=0)
        shares = nearer / nearer.sum(-1, keepdim=True)
        return shares[:, :-1], shares[:, -1]

    def halves(self, site, layer):
        mean = self.recorded(site, layer, "weights").mean(0)
        return mean / 2, torch.full((mean.shape[0],), 0.5, dtype=mean.dtype)

    def multiplied(self, shares_of):
        """Through all sublayers: {site: one [rows, columns] a layer}; a decoder's columns are source, then target."""
        dtype = self.recorded("encoder", 0, "weights").dtype
        eye = lambda n: torch.eye(n, dtype=dtype)
        encoder, through = eye(self.sources), {"encoder": [], "decoder": [], "cross": []}
        for layer in range(self.layers["encoder"]):
            keys, around = shares_of("encoder", layer)
            encoder = (keys + around.diag()) @ encoder
            through["encoder"].append(encoder)
        of_source, of_target = torch.zeros(self.targets, self.sources, dtype=dtype), eye(self.targets)
        for layer in range(self.layers["decoder"]):
            keys, around = shares_of("decoder", layer)
            of_source, of_target = (keys + around.diag()) @ of_source, (keys + around.diag()) @ of_target
            through["decoder"].append(torch.cat([of_source, of_target], 1))
            keys, around = shares_of("cross", layer)
            of_source, of_target = keys @ encoder + around.diag() @ of_source, around.diag() @ of_target
            through["cross"].append(torch.cat([of_source, of_target], 1))
        return through

    def arrays(self):
        """{"norm-weighted/cross": [layers, heads, rows, columns], ...}; one map a layer where heads have none."""
        arrays = {}
        for name, quantity in {"norm-weighted": self.norm_weighted, "gradient": self.gradient}.items():
            for site, layers in self.layers.items():
                arrays[f"{name}/{site}"] = torch.stack([quantity(site, layer) for layer in range(layers)])
        for name, shares_of in {"rollout": self.halves, "contribution": self.shares}.items():
            for site, maps in self.multiplied(shares_of).items():
                arrays[f"{name}/{site}"] = torch.stack(maps).unsqueeze(1)
        return {**arrays, **self.rows(), **self.causal_rows()}

    def rows(self):
        """Of the row of the step: what every head adds of every key, [layers, heads, keys, d_model], what the whole
        sublayer adds and what it is added to, [layers, d_model] each."""
        arrays = {}
        for site, layers in self.layers.items():
            names = [MODULES[site].format(layer) for layer in range(layers)]
            before = [self.stream(site, layer)[0] for layer in range(layers)]
            if self.model.a.norm == "normed-residual":
                before = [self.model.norm(name + ".norm", x).detach() for name, x in zip(names, before)]
            added = [self.contributions(site, layer)[:, self.step] for layer in range(layers)]
            arrays[f"added/{site}"] = torch.stack(added)
            arrays[f"sublayer/{site}"] = torch.stack([self.model.added[name][0, self.step].detach() for name in names])
            arrays[f"before/{site}"] = torch.stack([x[self.step] for x in before])
        return arrays

    def without(self, blocked):
        """What the step's token loses when cells (layer, head, query, key) of cross-attention are closed, and what of
        that the token `contrast` does not lose, [2]."""
        options = [word for layer, head, query, key in blocked
                   for word in ("--block", f"cross.{layer}.{head}:{query},{key}")]
        model = Transformer(self.model.p, self.model.a)
        says = model.trace(*self.fed)["log_probabilities"][self.step]
        changed = ChangedTransformer(model, options).trace(*self.fed)["log_probabilities"][self.step]
        lost = says - changed
        return [lost[says.argmax()], lost[says.argmax()] - lost[self.contrast]]

    def causal_rows(self):
        """The one cell of every head closed in turn, [layers, heads, keys], and a key in all of them, [keys]; both of
        the token and against the token `contrast`."""
        layers, heads, keys = range(self.layers["cross"]), range(self.model.a.heads), range(self.sources)
        alone = [[[self.without([(layer, head, self.step, key)]) for key in keys] for head in heads] for layer in layers]
        everywhere = [self.without([(layer, head, query, key) for layer in layers for head in heads
                                    for query in range(self.targets)]) for key in keys]
        alone, everywhere = torch.tensor(alone), torch.tensor(everywhere)  # [..., 2]
        return {"causal/heads": alone[..., 0], "causal/all": everywhere[..., 0],
                "causal/contrast_heads": alone[..., 1], "causal/contrast_all": everywhere[..., 1]}
