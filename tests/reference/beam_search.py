"""Beam search with whole passes, every hypothesis by itself."""

import torch

from transformer import Recording


def next_log_probabilities(model, memory, memory_mask, fed):
    recording = Recording()
    model.decode(torch.tensor([fed]), memory, memory_mask, recording)
    return recording.single["log_probabilities"][0, -1].tolist()


def final_score(hypothesis, length_penalty):
    log_probability, tokens = hypothesis
    return log_probability / len(tokens) ** length_penalty


@torch.no_grad()
def beam_search(model, source_ids, start, end, longest, beam, length_penalty):
    """All finished hypotheses, best first, as (final score, summed log-probability, tokens).

    At every step all continuations are ranked by summed log-probability; of the best 2 * beam, those that end are
    finished and the best `beam` of the others live on. The search stops when `beam` have finished, or at `longest`
    generated tokens, where the living ones count only if none has finished.
    """
    memory, memory_mask = model.encode(torch.tensor([source_ids]), Recording())
    living, finished = [(0.0, [])], []
    for _ in range(longest):
        continuations = []
        for age, (so_far, tokens) in enumerate(living):
            for token, value in enumerate(next_log_probabilities(model, memory, memory_mask, [start] + tokens)):
                continuations.append((-(so_far + value), token, age, tokens + [token]))
        continuations.sort(key=lambda c: c[:3])  # equal sums: the lower token id, then the older hypothesis
        best = [(-negated, tokens) for negated, _, _, tokens in continuations[: 2 * beam]]
        finished += [h for h in best if h[1][-1] == end]
        living = [h for h in best if h[1][-1] != end][:beam]
        if len(finished) >= beam:
            break
    ranked = [(final_score(h, length_penalty), *h) for h in finished or living]
    return sorted(ranked, key=lambda h: -h[0])
