"""Tokens as Headscope draws them: strings with a mark for a space before them, and their roles."""

from typing import Any, Dict, List, Sequence, Union

SPACE = "\u2581"

#: Roles of usual spellings, for tokens that come without their vocabulary.
SPELLED = {spelling: role for role, spellings in {
    "start": "[CLS] [BOS] <s> <bos> <cls> <|begin_of_text|> <|startoftext|>",
    "end": "[SEP] [EOS] </s> <eos> <sep> <|endoftext|> <|end_of_text|> <|eot_id|> <|im_end|> <|end|> <end_of_turn>",
    "padding": "[PAD] <pad> <|pad|>",
    "unknown": "[UNK] <unk>"}.items() for spelling in spellings.split()}


def spelled_roles(tokens: Sequence[str], begins_decoder: bool = False) -> List[str]:
    """A decoder may begin with the token that ends texts, or with padding."""
    roles = [SPELLED.get(token, "text") for token in tokens]
    if roles and (roles[0] == "end" or begins_decoder and roles[0] == "padding"):
        roles[0] = "start"
    return roles


def byte_characters() -> Dict[str, int]:
    """The character that stands for each byte in vocabularies of bytes, as GPT-2 has one."""
    plain = [*range(ord("!"), ord("~") + 1), *range(ord("¡"), ord("¬") + 1), *range(ord("®"), ord("ÿ") + 1)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{chr(byte): byte for byte in plain}, **{chr(256 + place): byte for place, byte in enumerate(others)}}


class Vocabulary:
    """What is known of a model's tokens, of its tokenizer and its configuration."""

    def __init__(self, tokenizer: Any, config: Any):
        if tokenizer is not None and not (callable(tokenizer) and hasattr(tokenizer, "convert_ids_to_tokens")):
            raise ValueError(
                f"tokenizer: expected one of transformers, such as AutoTokenizer.from_pretrained(name), found {type(tokenizer).__name__}")
        self.tokenizer = tokenizer
        decoder = getattr(getattr(tokenizer, "backend_tokenizer", None), "decoder", None)
        self.has_bytes = hasattr(tokenizer, "byte_decoder") or "ByteLevel" in f"{type(decoder).__name__} {decoder!r}"
        self.bytes = byte_characters()

        def ids(*names: str) -> List[int]:
            owners = [owner for owner in (tokenizer, config, getattr(config, "text_config", None)) if owner is not None]
            found = [getattr(owner, name, None) for name in names for owner in owners]
            return [number for entry in found for number in (entry if isinstance(entry, (list, tuple)) else [entry]) if number is not None]

        self.starts = set(ids("bos_token_id", "cls_token_id"))
        self.ends = set(ids("eos_token_id", "sep_token_id"))
        self.unknown = set(ids("unk_token_id"))
        self.paddings = set(ids("pad_token_id")) - self.ends
        self.padding = next(iter([*ids("pad_token_id"), *sorted(self.ends)]), None)
        self.mask = next(iter(ids("mask_token_id")), None)
        self.decoder_start = next(iter(ids("decoder_start_token_id", "bos_token_id")), None)

    def piece(self, number: int) -> str:
        if self.tokenizer is None:
            return f"#{number}"
        piece = self.tokenizer.convert_ids_to_tokens(int(number))
        piece = piece.decode("utf-8", "replace") if isinstance(piece, bytes) else str(piece)
        if self.has_bytes and all(character in self.bytes for character in piece):
            data = bytes(self.bytes[character] for character in piece)
            try:
                piece = data.decode()
            except UnicodeDecodeError:  # a part of a character
                return "".join(f"<0x{byte:02X}>" for byte in data)
            if piece.startswith(" "):
                piece = SPACE + piece[1:]
        return piece

    def pieces(self, ids: Sequence[int]) -> List[str]:
        return [self.piece(number) for number in ids]

    def role(self, number: int) -> str:
        if number in self.ends:
            return "end"
        if number in self.starts:
            return "start"
        if number in self.paddings:
            return "padding"
        return "unknown" if number in self.unknown else "text"

    def roles(self, ids: Sequence[int], begins_decoder: bool = False) -> List[str]:
        roles = [self.role(number) for number in ids]
        if begins_decoder and ids and ids[0] == self.decoder_start:
            roles[0] = "start"
        return roles

    def text(self, ids: Sequence[int]) -> str:
        ids = [number for number in ids if self.role(number) in ("text", "unknown")]
        if self.tokenizer is None:
            return " ".join(self.pieces(ids))
        return str(self.tokenizer.decode(ids, skip_special_tokens=True))

    def target_ids(self, target: Union[str, Sequence[int]]) -> List[int]:
        """What the decoder is made to write, without the token that ends it."""
        if self.decoder_start is None:
            raise ValueError("target: expected a model whose configuration names the decoder's first token, found none")
        if isinstance(target, str):
            if self.tokenizer is None:
                raise ValueError("target: expected ids, as there is no tokenizer, found a text")
            target = self.tokenizer(text_target=target)["input_ids"]
        ids = [int(number) for number in target]
        if ids and ids[0] == self.decoder_start:
            ids = ids[1:]
        return ids[:-1] if ids and ids[-1] in self.ends else ids
