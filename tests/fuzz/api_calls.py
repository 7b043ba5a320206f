"""Calls of the Python API, a line each; and what must hold of every one.

A line may raise what is documented: RelayLogicError, or a ValueError, TypeError, IndexError or KeyError that the
library raises on purpose. What Python raises for it, because nobody looked at an argument, is a find.
"""

from __future__ import annotations

import json
import linecache
import re
import traceback
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import relaylogic
from relaylogic import ir, relay
from relaylogic.errors import RelayLogicError
from relaylogic.infer.results.result import Result
from relaylogic.ir import Expr, IRModule, structural_equal
from relaylogic.typings.answers import Answers

from .broken import demand
from .kinds import Case, Kind
from .reduce import shorter_texts
from .relay_texts import check_errors_agree, check_renders, inferred

__all__ = ["API"]

ALLOWED = (ValueError, TypeError, IndexError, KeyError)
LINE = "<case>"
_HOLE = re.compile(r"\{[ev]\}")

SCALARS = [
    "1",
    "2",
    "0",
    "-1",
    "2.5",
    "True",
    "None",
    "'a'",
    "'int8'",
    "[]",
    "[1, 2]",
    "(2, 3)",
    "object()",
    "b'x'",
    "float('nan')",
    "float('inf')",
    "10**400",
    "{}",
    "{'a': 1}",
    "''",
    "'名'",
    "[[1], [2]]",
    "(None, 'n')",
    "lambda *_: 1",
    "set()",
    "range(3)",
    "iter([1])",
    "1j",
    "'\\ud800'",
    "-(2**70)",
]
SHAPES = ["(2, 3)", "(3, 2)", "()", "(1,)", "(2, 1, 3)", "(relay.Any(), 3)", "[4, 4]", "(1, 3, 8, 8)"]
DTYPES = ["'float32'", "'int8'", "'bool'", "'int64'", "'float32x4'", "'custom[posit]16'"]
TEXT_TYPES = [
    "'Tensor[(2, 3), float32]'",
    "'_'",
    "'int8'",
    "'Tensor[(_, 3), float32]'",
    "'(int8, int8)'",
    "'fn (int8) -> int8'",
    "'Tensor[(?, 3), float32]'",
    "'ref(int8)'",
    "'Tensor[(2, 3'",
]
TYPES = [
    "relay.TensorType((2, 3))",
    "relay.TensorType((), 'int8')",
    "relay.TupleType([])",
    "relay.scalar_type('bool')",
    "relay.TypeVar('a')",
    "relay.FuncType([relay.TensorType((2,))], relay.TensorType((2,)))",
    "relay.IncompleteType()",
    "relay.RefType(relay.TensorType((2,)))",
    "relay.TupleType([relay.TensorType((1,)), relay.TensorType((2,))])",
]
UNARY = [
    "nn.relu",
    "exp",
    "copy",
    "zeros_like",
    "transpose",
    "nn.batch_flatten",
    "negative",
    "shape_of",
    "squeeze",
    "tanh",
]
BINARY = ["add", "multiply", "nn.dense", "equal", "nn.bias_add", "broadcast_to_like", "nn.conv2d", "maximum", "take"]
WITH = [
    "reshape({e}, newshape={v})",
    "sum({e}, axis={v})",
    "expand_dims({e}, axis={v})",
    "concatenate([{e}, {e}], axis={v})",
    "split({e}, {v}, axis=0)",
    "transpose({e}, axes={v})",
    "cast({e}, {v})",
    "tile({e}, reps={v})",
    "full({e}, {v}, 'int8')",
    "nn.softmax({e}, axis={v})",
    "clip({e}, {v}, {v})",
    "strided_slice({e}, {v}, {v})",
    "where({e}, {e}, {e})",
    "zeros({v}, 'float32')",
    "one_hot({e}, {e}, {e}, {v}, 0, 'int8')",
    "arange({e})",
    "stack(({e}, {e}), axis={v})",
    "nn.max_pool2d({e}, pool_size={v})",
    "nn.pad({e}, {v})",
    "topk({e}, k={v})",
    "repeat({e}, {v}, {v})",
]
ANALYSES = [
    "free_vars",
    "bound_vars",
    "all_vars",
    "free_type_vars",
    "all_type_vars",
    "well_formed",
    "list_op_freqs",
    "post_order_visit",
    "check_kind",
    "unmatched_cases",
    "all_dtypes",
]

