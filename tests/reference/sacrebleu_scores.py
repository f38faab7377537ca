"""Scores of sacrebleu (pip install sacrebleu) for the systems in the folder `bleu`.

usage: sacrebleu_scores.py bleu
Each system-*.txt has one output a line, for the distinct sources of references.tsv in their order.
Writes scores.json: {system: {bleu, precisions, brevity_penalty, hypothesis_length, reference_length, chrf}}.
"""
import json, pathlib, sys
import sacrebleu

folder = pathlib.Path(sys.argv[1])
references = {}
for line in (folder / "references.tsv").read_text(encoding="utf-8").split("\n"):
    if line:
        source, target = line.split("\t")[:2]
        references.setdefault(source, []).append(target)
most = max(map(len, references.values()))
columns = [[r[i] if i < len(r) else None for r in references.values()] for i in range(most)]
scores = {}
for path in sorted(folder.glob("system-*.txt")):
    outputs = path.read_text(encoding="utf-8").split("\n")[:-1]
    bleu = sacrebleu.corpus_bleu(outputs, columns)
    scores[path.stem] = dict(
        bleu=bleu.score, precisions=bleu.precisions, brevity_penalty=bleu.bp, hypothesis_length=bleu.sys_len,
        reference_length=bleu.ref_len, chrf=sacrebleu.corpus_chrf(outputs, columns).score)
scores = {"sacrebleu": sacrebleu.__version__, "systems": scores}
(folder / "scores.json").write_text(json.dumps(scores, indent=1) + "\n")
