"""From text to tokens, in one pass.

Some words and signs mean different things in different places, which one token of look-ahead cannot tell; the
lexer does:

- `data`, `import`, `case` and `where` are keywords only where no expression could go on with them, so that
  `where(...)` stays an operator;
- `<` and `>` around type parameters and type arguments are LANGLE and RANGLE, in comparisons LT and GT;
- `//` is a floor division between two dimensions of a shape, a comment elsewhere;
- a graph variable at the beginning of a statement is BINDING if a ` = ` follows, which then is no token of its own, and
  a plain attribute is one token, ATTR: most of a network is calls that are bound so, with attributes;
- `-` directly before digits belongs to the number unless an operand stands before it.

For who wants the program alone, some runs of tokens are one (`patterns.FUSED`).
"""

from __future__ import annotations

import re
from itertools import repeat

from ..host.governor import afford, paced
from ..ir.source import Source, Span
from .angles import TypeLists
from .errors import ParseError
from .patterns import PAIRS, PLAIN_VALUE, fused_or_token, pair_or_token, single_token
from .tokens import KEYWORDS, PUNCTUATION, SOMETIMES, Token, Tokens

__all__ = ["DECLARING", "Lexed", "tokenize", "tokenize_piece"]

_OPERAND_ENDS = frozenset(
    [
        "RPAR",
        "RSQB",
        "RBRACE",
        "LOCAL",
        "GRAPH",
        "GLOBAL",
        "IDENT",
        "NUMBER",
        "BOOL",
        "META",
        "PROJ",
        "HOLE",
        "QUESTION",
    ]
)
_CALLEES = frozenset({"GLOBAL", "IDENT", "LOCAL"})
_DEFINERS = frozenset({"DEF", "TYPE", "DATA"})
_NUMBER = re.compile(r"-[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?(?:[fiu][0-9]*)?|-(?:inf|nan)f[0-9]*(?![A-Za-z0-9_/])")
_DIVISOR = re.compile(r"[ \t]*(?:[0-9]+|(?:[A-Za-z_]\w*)?\([^\n]*\)|[A-Za-z_]\w*)[ \t]*[-,)\]>+*/%]")
_NEXT_RELATION = re.compile(r"\s*[A-Za-z_]\w*\s*\(")
_THEN_NAME = re.compile(r"\s+[A-Za-z_]")
_THEN_STRING = re.compile(r'\s*"')
_THEN_PATTERN = re.compile(r"\s+[A-Za-z_%]|\s*\(")
_THEN_CALL = re.compile(r"\s*\(")
_PLAIN_VALUE = re.compile(PLAIN_VALUE, re.VERBOSE)
"""What makes an attribute one token; any other is as many as its text has."""
_BEFORE_ATTRIBUTE = frozenset({"COMMA", "LPAR"})
_READ_AGAIN = frozenset({"IDENT", "GRAPH", "GLOBAL", "COMMENT", "SPECIAL"})
"""What may be more, or less, than one token, or one of another kind; or a definition may begin with it."""
DECLARING = frozenset({"DEF", "GLOBAL", "TYPE", "DATA", "IMPORT"})
_BEFORE_BINDING = frozenset({"SEMI", "LBRACE"})
_SHAPED = frozenset("ST")
"""The brackets in which a `(` may be one of a shape."""
_INTS_SPACE = 80  # bytes that matching a character of such a list takes
_INTS = re.compile(r"\[-?[0-9]{1,18}(?:, ?-?[0-9]{1,18})*\]")
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_HEADER = re.compile(r"#\[\s*version\s*=\s*(.*?)\s*\]", re.DOTALL)
_METADATA = re.compile(r"#\[\s*metadata\s*\]")
_SPACE = " \t\r\n\f\v"


_PLAIN = {sign: kind for sign, kind in PUNCTUATION.items() if sign not in "()[]{}-<>"}
"""Punctuation that is one token wherever it stands, but in a list of constraints."""


class Lexed:
    """The tokens of a source, and the offset and text of its metadata section, if it has one.

    `declaring` are the indices of the tokens of the kinds `DECLARING`, with which definitions begin; `balanced` says
    whether its brackets match in number.
    """

    def __init__(self, text: str) -> None:
        self.tokens = Tokens(text)
        self.declaring: list[int] = []
        self.balanced = True
        self.metadata: tuple[int, str] | None = None


