#!/usr/bin/env python3
"""What files that Headscope wrote hold, read by others' programs alone, as JSON.

    npy FILE | npz FILE ARRAY | safetensors FILE ARRAY | svg FILE
"""
import json
import struct
import sys
import xml.etree.ElementTree

import numpy


def of_array(array):
    return {"shape": list(array.shape), "values": array.astype("float64").ravel().tolist()}


def npy(path):
    return of_array(numpy.load(path))


def npz(path, name):
    return of_array(numpy.load(path)[name])


def safetensors(path, name):
    with open(path, "rb") as file:
        (length,) = struct.unpack("<Q", file.read(8))
        entry = json.loads(file.read(length))[name]
        begin, end = entry["data_offsets"]
        file.seek(8 + length + begin)
        return of_array(numpy.frombuffer(file.read(end - begin), "<f4").reshape(entry["shape"]))


def svg(path):
    """The cells of a map with the values that the colour bar beside it gives their colours."""
    space = "{http://www.w3.org/2000/svg}"
    root = xml.etree.ElementTree.parse(path).getroot()
    boxes = [[float(box.get(side)) for side in ("x", "y", "width", "height")] + [box.get("fill")]
             for box in root.iter(space + "rect") if box.get("fill") != "none"]
    # The bar is the one narrow column of thin bands; cells are all before it but for the ground.
    columns = {}
    for box in boxes:
        columns.setdefault((box[0], box[2]), []).append(box)
    bar = max(columns.values(), key=len)
    bands = sorted(bar, key=lambda box: -box[1])
    cells = boxes[1:boxes.index(bar[0])]
    channels = numpy.array([[int(band[4][i:i + 2], 16) for i in (1, 3, 5)] for band in bands])
    for cell in cells:
        colour = numpy.array([int(cell[4][i:i + 2], 16) for i in (1, 3, 5)])
        nearest = numpy.abs(channels - colour).sum(axis=1).argmin()
        cell.append((nearest + 0.5) / len(bands))
    return {"cells": cells, "bands": len(bands), "texts": [text.text for text in root.iter(space + "text")]}


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
