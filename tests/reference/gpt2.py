"""The weights of attention of a decoder of GPT-2's architecture, from its equations, in float64.

No code in common with Headscope or `transformers`: the reference for models that were trained with `transformers` and are
bundled, on a system that has PyTorch alone.
"""

import json
from pathlib import Path

import torch

from files import read_safetensors


def gelu_new(x):
    return 0.5 * x * (1 + torch.tanh((2 / torch.pi) ** 0.5 * (x + 0.044715 * x ** 3)))


class Gpt2:
    def __init__(self, folder):
        folder = Path(folder)
        self.config = json.loads((folder / "config.json").read_text())
        self.state = {name.removeprefix("transformer."): tensor.double()
                      for name, tensor in read_safetensors(folder / "model.safetensors").items()}
        self.words = (folder / "vocabulary.txt").read_text().split("\n")

    def ids(self, text):
        return self.config["source_prefix"] + [self.words.index(word) for word in text.split()]

    def _linear(self, name, x):
        return x @ self.state[name + ".weight"] + self.state[name + ".bias"]  # stored [in, out]

    def _norm(self, name, x):
        return torch.nn.functional.layer_norm(x, x.shape[-1:], self.state[name + ".weight"], self.state[name + ".bias"],
                                              self.config["layer_norm_epsilon"])

    def weights(self, ids):
        """[layers, heads, T, T] weights of attention, and logits [T, vocabulary]."""
        heads, rows = self.config["n_head"], len(ids)
        x = self.state["wte.weight"][ids] + self.state["wpe.weight"][:rows]
        masked = torch.ones(rows, rows, dtype=torch.bool).triu(1)
        layers = []
        for layer in range(self.config["n_layer"]):
            at = f"h.{layer}."
            q, k, v = (part.view(rows, heads, -1).transpose(0, 1)
                       for part in self._linear(at + "attn.c_attn", self._norm(at + "ln_1", x)).chunk(3, -1))
            scores = q @ k.transpose(1, 2) / q.shape[-1] ** 0.5
            layers.append(scores.masked_fill(masked, -torch.inf).softmax(-1))
            x = x + self._linear(at + "attn.c_proj", (layers[-1] @ v).transpose(0, 1).reshape(rows, -1))
            x = x + self._linear(at + "mlp.c_proj", gelu_new(self._linear(at + "mlp.c_fc", self._norm(at + "ln_2", x))))
        logits = self._norm("ln_f", x) @ self.state.get("lm_head.weight", self.state["wte.weight"]).T
        return torch.stack(layers), logits
