#!/usr/bin/env python3
"""Trains a small tokenizer of every family and records what transformers makes of texts.

make.py [--out FOLDER] [--corpus FILE --size N] [FAMILY ...]
Without --corpus: on the sentences of texts.py, as the folders beside this file are. A corpus has a sentence a line.
"""

import argparse
import json
import os
import shutil
import tempfile
import unicodedata

import sentencepiece
import tokenizers
import transformers
import transformers.models.m2m_100.tokenization_m2m_100 as m2m_100
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from texts import ALPHABETS, NASTY, SENTENCES, generated

R3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
      r"|\s+(?!\S)|\s+")


def few_rules():
    """Some rewriting rules of nmt_nfkc: all of them are 240 kB a file."""
    codes = [*range(0xaa, 0xbf), *range(0x2100, 0x2130), *range(0x2460, 0x246a), *range(0xfb00, 0xfb07),
             *range(0xff01, 0xff40), *range(0xff76, 0xff7a), 0xff9e, 0x1e9b, 0xfdfa, 0x3000]
    rules = {chr(code): unicodedata.normalize("NFKC", chr(code)) for code in codes}
    for letter in "aeiouAEIOUcnCN":
        for mark in "\u0300\u0301\u0302\u0303\u0308\u0327":
            rules[letter + mark] = unicodedata.normalize("NFKC", letter + mark)
    rules |= {space: " " for space in "\t\n\r\u00a0\u2028\u2029\u2003\u0085"}
    rules |= {nothing: "" for nothing in "\u0007\u200b\ufeff\u00ad\u200e\u200f"}
    rules["\u30ab\uff9e"] = "\u30ac"
    code = lambda text: " ".join(f"{ord(character):X}" for character in text)
    return "".join(f"{code(a)}\t{code(b)}\n" for a, b in sorted(rules.items()) if a != b)


class Training:
    def __init__(self, sentences, size, folder, few_rules):
        self.sentences = sentences
        self.size = size
        self.few_rules = few_rules
        self.folder = folder

    def byte_level(self, special=(), normalizer=None, pre=None, post=None, **model):
        """A byte-level BPE, trained in its own pipeline."""
        tokenizer = Tokenizer(models.BPE(**model))
        tokenizer.normalizer = normalizer
        tokenizer.pre_tokenizer = pre or pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        trainer = trainers.BpeTrainer(vocab_size=self.size, special_tokens=list(special), show_progress=False,
                                      initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()))
        tokenizer.train_from_iterator(self.sentences, trainer)
        if post:
            tokenizer.post_processor = post(tokenizer)
        return tokenizer

    def files_of(self, tokenizer):
        """vocab.json and merges.txt."""
        folder = tempfile.mkdtemp()
        tokenizer.model.save(folder)
        return os.path.join(folder, "vocab.json"), os.path.join(folder, "merges.txt")

    def sentence_piece(self, name, **options):
        """A SentencePiece model in a file of that name, in a scratch folder."""
        folder = tempfile.mkdtemp()
        rules = os.path.join(folder, "rules.tsv")
        with open(rules, "w", encoding="utf-8") as file:
            file.write(few_rules())
        if "normalization_rule_name" not in options and self.few_rules:
            options["normalization_rule_tsv"] = rules
        size = self.size + 256 * options.get("byte_fallback", False)
        prefix = os.path.join(folder, "model")
        sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(self.sentences), model_prefix=prefix,
                                                 vocab_size=size, hard_vocab_limit=False, minloglevel=2,
                                                 num_threads=1, **options)
        path = os.path.join(folder, name)
        os.rename(prefix + ".model", path)
        return path

    def save(self, tokenizer):
        tokenizer.save_pretrained(self.folder)
        # With this key, transformers 4.57 makes the tokenizer of the SentencePiece model again.
        path = os.path.join(self.folder, "tokenizer_config.json")
        with open(path, encoding="utf-8") as file:
            config = json.load(file)
        if isinstance(tokenizer, (transformers.LlamaTokenizerFast, transformers.T5TokenizerFast)):
            config.pop("add_prefix_space", None)
            with open(path, "w", encoding="utf-8") as file:
                json.dump(config, file, indent=1)


