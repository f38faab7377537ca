"""Why log-probabilities of Headscope and of llama.cpp differ on a GGUF file: prints a row of a table.

    python compare_with_llama_cpp.py MODEL.gguf HEADSCOPE-CLI [SEQUENCES]

Needs `numpy`, `gguf` and `llama-cpp-python` (0.3.36, on the CPU); reads the architectures `llama` and `gpt2`. A third program, in float64, computes
the model twice: exactly, as Headscope should, and with the values rounded that llama.cpp rounds: what a matrix is multiplied with, to a type that
goes with the matrix's (8 bits for quantised ones), and the input and output of GELU to 16 bits, as it is a table. llama.cpp's cache, by default of
16 bits, is set to float32. The row: types | largest difference of log-probabilities between Headscope and llama.cpp | exact model and Headscope |
rounded model and llama.cpp, median over sequences and largest | every matrix product by itself, from llama.cpp's own input: exact and llama.cpp,
relative to the largest output | rounded and llama.cpp. The third is now and then as large as the first: a value beside the middle of two steps falls
to different sides in float32 and float64, and from there on the two go apart, as llama.cpp does from itself with another batch size.
"""

import ctypes
import subprocess
import sys
import tempfile
from ctypes import POINTER, c_char, c_float, c_int, c_int64, c_size_t, c_void_p

import gguf
import llama_cpp
import numpy as np

IN_BLOCKS = {"Q4_0": "q8_0", "Q5_0": "q8_0", "Q8_0": "q8_0", "Q4_1": "q8_1", "Q5_1": "q8_1"} | {f"Q{bits}_K": "q8_K" for bits in range(2, 7)}


class Tensor(ctypes.Structure):  # The beginning of llama.cpp's `ggml_tensor`, up to its name
    _fields_ = [("type", c_int), ("buffer", c_void_p), ("ne", c_int64 * 4), ("nb", c_size_t * 4), ("op", c_int), ("op_params", c_int * 16),
                ("flags", c_int), ("src", c_void_p * 10), ("view_src", c_void_p), ("view_offs", c_size_t), ("data", c_void_p), ("name", c_char * 64)]


def half(x):
    return np.float32(x).astype(np.float16).astype(np.float64)


def bfloat(x):
    bits = np.float32(x).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


def in_blocks(x, form):
    """Integers and scales, in float32 as llama.cpp: the largest magnitude of 32 becomes 127, or that of 256, whatever its sign, -127."""
    x = np.float32(x).reshape(len(x), -1, 256 if form == "q8_K" else 32)
    most = np.take_along_axis(x, np.abs(x).argmax(-1)[..., None], -1)
    most = -most if form == "q8_K" else np.abs(most)
    inverse = np.divide(np.float32(127), most, out=np.zeros_like(most), where=most != 0)
    return np.rint(x * inverse), np.divide(1, inverse, out=np.zeros_like(most), where=most != 0) if form == "q8_K" else most / np.float32(127)


def log_softmax(x):
    x = np.float64(x) - np.max(x, -1, keepdims=True)
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


