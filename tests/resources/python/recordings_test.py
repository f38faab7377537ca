#!/usr/bin/env python3
"""The Python package with NumPy alone: recordings that it writes are read by headscope-cli, number by number: recordings_test.py PROGRAMS"""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SYSTEM = "/usr/bin/python3"
sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError as error:
    if sys.executable != SYSTEM and os.path.exists(SYSTEM):
        os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])
    print(f"skipped: {error}")
    sys.exit(77)
programs = Path(sys.argv[1])
scratch = tempfile.TemporaryDirectory()
folder = Path(scratch.name)

# What pip installs, where there is pip; nothing may be fetched, and nothing is left beside the sources.
package = ROOT / "resources/python"
before = sorted(package.rglob("*"))
installed = subprocess.run([sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--target", folder / "installed", package],
                           capture_output=True, text=True)
if "No module named pip" in installed.stderr:
    sys.path.insert(0, str(package))
else:
    assert installed.returncode == 0, installed.stderr
    assert before == sorted(package.rglob("*"))
    sys.path.insert(0, str(folder / "installed"))
import headscope

assert not {"torch", "transformers"} & set(sys.modules)


def command(*arguments):
    return subprocess.run([programs / "headscope-cli", *arguments], capture_output=True, text=True)


def numbers(path, head):
    out = folder / "numbers.npz"
    said = command("render", path, "--view", "heatmap", "--head", head, "--out", out)
    assert said.returncode == 0, said.stderr
    with np.load(out) as drawn:
        return [drawn[name] for name in drawn.files if not name.endswith(".json")]


def is_read(path, kind, stack):
    """Every head of the recording is what was written."""
    for layer, heads in enumerate(stack):
        for head, weights in enumerate(heads):
            wanted = weights.astype(np.float32).astype(np.float64)
            read = numbers(path, f"{kind}.{layer}.{head}")
            assert any(array.shape == wanted.shape and (np.where(np.isnan(array) & (wanted == 0), 0, array) == wanted).all()
                       for array in read), (path, kind, layer, head, read)


def weights(layers, heads, queries, keys, causal=False):
    values = np.random.default_rng(7).random((layers, heads, queries, keys))
    if causal:
        values = np.tril(values)
    return values / values.sum(axis=-1, keepdims=True)


class Tensor:
    """What of a tensor of PyTorch is used."""

    def __init__(self, array, dtype="torch.float32"):
        self.array, self.dtype, self.shape, self.ndim = array, dtype, array.shape, array.ndim
        self.calls = []

    def detach(self):
        return Tensor(self.array, self.dtype)

    def float(self):
        return Tensor(self.array.astype(np.float32))

    def cpu(self):
        return self

    def numpy(self):
        assert self.dtype == "torch.float32"
        return self.array


def refusal(work):
    try:
        work()
    except (ValueError, FileNotFoundError) as error:
        return str(error)
    raise AssertionError("not refused")


source, target = ["<s>", "a</script>", "\"q\"\n"], ["</s>", "\u2581\U0001f600", "\ud800", "\u200fx"]
encoder, decoder, cross = weights(2, 3, 3, 3), weights(1, 2, 4, 4, True), weights(1, 2, 4, 3)
for ending in ("safetensors", "npz"):
    path = headscope.write(folder / f"all.{ending}", encoder=encoder, decoder=decoder, cross=cross, source=source, target=target,
                           next=["1", "2", "3", "4"], name="of another program", arrays={"source_ids": [4, 5, 6]})
    is_read(path, "encoder", encoder)
    is_read(path, "decoder", decoder)
    is_read(path, "cross", cross)
    info = json.loads(command("info", "--json", path).stdout)
    assert info["name"] == "of another program", info

# The forms in which weights lie in memory.
forms = {
    "list of [1, heads, n, n]": [Tensor(layer[np.newaxis].astype(np.float32)) for layer in encoder],
    "tuple of [heads, n, n]": tuple(encoder),
    "bfloat16": [Tensor(layer[np.newaxis].astype(np.float32), "torch.bfloat16") for layer in encoder],
    "[layers, 1, heads, n, n]": encoder[:, np.newaxis],
    "nested lists": encoder.tolist(),
}
for form, given in forms.items():
    made = headscope.recording(encoder=given, source=source)
    assert (made.arrays["encoder_self/weights"] == encoder.astype(np.float32)).all(), form
rounded = ((encoder.astype(np.float32).view(np.uint32) + 0x8000) & 0xFFFF0000).view(np.float32)  # what bfloat16 can hold
brief = headscope.write(folder / "brief.safetensors", source=source,
                        encoder=[Tensor(layer[np.newaxis], "torch.bfloat16") for layer in rounded])
is_read(brief, "encoder", rounded)
assert "rows sum to one     ok" in command("info", brief).stdout
one_head = headscope.recording(encoder=[encoder[0, 0]], source=source)
assert one_head.arrays["encoder_self/weights"].shape == (1, 1, 3, 3)
half = encoder.astype(np.float16)
is_read(headscope.write(folder / "half.safetensors", encoder=half, source=source), "encoder", half)
masked = headscope.write(folder / "masked.safetensors", decoder=decoder, target=target, masks={"decoder": np.tril(np.ones((4, 4)))})
assert "masked cells are zero ok" in command("info", masked).stdout

# What numpy.savez writes by itself opens, too.
np.savez(folder / "plain.npz", **{"cross/weights": cross, "source": source, "target": target[:2] + ["c", "d"]})
is_read(folder / "plain.npz", "cross", cross)

# Errors say what, what is expected and what was found.
for work, words in {
        lambda: headscope.recording(): ["encoder, decoder or cross", "none"],
        lambda: headscope.recording(encoder=encoder): ["source", "found none"],
        lambda: headscope.recording(encoder=encoder, source=["a"]): ["1 queries", "[2, 3, 3, 3]"],
        lambda: headscope.recording(encoder=encoder, source=[1, 2, 3]): ["strings", "convert_ids_to_tokens"],
        lambda: headscope.recording(encoder=encoder, source="abc"): ["a list of tokens", "str"],
        lambda: headscope.recording(encoder=[np.ones((4, 3, 3, 3))], source=source): ["batch of one", "[4, 3, 3, 3]"],
        lambda: headscope.recording(encoder=[encoder[0], None], source=source): ["None for layers [1]", "eager"],
        lambda: headscope.recording(encoder=[encoder[0], encoder[1][:2]], source=source): ["the same heads", "[2, 3, 3]"],
        lambda: headscope.recording(encoder=np.array([[["x"]]]), source=["a"]): ["real numbers"],
        lambda: headscope.recording(encoder=encoder, source=source, second_text=3): ["from 1 to 2", "3"],
        lambda: headscope.recording(encoder=encoder, source=source, masks={"encoder": np.ones((2, 2))}): ["[3, 3]", "[2, 2]"],
        lambda: headscope.write(folder / "x.pt", encoder=encoder, source=source): [".safetensors or .npz", ".pt"],
        lambda: headscope.head_view(encoder): ["tokens"],
        lambda: headscope.head_view(encoder, source, layer=2, html_action="return"): ["from 0 to 1", "2"],
        lambda: headscope.head_view(encoder, source, cross_attention=cross): ["attention and cross_attention"],
        lambda: headscope.head_view(encoder, source, html_action="html"): ["'view' or 'return'"],
        lambda: headscope.from_transformer_lens({"blocks.1.attn.hook_pattern": encoder[0]}, source): ["layers [1]"],
        lambda: headscope.from_transformer_lens({"x": 1}, source): ["blocks.0.attn.hook_pattern", "'x'"],
        lambda: headscope.from_nnsight([(encoder[0],)], source): ["rows sum to 1", "[3, 3, 3]"],
}.items():
    said = refusal(work)
    assert all(word in said for word in words), (said, words)

# With BertViz' arguments.
pair = headscope.head_view(forms["list of [1, heads, n, n]"], ["[CLS]", "Ġa", "b"], 2, html_action="return")
assert pair.words == {"source": ["[CLS]", "\u2581a", "b"], "roles": {"source": ["start", "text", "text"]}, "second_text": 2}, pair.words
assert headscope.recording(decoder=decoder, target=["<pad>", "a", "</s>", "<pad>"]).words["roles"] == {
    "target": ["start", "text", "end", "padding"]}
hidden = headscope.head_view(encoder, ["[CLS]", "a", "[SEP]"], html_action="return").save(folder / "hidden.npz")
shown = headscope.head_view(encoder, ["a", "b", "c"], html_action="return").save(folder / "shown.npz")
for path, columns in ((hidden, 1), (shown, 3)):
    assert command("render", path, "--view", "heatmap", "--without-special", "--out", folder / "special.npz").returncode == 0
    with np.load(folder / "special.npz") as drawn:
        assert drawn["weights"].shape == (3, columns), drawn["weights"].shape
assert headscope.head_view(encoder, ["Ġa", "b", "c"], prettify_tokens=False, html_action="return").words["source"][0] == "Ġa"
assert set(headscope.head_view(decoder, target, html_action="return").arrays) == {"decoder_self/weights"}
both = headscope.model_view(encoder_attention=encoder, decoder_attention=decoder, cross_attention=cross, encoder_tokens=source,
                            decoder_tokens=target, include_layers=[0], include_heads=[1], display_mode="light", html_action="return")
assert len(both.arrays) == 3

# Caches of TransformerLens and saved outputs of nnsight, in their published shapes.
scores = np.where(np.tril(np.ones((4, 4), bool)), 1.0, -np.inf)
cache = {"hook_embed": np.ones(3), "blocks.0.attn.hook_pattern": decoder[:1, 0:2][0][np.newaxis],
         "blocks.0.attn.hook_attn_scores": np.broadcast_to(scores, (1, 2, 4, 4))}
lens = headscope.from_transformer_lens(cache, ["<s>", " a", "b", "c"])
assert lens.words["target"][1] == "\u2581a" and (lens.arrays["decoder_self/mask"][0] == np.tril(np.ones((4, 4)))).all()
is_read(lens.save(folder / "lens.safetensors"), "decoder", decoder)
saved = headscope.from_nnsight([(np.ones((1, 4, 8)), decoder[0][np.newaxis])], target)
assert (saved.arrays["decoder_self/weights"] == decoder.astype(np.float32)).all()

# The window: what HEADSCOPE names is started with the file; without a screen or a program the file is named.
said = folder / "said"
fake = folder / "fake"
fake.write_text(f"#!/bin/sh\nprintf %s \"$1\" > {said}.part && mv {said}.part {said}\n")
fake.chmod(0o755)
os.environ.update(HEADSCOPE=str(fake), QT_QPA_PLATFORM="offscreen")
shown = headscope.show(encoder=encoder, source=source, name="a/b")
for _ in range(1000):
    if said.exists():
        break
    __import__("time").sleep(0.01)
assert said.read_text() == str(shown) and shown.name == "a-b.safetensors"
for name in ("QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"):
    os.environ.pop(name, None)
heard = io.StringIO()
with contextlib.redirect_stdout(heard):
    headscope.show(lens, folder / "kept.safetensors")
assert "no screen" in heard.getvalue() and "headscope kept.safetensors" in heard.getvalue()
os.environ["HEADSCOPE"] = str(folder / "nothing")
assert "HEADSCOPE" in refusal(lambda: headscope.show(folder / "kept.safetensors"))

# A file that cannot be completed leaves the older one as it is.
kept = (folder / "kept.safetensors").read_bytes()
broken = headscope.Recording({"encoder_self/weights": np.array(["x"])}, {})
try:
    broken.save(folder / "kept.safetensors")
except KeyError:
    pass
assert (folder / "kept.safetensors").read_bytes() == kept and not list(folder.glob("*.part"))
assert zipfile.ZipFile(folder / "all.npz").testzip() is None
