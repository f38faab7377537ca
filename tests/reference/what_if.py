"""What-if: the equations of `transformer.py` with something in them changed, by the command line's options.

Every change is made where its definition says, in tensors, for a whole pass. A head is `cross.2.5` (site, layer, head), a
sublayer `decoder-ff.1`; all count from 0.
"""

import math
from collections import defaultdict
from dataclasses import replace

import torch

from transformer import Transformer

SITES = {"encoder.self": "encoder", "decoder.self": "decoder", "decoder.cross": "cross",
         "encoder.feed_forward": "encoder-ff", "decoder.feed_forward": "decoder-ff"}
FLAGS = ("--no-mask", "--no-scaling")
NEIGHBOURS = 16  # how long a target will be is not known when its first token is fed: it is shuffled in blocks


def address(name):
    """`decoder.2.cross` -> `cross.2`"""
    stack, layer, part = name.split(".")
    return f"{SITES[f'{stack}.{part}']}.{layer}"


def head_of(text):
    site, _, head = text.rpartition(".")
    return site, int(head)


def pairs(options):
    """["--no-mask", "--block", "cross.0.1:3,4"] -> (option, argument); a flag has no argument."""
    rest = iter(options)
    return [(option, None if option in FLAGS else next(rest)) for option in rest]


class MersenneTwister64:
    """Matsumoto and Nishimura's generator of 64 bits, MT19937-64 (2000), seeded with one number."""

    WORDS, MIDDLE, LOWER = 312, 156, (1 << 31) - 1

    def __init__(self, seed):
        self.state = [seed]
        for i in range(1, self.WORDS):
            last = self.state[-1]
            self.state.append((6364136223846793005 * (last ^ last >> 62) + i) % 2**64)
        self.at = self.WORDS

    def twist(self):
        for i in range(self.WORDS):
            mixed = self.state[i] & ~self.LOWER | self.state[(i + 1) % self.WORDS] & self.LOWER
            odd = 0xB5026F5AA96619E9 if mixed & 1 else 0
            self.state[i] = self.state[(i + self.MIDDLE) % self.WORDS] ^ mixed >> 1 ^ odd
        self.at = 0

    def draw(self):
        if self.at == self.WORDS:
            self.twist()
        x = self.state[self.at]
        self.at += 1
        x ^= x >> 29 & 0x5555555555555555
        x ^= x << 17 & 0x71D67FFFEDA60000
        x ^= x << 37 & 0xFFF7EEE000000000
        return x ^ x >> 43


def shuffled(length, seed):
    """Fisher and Yates' shuffle from the last place on, the place to swap with drawn modulo those that are left."""
    order, random = list(range(length)), MersenneTwister64(seed)
    for left in range(length, 1, -1):
        drawn = random.draw() % left
        order[left - 1], order[drawn] = order[drawn], order[left - 1]
    return order


class ChangedTransformer(Transformer):
    """A model with the changes of a list of options, such as ["--scale-head", "cross.0.1=0.5"]."""

    def __init__(self, model, options):
        super().__init__(model.p, model.a)
        self.head_factors, self.sublayer_factors = defaultdict(list), defaultdict(list)
        self.blocked, self.forced = defaultdict(list), defaultdict(list)
        self.mask_lifted, self.position_change = False, None
        width = model.p["encoder.0.self.q.weight"].shape[0] // model.a.heads
        self.scale = 1 / math.sqrt(width) if model.a.score_scale is None else model.a.score_scale
        temperature = 1.0
        for option, argument in pairs(options):
            if option == "--softmax-temperature":
                temperature = float(argument)
            else:
                self.read(option, argument)
        self.a = replace(model.a, score_scale=self.scale / temperature)

    def read(self, option, argument):
        if option == "--no-mask":
            self.mask_lifted = True
        elif option == "--no-scaling":
            self.scale = 1.0
        elif option == "--score-scale":
            self.scale = float(argument)
        elif option == "--positions":
            self.position_change = argument
        elif option == "--disable-head":
            self.read("--scale-head", argument + "=0")
        elif option == "--scale-sublayer":
            sublayer, factor = argument.split("=")
            self.sublayer_factors[sublayer].append(float(factor))
        else:
            self.read_of_head(option, argument)

    def read_of_head(self, option, argument):
        if option == "--scale-head":
            head, factor = argument.split("=")
            site, head = head_of(head)
            self.head_factors[site].append((head, float(factor)))
            return
        head, where = argument.split(":")
        site, head = head_of(head)
        if option == "--block":
            query, key = where.split(",")
            self.blocked[site].append((head, int(query), int(key)))
        elif option == "--force-row":
            query, row = where.split("=")
            self.forced[site].append((head, int(query), row))
        else:
            raise ValueError(option)

    def weights(self, name, scores, mask):
        mask = mask.expand_as(scores).clone()
        for head, query, key in self.blocked[address(name)]:
            mask[:, head, query, key] = False
        weights = super().weights(name, scores, mask).clone()
        for head, query, row in self.forced[address(name)]:
            opened = mask[:, head, query]  # [batch, keys]
            if row == "uniform":
                forced = opened / opened.sum(-1, keepdim=True)
            else:
                seen = scores[:, head, query].masked_fill(~opened, -math.inf)
                keys = seen.argmax(-1, keepdim=True) if row == "argmax" else torch.full((len(seen), 1), int(row))
                forced = torch.zeros_like(seen).scatter(1, keys, 1.0)
            weights[:, head, query] = forced.to(weights.dtype)
        return weights

    def head_outputs(self, name, heads):
        factors = torch.ones(heads.shape[1], 1, 1, dtype=heads.dtype)
        for head, factor in self.head_factors[address(name)]:
            factors[head] *= factor
        return heads * factors

    def contribution(self, name, added):
        return added * math.prod(self.sublayer_factors[address(name)])

    def earlier(self, length):
        return torch.ones(length, length, dtype=torch.bool) if self.mask_lifted else super().earlier(length)

    def positions(self, side, table, length):
        change, _, number = (self.position_change or "").partition(":")
        if change == "none":
            return torch.zeros_like(table[:length])
        if change == "shift":
            return table[int(number) : int(number) + length]
        if change == "shuffle":
            # The source is shuffled as a whole.
            return table[shuffled(length if side == "source" else NEIGHBOURS, int(number))[:length]]
        return super().positions(side, table, length)
