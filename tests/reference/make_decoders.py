"""Writes the folders `hugging-face/*` of decoders: small random models as `save_pretrained` writes them, and what
`transformers` computes with them.

    python tests/reference/make_decoders.py [--traces] [FOLDER ...]

Needs `transformers` 4.57, for the last ones 5.24, and its own PyTorch. Traces are recorded in float64 and eager mode; ids are what
`generate()` gives in float32. --traces: records the models that are there.
"""

import importlib
import json
import sys
import warnings
import zlib
from pathlib import Path

import torch
import transformers

from files import write_trace
from in_float64 import both

FOLDER = Path(__file__).resolve().parent / "hugging-face"
PROMPT = [44, 3, 28, 19, 51, 7, 22, 36]
SEARCHES = [{}, {"num_beams": 3}, {"num_beams": 3, "length_penalty": 2.0, "early_stopping": True}]
NEW_TOKENS = 9
SHAPE = dict(vocab_size=53, hidden_size=20, intermediate_size=22, num_hidden_layers=3, num_attention_heads=4,
             max_position_embeddings=64, pad_token_id=None, bos_token_id=1, eos_token_id=2, attn_implementation="eager")
GROUPED = dict(SHAPE, num_key_value_heads=2, head_dim=6)
SHORT = dict(GROUPED, num_hidden_layers=2)
LLAMA3 = dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
              original_max_position_embeddings=16)