TARGETS = [
    *(f"relay.{name}" for name in ("Tuple", "Call", "Let", "If", "Function", "Match", "Clause", "TupleGetItem")),
    *(f"relay.{name}" for name in ("RefCreate", "RefRead", "PatternTuple", "PatternConstructor", "PatternVar")),
    *(f"relay.{name}" for name in ("Constructor", "TypeData", "var", "const", "bind", "IRModule", "fromtext")),
    *(f"relay.transform.{name}" for name in ("PassInfo", "PassContext", "Sequential", "function_pass", "module_pass")),
    *(f"relay.transform.{name}" for name in ("InferTypeLocal", "FunctionPass", "ModulePass")),
    *(f"relay.nn.{name}" for name in ("conv2d", "dense", "sparse_dense", "avg_pool2d", "pad", "batch_norm")),
    *(f"relaylogic.{name}" for name in ("infer", "infer_call", "parse", "query", "limits")),
    *(f"relay.{name}" for name in ("Span", "SourceName", "loops.while_loop", "build_module.bind_params_by_name")),
    *(f"relay.expr.{name}WithFields" for name in ("Call", "Constant", "Tuple", "Let", "Var")),
    *(f"relay.frontend.common.{name}" for name in ("infer_shape", "infer_type", "shape_of")),
    *(f"relay.dataflow_pattern.{name}" for name in ("is_expr", "is_tuple", "match", "rewrite", "has_attr")),
    *(f"relaylogic.{name}" for name in ("nd.array", "ir.make_node", "ir.Op.get")),
    "relay.parse_expr",
    "relay.op.get",
    "relay.op.register_pattern",
    "relay.prelude.Prelude",
    "relay.analysis.well_formed",
    "relay.analysis.list_op_freqs",
    "ir.structural_equal",
    "ir.assert_structural_equal",
]
"""What is called with anything at all."""


PROGRAMS = [
    "'def @main(%x: Tensor[(2, 3), float32], %y) { add(%x, nn.relu(%y)) }'",
    "'def @main(%x: Tensor[(2, 3), float32]) { let %a = nn.dense(%x, %x); add(%a, ones(shape=[3], dtype=\"int8\")) }'",
    "'def @main(%x, %y) { (concatenate((%x, %y), axis=0), %x) }'",
    "'def @main(%x: Tensor[(n, _), _], %y: _) { reshape(%x, newshape=_) }'",
    "'type L[a] { C(a, L[a]), N }\\ndef @main(%l) { match (%l) { C(%h, %t) => add(%h, 1f), N => 2 } }'",
    "'def @f(%x) { @main(%x) }\\ndef @main(%x: int32) -> bool { @f(%x) }'",
    "'def @main(%x: (int8, int8)) { %x.2 }'",
    "'def @main() { '",
]
QUERIES = [
    "add(A, B) = Tensor[(2, 3), float32]",
    "Broadcast(A, B, C), A = Tensor[(n, 2), t]",
    "reshape(Tensor[(2, 2), int8], newshape=N) = B",
    "append(s, o, (1, 2))",
    "n * m = 6, n < m",
    "transpose(T, axes=A) = T",
]
NAMES = ["''", "'a b'", "'let'", "'x.y'", "'nan'", "'inff32'", "'int8'", "'a\"b'", "'a'", "'é'"]
WHERE = ["'%x'", "'%x.shape[0]'", "'prod(%x) = 2'", "'@main'", "'elements(%x)'", "'%x, %y'", "'%nope'", "'('"]