def template(single, pair, *tokens):
    return lambda tokenizer: processors.TemplateProcessing(
        single=single, pair=pair, special_tokens=[(token, tokenizer.token_to_id(token)) for token in tokens])


def gpt2(training):
    vocabulary, merges = training.files_of(training.byte_level(["<|endoftext|>"]))
    training.save(transformers.GPT2TokenizerFast(vocab_file=vocabulary, merges_file=merges))


def roberta(training, kind=transformers.RobertaTokenizerFast):
    vocabulary, merges = training.files_of(training.byte_level(["<s>", "<pad>", "</s>", "<unk>", "<mask>"]))
    training.save(kind(vocab_file=vocabulary, merges_file=merges))


def bart(training):
    roberta(training, transformers.BartTokenizerFast)


def gpt_neox(training):
    tokenizer = training.byte_level(["<|endoftext|>", "<|padding|>"], normalizers.NFC())
    tokenizer.add_tokens([AddedToken(" " * length, normalized=True) for length in range(24, 1, -1)])
    tokenizer.post_processor = template("$A:0", "$A:0 $B:1")(tokenizer)
    training.save(transformers.GPTNeoXTokenizerFast(tokenizer_object=tokenizer))


def smollm2(training):
    pre = pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer = training.byte_level(["<|endoftext|>", "<|im_start|>", "<|im_end|>"], pre=pre)
    training.save(transformers.GPT2TokenizerFast(tokenizer_object=tokenizer))


def split_then_bytes(pattern):
    return pre_tokenizers.Sequence([pre_tokenizers.Split(Regex(pattern), "isolated"),
                                    pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])


def llama3(training):
    names = ["<|begin_of_text|>", "<|end_of_text|>", "<|eot_id|>"]
    tokenizer = training.byte_level(names, pre=split_then_bytes(R3), ignore_merges=True)
    frame = template("<|begin_of_text|> $A", "<|begin_of_text|> $A <|begin_of_text|>:1 $B:1", "<|begin_of_text|>")
    tokenizer.post_processor = processors.Sequence([processors.ByteLevel(trim_offsets=False), frame(tokenizer)])
    training.save(transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<|begin_of_text|>",
                                                       eos_token="<|end_of_text|>"))


