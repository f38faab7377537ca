"""Writes `analyses/FOLDER-lens.npz` of encoders alone: what their heads would say after every sublayer, and the chosen logit,
less that of another token, class or place, or the predicted number, as a sum over everything that wrote into the residual stream.

    python3 tests/reference/make_encoder_lens.py

Straight from the equations of post-norm encoders, in float64. The sum is found by carrying its summands forward: the stream
is a stack of parts, every norm divides each part by the deviation of their sum, the largest value of a feature is taken from
the position that holds it, and an activation multiplies each part by f(z) / z of their sum. Headscope follows the logit
backward instead. Needs PyTorch 1.13 or newer.
"""

import json
import math
from pathlib import Path

import torch
from torch.nn import functional as F

from files import read_safetensors, write_trace

HERE = Path(__file__).resolve().parent
BERT = tuple("hugging-face/bert-tiny-" + head for head in ("masked", "classes", "answer", "number"))
IMDB = HERE.parent.parent / "resources" / "models" / "imdb-classifier"
PAIR, SEGMENTS = [2, 7, 4, 21, 8, 3, 6, 4, 9, 10, 3], [0] * 6 + [1] * 5  # two masks
REVIEW = [21, 16, 8, 157, 4, 61, 39, 5, 2314, 3, 1187, 12, 44, 930]
ACTIVATIONS = {"gelu": F.gelu, "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh((2 / math.pi) ** 0.5 * (x + 0.044715 * x**3))),
               "relu": torch.relu, "tanh": torch.tanh}


class Sum:
    """A tensor [..., d] as the sum of named parts."""

    def __init__(self, parts):
        self.parts = parts

    @property
    def whole(self):
        return sum(self.parts.values())

    def adding(self, **parts):
        together = dict(self.parts)
        for name, part in parts.items():
            together[name] = together[name] + part if name in together else part
        return Sum(together)

    def each(self, function):
        """A linear function of every part."""
        return Sum({name: function(part) for name, part in self.parts.items()})

    def normed(self, norm, epsilon):
        gain, bias = norm
        deviation = (self.whole.var(-1, unbiased=False, keepdim=True) + epsilon).sqrt()
        return self.each(lambda part: gain * (part - part.mean(-1, keepdim=True)) / deviation).adding(bias=bias)

    def linear(self, weight, bias):
        return self.each(lambda part: part @ weight.T).adding(bias=bias)

    def activated(self, function):
        whole = self.whole
        gate = function(whole) / whole
        return self.each(lambda part: part * gate)


class Encoder:
    def __init__(self, state, config, names, dtype):
        self.state = {name: tensor.to(dtype) for name, tensor in state.items()}
        self.config, self.names, self.dtype = config, names, dtype

    def pair(self, name, layer=None):
        name = self.names[name].format(layer)
        return self.state[name + ".weight"], self.state[name + ".bias"]

    def stages(self, words, positions):
        """The stream after the embedding and after each sublayer."""
        zero = torch.zeros_like(words)
        x = Sum({"bias": zero, "embedding": words, "position": positions}).normed(
            self.pair("embedding_norm"), self.config["embedding_norm_eps"])
        stages = [x]
        for layer in range(self.config["layers"]):
            x = self.attended(x, layer).normed(self.pair("attention_norm", layer), self.config["norm_eps"])
            stages.append(x)
            weight, bias = self.pair("ff_in", layer)
            inner = ACTIVATIONS[self.config["activation"]](x.whole @ weight.T + bias)
            weight, bias = self.pair("ff_out", layer)
            x = x.adding(**{f"encoder-ff.{layer}": inner @ weight.T + bias}).normed(
                self.pair("ff_norm", layer), self.config["norm_eps"])
            stages.append(x)
        return stages

    def attended(self, x, layer):
        q, k, v = (x.whole @ weight.T + bias for weight, bias in (self.pair(name, layer) for name in ("query", "key", "value")))
        weight, bias = self.pair("output", layer)
        heads = self.config["heads"]
        width = q.shape[-1] // heads
        parts = {}
        for head in range(heads):
            part = slice(head * width, (head + 1) * width)
            weights = (q[:, part] @ k[:, part].T / width**0.5).softmax(-1)
            parts[f"encoder.{layer}.{head}"] = weights @ v[:, part] @ weight[:, part].T
        return x.adding(**parts, **{f"encoder.{layer}.bias": bias.expand_as(x.whole)})


