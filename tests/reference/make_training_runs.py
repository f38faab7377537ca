"""Makes the folders of `training-runs`: what a person's own training leaves on the disk, as it lies there.

    python tests/reference/make_training_runs.py [FOLDER ...]

Needs `torch`, `lightning`, `accelerate` and `transformers` 5.24. `trace.npz` and `generate.json` are what PyTorch computes
with the weights that the program saved.
"""

import json
import pickle
import shutil
import sys
import tempfile
from pathlib import Path

import torch

from files import write_trace
from in_float64 import both
from nanogpt import GPT, GPTConfig

OUT = Path(__file__).resolve().parent / "training-runs"
TEXT = "the cat sat on the mat.\nthe dog ran.\n"
CHARACTERS = sorted(set(TEXT))
PROMPT = [CHARACTERS.index(c) for c in "the c"]
SIZES = dict(n_layer=2, n_head=3, n_embd=12, block_size=16, dropout=0.0)
NEW = 9


def rough(model):
    """Norms and biases at random, too."""
    for parameter in model.parameters():
        parameter.data += torch.randn_like(parameter) * 0.3
    return model


def batches():
    ids = torch.tensor([CHARACTERS.index(c) for c in TEXT])
    return [(ids[i : i + 12][None], ids[i + 1 : i + 13][None]) for i in range(4)]


def loss_of(model, batch):
    return torch.nn.functional.cross_entropy(model(batch[0])[0], batch[1][0])


@torch.no_grad()
def trace(model, fed):
    logits = model(torch.tensor([fed]))
    log_probabilities = logits.log_softmax(-1)[0]
    return {"source_ids": torch.tensor(PROMPT), "target_ids": torch.tensor(fed), "next_ids": log_probabilities.argmax(-1),
            "decoder_self/weights": model.attention[:, 0], "log_probabilities": log_probabilities}


@torch.no_grad()
def record(folder, model, trace=trace):
    ids = list(PROMPT)
    for _ in range(NEW):
        ids.append(int(trace(model, ids)["next_ids"][-1]))
    (folder / "generate.json").write_text(
        json.dumps({"prompt": PROMPT, "searches": [{"options": {}, "ids": ids}]}, indent=1) + "\n")
    write_trace(folder / "trace.npz", *both(trace, model, ids[:-1]))


def write_meta(path):
    """As data/shakespeare_char/prepare.py does."""
    meta = {"vocab_size": len(CHARACTERS), "itos": dict(enumerate(CHARACTERS)),
            "stoi": {c: i for i, c in enumerate(CHARACTERS)}}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(meta))


def trained(model):
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
    for batch in batches():
        optimizer.zero_grad()
        loss_of(model, batch).backward()
        optimizer.step()
    return optimizer


def write_nanogpt(folder, checkpoint, bias, vocabulary, compiled):
    """As train.py saves; `compiled`: names as those of torch.compile()."""
    model_args = dict(**SIZES, bias=bias, vocab_size=vocabulary)
    model = rough(GPT(GPTConfig(**model_args), flash=compiled))
    optimizer = trained(model)
    state = {("_orig_mod." if compiled else "") + name: tensor for name, tensor in model.state_dict().items()}
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": state, "optimizer": optimizer.state_dict(), "model_args": model_args, "iter_num": 4,
                "best_val_loss": loss_of(model, batches()[0]).detach(),
                "config": {"out_dir": "out", "dataset": "letters", "compile": compiled, "learning_rate": 1e-2}}, checkpoint)
    record(folder, model)


def write_nanogpt_of_characters(folder):
    write_meta(folder / "data" / "letters" / "meta.pkl")
    write_nanogpt(folder, folder / "out-letters" / "ckpt.pt", False, len(CHARACTERS), True)


def write_nanogpt_with_biases(folder):
    write_meta(folder / "meta.pkl")
    write_nanogpt(folder, folder / "ckpt.pt", True, 32, False)  # a vocabulary rounded up


