"""The tokenizer files of a small Marian model: two SentencePiece models and their vocabularies."""

import gzip
import io
import json
import os
import tempfile
import unicodedata
from pathlib import Path

import sentencepiece

PIECES = 340  # in each language
EVERY = 40  # of this many sentence pairs one is trained on
# Where the compatibility forms are that the small rule set rewrites: Latin-1, spaces, letter-like and circled signs,
# ligatures, an Arabic one, full-width and half-width forms. The rules of real models are all of NFKC, 240 kB a file.
REWRITTEN = [(0xA0, 0xBF), (0x2000, 0x200A), (0x2026, 0x2026), (0x2100, 0x2122), (0x2460, 0x2469), (0x3000, 0x3000),
             (0xFB00, 0xFB06), (0xFDFA, 0xFDFA), (0xFF01, 0xFF5E), (0xFF71, 0xFF75)]
COMPOSED = (0xC0, 0x17F)  # letters whose decomposed spelling becomes one character
BLANKS = "\t\n\r"
LEFT_OUT = 4  # pieces of the source model that the vocabulary lacks


def rules():
    """Lines of `from<TAB>to` in hexadecimal code points."""
    written = {char: " " for char in BLANKS}
    for first, last in REWRITTEN:
        for char in map(chr, range(first, last + 1)):
            written[char] = unicodedata.normalize("NFKC", char)
    for char in map(chr, range(COMPOSED[0], COMPOSED[1] + 1)):
        written[unicodedata.normalize("NFD", char)] = char
    code_points = lambda text: " ".join(f"{ord(char):X}" for char in text)
    return [f"{code_points(old)}\t{code_points(new)}" for old, new in written.items() if old != new]


def train(sentences):
    """The model's bytes. They name no file: rules are read from a temporary folder, sentences from memory."""
    model, previous = io.BytesIO(), os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "rules.tsv").write_text("\n".join(rules()) + "\n")
        os.chdir(folder)
        try:
            sentencepiece.SentencePieceTrainer.train(
                sentence_iterator=iter(sentences), model_writer=model, model_type="unigram", vocab_size=PIECES,
                normalization_rule_tsv="rules.tsv", num_threads=1, hard_vocab_limit=True, minloglevel=2)
        finally:
            os.chdir(previous)
    return model.getvalue()


def pieces_of(model):
    """Without the model's own <unk>, <s> and </s>, whose ids mean nothing to a Marian model."""
    processor = sentencepiece.SentencePieceProcessor(model_proto=model)
    return [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]


def vocabulary(pieces):
    """As the converter numbers them: the end is 0, the unknown 1, the pad comes last."""
    ordered = list(dict.fromkeys(["</s>", "<unk>", *pieces, "<pad>"]))
    return {piece: i for i, piece in enumerate(ordered)}


def sample(corpus):
    """Every so many-th pair, [source, target]."""
    with gzip.open(corpus, "rt", encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for i, line in enumerate(lines) if i % EVERY == 0]


def write_tokenizer(folder, corpus, separate):
    """Writes the files; returns how many ids the source and the target have."""
    pairs = sample(corpus)
    source, target = train([pair[0] for pair in pairs]), train([pair[1] for pair in pairs])
    (folder / "source.spm").write_bytes(source)
    (folder / "target.spm").write_bytes(target)
    known = [piece for i, piece in enumerate(pieces_of(source)) if i not in range(100, 100 + LEFT_OUT)]
    languages = [">>de<<", ">>fr<<"]  # a model of several target languages has such pieces
    joint = vocabulary(known if separate else [*languages, *pieces_of(target), *known])
    write_vocabulary(folder / "vocab.json", joint)
    settings = {"source_lang": "eng", "target_lang": "deu", "separate_vocabs": separate, "model_max_length": 512}
    (folder / "tokenizer_config.json").write_text(json.dumps(settings) + "\n")
    own = vocabulary(pieces_of(target)[:-LEFT_OUT]) if separate else joint
    if separate:
        write_vocabulary(folder / "target_vocab.json", own)
    return len(joint), len(own)


def write_vocabulary(path, ids):
    path.write_text(json.dumps(ids, ensure_ascii=True, indent=2) + "\n")