MODELS = {  # folder -> configuration class, model class, options
    "llama-tiny": ("LlamaConfig", "LlamaForCausalLM",
                   dict(GROUPED, rope_theta=50000.0, rms_norm_eps=1e-5, rope_scaling=LLAMA3, tie_word_embeddings=True)),
    "llama-tiny-biases": ("LlamaConfig", "LlamaForCausalLM", dict(SHORT, attention_bias=True, mlp_bias=True)),
    "llama-tiny-linear": ("LlamaConfig", "LlamaForCausalLM", dict(SHORT, rope_scaling=dict(type="linear", factor=3.0))),
    "llama-tiny-dynamic": ("LlamaConfig", "LlamaForCausalLM", dict(SHORT, rope_scaling=dict(type="dynamic", factor=2.0))),
    "llama-tiny-yarn": ("LlamaConfig", "LlamaForCausalLM",
                        dict(SHORT, rope_theta=100.0, rope_scaling=dict(
                            rope_type="yarn", factor=4.0, beta_fast=4.0, original_max_position_embeddings=16))),
    "mistral-tiny": ("MistralConfig", "MistralForCausalLM", dict(GROUPED, sliding_window=5)),
    "qwen2-tiny": ("Qwen2Config", "Qwen2ForCausalLM",
                   {**SHAPE, "num_key_value_heads": 1, "hidden_size": 24, "rope_theta": 1e6, "use_sliding_window": True,
                    "sliding_window": 4, "max_window_layers": 1}),
    "qwen3-tiny": ("Qwen3Config", "Qwen3ForCausalLM", dict(SHORT, tie_word_embeddings=True, rope_theta=1e6)),
    "olmo2-tiny": ("Olmo2Config", "Olmo2ForCausalLM", {**SHAPE, "num_hidden_layers": 2, "num_key_value_heads": 2,
                                                       "hidden_size": 24, "rope_theta": 5e5}),
    "phi3-tiny": ("Phi3Config", "Phi3ForCausalLM",
                  {**SHAPE, "num_hidden_layers": 2, "num_key_value_heads": 2, "hidden_size": 24, "sliding_window": 6,
                   "original_max_position_embeddings": 32,
                   "rope_scaling": dict(type="longrope", short_factor=[1.0, 1.5, 2.5], long_factor=[2.0, 3.0, 4.0])}),
    "gpt-neox-tiny": ("GPTNeoXConfig", "GPTNeoXForCausalLM",
                      {**SHAPE, "num_attention_heads": 3, "hidden_size": 24, "rotary_pct": 0.5}),
    "gpt-neox-tiny-sequential": ("GPTNeoXConfig", "GPTNeoXForCausalLM",
                                 {**SHAPE, "num_hidden_layers": 2, "num_attention_heads": 3, "hidden_size": 24,
                                  "rotary_pct": 0.25, "use_parallel_residual": False, "attention_bias": False}),
    "phi-tiny": ("PhiConfig", "PhiForCausalLM",
                 {**SHAPE, "num_hidden_layers": 2, "hidden_size": 32, "partial_rotary_factor": 0.5}),
    "opt-tiny": ("OPTConfig", "OPTForCausalLM",
                 dict(vocab_size=53, hidden_size=20, word_embed_proj_dim=20, ffn_dim=22, num_hidden_layers=2, bos_token_id=1,
                      num_attention_heads=4, max_position_embeddings=64, pad_token_id=3, eos_token_id=2,
                      attn_implementation="eager")),
    "opt-tiny-350m": ("OPTConfig", "OPTForCausalLM",
                      dict(vocab_size=53, hidden_size=20, word_embed_proj_dim=12, ffn_dim=22, num_hidden_layers=2, bos_token_id=1,
                           do_layer_norm_before=False, num_attention_heads=4, max_position_embeddings=64, pad_token_id=3,
                           eos_token_id=2, attn_implementation="eager")),
    "gemma-tiny": ("GemmaConfig", "GemmaForCausalLM",
                   {**SHORT, "num_key_value_heads": 1, "hidden_act": "gelu_pytorch_tanh", "hidden_activation": None}),
    "gemma2-tiny": ("Gemma2Config", "Gemma2ForCausalLM",
                    dict(SHORT, sliding_window=4, query_pre_attn_scalar=10, attn_logit_softcapping=5.0,
                         final_logit_softcapping=8.0)),
    "gemma3-tiny": ("Gemma3TextConfig", "Gemma3ForCausalLM",
                    dict(SHORT, sliding_window=4, query_pre_attn_scalar=10, rope_local_base_freq=100.0, rope_theta=1e4,
                         rope_scaling=dict(rope_type="linear", factor=2.0),
                         layer_types=["sliding_attention", "full_attention"])),
    "gemma3-tiny-images": ("Gemma3Config", "Gemma3ForConditionalGeneration",
                           dict(text_config=dict(SHORT, sliding_window=4, query_pre_attn_scalar=10, rope_local_base_freq=100.0,
                                                 layer_types=["sliding_attention", "full_attention"]),
                                vision_config=dict(hidden_size=8, intermediate_size=8, num_hidden_layers=1,
                                                   num_attention_heads=2, image_size=8, patch_size=4),
                                mm_tokens_per_image=4, image_token_index=50, boi_token_index=51, eoi_token_index=52,
                                bos_token_id=1, eos_token_id=2, attn_implementation="eager")),
    "llama-tiny-mscale": ("LlamaConfig", "LlamaForCausalLM",
                          dict(SHORT, rope_scaling=dict(rope_type="yarn", factor=4.0, mscale=2.0, mscale_all_dim=0.5,
                                                        original_max_position_embeddings=16))),
    "granite-tiny": ("GraniteConfig", "GraniteForCausalLM",
                     {**SHAPE, "num_hidden_layers": 2, "num_key_value_heads": 2, "hidden_size": 24, "embedding_multiplier": 3.0,
                      "attention_multiplier": 0.3, "residual_multiplier": 0.6, "logits_scaling": 1.5}),
    "starcoder2-tiny": ("Starcoder2Config", "Starcoder2ForCausalLM",
                        {**SHAPE, "num_hidden_layers": 2, "num_key_value_heads": 2, "hidden_size": 24, "sliding_window": 6}),
    "gpt-neo-tiny": ("GPTNeoConfig", "GPTNeoForCausalLM",
                     dict(vocab_size=53, hidden_size=20, intermediate_size=22, num_layers=3, num_heads=4, window_size=4,
                          attention_types=[[["global", "local"], 1], [["local"], 1]], max_position_embeddings=64,
                          bos_token_id=1, eos_token_id=2, attn_implementation="eager")),
    "gpt-j-tiny": ("GPTJConfig", "GPTJForCausalLM",
                   dict(vocab_size=53, n_embd=24, n_inner=22, n_layer=2, n_head=3, n_positions=64, rotary_dim=6,
                        bos_token_id=1, eos_token_id=2, tie_word_embeddings=False, attn_implementation="eager")),
    "cohere-tiny": ("CohereConfig", "CohereForCausalLM",
                    {**SHAPE, "num_hidden_layers": 2, "num_key_value_heads": 2, "hidden_size": 24, "logit_scale": 0.5}),
    "bloom-tiny": ("BloomConfig", "BloomForCausalLM",
                   dict(vocab_size=53, hidden_size=24, n_layer=2, n_head=6, seq_length=64, pad_token_id=3, bos_token_id=1,
                        eos_token_id=2, attn_implementation="eager")),
    "mpt-tiny": ("MptConfig", "MptForCausalLM",
                 dict(vocab_size=53, d_model=20, n_layers=2, n_heads=4, max_seq_len=64, bos_token_id=1, eos_token_id=2,
                      attn_implementation="eager")),
    "falcon-tiny": ("FalconConfig", "FalconForCausalLM",
                    dict(vocab_size=53, hidden_size=24, ffn_hidden_size=22, num_hidden_layers=2, num_attention_heads=4,
                         bos_token_id=1, eos_token_id=2, attn_implementation="eager")),
    "falcon-tiny-two-norms": ("FalconConfig", "FalconForCausalLM",
                              dict(vocab_size=53, hidden_size=24, ffn_hidden_size=22, num_hidden_layers=2, num_attention_heads=4,
                                   new_decoder_architecture=True, num_kv_heads=2, bos_token_id=1, eos_token_id=2,
                                   attn_implementation="eager")),
    "mixtral-tiny": ("MixtralConfig", "MixtralForCausalLM",
                     dict(SHORT, hidden_size=16, head_dim=4, num_local_experts=4, num_experts_per_tok=2, sliding_window=6)),
    "qwen2-moe-tiny": ("Qwen2MoeConfig", "Qwen2MoeForCausalLM",
                       {**SHAPE, "num_key_value_heads": 2, "hidden_size": 24, "moe_intermediate_size": 6, "num_experts": 6,
                        "shared_expert_intermediate_size": 10, "num_experts_per_tok": 2, "mlp_only_layers": [1]}),
    "qwen3-moe-tiny": ("Qwen3MoeConfig", "Qwen3MoeForCausalLM",
                       dict(GROUPED, moe_intermediate_size=6, num_experts=8, num_experts_per_tok=3, norm_topk_prob=True,
                            decoder_sparse_step=2, num_hidden_layers=4, tie_word_embeddings=True)),
}