class Script:
    """Lines that build expressions `e0`, `e1`, ... and modules `m0`, ... and ask about them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.lines: list[str] = []
        self.count = 0
        self.wild = random.choice([0.0, 0.03, 0.25])
        self.variables = [self.bound("e", self.variable()) for _ in range(random.randint(1, 3))]
        self.exprs = list(self.variables)
        self.modules: list[str] = []

    def value(self) -> str:
        return self.random.choice([*SCALARS, "1", "0", "(1, 0)", "[-1]", "2"])

    def expr(self) -> str:
        if self.random.random() < self.wild:
            return self.random.choice(
                [self.value(), *TYPES, "m0", "e99", "relay.op.get('add')", "relay.GlobalVar('main')"]
            )
        return self.random.choice([*self.exprs, *self.exprs[-2:]])

    def bound(self, prefix: str, text: str) -> str:
        name = f"{prefix}{self.count}"
        self.count += 1
        self.lines.append(f"{name} = {text}")
        return name

    def variable(self) -> str:
        name = self.random.choice(["'x'", "'y'", "'x'", "''", "'a b'"])
        kind = self.random.randrange(6)
        if kind <= 3:
            shape, dtype = self.random.choice(SHAPES), self.random.choice(DTYPES[:1] * 3 + DTYPES)
            return f"relay.var({name}, shape={shape}, dtype={dtype})"
        if kind == 4:
            return f"relay.var({name}, {self.random.choice(TYPES)})"
        return f"relay.var({name})" if self.random.random() < 0.8 else f"relay.var({name}, dtype={self.value()})"

    def build(self) -> None:
        """A line that makes an expression."""
        e, v, pick = self.expr, self.value, self.random.choice
        texts = [
            f"relay.{pick(UNARY)}({e()})",
            f"relay.{pick(UNARY)}({e()})",
            f"relay.{pick(BINARY)}({e()}, {e()})",
            f"relay.{pick(BINARY)}({e()}, {e()})",
            f"{e()} + {e()}",
            f"{e()} * {v()}",
            f"relay.Tuple([{e()}, {e()}])",
            f"relay.TupleGetItem({e()}, {pick(['0', '1', v()])})",
            f"relay.If({e()}, {e()}, {e()})",
            f"relay.Let({pick(self.variables)}, {e()}, {e()})",
            f"relay.Let(relay.var('t'), {e()}, {e()})",
            f"relay.Function([{', '.join(self.variables)}], {e()})",
            f"relay.Function([{e()}], {e()})",
            f"relay.Call({e()}, [{e()}])",
            f"relay.RefCreate({e()})",
            f"relay.RefRead({e()})",
            f"relay.RefWrite({e()}, {e()})",
            f"relay.const({v()})",
            f"relay.const({pick(['1', '2.0'])}, {pick(DTYPES)})",
            f"relay.bind({e()}, {{{pick(self.variables)}: {e()}}})",
            f"{e()}({e()})",
            f"{e()}[{v()}]",
            f"-{e()}",
            f"{e()}.astype({pick([*DTYPES, v()])})",
            f"relay.Match({e()}, [relay.Clause(relay.PatternWildcard(), {e()})])",
            f"relay.Match({e()}, [relay.Clause(relay.PatternTuple([relay.PatternVar({e()})]), {e()})])",
            f"relay.Call(relay.op.get({pick(['add', 'nn.relu', 'nope'])!r}), [{e()}], {{'axis': {v()}}})",
            f"relay.Call(ir.Op({pick(NAMES)}), [{e()}], {{{pick(NAMES)}: 1}})",
            f"(lambda a: relay.Function([relay.var('z', a)], {e()}, None, [a]))(relay.TypeVar({pick(NAMES)}))",
        ]
        if self.random.random() < 0.35:
            texts = [f"relay.{_HOLE.sub(lambda hole: e() if hole.group() == '{e}' else v(), pick(WITH))}"]
        self.exprs.append(self.bound("e", pick(texts)))

    def ask(self) -> None:
        """A line that asks something."""
        e, v, pick = self.expr, self.value, self.random.choice
        if not self.modules or self.random.random() < 0.4:
            function = f"relay.Function([{', '.join(self.variables)}], {e()})"
            self.modules.append(self.bound("m", f"relaylogic.IRModule.from_expr({pick([function, function, e()])})"))
        m = pick(self.modules)
        types = ", ".join(pick([*TEXT_TYPES, *TYPES]) for _ in range(self.random.randint(1, 3)))
        operator = pick(["add", "nn.relu", "nn.dense", "reshape", "concatenate", "nope", "nn.conv2d", "split"])
        attrs = pick(["None", "{}", f"{{'axis': {v()}}}", f"{{'newshape': {v()}}}", f"{{'units': {v()}}}"])
        texts = [
            f"relaylogic.infer({m})",
            f"relaylogic.infer({m})",
            f"relaylogic.infer({m}, closed=True)",
            f"relay.transform.InferType()({m})",
            f"relay.transform.InferTypeLocal({e()})",
            f"relaylogic.infer_call({operator!r}, [{types}], {attrs})",
            f"relaylogic.infer_call({pick([*NAMES, repr(operator)])}, [{types}], {attrs})",
            f"relaylogic.infer(relaylogic.IRModule({{relay.GlobalVar({pick(NAMES)}): relay.Function([], one)}}))",
            f"list(relaylogic.typings({m}, limit=2, steps=500, max_rank=1, max_dim=2))",
            f"relay.analysis.{pick(ANALYSES)}({e()})",
            f"relay.analysis.{pick(ANALYSES)}({m})",
            f"{m}.astext()",
            f"str({e()})",
            f"repr({e()})",
            f"{e()}.checked_type",
            f"relaylogic.parse(str({m}))",
            f"relaylogic.transform.Sequential([relay.transform.InferType()])({m})",
            f"{m}['main']",
            f"{m}[{v()}]",
            f"relaylogic.ir.structural_equal({e()}, {e()})",
            f"relaylogic.ir.structural_hash({e()})",
            f"{m}.update({pick(self.modules)})",
            f"{m}.import_from_std({pick(['prelude.rly', v()])!r})",
            f"relaylogic.infer({v()})",
            f"relaylogic.query({v()})",
            f"list(relaylogic.query('Broadcast(A, B, C)', limit=2, max_rank={v()}, dtypes={v()}))",
            f"relaylogic.run(2, {pick(['unknown', v()])}, rules.Flatten(unknown, {pick(TYPES)}))",
            f"pickle.loads(pickle.dumps({pick([m, e()])}))",
            f"copy.deepcopy({pick([m, e()])})",
        ]
        self.bound("r", pick(texts))

    def question(self) -> None:
        """A line that asks a result, or for typings, as its documents say, or nearly so."""
        e, v, pick = self.expr, self.value, self.random.choice
        m = pick([*self.modules, *self.modules, pick(PROGRAMS), pick(PROGRAMS)]) if self.modules else pick(PROGRAMS)
        result = f"relaylogic.infer({m})"
        bounds = f"max_rank={pick(['1', '2'])}, max_dim=2, dtypes=['float32'], steps=500, limit={pick(['2', v()])}"
        part = pick(["'shape[1]'", "'dtype'", "''", "'.0.shape'", "'result'", "'rank'", v()])
        texts = [
            f"[c.to_dict() for c in itertools.islice({result}.conflicts(), 3)]",
            f"[c.to_dict() for c in itertools.islice({result}.corrections(), 3)]",
            f"[step.to_dict() for step in {result}.trace]",
            f"len({result}.derivations().nodes)",
            f"{result}.why({e()}, {part}).to_dict()",
            f"(lambda r: r.whole().why(r.module['main'].body, {part}).to_dict())({result})",
            f"pickle.loads(pickle.dumps({result})).to_json()",
            f"{result}.to_dict(None, {pick(['0', '3', v()])})",
            f"list(map(str, relaylogic.typings({m}, {bounds})))",
            f"list(map(str, relaylogic.typings({m}, {bounds}, sample={pick(['1', '2', v()])}, seed={v()})))",
            f"list(map(str, relaylogic.typings({m}, {bounds}, minimize={pick(WHERE)})))",
            f"list(map(str, relaylogic.typings({m}, {bounds}, where={pick([*WHERE, v()])})))",
            f"list(map(str, relaylogic.typings({m}, {bounds}, project={pick([*WHERE, v()])})))",
            f"list(map(str, relaylogic.query({pick(QUERIES)!r}, {bounds})))",
            f"[a.to_dict() for a in relaylogic.query({pick(QUERIES)!r}, {bounds})]",
            f"[a.explain() for a in relaylogic.query({pick(QUERIES)!r}, {bounds})]",
            f"within(lambda: {result}, {pick(['time', 'steps', 'memory', 'output'])}={v()})",
            f"{result}._repr_mimebundle_()",
            f"relaylogic.parse({m}).astext(annotate=lambda e: {v()})",
            f"relaylogic.ir.structural_equal(relaylogic.parse({m}), {pick(PROGRAMS)})",
        ]
        self.bound("r", pick(texts))

    def misuse(self) -> None:
        """A line that gives something anything."""
        given = [
            self.random.choice([*SCALARS, *TYPES, *self.exprs, *self.exprs, "deep", "cyclic", "weird"])
            for _ in range(self.random.choice([1, 1, 2, 2, 3, 4]))
        ]
        self.bound("u", f"{self.random.choice(TARGETS)}({', '.join(given)})")


def made(random: Random) -> str:
    """A script of a dozen lines."""
    script = Script(random)
    for _ in range(random.randint(2, 8)):
        script.build()
    for _ in range(random.randint(1, 4)):
        script.ask()
    for _ in range(random.choice([0, 0, 1, 2])):
        script.question()
    if random.random() < 0.4:
        script.misuse()
    return "\n".join(script.lines) + "\n"


def raised_on_purpose(problem: BaseException) -> bool:
    """Whether an error is documented, or is raised by a `raise` of the library, or by Python in the case's own line."""
    if isinstance(problem, RelayLogicError):
        return True
    frame = traceback.extract_tb(problem.__traceback__)[-1]
    if frame.filename == LINE or isinstance(problem, IndexError):
        return True  # a name that an earlier line did not make, too few arguments; a place beyond the end
    if frame.filename.endswith("callable_package.py"):
        return True  # `infer` with too many arguments
    if frame.name == "__getitem__" and isinstance(problem, TypeError):
        return True  # a tuple that is indexed with something else
    return isinstance(problem, ALLOWED) and linecache.getline(frame.filename, frame.lineno or 0).strip().startswith(
        "raise"
    )


