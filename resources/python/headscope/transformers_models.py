"""Records a run of a model of transformers: its attention, the masks that were applied, its tokens and its candidates."""

import inspect
import os
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from .arrays import as_numpy, stacked
from .recording import Recording, recording
from .tokens import Vocabulary

LONGEST_OUTPUT = 60  # tokens; Headscope's own limit


def record(model: Any, tokenizer: Any, text: Union[str, Sequence[int]], pair: Optional[str] = None, *,
           target: Union[str, Sequence[int], None] = None, new_tokens: Optional[int] = None, candidates: int = 10,
           name: Optional[str] = None) -> Recording:
    """Runs a model of transformers on a text, and returns what its heads did as a recording.

    `text` is what the encoder reads, or what a decoder alone reads and continues. `pair` is a second text, for a model that reads
    two. `target` is what the decoder is made to write; without it the model decodes greedily. `new_tokens` limits what it writes:
    60 by default, and for a decoder alone 0, which records the text as it is. Texts may be lists of ids; `tokenizer` may be None
    then. `candidates` is the number of next tokens that are stored with each step.
    """
    if new_tokens is not None and new_tokens < 0:
        raise ValueError(f"new_tokens: expected a number from 0, found {new_tokens}")
    vocabulary = Vocabulary(tokenizer, model.config)
    inputs, ranges, second_text = encoded(model, tokenizer, text, pair)
    refuse_longer(inputs["input_ids"], positions_of(model.get_encoder() if reads_source(model) else model), "text")
    with evaluating(model):
        if reads_source(model):
            made = record_translation(model, vocabulary, inputs, target, new_tokens, candidates)
        elif target is not None:
            raise ValueError("target: expected none, as this model has no decoder that reads an encoder, found one. Append it to the text")
        else:
            made = record_stack(model, vocabulary, inputs, new_tokens or 0, candidates)
    if ranges is not None:
        made.words["source_ranges"] = ranges
    if second_text is not None:
        made.words["second_text"] = second_text
    if isinstance(text, str):
        made.words.setdefault("request", {})["source"] = text
        if pair is not None:
            made.words["request"]["second"] = pair
    made.words["model"] = {"name": name or name_of(model), **made.words.get("model", {})}
    return made


def reads_source(model: Any) -> bool:
    """Whether it has an encoder, and a decoder that reads it."""
    return getattr(model.config, "is_encoder_decoder", False) and "decoder_input_ids" in inspect.signature(model.forward).parameters


def positions_of(model: Any) -> Optional[int]:
    """The longest text that a table of positions allows; none without such a table."""
    limits = []
    for name, module in model.named_modules():
        last = name.rsplit(".", 1)[-1]
        if hasattr(module, "num_embeddings") and ("position" in last or last == "wpe") and "vision" not in name:
            is_after_padding = type(module).__name__ == "Embedding" and module.padding_idx is not None  # as RoBERTa counts
            limits.append(module.num_embeddings - (module.padding_idx + 1 if is_after_padding else getattr(module, "offset", 0)))
    return min(limits, default=None)


def refuse_longer(ids: Any, limit: Optional[int], what: str) -> None:
    if limit is not None and ids.shape[1] > limit:
        raise ValueError(f"{what}: expected at most {limit} tokens, for which the model has positions, found {ids.shape[1]}. Shorten it")


def name_of(model: Any) -> str:
    """The model's name on the hub, or the folder that it was read from."""
    name = getattr(model, "name_or_path", "")
    return (os.path.basename(os.path.normpath(name)) if os.path.isdir(name) else name) or type(model).__name__


