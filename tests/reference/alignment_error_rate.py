"""Which head of cross-attention aligns words, and how well: the alignment error rate (Och and Ney 2003).

usage: alignment_error_rate.py HEADSCOPE_CLI MODEL PAIRS.tsv[.gz]
PAIRS has source, target and links "i-j" (source word - target word, from 0, words at spaces; all links are sure ones).
Every reference is forced on the decoder; a target word is linked to the source word with the largest weight, or left
alone where that is the end token. Conventions: AWO, the row that chose the word; AWI, the row that was fed it. Weights are
summed over a source word's pieces and averaged over a target word's. Head and convention are chosen on one half of the
pairs and reported on the other.
"""
import gzip, json, pathlib, subprocess, sys, tempfile, zipfile

import numpy as np


def read_pairs(path):
    opened = gzip.open(path, "rt", encoding="utf-8") if str(path).endswith(".gz") else open(path, encoding="utf-8")
    for line in opened:
        source, target, links = line.rstrip("\n").split("\t")[:3]
        yield source, target, {tuple(map(int, link.split("-"))) for link in links.split()}


def words_of(pieces):
    """The number of the word that each piece belongs to; -1 for special tokens."""
    words, word = [], -1
    for piece in pieces:
        if piece in ("<s>", "</s>"):
            words.append(-1)
            continue
        word += piece.startswith("\u2581") or word < 0
        words.append(word)
    return words


def traced(cli, model, source, target, folder):
    out = pathlib.Path(folder) / "trace.npz"
    subprocess.run([cli, "trace", model, "--source", source, "--target", target, "--out", str(out), "--quiet"], check=True)
    tokens = json.loads(zipfile.ZipFile(out).read("tokens.json"))
    return np.load(out)["cross/weights"], words_of(tokens["source"]), words_of(tokens["target"])


def links_of(weights, source_words, row_words):
    """Of one map [T, S] whose row t belongs to word row_words[t]."""
    columns = np.array(source_words)
    keys = np.stack([weights[:, columns == word].sum(1) for word in range(columns.max() + 1)], 1)
    special = weights[:, columns < 0].max(1, initial=0)
    links, rows = set(), np.array(row_words)
    for word in range(max(row_words) + 1):
        row = keys[rows == word].mean(0)
        if row.size and row.max() > special[rows == word].mean():
            links.add((int(row.argmax()), word))
    return links


def hypotheses(cli, model, pairs):
    """{(convention, name): [links of each pair]} for every head and every layer's mean."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for source, target, _ in pairs:
            weights, source_words, fed = traced(cli, model, source, target, folder)
            conventions = {"AWI": fed, "AWO": fed[1:] + [-1]}
            for layer, heads in enumerate(weights):
                maps = {f"cross.{layer}.{h}": head for h, head in enumerate(heads)} | {f"cross.{layer} mean": heads.mean(0)}
                for name, head in maps.items():
                    for convention, rows in conventions.items():
                        found.setdefault((convention, name), []).append(links_of(head, source_words, rows))
    return found


def error_rate(links, gold, chosen):
    both = sum(len(links[i] & gold[i]) for i in chosen)
    return 1 - 2 * both / (sum(len(links[i]) for i in chosen) + sum(len(gold[i]) for i in chosen))


def diagonal(pairs):
    links = []
    for source, target, _ in pairs:
        n, m = len(source.split()), len(target.split())
        links.append({(min(n - 1, int((j + 0.5) * n / m)), j) for j in range(m)})
    return links


def main(cli, model, path):
    pairs = list(read_pairs(path))
    gold = [links for _, _, links in pairs]
    everything, halves = range(len(pairs)), (range(0, len(pairs), 2), range(1, len(pairs), 2))
    print(f"scaled diagonal        {100 * error_rate(diagonal(pairs), gold, everything):5.1f} %")
    found = hypotheses(cli, model, pairs)
    for chosen_on, reported_on in (halves, halves[::-1]):
        best = min(found, key=lambda key: error_rate(found[key], gold, chosen_on))
        rate = error_rate(found[best], gold, reported_on)
        print(f"chosen on one half: {best[0]} {best[1]}, on the other {100 * rate:5.1f} %")
        draws = np.random.default_rng(1).choice(list(reported_on), (1000, len(reported_on)))
        low, high = np.percentile([error_rate(found[best], gold, draw) for draw in draws], [2.5, 97.5])
        print(f"  bootstrap interval (95 %) {100 * low:.1f} to {100 * high:.1f} %")
    print("the best of each convention over all pairs (chosen where it is reported: a bound, no result):")
    for convention in ("AWI", "AWO"):
        names = sorted((key for key in found if key[0] == convention), key=lambda key: error_rate(found[key], gold, everything))
        print(f"  {convention}: " + ", ".join(f"{name} {100 * error_rate(found[_, name], gold, everything):.1f} %" for _, name in names[:4]))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