class Weird:
    """Something of which nothing can be asked."""

    def __eq__(self, other: object) -> bool:
        raise ValueError

    def __hash__(self) -> int:
        raise ValueError

    def __repr__(self) -> str:
        raise ValueError

    def __bool__(self) -> bool:
        raise ValueError


def nested(depth: int) -> tuple[Any, ...]:
    """Tuples within tuples."""
    made: tuple[Any, ...] = ()
    for _ in range(depth):
        made = (made,)
    return made


def cycle() -> list[Any]:
    """A list that holds itself, twice."""
    made: list[Any] = []
    made += [made, made]
    return made


def within(work: Callable[[], Any], **given: Any) -> Any:
    """What `work` gives within limits."""
    with relaylogic.limits(**given):
        return work()


def executed(case: Case) -> tuple[dict[str, Any], list[str]]:
    """What the names of a case stand for, and a word for each line. Raises what is not documented."""
    import copy
    import itertools
    import pickle

    from unification import var

    import relaylogic.rules

    assert isinstance(case, str)
    names: dict[str, Any] = {
        "relaylogic": relaylogic,
        "relay": relay,
        "ir": ir,
        "pickle": pickle,
        "copy": copy,
        "itertools": itertools,
        "within": within,
        "unknown": var(),
        "one": relay.const(1),
        "deep": nested(3000),
        "cyclic": cycle(),
        "weird": Weird(),
        "rules": relaylogic.rules,
    }
    said = []
    lines = case.splitlines()
    for line in lines:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", SyntaxWarning)
                code = compile(line, LINE, "exec")
        except SyntaxError:  # of a case that is being made smaller
            said.append("no line")
            continue
        try:
            exec(code, names)
        except Exception as problem:
            if not raised_on_purpose(problem):
                raise
            said.append(f"raised {type(problem).__name__}")
        else:
            found = names.get(line.partition(" = ")[0])
            said.append(found.verdict if isinstance(found, Result) else type(found).__name__)
    return names, said


