"""Writes Relay programs: most are typed, some are not, all could have been written by somebody.

A `Writer` is asked for an expression of a type and writes one that has it, mostly; so what is built around it goes on
to make sense, and inference gets further than the first refusal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from random import Random

from relaylogic.explain.example_table import EXAMPLES
from relaylogic.rulebase import default_rules

__all__ = ["Type", "Writer", "literal", "program", "types_of"]


@dataclass(frozen=True)
class Type:
    """The type that is meant: a tensor (`shape`, `dtype`), or of a `kind` with parts: tuple, fn, List, ref, var."""

    kind: str = "tensor"
    parts: tuple[Type, ...] = ()
    shape: tuple[int, ...] = ()
    dtype: str = "float32"

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.parts))
        if self.kind == "tensor":
            if not self.shape:
                return self.dtype
            return f"Tensor[({', '.join(map(str, self.shape))}), {self.dtype}]"
        if self.kind == "tuple":
            return f"({inner},)" if self.parts else "()"
        if self.kind == "fn":
            *given, result = self.parts
            return f"fn ({', '.join(map(str, given))}) -> {result}"
        if self.kind == "ref":
            return f"ref({inner})"
        return f"{self.kind}[{inner}]" if self.parts else self.kind


def tensor(*shape: int, dtype: str = "float32") -> Type:
    return Type("tensor", (), shape, dtype)


BOOL, INT, NAT = tensor(dtype="bool"), tensor(dtype="int32"), Type("nat")
UNARY = ["nn.relu", "copy", "negative", "exp", "sqrt", "nn.softmax", "zeros_like", "tanh", "stop_fusion"]
BINARY = ["add", "subtract", "multiply", "maximum", "minimum", "divide"]
WILDNESS = [0.0, 0.02, 0.05, 0.3]  # how often something else is written than what is wanted

DEFINITIONS = {
    "list": "type List[A] { Cons(A, List[A]), Nil, }",
    "nat": "type nat { Z, S(nat), }",
    "id": "def @id[A](%x: A) -> A { %x }",
    "id_open": "def @id(%x) { %x }",
    "twice": "def @twice(%f, %x) { %f(%f(%x)) }",
    "map": "def @map[A, B](%f: fn (A) -> B, %l: List[A]) -> List[B] {\n"
    "  match (%l) { Cons(%h, %t) => Cons(%f(%h), @map(%f, %t)), Nil => Nil }\n}",
    "length": "def @length(%l) { match (%l) { Cons(_, %t) => S(@length(%t)), Nil => Z } }",
    "even": "def @even(%n: nat) -> bool { match (%n) { Z => True, S(%m) => @odd(%m) } }",
    "odd": "def @odd(%n) { match (%n) { Z => False, S(%m) => @even(%m) } }",
    "same": "def @same[s: Shape, t: BaseType](%x: Tensor[s, t], %y: Tensor[s, t]) { add(%x, %y) }",
    "rows": "def @rows[n: ShapeVar](%x: Tensor[(n, 3), float32]) { (%x, nn.dense(%x, %x, units=None)) }",
    "ext": "@ext : fn [A](A) -> A",
    "wide": "def @wide[a, b](%x: a, %y: b) -> b where Broadcast(a, b, b) { %y }",
    "box": "type Box[A, B] { Both(A, B), Left(A), Right(B), Neither, }",
    "none": "type Never { }",
    "loop": "def @loop(%x) { @loop(%x) }",
}
NEEDS = {"map": ["list"], "length": ["list", "nat"], "even": ["nat", "odd"], "odd": ["nat", "even"]}


class Writer:
    """Writes definitions; `random` decides, `budget` bounds how many expressions are written."""

    def __init__(self, random: Random, budget: int = 18) -> None:
        self.random = random
        self.budget = budget
        self.wild = random.choice(WILDNESS)
        self.open = random.choice([0.0, 0.3, 0.9])  # how often annotations are left out
        self.names = 0
        self.defined: list[str] = []
        self.used: set[str] = set()

    # ---- types

    def type(self, depth: int = 1) -> Type:
        """Some type."""
        kind = self.random.randrange(12)
        if kind >= 6 or depth <= 0:
            dtype = self.random.choice(["float32"] * 5 + ["int32", "int8", "bool", "float16"])
            rank = self.random.choice([0, 1, 2, 2, 2, 3])
            return tensor(*(self.random.choice([1, 2, 3, 4]) for _ in range(rank)), dtype=dtype)
        if kind <= 2:
            return Type("tuple", tuple(self.type(depth - 1) for _ in range(self.random.randrange(4))))
        if kind == 3:
            return Type("fn", tuple(self.type(depth - 1) for _ in range(self.random.randint(1, 3))))
        if kind == 4 and "list" in self.defined:
            return Type("List", (self.type(depth - 1),))
        if kind == 5 and "nat" in self.defined:
            return NAT
        return Type("ref", (self.type(depth - 1),))

    def annotation(self, type_: Type) -> str:
        """`: T` as somebody would write it: in full, with holes, with `?`, or left out."""
        choice = self.random.randrange(10)
        if self.random.random() < self.open:
            return ""
        if choice <= 4:
            return f": {type_}"
        if choice <= 6:
            return ""
        if choice == 7 or type_.kind != "tensor" or not type_.shape:
            return ": _"
        hole = self.random.choice(["_", "_", "?"])
        shape = [hole if self.random.random() < 0.5 else str(n) for n in type_.shape]
        written = self.random.choice([f"({', '.join(shape)})", f"({shape[0]}, ..._)", "_"])
        return f": Tensor[{written}, {self.random.choice([type_.dtype, type_.dtype, '_'])}]"

    def fresh(self) -> str:
        self.names += 1
        return f"%{self.random.choice('abcxyz')}{self.names}" if self.random.random() < 0.9 else '%"odd name"'

    # ---- expressions

    def expr(self, want: Type, scope: dict[str, Type]) -> str:
        """An expression of the type that is wanted, mostly."""
        self.budget -= 1
        if self.random.random() < self.wild:
            want = self.type()
            if self.random.random() < 0.5:
                return self.anything(scope)
        known = [name for name, type_ in scope.items() if type_ == want]
        if known and (self.budget <= 0 or self.random.random() < 0.25):
            return self.random.choice(known)
        if self.budget <= 0:
            return self.leaf(want, scope)
        ways = [self.leaf, self.let, self.let, self.condition, self.projection, self.immediate, self.called]
        ways += [self.reference, self.matched, self.effect, self.graph]
        ways += [self.operation] * 8 if want.kind == "tensor" else [self.leaf] * 3
        return self.random.choice(ways)(want, scope)

    def anything(self, scope: dict[str, Type]) -> str:
        """An expression of whatever type it has, if any."""
        some = self.random.choice([*scope, "Nil", "@main", "add", "()", "Cons", "meta[relay.Constant][0]", "1f"])
        other = self.random.choice([*scope, "True", "@id"])
        name = self.fresh()
        return self.random.choice(
            [
                f"{some}({other})",
                f"{some}.0",
                f"{some}.1",
                f"{some}({other}, {other})",
                some,
                f"ref_read({some})",
                f"concatenate({some})",
                f"concatenate({some}, axis={other})",
                f"({some}({other})).0",
                f"@main({some})",
                f"(let {name} = ({name}, {some}); {name})",
                f"(let {name} = fn (%q) {{ {name}(%q) }}; {name}({some}))",
                f"(let {name} = {some}; ({name}, {name}))",
                f"nn.dense({some}, {other}, units=-1)",
                f"-{some}",
                f"split({some}, indices_or_sections=2)",
                f"arange(0, {some}, 1)",
                f"reshape({some}, newshape=[-1, 0, -2])",
                f"if ({other}) {{ {some} }} else {{ {other} }}",
                f"vision.multibox_prior({some})",
                f"{some} < {other}",
                f'full({other}, shape=[?, 2], dtype="int8")',
                f"nn.conv2d({some}, {other}, kernel_size=[3, 3])",
            ]
        )

    def leaf(self, want: Type, scope: dict[str, Type]) -> str:
        """The shortest expression of a type."""
        if want.kind == "tensor":
            if want.shape:
                filled = self.random.choice(["zeros", "ones"])
                return f'{filled}(shape=[{", ".join(map(str, want.shape))}], dtype="{want.dtype}")'
            return {"float32": "1.5f", "int32": "2", "bool": "True", "int8": "3i8", "float16": "1f16"}[want.dtype]
        if want.kind == "tuple":
            fields = [self.expr(part, scope) for part in want.parts]
            return f"({', '.join(fields)}{',' if fields else ''})"
        if want.kind == "fn":
            return self.function(want, scope)
        if want.kind == "ref":
            return f"ref({self.expr(want.parts[0], scope)})"
        if want.kind == "List":
            if self.random.random() < 0.5 or self.budget <= 0:
                return "Nil"
            return f"Cons({self.expr(want.parts[0], scope)}, {self.expr(want, scope)})"
        return "Z" if self.random.random() < 0.6 else f"S({self.expr(want, scope)})"

    def function(self, want: Type, scope: dict[str, Type]) -> str:
        *given, result = want.parts
        names = [self.fresh() for _ in given]
        header = ", ".join(f"{n}{self.annotation(t)}" for n, t in zip(names, given, strict=True))
        arrow = f" -> {result}" if self.random.random() < 0.3 else ""
        return f"fn ({header}){arrow} {{ {self.expr(result, {**scope, **dict(zip(names, given, strict=True))})} }}"

    def let(self, want: Type, scope: dict[str, Type]) -> str:
        name, type_ = self.fresh(), self.type()
        value = self.expr(type_, scope)
        return f"(let {name}{self.annotation(type_)} = {value}; {self.expr(want, {**scope, name: type_})})"

    def graph(self, want: Type, scope: dict[str, Type]) -> str:
        self.names += 1
        name, type_ = f"%{self.names}", self.type()
        return f"({name} = {self.expr(type_, scope)}; {self.expr(want, {**scope, name: type_})})"

    def effect(self, want: Type, scope: dict[str, Type]) -> str:
        """An operator's example call, whose result nobody looks at."""
        name, operator = self.fresh(), self.random.choice(sorted(default_rules().operators))
        found = EXAMPLES.get(operator) or EXAMPLES.get(default_rules().operators[operator].relation.name)
        if found is None or "fn " in found[0] or any(isinstance(v, dict) for v in found[1].values()):
            return self.expr(want, scope)
        params = ", ".join(f"%p{i}: {t}" for i, t in enumerate(types_of(found[0])))
        given = [f"%p{i}" for i, _ in enumerate(types_of(found[0]))]
        attrs = [f"{key}={literal(value)}" for key, value in found[1].items()]
        call = f"{operator}({', '.join([*given, *attrs])})"
        return f"(let {name} = fn ({params}) {{ {call} }}; {self.expr(want, scope)})"

    def condition(self, want: Type, scope: dict[str, Type]) -> str:
        parts = self.expr(BOOL, scope), self.expr(want, scope), self.expr(want, scope)
        return "if ({}) {{ {} }} else {{ {} }}".format(*parts)

    def projection(self, want: Type, scope: dict[str, Type]) -> str:
        fields = [self.expr(want, scope), self.expr(self.type(0), scope)]
        return f"({fields[0]}, {fields[1]}).0" if self.random.random() < 0.5 else f"({fields[1]}, {fields[0]}).1"

    def immediate(self, want: Type, scope: dict[str, Type]) -> str:
        given = self.type()
        return f"({self.function(Type('fn', (given, want)), scope)})({self.expr(given, scope)})"

    def called(self, want: Type, scope: dict[str, Type]) -> str:
        """A call of something that is defined."""
        functions = [n for n, t in scope.items() if t.kind == "fn" and t.parts[-1] == want]
        if functions and self.random.random() < 0.7:
            name = self.random.choice(functions)
            return f"{name}({', '.join(self.expr(part, scope) for part in scope[name].parts[:-1])})"
        calls = [f"@id({self.expr(want, scope)})"] if {"id", "id_open"} & set(self.defined) else []
        if "ext" in self.defined:
            calls.append(f"@ext({self.expr(want, scope)})")
        if "twice" in self.defined:
            calls.append(f"@twice({self.function(Type('fn', (want, want)), scope)}, {self.expr(want, scope)})")
        if "same" in self.defined and want.kind == "tensor":
            calls.append(f"@same({self.expr(want, scope)}, {self.expr(want, scope)})")
        if "wide" in self.defined and want.kind == "tensor":
            calls.append(f"@wide({self.leaf(tensor(dtype=want.dtype), scope)}, {self.expr(want, scope)})")
        if "map" in self.defined and want.kind == "List":
            given = self.type(0)
            function = self.function(Type("fn", (given, want.parts[0])), scope)
            calls.append(f"@map({function}, {self.expr(Type('List', (given,)), scope)})")
        if want == BOOL and "even" in self.defined:
            calls.append(f"@even({self.expr(NAT, scope)})")
        if want == NAT and "length" in self.defined:
            calls.append(f"@length({self.expr(Type('List', (self.type(0),)), scope)})")
        if "loop" in self.defined and self.random.random() < 0.2:
            calls.append("@loop(1)")
        return self.random.choice(calls) if calls else self.leaf(want, scope)

    def reference(self, want: Type, scope: dict[str, Type]) -> str:
        if want == Type("tuple"):
            held = self.type(0)
            return f"ref_write(ref({self.expr(held, scope)}), {self.expr(held, scope)})"
        return f"ref_read({self.expr(Type('ref', (want,)), scope)})"

    def matched(self, want: Type, scope: dict[str, Type]) -> str:
        question = "?" if self.random.random() < 0.3 else ""
        head, tail = self.fresh(), self.fresh()
        if "list" in self.defined and self.random.random() < 0.5:
            item = self.type(0)
            inner = {**scope, head: item, tail: Type("List", (item,))}
            data = self.expr(Type("List", (item,)), scope)
            last = self.random.choice(["Nil", "_"])
            arms = f"Cons({head}, {tail}) => {self.expr(want, inner)}, {last} => {self.expr(want, scope)}"
            if question and self.random.random() < 0.5:
                arms = arms.split(", Nil", maxsplit=1)[0]
            return f"match{question} ({data}) {{ {arms} }}"
        if "box" in self.defined and self.random.random() < 0.5:
            one, other = self.type(0), self.type(0)
            inner = {**scope, head: one, tail: other}
            return (
                f"match{question} (Both({self.expr(one, scope)}, {self.expr(other, scope)})) "
                f"{{ Both({head}, {tail}) => {self.expr(want, inner)}, Left(_) => {self.expr(want, scope)}, "
                f"_ => {self.expr(want, scope)} }}"
            )
        one, other = self.type(0), self.type(0)
        data = f"({self.expr(one, scope)}, {self.expr(other, scope)})"
        inner = {**scope, head: one, tail: other}
        return f"match{question} ({data}) {{ ({head}, {tail}) => {{ {self.expr(want, inner)} }} }}"

    def operation(self, want: Type, scope: dict[str, Type]) -> str:
        """A call of an operator that gives a tensor."""
        ways = [self.elementwise, self.elementwise, self.cast, self.chosen]
        if want.shape:
            ways += [self.transposed, self.reshaped, self.reduced, self.joined]
        if len(want.shape) == 2 and want.dtype == "float32":
            ways += [self.dense, self.dense]
        if want.dtype == "bool":
            ways += [self.compared, self.compared]
        return self.random.choice(ways)(want, scope)

    def elementwise(self, want: Type, scope: dict[str, Type]) -> str:
        if self.random.random() < 0.4:
            return f"{self.random.choice(UNARY)}({self.expr(want, scope)})"
        smaller = tensor(*(1 if self.random.random() < 0.3 else n for n in want.shape[-2:]), dtype=want.dtype)
        pair = [self.expr(want, scope), self.expr(smaller, scope)]
        self.random.shuffle(pair)
        if self.random.random() < 0.3:
            return f"({pair[0]} {self.random.choice('+-*')} {pair[1]})"
        return f"{self.random.choice(BINARY)}({pair[0]}, {pair[1]})"

    def cast(self, want: Type, scope: dict[str, Type]) -> str:
        other = tensor(*want.shape, dtype=self.random.choice(["float32", "int32", "int8"]))
        return f'cast({self.expr(other, scope)}, dtype="{want.dtype}")'

    def chosen(self, want: Type, scope: dict[str, Type]) -> str:
        mask = tensor(*want.shape, dtype="bool")
        return f"where({self.expr(mask, scope)}, {self.expr(want, scope)}, {self.expr(want, scope)})"

    def transposed(self, want: Type, scope: dict[str, Type]) -> str:
        turned = list(range(len(want.shape)))
        self.random.shuffle(turned)
        before = [0] * len(turned)
        for place, axis in enumerate(turned):
            before[axis] = want.shape[place]
        return f"transpose({self.expr(tensor(*before, dtype=want.dtype), scope)}, axes={turned})"

    def reshaped(self, want: Type, scope: dict[str, Type]) -> str:
        sized = list(want.shape)
        sized[self.random.randrange(len(sized))] = -1
        return f"reshape({self.expr(tensor(prod(want.shape), dtype=want.dtype), scope)}, newshape={sized})"

    def reduced(self, want: Type, scope: dict[str, Type]) -> str:
        axis = self.random.randrange(len(want.shape) + 1)
        wider = tensor(*want.shape[:axis], 2, *want.shape[axis:], dtype=want.dtype)
        return f"{self.random.choice(['sum', 'max', 'mean'])}({self.expr(wider, scope)}, axis=[{axis}])"

    def joined(self, want: Type, scope: dict[str, Type]) -> str:
        axis = self.random.randrange(len(want.shape))
        before, extent, after = want.shape[:axis], want.shape[axis], want.shape[axis + 1 :]
        if extent == 1:
            return f"expand_dims({self.expr(tensor(*before, *after, dtype=want.dtype), scope)}, axis={axis})"
        parts = [self.expr(tensor(*before, n, *after, dtype=want.dtype), scope) for n in (1, extent - 1)]
        return f"concatenate(({', '.join(parts)}), axis={axis})"

    def dense(self, want: Type, scope: dict[str, Type]) -> str:
        units = self.random.choice(["None", str(want.shape[1])])
        left, right = self.expr(tensor(want.shape[0], 3), scope), self.expr(tensor(want.shape[1], 3), scope)
        return f"nn.dense({left}, {right}, units={units})"

    def compared(self, want: Type, scope: dict[str, Type]) -> str:
        operands = [self.expr(tensor(*want.shape), scope) for _ in range(2)]
        return f"{self.random.choice(['equal', 'less', 'greater'])}({', '.join(operands)})"

    # ---- definitions

    def define(self) -> list[str]:
        """Some of the definitions that programs share, and what they need."""
        agenda = [name for name in DEFINITIONS if self.random.random() < 0.22]
        chosen: list[str] = []
        while agenda:
            name = agenda.pop()
            if (
                name not in chosen
                and not (name == "id_open" and "id" in chosen)
                and not (name == "id" and "id_open" in chosen)
            ):
                chosen.append(name)
                agenda += NEEDS.get(name, [])
        self.random.shuffle(chosen)
        self.defined = chosen
        return [DEFINITIONS[name] for name in chosen]

    def main(self, name: str) -> str:
        """A function of its own."""
        types = [self.type() for _ in range(self.random.randrange(4))]
        params = [f"%p{i}" for i in range(len(types))]
        header = ", ".join(f"{n}{self.annotation(t)}" for n, t in zip(params, types, strict=True))
        scope = dict(zip(params, types, strict=True))
        lines = []
        for _ in range(self.random.randrange(4)):
            bound, type_ = self.fresh(), self.type()
            lines.append(f"  let {bound}{self.annotation(type_)} = {self.expr(type_, scope)};")
            scope[bound] = type_
        result = self.type()
        arrow = f" -> {result}" if self.random.random() < 0.3 else ""
        return "\n".join([f"def @{name}({header}){arrow} {{", *lines, f"  {self.expr(result, scope)}", "}"])


def types_of(text: str) -> list[str]:
    """The types in a list of types: what stands between commas that are in no brackets."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            found.append("")
        else:
            found[-1] += letter
    return [part.strip() for part in found if part.strip()]


def literal(value: object) -> str:
    """An attribute as Relay text has it."""
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, float):
        return f"{value}f"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(literal, value))}]"
    return str(value)


def program(random: Random) -> str:
    """A program of some definitions and a function or two."""
    writer = Writer(random, random.choice([3, 6, 10, 16]))
    parts = writer.define()
    parts += [writer.main(name) for name in (["main"] if random.random() < 0.8 else ["main", "other"])]
    if random.random() < 0.3:
        random.shuffle(parts)
    head = ['#[version = "0.0.5"]'] if random.random() < 0.2 else []
    return "\n".join([*head, *parts]) + "\n"
