"""Greedy and beam search by the rules of Hugging Face's `generate()`, with whole passes; nothing of its code."""

import torch

from transformer import Recording


def processed_log_probabilities(model, memory, memory_mask, fed, rules):
    """Forbidden tokens never come; the last place is the end token's; what is left is made to sum to one."""
    recording = Recording()
    model.decode(torch.tensor([fed]), memory, memory_mask, recording)
    values = recording.single["log_probabilities"][0, -1].clone()
    values[rules["forbidden"]] = -float("inf")
    if len(fed) == rules["max_length"] - 1:
        forced = torch.full_like(values, -float("inf"))
        forced[rules["end"]] = 0
        values = forced
    return torch.log_softmax(values, -1)


@torch.no_grad()
def greedy(model, source_ids, rules):
    memory, mask = model.encode(torch.tensor([source_ids]), Recording())
    fed = [rules["start"]]
    while len(fed) < rules["max_length"] and fed[1:][-1:] != [rules["end"]]:
        fed.append(int(processed_log_probabilities(model, memory, mask, fed, rules).argmax()))
    return fed


@torch.no_grad()
def beam_search(model, source_ids, rules, beams, length_penalty=1.0, early_stopping=False):
    """The finished sequences with their start token, best first, as (sum / generated^length_penalty, tokens).

    Of a step's 2 * beams best continuations, those that end and rank among the first `beams` are finished, and the best
    `beams` of the others live on; one that ends further down is lost. `beams` finished ones are kept at most. The search
    stops when there are so many and either `early_stopping` is set or the best living sequence, its sum divided by
    *its present* length, is no better than the worst of them.
    """
    memory, mask = model.encode(torch.tensor([source_ids]), Recording())
    living, finished, length = [(0.0, [rules["start"]])], [], 1
    while living:
        continuations = []
        for so_far, tokens in living:
            values = processed_log_probabilities(model, memory, mask, tokens, rules).tolist()
            continuations += [(so_far + value, tokens + [token]) for token, value in enumerate(values)]
        best = sorted(continuations, key=lambda c: -c[0])[: 2 * beams]
        length += 1
        ended = [tokens[-1] == rules["end"] or length == rules["max_length"] for _, tokens in best]
        finished += [(so_far / (length - 1) ** length_penalty, tokens)
                     for (so_far, tokens), over in zip(best[:beams], ended) if over]
        finished = sorted(finished, key=lambda c: -c[0])[:beams]
        living = [candidate for candidate, over in zip(best, ended) if not over][:beams]
        full = len(finished) == beams
        if full and (early_stopping or living and living[0][0] / (length - 1) ** length_penalty <= finished[-1][0]):
            break
    return finished