def answers(stages, says, contrast):
    """`says`: a stage -> the logits, [answers, classes or tokens], as a Sum."""
    logits = [says(stage) for stage in stages]
    log_probabilities = torch.stack([each.whole.log_softmax(-1) for each in logits], 1)  # [answers, stages, vocabulary]
    last = log_probabilities[:, -1:]
    chosen = last[:, 0].argmax(-1)
    own = log_probabilities.gather(-1, chosen[:, None, None].expand(-1, len(stages), 1))[..., 0]
    difference = logits[-1].each(lambda part: part.expand_as(logits[-1].whole)).each(
        lambda part: part.gather(-1, chosen[:, None])[:, 0] - part[:, contrast])
    names = list(difference.parts)
    return {"chosen": chosen, "lens/log_probabilities": own, "lens/leads": own - log_probabilities[..., contrast],
            "lens/divergence": (last.exp() * (last - log_probabilities)).sum(-1), "attribution/logits": difference.whole,
            "attribution/parts": torch.stack([difference.parts[name] for name in names], 1)}, names


def span(stages, says, contrast, allowed):
    """`says`: a stage -> the logits of start and end, [2, tokens], as a Sum. The answer lies within `allowed`."""
    logits = [says(stage) for stage in stages]
    log_probabilities = torch.stack([each.whole.log_softmax(-1) for each in logits], 1)  # [2, stages, tokens]
    last = log_probabilities[:, -1:]
    chosen = torch.tensor(max(((i, j) for i in allowed for j in allowed if i <= j), key=lambda pair: last[0, 0, pair[0]] + last[1, 0, pair[1]]))
    own = log_probabilities.gather(-1, chosen[:, None, None].expand(-1, len(stages), 1))[..., 0]
    difference = logits[-1].each(lambda part: part.gather(-1, chosen[:, None])[:, 0] - part[:, contrast])
    names = list(difference.parts)
    return {"chosen": chosen, "lens/log_probabilities": own, "lens/leads": own - log_probabilities[..., contrast],
            "lens/divergence": (last.exp() * (last - log_probabilities)).sum(-1), "attribution/logits": difference.whole,
            "attribution/parts": torch.stack([difference.parts[name] for name in names], 1)}, names


def number(stages, says):
    logits = [says(stage) for stage in stages]
    values = torch.stack([each.whole[0] for each in logits], 1)  # [numbers, stages]
    names = list(logits[-1].parts)
    parts = torch.stack([logits[-1].parts[name].expand_as(logits[-1].whole)[0] for name in names], 1)
    return {"chosen": torch.arange(len(values)), "lens/log_probabilities": values, "lens/divergence": (values[:, -1:] - values).abs(),
            "attribution/logits": parts.sum(1), "attribution/parts": parts}, names


