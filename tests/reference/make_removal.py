"""Writes the folder `removal`: what the output of the bundled model loses while heads are removed, one file an ablation.

    python3 tests/reference/make_removal.py

A removed head's output is zero, its mean over all rows of the samples, or row by row its output on another sentence. With every
head removed in turn; then cumulatively, in the order of importance for one step and in the first of the random orders; each alone
and against another token.
"""

from pathlib import Path

import torch
from sentencepiece import SentencePieceProcessor

from annotated_transformer import annotated_transformer
from files import read_model_folder, write_trace
from make_trained import LONGEST, source_ids_of
from transformer import Transformer
from what_if import MersenneTwister64, address

HERE = Path(__file__).resolve().parent
MODEL = HERE.parents[1] / "resources" / "models" / "tatoeba-en-de"
SENTENCE, OTHER = "The dogs are hungry.", "He reads a long book."
SAMPLES = ["The old man sold his house last year.", "We drink tea."]
STEP, CONTRAST, SEED = 3, 7, 1
SITES = {"encoder": "encoder_self", "decoder": "decoder_self", "cross": "cross"}


class WithoutHeads(Transformer):
    """`replaced`: the address of a head to what stands in for its output, [d_k] or [rows, d_k]."""

    def __init__(self, model, replaced):
        super().__init__(model.p, model.a)
        self.replaced = replaced

    def head_outputs(self, name, heads):
        heads = heads.clone()  # [batch, heads, rows, d_k]
        for (site, head), output in self.replaced.items():
            if site == address(name) and output.dim() == 1:
                heads[:, head] = output
            elif site == address(name):
                rows = min(heads.shape[2], output.shape[0])  # later rows keep their own
                heads[:, head, :rows] = output[:rows]
        return heads


class Removal:
    def __init__(self, form, state, config, pieces):
        self.model, self.config, self.pieces = annotated_transformer(state, config, form), config, pieces
        self.source, self.fed, trace = self.run(SENTENCE)
        self.next = trace["next_ids"]
        self.heads = [(f"{site}.{layer}", head) for site in SITES for layer in range(3)
                      for head in range(self.model.a.heads)]

    def run(self, sentence):
        source = source_ids_of(sentence, self.pieces, self.config)
        output = self.model.greedy(source, self.config["bos"], self.config["eos"], LONGEST)
        fed = [self.config["bos"]] + output[:-1]
        return source, fed, self.model.trace(source, fed)

    def outputs(self, sentence):
        trace = self.run(sentence)[2]
        return {head: self.of(trace, *head) for head in self.heads}

    @staticmethod
    def of(trace, site, head):
        kind, layer = site.split(".")
        return trace[f"{SITES[kind]}/heads"][int(layer), head]

    def stand_ins(self, ablation):
        if ablation == "resample":
            return self.outputs(OTHER)
        if ablation == "mean":
            samples = [self.outputs(sample) for sample in SAMPLES]
            return {head: torch.cat([outputs[head] for outputs in samples]).mean(0) for head in self.heads}
        return {head: torch.zeros_like(output[0]) for head, output in self.outputs(SENTENCE).items()}

    def without(self, heads):
        """[2, T]: of the chosen tokens, and against the contrast."""
        says = WithoutHeads(self.model, {head: self.instead[head] for head in heads}).trace(
            self.source, self.fed)["log_probabilities"]
        own = says.gather(1, self.next.unsqueeze(1))[:, 0]
        return torch.stack([own, own - says[:, CONTRAST]])

    def curve(self, order):
        return torch.stack([self.without(order[:removed]) for removed in range(len(order) + 1)], 1)

    def arrays(self, ablation, orders=None):
        self.instead = self.stand_ins(ablation)
        losses = self.without([]).unsqueeze(1) - torch.stack([self.without([head]) for head in self.heads], 1)
        if orders is None:
            ranked = losses[0, :, STEP].argsort(descending=True)
            random, drawn = list(range(len(self.heads))), MersenneTwister64(SEED)
            for left in range(len(random), 1, -1):
                place = drawn.draw() % left
                random[left - 1], random[place] = random[place], random[left - 1]
            orders = {"step": torch.tensor([STEP]), "ranked": ranked, "random": torch.tensor(random)}
        arrays = {"losses": losses[0], "contrast_losses": losses[1]}
        for name in ("ranked", "random"):
            points = self.curve([self.heads[i] for i in orders[name]])
            arrays[f"{name}_curve"], arrays[f"contrast_{name}_curve"] = points
        return arrays, orders


def main():
    (HERE / "removal").mkdir(exist_ok=True)
    state, config = read_model_folder(MODEL)
    pieces = SentencePieceProcessor(model_file=str(MODEL / "spm.model"))
    double, single = (Removal(form, state, config, pieces) for form in (torch.float64, torch.float32))
    assert double.fed == single.fed
    for ablation in ("zero", "mean", "resample"):
        arrays, orders = double.arrays(ablation)
        write_trace(HERE / "removal" / f"{ablation}.npz",
                    {"tokens": double.next, "contrast": torch.tensor([CONTRAST]), **orders, **arrays},
                    single.arrays(ablation, orders)[0])


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
