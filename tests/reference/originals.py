"""What the rebuilt original programs share: an attention that keeps what it computes, and its arrays under trace names.

The programs are rebuilt as modules with the original's tensor names and its order of operations, and share no line with
`transformer.py`, which their recordings are checked against.
"""

import math

import torch
from torch import nn

from transformer import Recording

KEPT = ("q", "k", "v", "scores", "weights", "heads")


class Attention(nn.Module):
    """softmax(q k^T / sqrt(d_k)) v with the heads side by side in the projections' rows; `seen` is its last call.

    `project` is what a program's own class has: its four projections, under its own names.
    """

    def __init__(self, heads):
        super().__init__()
        self.heads = heads

    def project(self):
        raise NotImplementedError

    def forward(self, queries, keys, mask=None):
        """mask: broadcast to [batch, queries, keys], true = may attend; None masks nothing."""
        to_q, to_k, to_v, to_output = self.project()
        batch, rows, columns = len(queries), queries.shape[1], keys.shape[1]
        q = to_q(queries).view(batch, rows, self.heads, -1).transpose(1, 2)
        k = to_k(keys).view(batch, columns, self.heads, -1).transpose(1, 2)
        v = to_v(keys).view(batch, columns, self.heads, -1).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(k.shape[-1])
        mask = torch.ones(1, 1, 1, dtype=torch.bool) if mask is None else mask
        weights = scores.masked_fill(mask.unsqueeze(1) == 0, -1e9).softmax(-1)
        heads = torch.matmul(weights, v)
        self.seen = dict(q=q, k=k, v=v, scores=scores, weights=weights, heads=heads,
                         mask=mask.expand(batch, rows, columns))
        return to_output(heads.transpose(1, 2).reshape(batch, rows, -1))


def site_arrays(site, calls):
    """One array a quantity of what the layers' attentions saw, layers first; of a batch the first sentence."""
    arrays = {f"{site}/{name}": torch.stack([seen[name][0] for seen in calls]) for name in KEPT}
    assert all(torch.equal(seen["mask"], calls[0]["mask"]) for seen in calls)
    return {**arrays, f"{site}/mask": calls[0]["mask"][0]}


def stream_array(states):
    """The residual stream before the first sublayer and after each one, [1 + sublayers, rows, d_model]."""
    return torch.stack([state[0] for state in states])


def linear(role, state, stored):
    """The role's tensors; no bias where none is stored."""
    parts = {"weight": state[stored + ".weight"], "bias": state.get(stored + ".bias")}
    return {f"{role}.{part}": tensor for part, tensor in parts.items() if tensor is not None}


def count_layers(state, prefix):
    """One more than the highest number that follows `prefix` at the start of a name."""
    return 1 + max(int(name[len(prefix) :].split(".")[0]) for name in state if name.startswith(prefix))


@torch.no_grad()
def equations_on_vectors(model, vectors):
    """The arrays of `transformer.py` for vectors that are fed to the first layer as they are."""
    recording = Recording()
    model.encode_embedded(vectors.unsqueeze(0), torch.ones(1, 1, len(vectors), dtype=torch.bool), recording)
    return recording.sentence(0)


@torch.no_grad()
def equations_on_ids(model, source_ids):
    recording = Recording()
    recording.single["source_ids"] = torch.tensor([source_ids])
    model.encode(recording.single["source_ids"], recording)
    return recording.sentence(0)