def tokenize(source: Source, is_fused: bool = False) -> Lexed:
    """The tokens of a source, among which those of `patterns.FUSED` are only if asked for.

    Raises ParseError for what is no token, and for strings and comments without an end.
    """
    return _Lexer(source).run(is_fused)


def tokenize_piece(text: str, previous: str, opened: str = "") -> list[Token] | None:
    """The tokens of a piece of a source behind a token of the type `previous`, at offsets in the piece.

    `opened` is the bracket that the piece stands in, if any. None if the piece means something else, or what follows it
    does, in its place: brackets do not match, or a section of metadata begins. Raises ParseError.
    """
    lexer = _Lexer(Source(text))
    if previous:
        lexer.tokens.add(previous, 0, 0)
    lexer.openers.extend(opened)
    lexed = lexer.run()
    if lexer.openers != [*opened] or lexer.angles or lexer.wheres or lexed.metadata is not None:
        return None
    return lexed.tokens[1 if previous else 0 :]


class _Lexer:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.out = Lexed(source.text)
        self.tokens = self.out.tokens
        self.openers: list[str] = []  # open brackets; `S` in a shape, or around what a data type is applied to
        self.angles: list[int] = []  # open `<` of types, as the number of brackets around them
        self.type_lists = TypeLists(source.text)
        self.wheres: set[int] = set()  # numbers of open brackets at which a `where` list is going on

    def run(self, is_fused: bool = False) -> Lexed:
        text, tokens, match = self.text, self.tokens, (fused_or_token() if is_fused else pair_or_token()).match
        openers, angles, wheres, declaring = self.openers, self.angles, self.wheres, self.out.declaring
        kinds, starts, ends = tokens.columns
        add_kind, add_start, add_end = kinds.append, starts.append, ends.append  # a call of `add` takes a third longer
        at = 1 if text.startswith("\ufeff") and not kinds else 0
        for _ in paced(repeat(None)):
            found = match(text, at)
            if found is None:
                at = self.rest(at)
                if at < 0:
                    break
                continue
            kind = found.lastgroup
            pair = PAIRS.get(kind)  # type: ignore[arg-type]
            if pair is not None:
                first, length, spaces, kind = pair
                around = openers[-1] if openers else ""
                if wheres or angles:
                    is_pair = False
                elif first == "LPAR":
                    is_pair = around not in _SHAPED
                    if is_pair:
                        openers.append("(")
                elif first == "RPAR":
                    is_pair = around == "("
                    if is_pair:
                        openers.pop()
                else:
                    is_pair = True
                if is_pair:
                    start, at = found.span(found.lastindex)  # type: ignore[arg-type]
                    add_kind(first)
                    add_end(start - spaces)
                    add_start(start - spaces - length)
                    add_kind(kind)
                    add_start(start)
                    add_end(at)
                    continue
                found = single_token().match(text, at)
                assert found is not None, "a pair begins with a token"
                kind = found.lastgroup
            start, at = found.span(found.lastindex)  # type: ignore[arg-type]
            if kind == "PUNCT":
                sign = text[start:at]
                plain = None if wheres else _PLAIN.get(sign)
                if plain is not None:
                    kind = plain
                elif sign == "(" and not wheres and not (openers and openers[-1] in _SHAPED):
                    openers.append(sign)
                    kind = "LPAR"
                elif sign == ")" and openers and openers[-1] == "(" and not wheres and not angles:
                    openers.pop()
                    kind = "RPAR"
                else:
                    at = self.punctuation(sign, start, at)
                    continue
            elif kind not in _READ_AGAIN:
                pass
            elif kind == "IDENT":
                word = text[start:at]
                if word in KEYWORDS:
                    kind = KEYWORDS[word]
                    if kind in DECLARING:
                        declaring.append(len(kinds))
                    if kind == "MATCH" and text.startswith("?", at):
                        tokens.add("PMATCH", start, at)
                        at += 1
                        continue
                elif word in SOMETIMES:
                    kind = self.word(word, at)
                    if kind in DECLARING:
                        declaring.append(len(kinds))
                elif "." in word and word.split(".", 1)[0] in KEYWORDS:
                    raise self.error(f"`{word}` is no name: it starts with a keyword", start, at)
                elif text.startswith("=", at) and kinds and kinds[-1] in _BEFORE_ATTRIBUTE and not wheres:
                    value = _PLAIN_VALUE.match(text, at)
                    if value is not None:
                        kind, at = "ATTR", value.end()
            elif kind == "GRAPH":
                if text.startswith(" = ", at) and kinds and kinds[-1] in _BEFORE_BINDING:
                    add_kind("BINDING")
                    add_start(start)
                    add_end(at)
                    at += 2
                    continue
            elif kind == "GLOBAL":
                declaring.append(len(kinds))
            elif kind == "COMMENT":
                at = self.comment(start)
                if at < 0:
                    break
                continue
            elif kind == "SPECIAL":
                kind = "NUMBER"
            add_kind(kind)  # type: ignore[arg-type]
            add_start(start)
            add_end(at)
        self.out.balanced = self.out.balanced and not self.openers
        return self.out

    def error(self, message: str, start: int, end: int, *hints: str) -> ParseError:
        return ParseError(message, Span(self.source, start, min(end, len(self.text))), hints)

    def rest(self, at: int) -> int:
        """No token starts at `at`: -1 at the end of the text, an error anywhere else."""
        text = self.text
        while at < len(text) and text[at] in _SPACE:
            at += 1
        if at == len(text):
            return -1
        char = text[at]
        if char == '"':
            raise self.error('this string has no closing `"`', at, at + 1)
        if char == ".":
            raise self.error("a `.` must be followed by the number of a tuple's field", at, at + 1)
        if char == "@":
            raise self.error("expected a global name after `@`", at, at + 1)
        if char == "!":
            raise self.error("unexpected character `!`", at, at + 1, "`not equal` is written `!=`")
        if char == "'":
            raise self.error("strings are written in double quotes", at, at + 1)
        if char.isprintable():
            hint = () if char.isascii() else ('names are ASCII; any other name can be written in quotes, `%"..."`',)
            raise self.error(f"unexpected character `{char}`", at, at + 1, *hint)
        raise self.error(f"unexpected character U+{ord(char):04X}; is this a text?", at, at + 1)

    def word(self, word: str, end: int) -> str:
        """The token type of a word that is not a keyword everywhere."""
        text = self.text
        if word == "Tensor":
            return "TENSOR" if text[end : end + 8].lstrip().startswith("[") else "IDENT"
        if word == "where":
            if _THEN_NAME.match(text, end):
                self.wheres.add(len(self.openers))
                return "WHERE"
        elif word == "case" and self.openers and self.openers[-1] == "{":
            follows = _THEN_PATTERN.match(text, end)
            previous = self.tokens.kinds[-1] if self.tokens.kinds else ""
            if follows and (not follows.group().endswith("(") or previous in ("LBRACE", "RBRACE", "COMMA")):
                return "CASE"
        elif not self.openers:
            if word == "data" and _THEN_NAME.match(text, end):
                return "DATA"
            if word == "import" and _THEN_STRING.match(text, end):
                return "IMPORT"
        return "IDENT"

    def punctuation(self, sign: str, start: int, end: int) -> int:
        """Append the token at `start`, return where it ends."""
        text, tokens, openers = self.text, self.tokens, self.openers
        kinds = tokens.kinds
        kind = PUNCTUATION.get(sign)
        if kind is None:
            raise self.error(f"unexpected `{sign}`", start, end)
        if sign == "(":
            in_shape = bool(openers) and (openers[-1] == "S" or (openers[-1] == "T" and kinds[-1] == "LSQB"))
            in_shape = in_shape or len(openers) in self.wheres
            openers.append("S" if in_shape else "(")
        elif sign == "[":
            if kinds and kinds[-1] == "EQ":
                afford(_INTS_SPACE * (text.find("]", start) - start))
                ints = _INTS.match(text, start)
                if ints:
                    tokens.add("INTS", start, ints.end())
                    return ints.end()
            last = kinds[-1] if kinds else ""
            applied = last == "IDENT" and len(kinds) > 1 and kinds[-2] not in _DEFINERS
            openers.append("T" if last == "TENSOR" else "S" if applied else "[")
        elif sign == "{":
            self.wheres.discard(len(openers))
            openers.append("{")
        elif sign in ")]}":
            self.wheres.discard(len(openers))
            if openers:
                openers.pop()
            else:
                self.out.balanced = False
            while self.angles and self.angles[-1] > len(openers):
                self.angles.pop()
        elif sign == ",":
            if self.wheres and len(openers) in self.wheres:
                if _NEXT_RELATION.match(text, end):
                    kind = "WCOMMA"
                else:
                    self.wheres.discard(len(openers))
        elif sign == "-":
            number = _NUMBER.match(text, start)
            behind_operand = bool(kinds) and kinds[-1] in _OPERAND_ENDS
            if number and not behind_operand:
                tokens.add("NUMBER", start, number.end())
                return number.end()
            if text.startswith("--", start) and not behind_operand:
                return self.signs(start)
        elif sign == "<" and self.opens_types(end):
            kind = "LANGLE"
            self.angles.append(len(openers))
        elif sign == ">" and self.angles and self.angles[-1] == len(openers):
            kind = "RANGLE"
            self.angles.pop()
        elif sign in ("=", ";", "->"):
            self.wheres.discard(len(openers))
        tokens.add(kind, start, end)
        return end

    def signs(self, start: int) -> int:
        """`--1` is 1, as in TVM; signs before anything but a number are operators."""
        end = start
        while self.text.startswith("-", end):
            end += 1
        number = _NUMBER.match(self.text, end - 1)
        if number is None:
            for at in range(start, end):
                self.tokens.add("MINUS", at, at + 1)
            return end
        value = number.group() if (end - start) % 2 else number.group()[1:]
        self.tokens.add("NUMBER", start, number.end(), value)
        return number.end()

    def opens_types(self, at: int) -> bool:
        """Whether the `<` before offset `at` opens type parameters or type arguments."""
        kinds = self.tokens.kinds
        if not kinds:
            return False
        last = self.tokens[-1]
        if last.type == "FN" or (len(kinds) > 1 and kinds[-2] in _DEFINERS):
            return True
        if last.type not in _CALLEES or last.end != at - 1:
            return False
        end = self.type_lists.end(at)
        if end < 0 or not _THEN_CALL.match(self.text, end):
            return False
        return last.type != "LOCAL" or any(c.isalpha() for c in self.text[at:end])

    def comment(self, start: int) -> int:
        """Skip the comment at `start` (or take it for what it is instead); -1 if the text ends with it."""
        text = self.text
        if text.startswith("//", start):
            shape = bool(self.openers and self.openers[-1] == "S") or bool(self.angles)
            if shape and self.tokens.kinds[-1] in _OPERAND_ENDS and _DIVISOR.match(text, start + 2):
                self.tokens.add("FLOORDIV", start, start + 2)
                return start + 2
        elif text.startswith("/*", start):
            return self.block_comment(start)
        elif text.startswith("#[", start):
            return self.header(start)
        end = text.find("\n", start)
        return len(text) if end < 0 else end

    def block_comment(self, start: int) -> int:
        depth, at = 1, start + 2
        while depth:
            edge = _COMMENT_EDGE.search(self.text, at)
            if edge is None:
                raise self.error("this comment has no closing `*/`", start, start + 2, "comments nest")
            depth += 1 if edge.group() == "/*" else -1
            at = edge.end()
        return at

    def header(self, start: int) -> int:
        """`#[version = "0.0.5"]` or `#[metadata]`."""
        text = self.text
        metadata = _METADATA.match(text, start)
        if metadata:
            self.out.metadata = (metadata.end(), text[metadata.end() :])
            return -1
        version = _HEADER.match(text, start)
        if version is None:
            line_end = text.find("\n", start)
            raise self.error(
                "unknown header",
                start,
                len(text) if line_end < 0 else line_end,
                'a header is `#[version = "0.0.5"]` or `#[metadata]`',
                "in a comment, put a space behind the `#`",
            )
        if version.group(1) != '"0.0.5"':
            raise self.error(f"unknown version {version.group(1)[:80]}", start, version.end(), 'Relay text is "0.0.5"')
        if self.tokens:
            raise self.error("the version must stand at the start of the text", start, version.end())
        return version.end()