class Model:
    def __init__(self, path):
        reader = gguf.GGUFReader(path)
        self.fields = {name.split(".", 1)[-1]: field.contents() for name, field in reader.fields.items()}
        assert self.fields["architecture"] in ("llama", "gpt2") and self.fields.get("rope.scaling.type", "linear") == "linear"
        self.tensors = {tensor.name: tensor for tensor in reader.tensors}
        self.numbers = {name: gguf.quants.dequantize(t.data, t.tensor_type).astype(np.float64) for name, t in self.tensors.items()}

    def product(self, x, name, rounded, bias=True):
        tensor, matrix, extra = self.tensors[name + ".weight"], self.numbers[name + ".weight"], 0.0
        if rounded and (form := IN_BLOCKS.get(tensor.tensor_type.name)):
            whole, scale = in_blocks(x, form)
            kept = scale.astype(np.float64) if form == "q8_K" else half(scale)
            if form == "q8_1":  # A block's sum, which the matrix's offset (its bytes 2 and 3) is multiplied with, is rounded on its own
                blocks, sums = tensor.data.reshape(len(matrix), whole.shape[1], -1), whole.sum(-1)
                extra = (half(scale[..., 0] * sums) - kept[..., 0] * sums) @ blocks[..., 2:4].copy().view(np.float16)[..., 0].T
            x = (whole * kept).reshape(x.shape)
        elif rounded:
            x = {"F16": half, "BF16": bfloat, "F32": np.float64}[tensor.tensor_type.name](x)
        return x @ matrix.T + extra + (self.numbers.get(name + ".bias", 0.0) if bias else 0.0)

    def norm(self, x, name):
        x = x - x.mean(-1, keepdims=True) if "attention.layer_norm_epsilon" in self.fields else x
        epsilon = self.fields.get("attention.layer_norm_epsilon") or self.fields["attention.layer_norm_rms_epsilon"]
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + epsilon) * self.numbers[name + ".weight"] + self.numbers.get(name + ".bias", 0.0)

    def rotated(self, x):  # [tokens, heads, d]; neighbours are pairs, since the converter reorders the rows
        frequencies = self.fields.get("rope.freq_base", 10000.0) ** (-np.arange(0, x.shape[-1], 2) / x.shape[-1])
        frequencies = frequencies / self.numbers.get("rope_freqs.weight", 1.0) / self.fields.get("rope.scaling.factor", 1.0)
        return ((x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * np.arange(len(x))[:, None, None] * frequencies)).view(np.float64)

    def attention(self, x, block, rounded):
        whole = block + "qkv.weight" in self.numbers
        parts = np.split(self.product(x, block + "qkv", rounded), 3, -1) if whole else [self.product(x, block + name, rounded) for name in "qkv"]
        heads, groups = self.fields["attention.head_count"], self.fields.get("attention.head_count_kv", self.fields["attention.head_count"])
        q, k, v = (part.reshape(len(x), count, -1) for part, count in zip(parts, (heads, groups, groups)))
        q, k = (q, k) if self.fields["architecture"] == "gpt2" else (self.rotated(q), self.rotated(k))
        k, v = (np.repeat(part, heads // groups, 1) for part in (k, v))
        scores = np.einsum("qhd,khd->hqk", q, k) / np.sqrt(q.shape[-1])
        weights = np.exp(log_softmax(np.where(np.tri(len(x), dtype=bool), scores, -np.inf)))
        return self.product(np.einsum("hqk,khd->qhd", weights, v).reshape(len(x), -1), block + "output", rounded)

    def log_probabilities(self, ids, rounded):
        x, places = self.numbers["token_embd.weight"][ids], self.numbers.get("position_embd.weight")
        x, tabled = x if places is None else x + places[: len(ids)], half if rounded else np.float64
        for block in (f"blk.{layer}." for layer in range(self.fields["block_count"])):
            x = x + self.attention(self.norm(x, block + "attn_norm"), block + "attn_", rounded)
            y = self.norm(x, block + "ffn_norm")
            up, gated = self.product(y, block + "ffn_up", rounded), block + "ffn_gate.weight" in self.numbers
            gate = self.product(y, block + "ffn_gate", rounded) if gated else tabled(up)
            y = gate / (1 + np.exp(-gate)) * up if gated else tabled(gate / (1 + np.exp(-np.sqrt(8 / np.pi) * (gate + 0.044715 * gate**3))))
            x = x + self.product(y, block + "ffn_down", rounded)
        return log_softmax(self.product(self.norm(x, "output_norm"), "output" if "output.weight" in self.numbers else "token_embd", rounded))


def from_headscope(program, path, ids):
    with tempfile.TemporaryDirectory() as folder:
        forced = ["--source-ids", str(ids[0]), "--target-ids", ",".join(map(str, ids)), "--log-probabilities", "--out", folder + "/trace.npz"]
        subprocess.run([program, "trace", path, *forced, "--device", "cpu", "--quiet"], check=True, stdout=subprocess.DEVNULL)
        return np.load(folder + "/trace.npz")["log_probabilities"]


def from_llama_cpp(path, ids, seen):  # seen(name of the matrix, input, output) is called after every product
    def rows(tensor):
        return np.ctypeslib.as_array(ctypes.cast(tensor.data, POINTER(c_float)), (tensor.ne[1], tensor.ne[0])).astype(np.float64)

    def listen(address, asked, _):
        tensor = Tensor.from_address(address)
        if not asked and tensor.src[0] and tensor.src[1]:
            matrix, x = Tensor.from_address(tensor.src[0]), Tensor.from_address(tensor.src[1])
            if matrix.name.endswith(b".weight") and x.type == 0 and matrix.ne[1] > 1 and [*matrix.ne][:2] == [x.ne[0], tensor.ne[0]]:
                seen(matrix.name.decode()[: -len(".weight")], rows(x), rows(tensor))
        return True

    defaults = llama_cpp.llama_context_default_params()
    defaults.cb_eval = listener = llama_cpp.ggml_backend_sched_eval_callback(listen)
    llama_cpp.llama_cpp.llama_context_default_params = lambda: defaults  # The class has no argument for a listener
    model = llama_cpp.Llama(path, n_ctx=256, n_threads=1, n_threads_batch=1, logits_all=True, flash_attn=False, type_k=0, type_v=0, verbose=False)
    model.eval(ids)
    return log_softmax(model.scores[: len(ids)])


def main(path, program, count=8):
    model, products, runs = Model(path), [], []
    far = lambda a, b: np.abs(a - b).max()
    seen = lambda name, x, y: products.append([far(model.product(x, name, flag, False), y) / np.abs(y).max() for flag in (False, True)])
    for ids in np.random.default_rng(5).integers(3, len(model.numbers["token_embd.weight"]), (int(count), 12)).tolist():
        ours, theirs = from_headscope(program, path, ids), from_llama_cpp(path, ids, seen)
        runs.append([far(ours, theirs), far(model.log_probabilities(ids, False), ours), far(model.log_probabilities(ids, True), theirs)])
    kinds = " ".join(sorted({tensor.tensor_type.name for tensor in model.tensors.values()} - {"F32"}) or ["F32"])
    most, middle, alone = np.max(runs, 0), np.median(runs, 0), np.max(products, 0)
    print(f"| {kinds} | {most[0]:.0e} | {most[1]:.0e} | {middle[2]:.0e}, {most[2]:.0e} | {alone[0]:.0e} | {alone[1]:.0e} |")


if __name__ == "__main__":
    main(*sys.argv[1:])
