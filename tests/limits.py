"""A table of the limits that tests compared numbers with, from a file of HEADSCOPE_LIMITS.

    HEADSCOPE_LIMITS=limits.tsv ./test.sh -R model
    python3 tests/limits.py limits.tsv

One line for each test, array and origin of a limit: how often it was compared, the smallest and the largest limit, the largest
share of a limit that a distance took.
"""

import re
import sys
from collections import defaultdict

NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]\d+)?(?![\w.])")


def without_numbers(text):
    """What a limit has in common with others of its kind: "4 x PyTorch's float32 (N)" with every N alike."""
    return NUMBER.sub("N", text)


def main(path):
    kinds = defaultdict(lambda: [0, float("inf"), 0.0, 0.0])
    with open(path) as lines:
        for line in lines:
            test, function, array, count, limit, share, origin = line.rstrip("\n").split("\t")
            kind = kinds[test, function, re.sub(r"\b\w+\.\d[\w.]*", "SITE", array), without_numbers(origin)]
            kind[0] += 1
            kind[1], kind[2] = min(kind[1], float(limit)), max(kind[2], float(limit))
            if float(share) <= 1:  # others are of numbers that have to differ
                kind[3] = max(kind[3], float(share))
    for (test, function, array, origin), (times, least, most, share) in sorted(kinds.items()):
        print(f"{test}.{function} | {array} | {times} | {least:.1e} to {most:.1e} | {share:.2f} | {origin}")


if __name__ == "__main__":
    main(sys.argv[1])
