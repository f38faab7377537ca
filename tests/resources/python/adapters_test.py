#!/usr/bin/env python3
"""The adapters of the Python package, with the programs themselves where they are installed: adapters_test.py PROGRAMS

Runs with each Python that HEADSCOPE_TEST_PYTHON names (several with colons between), as one has TransformerLens and another nnsight.
"""
import inspect
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
pythons = os.environ.get("HEADSCOPE_TEST_PYTHON", "").split(":")
if pythons != [sys.executable] and pythons != [""]:
    ends = [subprocess.run([python, *sys.argv], env={**os.environ, "HEADSCOPE_TEST_PYTHON": python}).returncode for python in pythons]
    failed = [end for end in ends if end not in (0, 77)]
    sys.exit(failed[0] if failed else min(ends))
try:
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel
except ImportError as error:
    print(f"skipped: {error}; HEADSCOPE_TEST_PYTHON names a Python that has it")
    sys.exit(77)
import numpy as np

sys.path.insert(0, str(ROOT / "resources/python"))
import headscope

IDS, TOKENS = torch.tensor([[1, 2, 3, 4, 5]]), list("abcde")


def gpt2():
    torch.manual_seed(1)
    return GPT2LMHeadModel(GPT2Config(n_layer=2, n_embd=16, n_head=4, vocab_size=30, n_positions=32, bos_token_id=0, eos_token_id=1,
                                      attn_implementation="eager")).eval()


def same(made, kind, weights):
    wanted = torch.stack(list(weights))[:, 0].detach().numpy()
    assert (made.arrays[f"{kind}/weights"] == wanted).all()


def transformer_lens():
    try:
        from transformer_lens import HookedEncoderDecoder, HookedTransformer, HookedTransformerConfig
    except ImportError:  # from version 4 on
        return transformer_lens_bridge()
    shape = dict(n_layers=2, d_model=16, n_ctx=32, d_head=4, n_heads=4, d_vocab=30, act_fn="gelu", seed=1)
    for direction, kind in (("causal", "decoder_self"), ("bidirectional", "encoder_self")):
        _, cache = HookedTransformer(HookedTransformerConfig(**shape, attention_dir=direction)).run_with_cache(IDS)
        made = headscope.from_transformer_lens(cache, TOKENS)
        same(made, kind, [cache["pattern", 0], cache["pattern", 1]])
        assert (made.arrays[f"{kind}/mask"] == (np.tril(np.ones((5, 5))) if direction == "causal" else np.ones((5, 5)))).all()
        single = cache.remove_batch_dim()
        same(headscope.from_transformer_lens(single, TOKENS), kind, [single["pattern", number][None] for number in (0, 1)])
    both = HookedEncoderDecoder(HookedTransformerConfig(
        **shape, attention_dir="bidirectional", relative_attention_max_distance=10, relative_attention_num_buckets=4,
        decoder_start_token_id=0, tie_word_embeddings=False))
    _, cache = both.run_with_cache(IDS, decoder_input=torch.tensor([[0, 1, 2]]))
    made = headscope.from_transformer_lens(cache, source=TOKENS, target=list("abc"))
    same(made, "cross", [cache[f"decoder.{number}.cross_attn.hook_pattern"] for number in (0, 1)])


def transformer_lens_bridge():
    from transformer_lens.model_bridge import TransformerBridge
    with tempfile.TemporaryDirectory() as folder:
        gpt2().save_pretrained(folder)
        _, cache = TransformerBridge.boot_transformers(folder, hf_model=gpt2()).run_with_cache(IDS)
    made = headscope.from_transformer_lens(cache, TOKENS)
    same(made, "decoder_self", [cache[f"blocks.{number}.attn.hook_pattern"] for number in (0, 1)])
    wanted = torch.stack(gpt2()(IDS, output_attentions=True).attentions)[:, 0].detach().numpy()
    assert np.abs(made.arrays["decoder_self/weights"] - wanted).max() < 1e-5


def nnsight():
    from nnsight import NNsight
    model = gpt2()
    traced = NNsight(model)
    with traced.trace(IDS):
        saved = [block.attn.output.save() for block in traced.transformer.h].save()
    same(headscope.from_nnsight(saved, TOKENS), "decoder_self", model(IDS, output_attentions=True).attentions)


def bertviz():
    import bertviz as theirs
    for name in ("head_view", "model_view"):
        ours = inspect.signature(getattr(headscope, name)).parameters
        given = inspect.signature(getattr(theirs, name)).parameters
        assert [(key, value.default) for key, value in ours.items()] == [(key, value.default) for key, value in given.items()], name
    attention = gpt2()(IDS, output_attentions=True).attentions
    same(headscope.head_view(attention, TOKENS, html_action="return"), "decoder_self", attention)


ran = 0
for test in (transformer_lens, nnsight, bertviz):
    try:
        __import__(test.__name__)
    except ImportError as error:
        print(f"{test.__name__} skipped: {error}")
        continue
    test()
    print(f"{test.__name__} agrees")
    ran += 1
sys.exit(0 if ran else 77)
