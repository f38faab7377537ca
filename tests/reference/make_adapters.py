"""Writes the folders `adapters/*`: small random adapters of PEFT for models of `hugging-face`, and what PEFT computes with them.

    python tests/reference/make_adapters.py [FOLDER ...]

Needs `peft` 0.21 and `transformers` 5. Recorded in float64, in eager mode, with the adapters unmerged.
"""

import json
import sys
from pathlib import Path

import torch
import transformers
from peft import LoraConfig, get_peft_model

import make_decoders
import make_encoders
from files import write_trace
from in_float64 import both

HERE = Path(__file__).resolve().parent
FOLDERS = {  # base, class, options of LoRA
    "gpt2-lora": ("gpt2-tiny", "GPT2LMHeadModel",
                  dict(r=3, lora_alpha=6, target_modules=["c_attn", "c_proj", "c_fc"], fan_in_fan_out=True, bias="lora_only",
                       rank_pattern={"attn.c_proj": 2}, alpha_pattern={"h.1.attn.c_attn": 9}, task_type="CAUSAL_LM")),
    "llama-lora": ("llama-tiny", "LlamaForCausalLM",
                   dict(r=4, lora_alpha=6, use_rslora=True, task_type="CAUSAL_LM",
                        target_modules=["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"])),
    "bert-lora": ("bert-tiny", "BertForSequenceClassification",
                  dict(r=2, lora_alpha=5, target_modules=["query", "value"], task_type="SEQ_CLS")),
}


def write_folder(name, seed):
    base, kind, options = FOLDERS[name]
    torch.manual_seed(seed)
    model = getattr(transformers, kind).from_pretrained(HERE / "hugging-face" / base, attn_implementation="eager")
    adapted = get_peft_model(model, LoraConfig(**options)).eval()
    for parameter_name, tensor in adapted.named_parameters():
        if tensor.requires_grad:
            tensor.data = torch.randn(tensor.shape) * 0.15
    folder = HERE / "adapters" / name
    adapted.save_pretrained(folder)
    (folder / "README.md").unlink()
    (folder / "adapter_model.safetensors").chmod(0o644)
    config = json.loads((folder / "adapter_config.json").read_text())
    config["base_model_name_or_path"] = f"../../hugging-face/{base}"
    config["target_modules"] = sorted(config["target_modules"])
    (folder / "adapter_config.json").write_text(json.dumps(config, indent=2) + "\n")
    whole = adapted.get_base_model()
    if kind.startswith("Bert"):
        inputs = {"input_ids": torch.tensor([[2, 5, 9, 14, 7, 3]]), "token_type_ids": torch.tensor([[0, 0, 0, 1, 1, 1]])}
        arrays, single = both(make_encoders.recorded, whole, inputs)
        arrays["source_segments"] = inputs["token_type_ids"][0]
    else:
        prompt = make_decoders.PROMPT
        arrays, single = both(make_decoders.trace, whole, prompt, [*prompt, 11, 4, 9])
    write_trace(folder / "trace.npz", arrays, single)
    print(name, sum(path.stat().st_size for path in folder.iterdir()), "bytes")


if __name__ == "__main__":
    transformers.logging.set_verbosity_error()
    torch.set_num_threads(1)
    for number, folder in enumerate(FOLDERS):
        if not sys.argv[1:] or folder in sys.argv[1:]:
            write_folder(folder, number + 1)