def qwen2(training):
    tokenizer = training.byte_level(pre=split_then_bytes(R3.replace(r"\p{N}{1,3}", r"\p{N}")),
                                    normalizer=normalizers.NFC())
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    tokenizer.add_special_tokens(["<|endoftext|>", "<|im_start|>", "<|im_end|>"])
    training.save(transformers.Qwen2TokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>"))


def olmo2(training):
    tokenizer = training.byte_level(["<|endoftext|>", "<|pad|>"], pre=split_then_bytes(R3))
    training.save(transformers.GPT2TokenizerFast(tokenizer_object=tokenizer, pad_token="<|pad|>"))


def phi2(training):
    vocabulary, merges = training.files_of(training.byte_level(["<|endoftext|>"]))
    tokenizer = transformers.CodeGenTokenizerFast(vocab_file=vocabulary, merges_file=merges)
    tokenizer.add_tokens([AddedToken(" " * length, normalized=False) for length in range(31, 1, -1)])
    tokenizer.add_tokens([AddedToken("\t" * length, normalized=False) for length in range(9, 1, -1)])
    training.save(tokenizer)


def bert(training, kind=transformers.BertTokenizerFast, lowercase=True):
    tokenizer = tokenizers.BertWordPieceTokenizer(lowercase=lowercase)
    tokenizer.train_from_iterator(training.sentences, vocab_size=training.size, min_frequency=1, show_progress=False)
    vocabulary = os.path.join(tempfile.mkdtemp(), "vocab.txt")
    tokens = sorted(tokenizer.get_vocab().items(), key=lambda entry: entry[1])
    with open(vocabulary, "w", encoding="utf-8") as file:
        file.write("".join(token + "\n" for token, _ in tokens))
    training.save(kind(vocab_file=vocabulary, do_lower_case=lowercase))


def bert_cased(training):
    bert(training, lowercase=False)


def distilbert(training):
    bert(training, transformers.DistilBertTokenizerFast)


def electra(training):
    bert(training, transformers.ElectraTokenizerFast)


def albert(training):
    path = training.sentence_piece("spiece.model", pad_id=0, unk_id=1, bos_id=-1, eos_id=-1,
                                   control_symbols=["[CLS]", "[SEP]"], user_defined_symbols=["[MASK]"])
    training.save(transformers.AlbertTokenizerFast(vocab_file=path))


def t5(training):
    path = training.sentence_piece("spiece.model", pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    training.save(transformers.T5TokenizerFast(vocab_file=path, add_prefix_space=True))


def mt5(training):
    path = training.sentence_piece("spiece.model", pad_id=0, eos_id=1, unk_id=2, bos_id=-1, byte_fallback=True)
    training.save(transformers.T5TokenizerFast(vocab_file=path, extra_ids=0, add_prefix_space=True))


def pegasus(training):
    path = training.sentence_piece("spiece.model", pad_id=0, eos_id=1, unk_id=2, bos_id=-1)
    training.save(transformers.PegasusTokenizerFast(vocab_file=path))


def xlm_roberta(training):
    training.save(transformers.XLMRobertaTokenizerFast(vocab_file=training.sentence_piece("sentencepiece.bpe.model")))


def mbart(training):
    path = training.sentence_piece("sentencepiece.bpe.model")
    training.save(transformers.MBartTokenizerFast(vocab_file=path, src_lang="en_XX", tgt_lang="de_DE"))


def mbart50(training):
    path = training.sentence_piece("sentencepiece.bpe.model")
    training.save(transformers.MBart50TokenizerFast(vocab_file=path, src_lang="en_XX", tgt_lang="de_DE"))


def nllb(training):
    path = training.sentence_piece("sentencepiece.bpe.model", model_type="bpe")
    training.save(transformers.NllbTokenizerFast(vocab_file=path))


def llama_pieces(training, **options):
    settings = dict(model_type="bpe", byte_fallback=True, normalization_rule_name="identity", split_digits=True,
                    remove_extra_whitespaces=False, allow_whitespace_only_pieces=True)
    return training.sentence_piece("tokenizer.model", **(settings | options))


def llama2(training):
    training.save(transformers.LlamaTokenizerFast(vocab_file=llama_pieces(training), legacy=True, add_prefix_space=True))


def mistral(training):
    tokenizer = transformers.LlamaTokenizerFast(vocab_file=llama_pieces(training), legacy=True, add_prefix_space=True)
    tokenizer.backend_tokenizer.normalizer = normalizers.Sequence([])
    tokenizer.backend_tokenizer.pre_tokenizer = pre_tokenizers.Metaspace("▁", "first", False)
    training.save(tokenizer)


def phi3(training):
    tokenizer = transformers.LlamaTokenizerFast(vocab_file=llama_pieces(training), legacy=False, add_prefix_space=True)
    tokenizer.add_tokens([AddedToken(f"<|{name}|>", rstrip=True, special=True, normalized=False)
                          for name in ("system", "user", "end", "assistant")], special_tokens=True)
    training.save(tokenizer)


def gemma(training):
    runs = ["\n" * length for length in range(1, 5)] + ["▁" * length for length in range(2, 9)] + ["<table>", "</b>"]
    path = llama_pieces(training, pad_id=0, eos_id=1, bos_id=2, unk_id=3, add_dummy_prefix=False,
                        user_defined_symbols=["<mask>", *runs])
    training.save(transformers.GemmaTokenizerFast(vocab_file=path))


def older(training, make, **settings):
    """The files of before tokenizer.json alone."""
    make(training)
    os.remove(os.path.join(training.folder, "tokenizer.json"))
    path = os.path.join(training.folder, "tokenizer_config.json")
    with open(path, encoding="utf-8") as file:
        config = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(config | settings, file, indent=1)


def older_bert(training):
    older(training, bert)


def older_gpt2(training):  # as OPT's
    older(training, gpt2, add_bos_token=True)


def older_roberta(training):
    older(training, roberta)


def older_qwen2(training):
    older(training, qwen2)


def older_t5(training):
    older(training, t5, add_prefix_space=True)


def older_llama2(training):
    older(training, llama2, add_prefix_space=True)


def older_xlm_roberta(training):
    older(training, xlm_roberta)


def m2m100(training):
    """Has no tokenizer.json."""
    path = training.sentence_piece("sentencepiece.bpe.model")
    pieces = sentencepiece.SentencePieceProcessor(model_file=path)
    tokens = ["<s>", "<pad>", "</s>", "<unk>"] + [pieces.id_to_piece(id) for id in range(3, len(pieces) - 5)]
    vocabulary = os.path.join(os.path.dirname(path), "vocab.json")
    with open(vocabulary, "w", encoding="utf-8") as file:
        json.dump({token: id for id, token in enumerate(tokens)}, file)
    languages = [f"__{code}__" for code in m2m_100.FAIRSEQ_LANGUAGE_CODES["m2m100"]]  # as in the published file
    training.save(transformers.M2M100Tokenizer(vocabulary, path, src_lang="en", tgt_lang="de",
                                               additional_special_tokens=languages))


FAMILIES = {make.__name__: make for make in
            (gpt2, roberta, bart, gpt_neox, smollm2, llama3, qwen2, olmo2, phi2, bert, bert_cased, distilbert, electra,
             albert, t5, mt5, pegasus, xlm_roberta, mbart, mbart50, nllb, llama2, mistral, phi3, gemma, m2m100, older_bert, older_gpt2, older_roberta, older_qwen2,
             older_t5, older_llama2, older_xlm_roberta)}


def write_lines(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]\n")


def record(folder, texts):
    """[ids, decoded] for each text: ids with what the tokenizer puts around, text without special tokens."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    rows = []
    for text in texts:
        ids = tokenizer(text)["input_ids"]
        rows.append([ids, tokenizer.decode(ids, skip_special_tokens=True)])
    write_lines(os.path.join(folder, "recorded.json"), rows)


def compact(folder):
    """Leaves tokenizer.json, without indentation, and tokenizer_config.json: older files say the same."""
    path = os.path.join(folder, "tokenizer.json")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False, separators=(",", ":"))
    for name in ("vocab.json", "merges.txt", "vocab.txt", "added_tokens.json", "special_tokens_map.json",
                 "spiece.model", "sentencepiece.bpe.model", "tokenizer.model"):
        if os.path.exists(os.path.join(folder, name)):
            os.remove(os.path.join(folder, name))


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="*", metavar="FAMILY")
    parser.add_argument("--out", default=here)
    parser.add_argument("--corpus")
    parser.add_argument("--size", type=int, default=420)
    given = parser.parse_args()
    os.makedirs(given.out, exist_ok=True)
    if given.corpus:
        with open(given.corpus, encoding="utf-8") as file:
            sentences = file.read().splitlines()
    else:
        sentences = SENTENCES + [text for kind in ALPHABETS for text in generated(kind, 5, 1)]
        write_lines(os.path.join(given.out, "texts.json"), NASTY + SENTENCES)
    for name in given.families or FAMILIES:
        folder = os.path.join(given.out, name)
        shutil.rmtree(folder, ignore_errors=True)
        FAMILIES[name](Training(sentences, given.size, folder, few_rules=not given.corpus))
        if not given.corpus:
            compact(folder)
            record(folder, NASTY + SENTENCES)
        print(name, len(transformers.AutoTokenizer.from_pretrained(folder)))


if __name__ == "__main__":
    print("transformers", transformers.__version__, "tokenizers", tokenizers.__version__)
    main()