def write_lightning(folder):
    import lightning

    class Letters(lightning.LightningModule):
        def __init__(self, n_head, vocabulary):
            super().__init__()
            self.save_hyperparameters()
            self.net = rough(GPT(GPTConfig(**{**SIZES, "n_head": n_head}, bias=True, vocab_size=vocabulary)))
            self.register_buffer("class_weights", torch.ones(vocabulary))

        def training_step(self, batch, _):
            return loss_of(self.net, batch)

        def configure_optimizers(self):
            return torch.optim.Adam(self.parameters(), lr=1e-2)

    module = Letters(SIZES["n_head"], len(CHARACTERS))
    trainer = lightning.Trainer(max_epochs=1, default_root_dir=folder, accelerator="cpu", enable_progress_bar=False,
                                enable_model_summary=False, logger=lightning.pytorch.loggers.CSVLogger(folder))
    trainer.fit(module, torch.utils.data.DataLoader(batches(), batch_size=None))
    record(folder, module.net)


def write_accelerate(folder, safe=True):
    from accelerate import Accelerator

    accelerator = Accelerator(cpu=True)
    model = rough(GPT(GPTConfig(**SIZES, bias=True, vocab_size=len(CHARACTERS))))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    scheduler = torch.optim.lr_scheduler.ConstantLR(optimizer)
    model, optimizer, scheduler = accelerator.prepare(model, optimizer, scheduler)
    for batch in batches():
        optimizer.zero_grad()
        accelerator.backward(loss_of(model, batch))
        optimizer.step()
        scheduler.step()
    accelerator.save_state(folder / "checkpoint_0", safe_serialization=safe)
    record(folder, accelerator.unwrap_model(model))


def write_accelerate_pickled(folder):
    write_accelerate(folder, safe=False)


def write_trainer(folder):
    """A small vocabulary, and the special ids of GPT-2's own in the configuration."""
    from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

    config = GPT2Config(n_layer=2, n_head=3, n_embd=12, n_positions=16, vocab_size=len(CHARACTERS))
    model = rough(GPT2LMHeadModel(config))
    dataset = [{"input_ids": x[0], "labels": x[0]} for x, _ in batches()]
    arguments = TrainingArguments(folder, max_steps=4, save_steps=2, per_device_train_batch_size=1, use_cpu=True,
                                  report_to=[], disable_tqdm=True)
    Trainer(model, arguments, train_dataset=dataset).train()
    saved = GPT2LMHeadModel.from_pretrained(folder / "checkpoint-4", attn_implementation="eager").eval()

    @torch.no_grad()
    def traced(model, fed):
        output = model(torch.tensor([fed]), output_attentions=True)
        log_probabilities = output.logits.log_softmax(-1)[0]
        return {"source_ids": torch.tensor(PROMPT), "target_ids": torch.tensor(fed),
                "next_ids": log_probabilities.argmax(-1),
                "decoder_self/weights": torch.stack(output.attentions)[:, 0], "log_probabilities": log_probabilities}

    record(folder, saved, traced)


FOLDERS = {
    "nanogpt": write_nanogpt_of_characters,
    "nanogpt-biases": write_nanogpt_with_biases,
    "lightning": write_lightning,
    "accelerate": write_accelerate,
    "accelerate-pickled": write_accelerate_pickled,
    "trainer": write_trainer,
}


if __name__ == "__main__":
    for name in sys.argv[1:] or FOLDERS:
        torch.manual_seed(7)
        # Some programs save the whole path.
        with tempfile.TemporaryDirectory(prefix="run", dir="/tmp") as scratch:
            run = Path("/tmp/training-runs")
            run.unlink(missing_ok=True)
            run.symlink_to(scratch)
            (run / name).mkdir()
            FOLDERS[name](run / name)
            shutil.rmtree(OUT / name, ignore_errors=True)
            shutil.copytree(run / name, OUT / name)
            run.unlink()
        for path in (OUT / name).rglob("*.*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
