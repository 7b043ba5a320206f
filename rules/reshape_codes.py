"""The codes of `newshape`, read as words (see `rules.reshape`), also where some of them are not known."""

from relaylogic.logic import is_seen

WIDTH = {"extent": 0, "infer": 0, "copy": 1, "merge": 2, "split": 1, "rest": 0}
"""How many extents of the input a word of `read_codes` uses."""


def read_codes(codes, allowzero, ranks=None):
    """What the codes say, in order, as (word, position in the input, operands); None if it is nothing sensible.

    `ranks` of the input and the result: what makes other extents than so many is not sensible, and not read to its end.
    """
    said, codes, position, at_end, made = [], list(codes), 0, False, 0
    while codes:
        code, operands = codes.pop(0), ()
        if code > 0 or (code == 0 and allowzero):
            word, operands = "extent", (code,)
        elif code == -4 and len(codes) >= 2:
            word, operands = "split", (codes.pop(0), codes.pop(0))
            if min(operands) < -1 or operands == (-1, -1):
                return None
        elif -3 <= code <= 0:
            word = ("copy", "infer", "rest", "merge")[-code]
        else:
            return None
        if at_end and (WIDTH[word] or word == "rest"):
            if word != "rest":
                return None
            continue
        said.append((word, position, operands))
        if ranks is not None:
            made += max(0, ranks[0] - position) if word == "rest" else 2 if word == "split" else 1
            if made > ranks[1]:
                return None
        at_end = at_end or word == "rest"
        position += max(1, WIDTH[word])
    if ranks is not None and made != ranks[1]:
        return None
    return said if [word for word, _, _ in said].count("infer") <= 1 else None


def least_ranks(codes, allowzero):
    """The least ranks of the input and the result, whatever those codes are that are not known; None if all that they
    can be is nothing sensible."""
    reached = _reached(codes, allowzero)
    return (min(used for used, _, _ in reached), min(made for _, made, _ in reached)) if reached else None


def greatest_rank(codes, allowzero, rank):
    """The greatest rank of a result for an input of a rank, whatever those codes are that are not known; None if there
    is none."""
    return max((most for *_, most in _reached(codes, allowzero, rank)), default=None)


def _reached(codes, allowzero, rank=None):
    """How many extents of an input codes may use at least, and how many they make at least and at most; of an input of
    a rank, if that is given, none but those that do not use more.

    How the codes go on depends on no more than whether an extent is inferred, whether the rest of the input is taken,
    and the position in it: what was used and made until then is told by its bounds.
    """
    reached = [{} for _ in codes] + [{}]
    reached[0][False, False, 0] = (0, 0, 0)
    for i in range(len(codes)):
        words = possible_words(codes, i, allowzero) if reached[i] else ()
        for (inferred, at_end, position), (used, fewest, most) in reached[i].items():
            for word in words:
                width = WIDTH[word]
                if (inferred and word == "infer") or (at_end and width):
                    continue
                if width and rank is not None and position + width > rank:
                    continue
                rest = 0 if at_end or rank is None else max(0, rank - position)
                made = {"split": 2, "rest": rest}.get(word, 1)
                following = reached[i + (3 if word == "split" else 1)]
                state = (inferred or word == "infer", at_end or word == "rest", position + max(1, width))
                found = (position + width if width else used, fewest + made, most + made)
                known = following.get(state, found)
                following[state] = (min(known[0], found[0]), min(known[1], found[1]), max(known[2], found[2]))
    return list(reached[-1].values())


def possible_words(codes, i, allowzero):
    """The words that may begin with the code at position i."""
    code, operands = codes[i], codes[i + 1 : i + 3]
    known = [operand for operand in operands if is_seen(operand)]
    splits = len(operands) == 2 and min(known, default=0) >= -1 and known != [-1, -1]
    if not is_seen(code):
        return [word for word in WIDTH if word != "split" or splits]
    if code > 0 or code < -3:
        return ["extent"] if code > 0 else ["split"] if code == -4 and splits else []
    if code == 0:
        return ["extent", "copy"] if not is_seen(allowzero) else ["extent"] if allowzero else ["copy"]
    return [("infer", "rest", "merge")[-code - 1]]
