"""The decoder of Llama as its makers publish it, and llama2.c: a module with their tensor names, which share no line with
`transformers` or Headscope. Queries and keys are rotated as complex numbers, so that neighbouring dimensions are a pair."""

import math

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, width, eps):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


def scaled(frequencies):
    """Llama 3.1's frequencies for longer texts, with the constants of its program."""
    factor, low, high, length = 8, 1, 4, 8192
    new = []
    for frequency in frequencies.tolist():
        wavelength = 2 * math.pi / frequency
        if wavelength < length / high:
            new.append(frequency)
        elif wavelength > length / low:
            new.append(frequency / factor)
        else:
            smooth = (length / wavelength - low) / (high - low)
            new.append((1 - smooth) * frequency / factor + smooth * frequency)
    return torch.tensor(new, dtype=frequencies.dtype)


def rotated(x, turns):
    """x [rows, heads, d]; turns [rows, d / 2] complex."""
    return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous()) * turns[:, None]).flatten(-2)


class Attention(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.heads, self.shared = args["n_heads"], args.get("n_kv_heads") or args["n_heads"]
        self.width = args["dim"] // self.heads
        self.wq = nn.Linear(args["dim"], self.heads * self.width, bias=False)
        self.wk = nn.Linear(args["dim"], self.shared * self.width, bias=False)
        self.wv = nn.Linear(args["dim"], self.shared * self.width, bias=False)
        self.wo = nn.Linear(self.heads * self.width, args["dim"], bias=False)

    def forward(self, x, turns):
        rows, groups = len(x), self.heads // self.shared
        q = rotated(self.wq(x).view(rows, self.heads, -1), turns).transpose(0, 1)
        k = rotated(self.wk(x).view(rows, self.shared, -1), turns).transpose(0, 1).repeat_interleave(groups, 0)
        v = self.wv(x).view(rows, self.shared, -1).transpose(0, 1).repeat_interleave(groups, 0)
        scores = q @ k.transpose(1, 2) / math.sqrt(self.width)
        mask = torch.ones(rows, rows, dtype=torch.bool).tril()
        weights = scores.masked_fill(~mask, -math.inf).softmax(-1)
        self.seen = {"q": q, "scores": scores, "weights": weights}
        return self.wo((weights @ v).transpose(0, 1).reshape(rows, -1))


class FeedForward(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.w1 = nn.Linear(width, hidden, bias=False)
        self.w2 = nn.Linear(hidden, width, bias=False)
        self.w3 = nn.Linear(width, hidden, bias=False)

    def forward(self, x):
        return self.w2(nn.functional.silu(self.w1(x)) * self.w3(x))


class Block(nn.Module):
    def __init__(self, args, hidden):
        super().__init__()
        self.attention = Attention(args)
        self.feed_forward = FeedForward(args["dim"], hidden)
        self.attention_norm = RMSNorm(args["dim"], args["norm_eps"])
        self.ffn_norm = RMSNorm(args["dim"], args["norm_eps"])

    def forward(self, x, turns):
        x = x + self.attention(self.attention_norm(x), turns)
        return x + self.feed_forward(self.ffn_norm(x))


class Llama(nn.Module):
    def __init__(self, args, vocabulary, hidden):
        super().__init__()
        self.args = args
        self.tok_embeddings = nn.Embedding(vocabulary, args["dim"])
        self.layers = nn.ModuleList(Block(args, hidden) for _ in range(args["n_layers"]))
        self.norm = RMSNorm(args["dim"], args["norm_eps"])
        self.output = nn.Linear(args["dim"], vocabulary, bias=False)

    def forward(self, ids):
        """Logits [T, vocabulary] of a list of ids."""
        width, kind = self.args["dim"] // self.args["n_heads"], self.norm.weight.dtype
        frequencies = 1 / self.args.get("rope_theta", 10000.0) ** (torch.arange(0, width, 2).to(kind) / width)
        if self.args.get("use_scaled_rope"):
            frequencies = scaled(frequencies)
        angles = torch.outer(torch.arange(len(ids)).to(kind), frequencies)
        x = self.tok_embeddings(torch.tensor(ids))
        for layer in self.layers:
            x = layer(x, torch.polar(torch.ones_like(angles), angles))
        return self.output(self.norm(x))