def fill(model, seed):
    """Random gains, biases and weights, so that no two are alike and none computes nothing."""
    generator = torch.Generator().manual_seed(seed)
    for name, tensor in sorted(model.named_parameters()):
        random = torch.randn(tensor.shape, generator=generator)
        if tensor.ndim == 1:
            is_gain = ("norm" in name or "ln_" in name) and name.endswith("weight")
            tensor.data = (tensor.data.mean() if is_gain else 0) + 0.25 * random
        else:
            tensor.data = random * (1.0 if tensor.shape[0] == model.config.get_text_config().vocab_size else tensor.shape[1] ** -0.5)


class Scores:
    """Listens to the attention of a model's module: scores as the softmax reads them, before the mask. None if the module
    has no function to listen to."""

    def __init__(self, model):
        self.module = importlib.import_module(type(model).__module__)
        self.original = getattr(self.module, "eager_attention_forward", None)
        self.layers = []

    def __enter__(self):
        self.module.eager_attention_forward = self.listen
        return self.layers

    def __exit__(self, *_):
        if self.original is None:
            del self.module.eager_attention_forward
        else:
            self.module.eager_attention_forward = self.original

    def listen(self, module, query, key, value, attention_mask, scaling=None, softcap=None, **rest):
        groups = query.shape[1] // key.shape[1]
        factor = query.shape[-1] ** -0.5 if scaling is None else scaling
        scores = query @ key.repeat_interleave(groups, 1).transpose(2, 3) * factor
        self.layers.append(scores if softcap is None else softcap * torch.tanh(scores / softcap))
        options = dict(rest, **({} if scaling is None else {"scaling": scaling}),
                       **({} if softcap is None else {"softcap": softcap}))
        return self.original(module, query, key, value, attention_mask, **options)