def bert(folder, dtype):
    state, config = read_safetensors(HERE / folder / "model.safetensors"), json.loads((HERE / folder / "config.json").read_text())
    layer, embedding = "bert.encoder.layer.{}.", "bert.embeddings."
    names = {"embedding_norm": embedding + "LayerNorm", "query": layer + "attention.self.query", "key": layer + "attention.self.key",
             "value": layer + "attention.self.value", "output": layer + "attention.output.dense",
             "attention_norm": layer + "attention.output.LayerNorm", "ff_in": layer + "intermediate.dense",
             "ff_out": layer + "output.dense", "ff_norm": layer + "output.LayerNorm", "transform": "cls.predictions.transform.dense",
             "transform_norm": "cls.predictions.transform.LayerNorm", "pooler": "bert.pooler.dense", "classifier": "classifier",
             "answer": "qa_outputs"}
    sizes = {"layers": config["num_hidden_layers"], "heads": config["num_attention_heads"], "activation": config["hidden_act"],
             "norm_eps": config["layer_norm_eps"], "embedding_norm_eps": config["layer_norm_eps"]}
    encoder = Encoder(state, sizes, names, dtype)
    table = lambda name: encoder.state[embedding + name + "_embeddings.weight"]
    words = table("word")[PAIR] + table("token_type")[SEGMENTS]
    stages = encoder.stages(words, table("position")[: len(PAIR)])
    given = {"source_segments": torch.tensor(SEGMENTS)}
    if "answer" in folder:
        allowed = [i for i, segment in enumerate(SEGMENTS) if segment == 1 and PAIR[i] not in (2, 3)]
        weight, bias = encoder.pair("answer")
        says = lambda stage: stage.each(lambda part: weight @ part.expand_as(words).T).adding(bias=bias[:, None])
        return given, span(stages, says, 2, allowed)
    if "classes" in folder or "number" in folder:
        says = lambda stage: stage.each(lambda part: part.expand_as(words)[:1]).linear(*encoder.pair("pooler")).activated(
            torch.tanh).linear(*encoder.pair("classifier"))
        return given, number(stages, says) if "number" in folder else answers(stages, says, 2)
    masks = [i for i, id in enumerate(PAIR) if id == 4]
    output = table("word"), encoder.state["cls.predictions.bias"]
    says = lambda stage: stage.each(lambda part: part.expand_as(words)[masks]).linear(*encoder.pair("transform")).activated(
        F.gelu).normed(encoder.pair("transform_norm"), sizes["norm_eps"]).linear(*output)
    return given, answers(stages, says, 9)


def imdb(_, dtype):
    config = json.loads((IMDB / "config.json").read_text())
    layer = "encoder.enc_layers.{}."
    names = {"embedding_norm": "encoder.embedding.layer_norm", "query": layer + "attention.W_q", "key": layer + "attention.W_k",
             "value": layer + "attention.W_v", "output": layer + "attention.W_h", "attention_norm": layer + "layer_norm1",
             "ff_in": layer + "mlp.layer1", "ff_out": layer + "mlp.layer2", "ff_norm": layer + "layer_norm2",
             "classifier": "linear_classifier"}
    encoder = Encoder(read_safetensors(IMDB / "model.safetensors"), {**config, "layers": config["encoder_layers"]}, names, dtype)
    words = encoder.state["encoder.embedding.word_embeddings.weight"][REVIEW]
    angles = torch.arange(len(REVIEW), dtype=dtype)[:, None] / 10000 ** (
        torch.arange(0, config["model_width"], 2, dtype=dtype) / config["model_width"])
    stages = encoder.stages(words, torch.stack([angles.sin(), angles.cos()], -1).flatten(1))

    def says(stage):
        holders = stage.whole.argmax(0, keepdim=True)  # of each feature's largest value
        return stage.each(lambda part: part.expand_as(words).gather(0, holders)).linear(*encoder.pair("classifier"))

    return {}, answers(stages, says, 0)


def main():
    for name, reads, ids in [*((folder, bert, PAIR) for folder in BERT), ("imdb-classifier", imdb, REVIEW)]:
        given, (arrays, parts) = reads(name, torch.float64)
        single = reads(name, torch.float32)[1][0]
        path = HERE / "analyses" / (Path(name).name + "-lens.npz")
        write_trace(path, {"source_ids": torch.tensor(ids), **given, **arrays}, single)
        print(path.name, parts, arrays["attribution/logits"].tolist())


if __name__ == "__main__":
    main()