def record_translation(model: Any, vocabulary: Vocabulary, inputs: Dict[str, Any], target: Any, new_tokens: Optional[int],
                       candidates: int) -> Recording:
    """An encoder and a decoder: decodes greedily, or reads `target`, and records the pass over what was fed to the decoder."""
    limit = LONGEST_OUTPUT if new_tokens is None else new_tokens
    if target is None and limit == 0:
        raise ValueError("new_tokens: expected at least 1 for a model with an encoder and a decoder, found 0")
    if target is None:
        limit = min(limit, positions_of(model.get_decoder()) or limit)
        sequence = model.generate(**inputs, max_new_tokens=limit, num_beams=1, do_sample=False)
    else:
        ids = vocabulary.target_ids(target)
        sequence = inputs["input_ids"].new_tensor([[vocabulary.decoder_start, *ids]])
        refuse_longer(sequence, positions_of(model.get_decoder()), "target")
    fed = sequence if target is not None else sequence[:, :-1]
    out, masks = run(model, {**inputs, "decoder_input_ids": fed})
    source, steps = inputs["input_ids"][0].tolist(), fed[0].tolist()
    predicted = Predictions(out.logits, vocabulary, candidates)
    following = predicted.best if target is not None else sequence[0, 1:].tolist()
    words = {"roles": {"source": vocabulary.roles(source), "target": vocabulary.roles(steps, True), "next": vocabulary.roles(following)},
             "forced_rows": len(steps) if target is not None else 0, "candidates": predicted.rows,
             **({"request": greedily(model, limit)} if target is None else {}),
             "output": vocabulary.text(following if target is None else steps[1:]), **predicted.path(steps[1:] if target is not None else following)}
    return recording(
        encoder=out.encoder_attentions, decoder=out.decoder_attentions, cross=out.cross_attentions, source=vocabulary.pieces(source),
        target=vocabulary.pieces(steps), next=vocabulary.pieces(following), words=words,
        masks={"encoder": masks.of(out.encoder_attentions), "decoder": masks.of(out.decoder_attentions),
               "cross": masks.of(out.cross_attentions)},
        arrays={"source_ids": source, "target_ids": steps, "next_ids": following})


def record_stack(model: Any, vocabulary: Vocabulary, inputs: Dict[str, Any], new_tokens: int, candidates: int) -> Recording:
    """One stack: a decoder, if no query may attend to a later key, or else an encoder."""
    ids = inputs["input_ids"]
    prompt = ids.shape[1]
    if new_tokens > 0:
        new_tokens = min(new_tokens, (positions_of(model) or prompt + new_tokens) - prompt + 1)
        ids = model.generate(**inputs, max_new_tokens=new_tokens, num_beams=1, do_sample=False, pad_token_id=vocabulary.padding)
        inputs = {"input_ids": ids[:, :-1], "attention_mask": ids.new_ones(1, ids.shape[1] - 1)}
    out, masks = run(model, inputs)
    weights = stacked(out.attentions, "attention")
    is_decoder = model.can_generate() if weights.shape[3] == 1 else not np.triu(weights, 1).any()
    fed, sequence = inputs["input_ids"][0].tolist(), ids[0].tolist()
    logits = getattr(out, "logits", None)
    if is_decoder:
        words: Dict[str, Any] = {"roles": {"source": vocabulary.roles(sequence[:prompt]), "target": vocabulary.roles(fed)}}
        arrays: Dict[str, Any] = {"source_ids": sequence[:prompt], "target_ids": fed}
        following = None
        if logits is not None and logits.ndim == 3:
            predicted = Predictions(logits, vocabulary, candidates)
            following = [*predicted.best[:prompt - 1], *(sequence[prompt:] or predicted.best[-1:])]
            words["roles"]["next"] = vocabulary.roles(following)
            words.update({"forced_rows": prompt - 1, "candidates": predicted.rows,
                          "request": greedily(model, new_tokens) if new_tokens > 0 else {"new_tokens": 1},
                          "output": vocabulary.text(sequence[prompt:] or following[-1:]),
                          **predicted.path([*fed[1:], following[-1]])})
            arrays["next_ids"] = following
        return recording(decoder=out.attentions, masks={"decoder": masks.of(out.attentions)}, source=vocabulary.pieces(sequence[:prompt]),
                         target=vocabulary.pieces(fed), next=None if following is None else vocabulary.pieces(following), words=words,
                         arrays=arrays)
    words = {"roles": {"source": vocabulary.roles(fed)}}
    arrays = {"source_ids": fed}
    if "token_type_ids" in inputs and getattr(model.config, "type_vocab_size", 0) > 1:
        arrays["source_segments"] = inputs["token_type_ids"][0].tolist()
    if logits is not None and logits.ndim == 3 and vocabulary.mask in fed:
        predicted = Predictions(logits, vocabulary, candidates)
        words["masks"] = [{"index": place, "candidates": predicted.rows[place]} for place, token in enumerate(fed)
                          if token == vocabulary.mask]
    elif getattr(out, "start_logits", None) is not None:
        ends = np.stack([as_numpy(values)[0].astype(np.float64) for values in (out.start_logits, out.end_logits)])
        arrays["span_log_probabilities"] = log_softmax(ends).astype(np.float32)
    elif type(model).__name__.endswith("ForSequenceClassification") and (
            logits.shape[1] == 1 or getattr(model.config, "problem_type", None) == "regression"):
        arrays["numbers"] = as_numpy(logits)[0].astype(np.float32)
        words["model"] = {"labels": [str(model.config.id2label[number]) for number in range(logits.shape[1])]}
    elif type(model).__name__.endswith("ForSequenceClassification"):
        separate = getattr(model.config, "problem_type", None) == "multi_label_classification"
        values = as_numpy(logits)[0].astype(np.float64)
        arrays["class_log_probabilities"] = (-np.logaddexp(0, -values) if separate else log_softmax(values)).astype(np.float32)
        words["model"] = {"labels": [str(model.config.id2label[number]) for number in range(len(values))], "separate_classes": separate}
    return recording(encoder=out.attentions, masks={"encoder": masks.of(out.attentions)}, source=vocabulary.pieces(fed), words=words,
                     arrays=arrays)