def check(case: Case, thorough: bool) -> str:
    """Demand all invariants of what a script makes."""
    names, said = executed(case)
    for name, found in names.items():
        if not name[1:].isdigit():
            continue
        if isinstance(found, Result):
            check_errors_agree(found)
            if has_text(found.module) and not any(map(ir.free_vars, found.module.functions.values())):
                check_renders(found, thorough)
        elif isinstance(found, IRModule) and relay.analysis.well_formed(found):
            if name.startswith("m") and has_text(found) and not any(map(ir.free_vars, found.functions.values())):
                inferred(found, thorough)
        elif isinstance(found, Expr):
            check_expression(found)
        elif isinstance(found, Answers):
            demand(isinstance(found.status, str), "endings are documented")
    raised = sum(word.startswith("raised") for word in said)
    verdicts = [word for word in said if word in ("typed", "refuted", "incomplete", "unknown")]
    return verdicts[0] if verdicts else "half raised" if 2 * raised > len(said) else "no verdict"


def check_expression(expr: Expr) -> None:
    """An expression that is well-formed has text, which means the same, and equals itself."""
    if not relay.analysis.well_formed(expr):
        return
    demand(structural_equal(expr, expr), "an expression equals itself")
    demand(not has_text(expr) or bool(repr(expr)), "expressions render")


def has_text(item: Any) -> bool:
    """Whether text can say it: attributes and constants may hold what it cannot, which is a documented ValueError."""
    try:
        return bool(str(item))
    except ValueError as problem:
        demand("cannot be written" in str(problem), "errors have a text", problem)
        return False


def summary(case: Case) -> str:
    """What came of each line."""
    try:
        return json.dumps(executed(case)[1])
    except Exception as problem:  # found by `check`
        return type(problem).__name__


API = Kind("api", ".py", made, check, summary, shorter_texts)
