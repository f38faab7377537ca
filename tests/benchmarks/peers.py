"""Tokens per second of greedy decoding, beside CTranslate2 and transformers, in one run.

    python tests/benchmarks/peers.py build/release/benchmarks/decode_benchmark [--scratch FOLDER] [--rounds N]

Needs `ctranslate2` 4.4, `transformers` 4 and `torch` from PyPI. The models have random weights in float32: Marian with
6 + 6 layers of width 512 and 58,101 pieces, the same with 32,000, and GPT-2 small. Each program decodes 48 tokens of one
sentence with one and with two threads; Headscope keeps every map. The programs take turns; the best of the rounds counts.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOKENS = 48
SOURCE = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0]


def marian(pieces):
    from transformers import MarianConfig, MarianMTModel

    config = MarianConfig(
        vocab_size=pieces, decoder_vocab_size=pieces, d_model=512, encoder_layers=6, decoder_layers=6,
        encoder_attention_heads=8, decoder_attention_heads=8, encoder_ffn_dim=2048, decoder_ffn_dim=2048,
        max_position_embeddings=512, pad_token_id=pieces - 1, decoder_start_token_id=pieces - 1, eos_token_id=0,
        forced_eos_token_id=None, scale_embedding=True, activation_function="swish")
    return MarianMTModel(config)


def gpt2():
    from transformers import GPT2Config, GPT2LMHeadModel

    return GPT2LMHeadModel(GPT2Config())


def convert(model, folder):
    """Writes the model for CTranslate2, with a vocabulary of made-up tokens."""
    from ctranslate2.converters import transformers as loaders

    kind = type(model).__name__
    loader = {"MarianMTModel": loaders.MarianMTLoader, "GPT2LMHeadModel": loaders.GPT2Loader}[kind]()
    spec = loader.get_model_spec(model)
    tokens = [f"t{i}" for i in range(model.config.vocab_size)]
    if kind == "MarianMTModel":
        spec.register_source_vocabulary(tokens[:-1])  # the last is padding, which CTranslate2 omits
        spec.register_target_vocabulary(tokens[:-1])
        spec.config.eos_token = spec.config.decoder_start_token = tokens[0]
    else:
        spec.register_vocabulary(tokens)
    spec.validate()
    spec.optimize()
    folder.mkdir(parents=True, exist_ok=True)
    spec.save(str(folder))


def of_ctranslate2(folder, is_decoder, threads):
    """Seconds of one decoding, in a process of its own: the number of threads is set once."""
    import ctranslate2

    if is_decoder:
        model = ctranslate2.Generator(str(folder), compute_type="float32", intra_threads=threads, inter_threads=1)

        def decode():
            model.generate_batch([["t5"]], max_length=TOKENS, min_length=TOKENS, sampling_topk=1,
                                 include_prompt_in_result=False)
    else:
        model = ctranslate2.Translator(str(folder), compute_type="float32", intra_threads=threads, inter_threads=1)

        def decode():
            model.translate_batch([[f"t{i}" for i in SOURCE]], beam_size=1, max_decoding_length=TOKENS,
                                  min_decoding_length=TOKENS)
    return best(decode)


def of_transformers(folder, is_decoder, threads):
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    torch.set_num_threads(threads)
    kind = AutoModelForCausalLM if is_decoder else AutoModelForSeq2SeqLM
    model = kind.from_pretrained(folder, attn_implementation="eager").eval()
    ids = torch.tensor([[5]] if is_decoder else [SOURCE])

    def decode():
        with torch.no_grad():
            model.generate(ids, do_sample=False, num_beams=1, max_new_tokens=TOKENS, min_new_tokens=TOKENS)
    return best(decode)


def best(decode):
    decode()
    times = []
    for _ in range(4):
        begin = time.perf_counter()
        decode()
        times.append(time.perf_counter() - begin)
    return min(times)


def in_process(program, folder, is_decoder, threads):
    """Tokens a second."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    out = subprocess.run([sys.executable, __file__, "-", "--peer", program, "--folder", str(folder), "--threads",
                          str(threads)] + (["--decoder"] if is_decoder else []),
                         env=environment, check=True, capture_output=True, text=True).stdout
    return TOKENS / float(out.split()[-1])


def of_headscope(benchmark, folder, threads):
    out = subprocess.run([benchmark, "--threads", str(threads), "--tokens", str(TOKENS), str(folder)], check=True,
                         env=dict(os.environ, OPENBLAS_NUM_THREADS="1"), capture_output=True, text=True).stdout
    figure = lambda what: float(re.search(what + r".* ([\d.]+) tokens/s", out)[1])
    return figure("keeping every map"), figure("reading")


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("benchmark")
    arguments.add_argument("--scratch", type=Path)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--peer")
    arguments.add_argument("--folder", type=Path)
    arguments.add_argument("--threads", type=int)
    arguments.add_argument("--decoder", action="store_true")
    given = arguments.parse_args()
    if given.peer:
        print({"ctranslate2": of_ctranslate2, "transformers": of_transformers}[given.peer](
            given.folder, given.decoder, given.threads))
        return
    scratch = given.scratch or Path(tempfile.mkdtemp())
    models = {"Marian, 58,101 pieces": (lambda: marian(58101), False),
              "Marian, 32,000 pieces": (lambda: marian(32000), False), "GPT-2 small": (gpt2, True)}
    print("| model | threads | Headscope, every map | CTranslate2 | transformers | reading the weights |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, (make, is_decoder) in models.items():
        folder = scratch / re.sub(r"\W+", "-", name)
        peer = scratch / (folder.name + "-ctranslate2")
        if not folder.exists():
            model = make().eval()
            model.save_pretrained(folder)
            convert(model, peer)
        for threads in (1, 2):
            rows = []
            for _ in range(given.rounds):
                rows.append((*of_headscope(given.benchmark, folder, threads),
                             in_process("ctranslate2", peer, is_decoder, threads),
                             in_process("transformers", folder, is_decoder, threads)))
            own, reading, ctranslate2, transformers = (max(row[i] for row in rows) for i in range(4))
            print(f"| {name} | {threads} | {own:.1f} | {ctranslate2:.1f} | {transformers:.1f} | {reading:.1f} |",
                  flush=True)


if __name__ == "__main__":
    main()