def greedily(model: Any, new_tokens: int) -> Dict[str, Any]:
    """How generate() chose tokens: the most probable one, within the limits of the model's own configuration."""
    own = getattr(model, "generation_config", None)
    limits = {"min_length": getattr(own, "min_new_tokens", None), "no_repeat": getattr(own, "no_repeat_ngram_size", None)}
    return {"new_tokens": new_tokens, "decoding": {"beam": 1, **{key: value for key, value in limits.items() if value}}}


class Predictions:
    """What the model says of the next token after each row."""

    def __init__(self, logits: Any, vocabulary: Vocabulary, candidates: int):
        self.logs = log_softmax(as_numpy(logits)[0].astype(np.float64))
        order = np.argsort(-self.logs, axis=1, kind="stable")[:, :max(1, candidates)]
        self.best: List[int] = order[:, 0].tolist()
        self.rows = [[{"id": number, "piece": vocabulary.piece(number), "role": vocabulary.role(number),
                       "log_probability": float(logs[number])} for number in row] for row, logs in zip(order.tolist(), self.logs)]

    def path(self, ids: Sequence[int]) -> Dict[str, Any]:
        """Log-probability and rank of the tokens that came after each row."""
        chosen = [self.logs[row, number] for row, number in enumerate(ids)]
        return {"path_log_probabilities": [float(value) for value in chosen],
                "path_ranks": [int((self.logs[row] > value).sum()) for row, value in enumerate(chosen)]}


class Masks:
    """The masks that attention was given, found by the weights that came of them."""

    def __init__(self) -> None:
        self.given: Dict[int, List[Any]] = {}
        self.kept: List[Any] = []  # a number of Python's is that of one tensor only while this lives

    def take(self, module: Any, arguments: Any, named: Dict[str, Any], output: Any) -> None:
        """A hook: the innermost module that returns weights was given their mask, or has one of its own, as GPT-2 has."""
        for weights in output if isinstance(output, tuple) else ():
            if getattr(weights, "ndim", 0) != 4 or id(weights) in self.given:
                continue
            _, heads, queries, keys = weights.shape
            given = [value for value in (*named.values(), *arguments) if getattr(value, "ndim", 0) == 4 and value.shape[0] == 1
                     and value.shape[1] in (1, heads) and value.shape[2] in (1, queries) and value.shape[3] >= keys]
            own = [buffer[:, :, keys - queries:keys] for _, buffer in module.named_buffers(recurse=False)
                   if buffer.ndim == 4 and "bool" in str(buffer.dtype) and min(buffer.shape[2:]) >= keys]
            self.kept.append(weights)
            self.given[id(weights)] = [mask[..., :keys] for mask in given + own]

    def of(self, layers: Sequence[Any]) -> Optional[np.ndarray]:
        """Allowed cells, [queries, keys], or [layers, queries, keys] if they differ. Without a mask: cells with a weight in any head."""
        allowed = [self.of_layer(weights) for weights in layers]
        return allowed[0] if all((mask == allowed[0]).all() for mask in allowed) else np.stack(allowed)

    def of_layer(self, weights: Any) -> np.ndarray:
        attended = (as_numpy(weights)[0] != 0).any(axis=0)
        masks = []
        for mask in self.given.get(id(weights), []):
            values = as_numpy(mask)[0]
            # What is added to scores is near the lowest number of its type, or -10000 in older models. Of true and false either means
            # allowed; it is the one that allows every cell with a weight.
            forms = [values, ~values] if values.dtype == bool else [values > -9000]
            allowed = [np.broadcast_to(form.any(axis=0), attended.shape) for form in forms]
            masks += [form for form in allowed if not (attended & ~form).any()][:1]
        return np.logical_and.reduce(masks) if masks else attended


