"""What the program of traces.md uses of `transformers`, over a model of three words: for where that is not installed."""
import torch


class Batch(dict):
    __getattr__ = dict.__getitem__


class AutoTokenizer:
    eos_token_id = 3
    pieces = ["<pad>", "<unk>", "<s>", "</s>", "\u2581I", "\u2581see", "\u2581Ich", "\u2581sehe"]

    @classmethod
    def from_pretrained(cls, name):
        return cls()

    def __call__(self, sentence, return_tensors):
        ids = [self.pieces.index("\u2581" + word) for word in sentence.rstrip(".").split()[:1]] + [5, 3]
        return Batch(input_ids=torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)))

    def convert_ids_to_tokens(self, ids):
        return [self.pieces[i] for i in ids.tolist()]

    def decode(self, ids, skip_special_tokens):
        return "".join(self.pieces[i] for i in ids.tolist() if i > 3).replace("\u2581", " ").strip()


class AutoModelForSeq2SeqLM:
    layers, heads = 2, 2

    @classmethod
    def from_pretrained(cls, name, attn_implementation):
        assert attn_implementation == "eager"
        return cls()

    def eval(self):
        return self

    def generate(self, input_ids, attention_mask, num_beams):
        return torch.tensor([[2, 6, 7, 3]])

    def __call__(self, input_ids, attention_mask, decoder_input_ids, output_attentions):
        sources, targets = input_ids.shape[1], decoder_input_ids.shape[1]
        torch.manual_seed(1)
        maps = lambda rows, columns, mask: tuple(
            (torch.randn(1, self.heads, rows, columns) + mask).softmax(-1) for _ in range(self.layers))
        future = torch.full((targets, targets), float("-inf")).triu(1)
        return Batch(encoder_attentions=maps(sources, sources, 0), cross_attentions=maps(targets, sources, 0),
                     decoder_attentions=maps(targets, targets, future))
