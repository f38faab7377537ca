"""Finds what can be changed in a C++ file, without a compiler.

The file must be formatted by clang-format with the settings of this project: binary operators then have a space on both
sides, unary ones and the brackets of templates have not, and that tells them apart.
"""

import bisect
import re
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<space>\s+)
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)")
  | (?P<string>(?:u8|[uUL])?"(?:[^"\\\n]|\\.)*")
  | (?P<character>(?:u8|[uUL])?'(?:[^'\\\n]|\\.)+')
  | (?P<number>\.?\d(?:[eEpP][+-]|'?[\w.])*)
  | (?P<word>[A-Za-z_]\w*)
  | (?P<punctuation><=>|->\*|<<=|>>=|\.\.\.|::|->|\.\*|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\#\#|.)
""", re.VERBOSE | re.DOTALL)
DIRECTIVE = re.compile(r"[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*", re.DOTALL)

PRECEDENCE = {"*": 13, "/": 13, "%": 13, "+": 12, "-": 12, "<<": 11, ">>": 11, "<=>": 10, "<": 9, "<=": 9, ">": 9, ">=": 9,
              "==": 8, "!=": 8, "&": 7, "^": 6, "|": 5, "&&": 4, "||": 3}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
OPERATORS = {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=",
             ">=": "<", "&&": "||", "||": "&&"}
BOUNDS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
NAMES = {"min": "max", "max": "min", "floor": "ceil", "ceil": "floor"}
ENDS = {"front": "back", "back": "front"}
STEPS = {"++": "--", "--": "++", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
HEADS = {"if", "while", "for", "switch"}
STOPS = {"return", "throw", "case", "else", "do", "co_return", "co_yield", "goto", "default"}
KEYWORDS = STOPS | HEADS | {"const", "constexpr", "static", "inline", "auto", "new", "delete", "using", "typedef", "template",
                            "class", "struct", "union", "enum", "namespace", "operator", "break", "continue", "try", "catch",
                            "extern", "friend", "typename", "static_assert", "public", "private", "protected", "requires",
                            "concept", "mutable", "noexcept", "override", "final", "thread_local", "volatile", "explicit",
                            "virtual", "sizeof", "co_await"}
TYPES = {"void", "bool", "char", "short", "int", "long", "float", "double", "unsigned", "signed"}
# Nothing between their brackets is changed: texts, checks, and what is no code that runs.
UNTOUCHED = re.compile(r"tr|translate|assert|static_assert|sizeof|decltype|alignas|noexcept|requires|__attribute__|Q_[A-Z_]+|QT_[A-Z_]+")
SWITCH = "::headscope::mutation::"


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    line: int
    before: bool = False  # a space or the end of a line stands before it
    after: bool = False


@dataclass
class Edit:
    """The characters [start, end) become `pieces`: texts, and (start, end) of what is taken over from the file."""
    start: int
    end: int
    pieces: list


@dataclass
class Change:
    kind: str
    line: int
    original: str
    changed: str
    make: object  # the number of the mutant -> its Edit
    plain: Edit  # the change alone, without a switch
    keyword: Edit = None  # `constexpr` gives way to `const`, so that a switch is possible
    constant: bool = False  # where the language wants a constant: only another build can have it

    @property
    def words(self):
        return f"{self.original} -> {self.changed}"


@dataclass
class Frame:
    kind: str  # namespace, class, enum, block, values, (, [, <
    open: int
    frozen: bool = False
    constant: bool = False
    keyword: Edit = None


def tokens_of(text):
    """The tokens, comments and directives left out."""
    tokens = []
    lines = [i for i, c in enumerate(text) if c == "\n"]
    at = 0
    spaced = True
    fresh = True  # nothing stands before it on its line
    while at < len(text):
        if fresh and (directive := DIRECTIVE.match(text, at)):
            at = directive.end()
            spaced = True
            continue
        match = TOKEN.match(text, at)
        kind = match.lastgroup if match.lastgroup != "mark" else "raw"
        end = match.end()
        if kind == "punctuation" and match.group() in (">>", ">=", ">>=") and not (spaced and text[end:end + 1].isspace()):
            end = at + 1  # the end of templates
        if kind in ("space", "comment"):
            fresh = "\n" in match.group() or fresh and kind == "comment"
            if tokens:
                tokens[-1].after = True
            spaced = True
        else:
            if kind == "raw":
                kind = "string"
            tokens.append(Token(kind, text[at:end], at, end, bisect.bisect_left(lines, at) + 1, before=spaced))
            spaced = False
            fresh = False
        at = end
    return tokens


class Source:
    def __init__(self, text):
        self.text = text
        self.tokens = tokens_of(text)
        self.match = {}
        self.frames = {}  # of each opening bracket
        self.within = [None] * len(self.tokens)  # the innermost frame of each token
        self.changes = []
        self._read_structure()
        self._find()

    # --- structure

    def _text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def _ends_operand(self, i):
        if i < 0:
            return False
        token = self.tokens[i]
        if token.kind in ("number", "string", "character"):
            return True
        if token.kind == "word":
            return token.text not in KEYWORDS
        if token.text == ")":
            return self._text(self.match.get(i, 0) - 1) not in HEADS
        return token.text in ("]", "}") or (token.text == ">" and i in self.match)

    def is_binary(self, i):
        token = self.tokens[i]
        return (token.text in PRECEDENCE and token.kind == "punctuation" and token.before and token.after
                and self._ends_operand(i - 1) and self._text(i - 1) != "operator")

    def _opens_template(self, i):
        token = self.tokens[i]
        if token.text != "<" or self._text(i - 1) == "operator":
            return False
        return not token.before or self._text(i - 1) == "template"

    def _statement_start(self, i):
        """The first token of the statement or declaration that token i belongs to, at the level of i."""
        while i > 0:
            before = self._text(i - 1)
            if before in (";", "{") or before == ":" and not self.tokens[i - 1].before:
                return i
            if before == "}":
                opening = self.match.get(i - 1)
                if opening is None or self.frames[opening].kind != "values":
                    return i
            if before in (")", "]", "}", ">") and i - 1 in self.match:
                i = self.match[i - 1]
            elif before in ("(", "[", ","):
                return i
            else:
                i -= 1
        return 0

    def _brace_kind(self, i, outer):
        before = self._text(i - 1)
        token = self.tokens[i]
        if outer.kind == "values" and before in ("{", ","):
            return "values"
        if before in ("else", "do", "try", "const", "noexcept", "override", "final", "mutable", ";", "{", ""):
            return "block"
        if before in (")", "}", "]"):
            return "block" if token.before else "values"
        if before == ":" and not self.tokens[i - 1].before:
            return "block"
        if self.tokens[i - 1].kind == "string":
            return "namespace"  # extern "C"
        if self.tokens[i - 1].kind == "word" or before == ">":
            words = []
            j = i - 1
            start = self._statement_start(i)
            while j >= start:
                if self._text(j) in (")", "]", "}", ">") and j in self.match:
                    words.append(self._text(j))
                    j = self.match[j]
                words.append(self._text(j))
                j -= 1
            if before == "namespace" or "namespace" in words:
                return "namespace"
            if "enum" in words:
                return "enum"
            if token.before and any(word in words for word in ("class", "struct", "union")) and "=" not in words and ")" not in words:
                return "class"
            if token.before and "->" in words:
                return "block"
        return "values"

    def _is_lambda(self, opening):
        """Whether the block that opens there is a lambda's."""
        i = opening - 1
        while self._text(i) in ("mutable", "noexcept", "const") or self._text(i) not in (")", "]", ";", "{", "}", "") and opening - i < 24:
            i -= 1
            if self._text(i) == ">" and i in self.match:
                i = self.match[i]
        if self._text(i) == ")" and i in self.match:
            i = self.match[i] - 1
            if self._text(i) == ">" and i in self.match:
                i = self.match[i] - 1
        return self._text(i) == "]"

    def _read_structure(self):
        root = Frame("namespace", -1)
        stack = [root]
        for i, token in enumerate(self.tokens):
            top = stack[-1]
            text = token.text if token.kind == "punctuation" else ""
            if text in (")", "]", "}") or text == ">" and top.kind == "<":
                if len(stack) > 1:
                    while text != ">" and stack[-1].kind == "<":
                        stack.pop()  # what looked like a template was none
                    frame = stack.pop()
                    self.match[i] = frame.open
                    self.match[frame.open] = i
                self.within[i] = stack[-1]
                continue
            self.within[i] = top
            if text == "{":
                frame = Frame(self._brace_kind(i, top), i)
            elif text in ("(", "["):
                frame = Frame(text, i)
            elif text == "<" and self._opens_template(i):
                frame = Frame("<", i, constant=True)
            else:
                continue
            self._inherit(frame, top, i)
            self.frames[i] = frame
            stack.append(frame)

    def _inherit(self, frame, outer, i):
        frame.frozen = outer.frozen or (frame.kind == "(" and UNTOUCHED.fullmatch(self._text(i - 1)) is not None)
        frame.frozen = frame.frozen or frame.kind == "[" and (self._text(i - 1) == "[" or self._text(i + 1) == "[")
        frame.frozen = frame.frozen or frame.kind == "(" and self._text(i - 1) == "constexpr"
        frame.constant = frame.constant or outer.constant or frame.kind == "enum"
        if frame.kind in ("(", "{", "values", "block", "[") or frame.kind == "class":
            frame.keyword = outer.keyword if frame.kind != "class" else None
        if frame.kind == "block" and frame.keyword is None:
            frame.keyword = self._keyword(self._statement_start(i), i, function=True)

    def _keyword(self, start, end, function):
        """What becomes of the `constexpr` of a declaration, if it has one."""
        i = start
        while i < end and self._text(i) not in ("=", "(", "{", ";"):
            if self._text(i) in ("<", "[") and i in self.match:
                i = self.match[i] + 1
                continue
            if self._text(i) == "constexpr":
                frame = self.within[i]
                if function:
                    return Edit(self.tokens[i].start, self.tokens[i].end, ["inline"])
                static = "static" in (self._text(j) for j in range(start, i))
                if frame.kind == "block":
                    text = "const" if static else "static const"
                else:
                    text = "inline const" if frame.kind == "class" else "const"
                return Edit(self.tokens[i].start, self.tokens[i].end, [text])
            i += 1
        return None

    # --- extents

    def _left(self, i, precedence):
        """The first token of the left operand of the operator at i."""
        j = i - 1
        while j >= 0:
            text = self._text(j)
            if self.tokens[j].kind in ("string", "character"):
                pass
            elif text in (")", "]", ">") and j in self.match:
                if text == ")" and self._text(self.match[j] - 1) in HEADS:
                    break
                j = self.match[j]
            elif text == "}":
                opening = self.match[j]
                if self.frames[opening].kind != "values" and not self._is_lambda(opening):
                    break
                j = opening
            elif text in ("(", "[", "{", ";", ",", "?", "<") and not (text == "<" and self.is_binary(j)):
                break
            elif text in STOPS or text in ASSIGNMENTS or text == ":":
                break
            elif self.is_binary(j) and PRECEDENCE[text] < precedence:
                break
            j -= 1
        return j + 1

    def _right(self, i, precedence):
        """One past the last token of the right operand."""
        k = i + 1
        while k < len(self.tokens):
            text = self._text(k)
            if self.tokens[k].kind in ("string", "character"):
                pass
            elif text in ("(", "[", "{", "<") and k in self.match and self.match[k] > k:
                k = self.match[k]
            elif text in (")", "]", "}", ";", ",", "?", ":") or text in ASSIGNMENTS or text == ">" and k in self.match:
                break
            elif self.is_binary(k) and PRECEDENCE[text] <= precedence:
                break
            k += 1
        return k

    def _postfix_end(self, i):
        """One past the expression that a unary operator before i applies to."""
        while self._text(i) in ("-", "+", "!", "*", "&", "~"):
            i += 1
        if self._text(i) == "(":
            i = self.match[i] + 1
        else:
            i += 1
        while True:
            text = self._text(i)
            if text in ("::", ".", "->"):
                i += 2
            elif text in ("(", "[") or text in ("{", "<") and not self.tokens[i].before and i in self.match:
                i = self.match[i] + 1
            else:
                return i

    def _postfix_start(self, i):
        """The first token of the expression that ends with the name at i."""
        while True:
            before = self._text(i - 1)
            if before in ("::", ".", "->"):
                i -= 2
                while self._text(i) in (")", "]", "}", ">") and i in self.match:
                    i = self.match[i] - 1
                if i < 0 or self.tokens[i].kind != "word":
                    return i + 1
                if self._text(i) in KEYWORDS:
                    return i + 1
            else:
                return i

    # --- changes

    def _span(self, first, last):
        """Characters of the tokens [first, last)."""
        return self.tokens[first].start, self.tokens[last - 1].end

    def _words(self, first, last):
        start, end = self._span(first, last)
        return " ".join(self.text[start:end].split())

    def _add(self, kind, at, span, changed, kept=None, original=None, words=None, make=None, plain=None):
        """`changed` and `kept` are pieces; the switch is an expression that is one or the other."""
        frame = self.within[at]
        if frame.frozen:
            return
        start, end = span
        kept = kept or [span]
        keyword = self._keyword_at(at) or frame.keyword
        self.changes.append(Change(
            kind=kind, line=self.tokens[at].line,
            original=original or " ".join(self.text[start:end].split()),
            changed=words or " ".join("".join(p if isinstance(p, str) else self.text[p[0]:p[1]] for p in changed).split()),
            make=make or (lambda n: Edit(start, end, [f"({SWITCH}is({n}) ? ", *changed, " : ", *kept, ")"])),
            plain=Edit(start, end, plain or changed), keyword=keyword, constant=frame.constant or self._is_label(at)))

    def _keyword_at(self, i):
        """Of the declaration that token i is in: across the brackets of its value, not those of a body."""
        while True:
            start = self._statement_start(i)
            keyword = self._keyword(start, i, function=False)
            if keyword:
                return keyword
            frame = self.within[i]
            if frame is None or frame.open < 0 or frame.kind not in ("(", "[", "values"):
                return None
            i = frame.open

    def _is_label(self, i):
        return self._text(self._statement_start(i)) == "case"

    def _find(self):
        for i, token in enumerate(self.tokens):
            frame = self.within[i]
            if frame.frozen or self._is_no_code(i):
                continue
            if token.kind == "number":
                self._constant(i)
            elif token.kind == "word":
                self._word(i)
            elif token.kind == "punctuation":
                self._operator(i)
            if frame.kind == "block" and not frame.constant and self._starts_statement(i):
                self._statement(i)

    def _is_no_code(self, i):
        return self._text(self._statement_start(i)) in ("using", "typedef", "friend", "extern", "static_assert", "template") and \
            self.within[i].kind != "block" and self.tokens[i].kind != "number"

    def _constant(self, i):
        token = self.tokens[i]
        if token.text == "0" and self._text(i - 1) == "=" and self._text(i - 2) in (")", "const", "noexcept", "override"):
            return  # = 0 of a virtual function
        changed = other_number(token.text)
        if changed:
            self._add("constant", i, (token.start, token.end), [changed])

    def _word(self, i):
        token = self.tokens[i]
        following = self._text(i + 1)
        if token.text in ("true", "false"):
            self._add("constant", i, (token.start, token.end), ["false" if token.text == "true" else "true"])
        elif token.text in ("if", "while") and following == "(":
            self._condition(i)
        elif token.text in NAMES and (following == "(" or following == "<" and i + 1 in self.match) and self._text(i - 1) == "::":
            last = self._postfix_last_call(i)
            if last:
                first = self._postfix_start(i)
                start, end = self._span(first, last)
                self._add("bound", i, (start, end), [(start, token.start), NAMES[token.text], (token.end, end)],
                          original=token.text, words=NAMES[token.text])
        elif token.text in ENDS and following == "(" and self._text(i + 2) == ")" and self._text(i - 1) in (".", "->"):
            first = self._postfix_start(i)
            start, end = self._span(first, i + 3)
            self._add("bound", i, (start, end), [(start, token.start), ENDS[token.text], (token.end, end)],
                      original=f"{token.text}()", words=f"{ENDS[token.text]}()")
        elif token.text == "return" and self.within[i].kind == "block":
            self._return(i)

    def _postfix_last_call(self, i):
        k = i + 1
        if self._text(k) == "<":
            k = self.match[k] + 1
        return self.match[k] + 1 if self._text(k) == "(" else None

    def _condition(self, i):
        opening, closing = i + 1, self.match[i + 1]
        first = opening + 1
        parts = [j for j in range(first, closing) if self._text(j) == ";" and self.within[j] is self.frames[opening]]
        if parts:
            first = parts[-1] + 1
        if first >= closing:
            return
        start, end = self._span(first, closing)
        words = self._words(first, closing)
        declared = [j for j in range(first, closing) if self._text(j) == "=" and self.within[j] is self.frames[opening]]
        keep = (start, end)
        if declared and (parts or self.tokens[i].text == "while" or self.tokens[declared[0] - 1].kind != "word"):
            return
        if declared:
            name = self._text(declared[0] - 1)
            self._add("condition", i, keep, [keep, f"; !{name}"], original=words, words=f"{words}; !{name}",
                      make=lambda n: Edit(*keep, [keep, f"; static_cast<bool>({name}) != {SWITCH}is({n})"]))
        else:
            self._add("condition", i, keep, ["!(", keep, ")"], original=words, words=f"!({words})",
                      make=lambda n: Edit(*keep, ["static_cast<bool>(", keep, f") != {SWITCH}is({n})"]))

    def _return(self, i):
        end = i + 1
        while end < len(self.tokens) and self._text(end) != ";":
            end = self.match[end] + 1 if self._text(end) in ("(", "[", "{", "<") and end in self.match else end + 1
        if end == i + 1 or self._text(i + 1) == "{":
            return
        keep = self._span(i + 1, end)
        words = self._words(i + 1, end)
        other = {"true": "false", "false": "true"}.get(words)
        self._add("return", i, keep, [other or "another value"], original=f"return {words}",
                  words=f"return {other or 'another value'}",
                  make=lambda n: Edit(*keep, [f"{SWITCH}returned({n}, ", keep, ")"]))

    def _operator(self, i):
        token = self.tokens[i]
        if token.text == "?" and token.before and token.after:
            first = self._left(i, 3)
            keep = self._span(first, i)
            words = self._words(first, i)
            self._add("condition", i, keep, ["!(", keep, ")"], original=f"{words} ?", words=f"!({words}) ?",
                      make=lambda n: Edit(*keep, ["(static_cast<bool>(", keep, f") != {SWITCH}is({n}))"]))
        elif self.is_binary(i) and token.text in OPERATORS:
            first, last = self._left(i, PRECEDENCE[token.text]), self._right(i, PRECEDENCE[token.text])
            if first == i or last == i + 1:
                return
            left, right = self._span(first, i), self._span(i + 1, last)
            span = left[0], right[1]
            kept = ["(", left, f" {token.text} ", right, ")"]
            for kind, others in (("operator", OPERATORS), ("bound", BOUNDS)):
                if other := others.get(token.text):
                    # A group of its own, so that precedence within the changed expression stays what it was.
                    changed = ["((", left, f") {other} (", right, "))"]
                    self._add(kind, i, span, changed, kept, original=f"{self._words(first, last)}",
                              words=f"{self._words(first, i)} {other} {self._words(i + 1, last)}")
        elif token.text == "-" and not token.after and not self._ends_operand(i - 1) and self._text(i - 1) != "operator":
            last = self._postfix_end(i + 1)
            whole, rest = self._span(i, last), self._span(i + 1, last)
            self._add("sign", i, whole, ["(", rest, ")"], ["(", whole, ")"], original=self._words(i, last),
                      words=self._words(i + 1, last))
        elif token.text in ("++", "--"):
            self._step(i)

    def _step(self, i):
        """++ and --, but not of a loop: it would only never end."""
        token = self.tokens[i]
        if token.before and not token.after and not self._ends_operand(i - 1) or self._text(i - 1) in ("(", "["):
            last = self._postfix_end(i + 1)
            first, keep = i, self._span(i + 1, last)
            pieces = lambda text: [text, keep]
        elif self._ends_operand(i - 1) and not token.before and self.tokens[i - 1].kind == "word":
            first, last = self._postfix_start(i - 1), i + 1
            keep = self._span(first, i)
            pieces = lambda text: [keep, text]
        else:
            return
        frame = self.within[i]
        if frame.kind == "(" and self._text(frame.open - 1) == "for":
            return
        self._add("operator", i, self._span(first, last), pieces(STEPS[token.text]), pieces(token.text))

    def _starts_statement(self, i):
        if self.tokens[i].kind == "punctuation" and self._text(i) not in ("*", "::", "("):
            return False
        before = self._text(i - 1)
        if before == "}":
            opening = self.match[i - 1]
            return self.frames[opening].kind != "values" and not self._is_lambda(opening)
        if before == ")":
            return self._text(self.match[i - 1] - 1) in HEADS
        return before in (";", "else", "do") or before == "{" or before == ":" and not self.tokens[i - 1].before

    def _statement(self, first):
        """A call or an assignment that does not happen; += and the like the other way round."""
        last = first
        assignment = None
        while last < len(self.tokens) and self._text(last) != ";":
            text = self._text(last)
            if text in ("(", "[", "{", "<") and last in self.match:
                last = self.match[last]
            elif text in ("}", ")"):
                return
            elif text in ASSIGNMENTS and assignment is None:
                assignment = last
            last += 1
        head = first + 1 if self._text(first) in ("Q_EMIT", "emit") else first
        if last <= head or self._text(head) in KEYWORDS | TYPES or self._declares(head, assignment or last):
            return
        if assignment is None and self._text(last - 1) != ")" and not any(
                self._text(j) == "<<" and self.within[j] is self.within[first] for j in range(head, last)):
            return
        keep = self._span(first, last)
        words = self._words(first, last)
        if UNTOUCHED.fullmatch(self._text(head)) and self._text(head + 1) == "(":
            return
        self._add("call" if assignment is None else "assignment", first, keep, ["void()"], original=words, words="(left out)",
                  make=lambda n: Edit(*keep, [f"({SWITCH}is({n}) ? void() : void(", keep, "))"]))
        if assignment and (other := STEPS.get(self._text(assignment))):
            left, right = self._span(first, assignment), self._span(assignment + 1, last)
            text = self._text(assignment)
            self._add("operator", assignment, keep, ["(", left, f" {other} ", right, ")"], ["(", left, f" {text} ", right, ")"],
                      original=words, words=f"{self._words(first, assignment)} {other} {self._words(assignment + 1, last)}")

    def _declares(self, first, end):
        """Whether a statement begins like a declaration: a type, then a name."""
        i = first
        while i < end:
            token = self.tokens[i]
            text = token.text
            if text in ("(", "[", "{", "<") and i in self.match:
                i = self.match[i]
            elif token.kind == "word" and i > first:
                before = self.tokens[i - 1]
                if before.kind == "word" or before.text == ">" and i - 1 in self.match:
                    return True
                if before.text in ("*", "&", "&&") and not self.is_binary(i - 1) and i - 1 > first and self._ends_operand(i - 2):
                    return True
            elif text in ("&", "&&", "*") and not self.is_binary(i) and i > first and self._ends_operand(i - 1):
                return True
            i += 1
        return False


def other_number(text):
    """One more; of a fraction twice as much."""
    match = re.fullmatch(r"(0[xX][\da-fA-F']+|0[bB][01']+|\d[\d']*)([uUlLzZ]*|[a-z]{1,3})", text)
    if match:
        digits = match.group(1).replace("'", "")
        if len(digits) > 1 and digits[0] == "0" and digits.isdigit():
            return f"0{int(digits, 8) + 1:o}{match.group(2)}"
        base = {"0x": 16, "0b": 2}.get(digits[:2].lower(), 10)
        number = int(digits, base) + 1
        return (hex(number) if base == 16 else bin(number) if base == 2 else str(number)) + match.group(2)
    match = re.fullmatch(r"((?:\d[\d']*\.[\d']*|\.\d[\d']*|\d[\d']*(?=[eE]))(?:[eE][+-]?\d+)?)([fFlL]?|[a-z]{1,3})", text)
    if match:
        number = float(match.group(1).replace("'", ""))
        return (repr(2 * number) if number else "1.0") + match.group(2)
    return None


def nests(inner, outer):
    """Whether an edit lies within a piece that another takes over."""
    return any(not isinstance(p, str) and p[0] <= inner.start and inner.end <= p[1] for p in outer.pieces)


def fits(edit, others):
    """Whether an edit can be applied beside the others."""
    return all(edit.end <= other.start or other.end <= edit.start or nests(edit, other) or nests(other, edit) for other in others)


def apply(text, edits, start=0, end=None):
    """The text with all edits, of which each two are apart or one lies within a piece of the other."""
    outer = []
    inner = []  # of each outer one
    for edit in sorted(edits, key=lambda e: (e.start, -e.end)):
        if not outer or edit.start >= outer[-1].end:
            outer.append(edit)
            inner.append([])
        elif nests(edit, outer[-1]):
            inner[-1].append(edit)
        else:  # of the same characters
            inner[-1].append(outer[-1])
            outer[-1] = edit
    result = []
    for edit, within in zip(outer, inner):
        result.append(text[start:edit.start])
        for piece in edit.pieces:
            if isinstance(piece, str):
                result.append(piece)
            else:
                result.append(apply(text, [e for e in within if piece[0] <= e.start and e.end <= piece[1]], *piece))
        start = edit.end
    return "".join(result) + text[start:end]
