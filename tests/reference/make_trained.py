"""Writes what PyTorch computes with a trained model for a few sentences.

    python3 tests/reference/make_trained.py MODEL_FOLDER [OUT_FOLDER]

The folder holds `config.json`, `spm.model` and `model.safetensors` or `model.pt`. Decoding is greedy. Of the
distributions only the chosen tokens and the ten best candidates of every step are kept, so that the files stay small.
"""

import sys
from pathlib import Path

import torch
from sentencepiece import SentencePieceProcessor

from annotated_transformer import annotated_transformer
from files import read_model_folder, write_trace

LONGEST, CANDIDATES = 60, 10
SENTENCES = {
    "short": "The dogs are hungry.",
    "question": "Where did you put the keys to the old garden gate?",
    "numbers": "At 7:45, we were waiting for 20 people (most of them students)!",
    "umlaut": "Mr. Müller lives with his two sisters.",
    "emoji": "I love this song 😀, please play it again.",
    "long": "My grandmother told me that, when she was young, she walked to school every day even if it was snowing.",
}
KEPT = ["source_ids", "target_ids", "next_ids"]
KEPT += [f"{site}/{array}" for site in ("encoder_self", "decoder_self", "cross") for array in ("weights", "scores")]


def source_ids_of(sentence, pieces, config):
    return config["source_prefix"] + pieces.encode(sentence) + config["source_suffix"]


def recorded(model, source_ids, config):
    output = model.greedy(source_ids, config["bos"], config["eos"], LONGEST)
    trace = model.trace(source_ids, [config["bos"]] + output[:-1])
    assert trace["next_ids"].tolist() == output
    log_probabilities = trace["log_probabilities"]
    best = log_probabilities.topk(CANDIDATES)
    arrays = {name: trace[name] for name in KEPT}
    arrays["chosen_log_probabilities"] = log_probabilities.gather(1, trace["next_ids"].unsqueeze(1)).squeeze(1)
    arrays["candidate_ids"], arrays["candidate_log_probabilities"] = best.indices, best.values
    return arrays


def closest_choice(arrays):
    best = arrays["candidate_log_probabilities"]
    return float((best[:, 0] - best[:, 1]).min())


def main(folder, out):
    state, config = read_model_folder(folder)
    model = annotated_transformer(state, config)
    single = annotated_transformer(state, config, torch.float32)
    pieces = SentencePieceProcessor(model_file=str(folder / "spm.model"))
    out.mkdir(exist_ok=True)
    for name, sentence in SENTENCES.items():
        arrays = recorded(model, source_ids_of(sentence, pieces, config), config)
        output = arrays["next_ids"].tolist()
        assert output == single.greedy(arrays["source_ids"].tolist(), config["bos"], config["eos"], LONGEST)
        write_trace(out / f"{name}.npz", arrays, recorded(single, arrays["source_ids"].tolist(), config))
        total = float(arrays["chosen_log_probabilities"].sum())
        print(f"{sentence}\n  {pieces.decode(output)}  (log-probability {total:.3f}, closest choice by"
              f" {closest_choice(arrays):.3f})")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    model_folder = Path(sys.argv[1]).resolve()
    main(model_folder, Path(sys.argv[2]) if len(sys.argv) == 3 else Path(__file__).resolve().parent / model_folder.name)