class Routers:
    """Listens to the routers of a mixture of experts: the experts of each token, the largest weight first."""

    def __init__(self, model):
        routers = [module for module in model.modules() if type(module).__name__.endswith("TopKRouter")]
        self.layers = []
        self.hooks = [router.register_forward_hook(lambda _, __, output: self.layers.append(output[1:])) for router in routers]

    def __enter__(self):
        return self.layers

    def __exit__(self, *_):
        for hook in self.hooks:
            hook.remove()


@torch.no_grad()
def trace(model, prompt, ids):
    with Scores(model) as scores, Routers(model) as routers:
        output = model(torch.tensor([ids]), output_attentions=True)
    weights = torch.stack([layer[0] for layer in output.attentions])
    masks = weights.ne(0).any(1)  # [layers, T, T]
    log_probabilities = output.logits[0].log_softmax(-1)
    return {"source_ids": torch.tensor(prompt), "target_ids": torch.tensor(ids),
            "next_ids": log_probabilities.argmax(-1), "decoder_self/weights": weights,
            **({"decoder_self/scores": torch.stack([layer[0] for layer in scores])} if scores else {}),
            "decoder_self/mask": masks[0] if bool((masks == masks[0]).all()) else masks,
            "log_probabilities": log_probabilities,
            **({"experts/chosen": torch.stack([chosen for _, chosen in routers]),
                "experts/router_weights": torch.stack([weights for weights, _ in routers])} if routers else {})}


@torch.no_grad()
def generated(model, options):
    ids = torch.tensor([PROMPT])
    return model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=NEW_TOKENS,
                          pad_token_id=0, **options)[0].tolist()


def loaded(name):
    """The folder's model, with the plainest code of those that `transformers` chooses from."""
    _, model_class, options = MODELS[name]
    experts = {"experts_implementation": "eager"} if "num_experts_per_tok" in options else {}
    return getattr(transformers, model_class).from_pretrained(FOLDER / name, attn_implementation="eager", **experts).eval()


def write_folder(name):
    config_class, model_class, options = MODELS[name]
    folder = FOLDER / name
    model = getattr(transformers, model_class)(getattr(transformers, config_class)(**options)).eval()
    fill(model, zlib.crc32(name.encode()))
    model.save_pretrained(folder)
    (folder / "model.safetensors").chmod(0o644)
    model = loaded(name)
    searches = [{"options": options, "ids": generated(model, options)} for options in SEARCHES]
    lines = ",\n  ".join(map(json.dumps, searches))
    (folder / "generate.json").write_text(f'{{"prompt": {PROMPT}, "searches": [\n  {lines}\n]}}\n')
    write_traces(name)
    size = sum(path.stat().st_size for path in folder.iterdir())
    distinct = len({tuple(search["ids"]) for search in searches})
    print(f"{name}: {distinct} outputs, {size} bytes")


def write_traces(name):
    folder = FOLDER / name
    model = loaded(name)
    ids = json.loads((folder / "generate.json").read_text())["searches"][0]["ids"]
    arrays, single = both(trace, model, PROMPT, ids[: len(PROMPT) + 4])
    write_trace(folder / "trace.npz", arrays, single)
    print(f"{name}: lowest log-probability {arrays['log_probabilities'].min():.1f}")


if __name__ == "__main__":
    warnings.filterwarnings("ignore")
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    print("transformers", transformers.__version__, "torch", torch.__version__)
    chosen = [word for word in sys.argv[1:] if word != "--traces"]
    for folder in chosen or MODELS:
        (write_traces if "--traces" in sys.argv else write_folder)(folder)
