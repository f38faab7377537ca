#!/usr/bin/env python3
"""Makes thumbnail.png of every model in models.json: make_thumbnails.py [FOLDER OF headscope-cli]

A pixel is a weight of the head that models.json names, rows are queries; 255 is the largest weight of the map. The sentence is the
one that the window shows first.
"""
import array
import json
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

MODELS = Path(__file__).resolve().parent
PROGRAM = Path(sys.argv[1] if len(sys.argv) > 1 else MODELS / "../../build/release/bin") / "headscope-cli"
ARRAYS = {"encoder": "encoder_self", "decoder": "decoder_self", "cross": "cross"}


def first_line(path):
    return path.read_text().split("\n")[0].split("\t")[0]


def weights(model):
    """Rows of the head's map."""
    folder = MODELS / model["model"]
    samples = folder / "samples.txt"
    sentence = first_line(samples if samples.exists() else MODELS / "../samples/sentences.en.txt")
    own = folder / "headscope.json"
    lifted = own.exists() and json.loads(own.read_text()).get("opens_without_mask") == "yes"
    with tempfile.TemporaryDirectory() as scratch:
        trace = Path(scratch) / "trace.safetensors"
        command = [PROGRAM, "trace", folder / model.get("pictured", ""), "--source", sentence, "--out", trace, "--quiet"]
        subprocess.run(command + ["--no-mask"] * lifted, check=True)
        data = trace.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    kind, layer, head = model["head"].split(".")
    entry = json.loads(data[8 : 8 + length])[ARRAYS[kind] + "/weights"]
    _, heads, queries, keys = entry["shape"]
    values = array.array("f", data[8 + length :][slice(*entry["data_offsets"])])
    begin = (int(layer) * heads + int(head)) * queries * keys
    return [values[begin + row * keys : begin + (row + 1) * keys] for row in range(queries)]


def png(rows):
    largest = max(map(max, rows))
    lines = b"".join(b"\0" + bytes(int(255 * value / largest + 0.5) for value in row) for row in rows)

    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")


for each in json.loads((MODELS / "models.json").read_text()):
    (MODELS / each["model"] / "thumbnail.png").write_bytes(png(weights(each)))