def run(model: Any, inputs: Dict[str, Any]) -> Any:
    """Returns what one pass of the model computed, and the masks of its attention."""
    masks = Masks()
    with eager(model):
        hooks = [module.register_forward_hook(masks.take, with_kwargs=True) for module in model.modules()]
        try:
            out = model(**inputs, output_attentions=True, use_cache=False) if accepts_cache(model) else model(
                **inputs, output_attentions=True)
        finally:
            for hook in hooks:
                hook.remove()
    return out, masks


def accepts_cache(model: Any) -> bool:
    return hasattr(model.config, "use_cache")


@contextmanager
def evaluating(model: Any) -> Iterator[None]:
    """Without dropout and gradients; the model is as before afterwards."""
    import torch  # which the model has loaded
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was_training)


@contextmanager
def eager(model: Any) -> Iterator[None]:
    """Attention that computes its weights, which sdpa and flash attention do not."""
    before = getattr(model.config, "_attn_implementation", "eager")
    if before in (None, "eager"):
        yield
        return
    if not hasattr(model, "set_attn_implementation") or not getattr(model, "_can_set_attn_implementation", lambda: True)():
        raise ValueError(
            f'expected a model that returns its weights of attention, found attention "{before}". Load it again with '
            'from_pretrained(..., attn_implementation="eager")')
    model.set_attn_implementation("eager")
    try:
        yield
    finally:
        model.set_attn_implementation(before)


def encoded(model: Any, tokenizer: Any, text: Any, pair: Optional[str]) -> Tuple[Dict[str, Any], Optional[List[Any]], Optional[int]]:
    """Returns the model's inputs, where each token lies in the text, as bytes, and the token that the second text begins with."""
    import torch
    device = next(model.parameters()).device
    if not isinstance(text, str):
        ids = [int(number) for number in as_numpy(text).reshape(-1)]
        if not ids or pair is not None:
            raise ValueError(f"text: expected a text, or ids of at least one token without a pair, found {len(ids)} ids")
        numbers = torch.tensor([ids], device=device)
        return {"input_ids": numbers, "attention_mask": torch.ones_like(numbers)}, None, None
    if tokenizer is None:
        raise ValueError("tokenizer: expected one for a text, found none. Without one give ids: record(model, None, [5, 6, 7])")
    is_fast = bool(getattr(tokenizer, "is_fast", False))
    encoding = tokenizer(text, pair, return_tensors="pt", **({"return_offsets_mapping": True} if is_fast else {}))
    ranges = second_text = None
    if is_fast and pair is None:
        at = lambda place: len(text[:place].encode())
        ranges = [[at(begin), at(end)] if end > begin else None for begin, end in encoding["offset_mapping"][0].tolist()]
    elif pair is not None:
        parts = encoding.sequence_ids(0) if is_fast else encoding.get("token_type_ids", [torch.zeros(0)])[0].tolist()
        second_text = parts.index(1) if 1 in parts else None
    known = set(getattr(tokenizer, "model_input_names", ["input_ids", "attention_mask"]))
    return {key: value.to(device) for key, value in encoding.items() if key in known}, ranges, second_text


def log_softmax(values: np.ndarray) -> np.ndarray:
    shifted = values - values.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
