"""Expressions compiled to Python: one flat function per expression, no interpretation at run time.

An expression becomes three-address code (each step assigns one temporary), so that neither long chains nor deep nesting
meet a limit of Python's parser. Constants, intrinsics and declared functions reach the code as globals under made-up
names; nothing an author wrote becomes source text.

The generated function is called as `run(context, depth, *params)`; `depth` counts the declared functions that are open
(limit `fnDepth`). It is pure but for `context`: the clock, the governor and, in state contexts, the `State`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from types import CodeType
from typing import Any, Protocol

from argon_lang.engine import exact
from argon_lang.engine.aggregates import folding
from argon_lang.engine.builtins import BUILTINS
from argon_lang.engine.display import display
from argon_lang.engine.governor import Governor
from argon_lang.engine.operations import (
    OPERATIONS,
    comprehended,
    format_text,
    is_case,
    make_enum,
    make_struct,
    make_tuple,
    payload_of,
)
from argon_lang.engine.order import sort_key
from argon_lang.engine.walk import ends_early, expressions, free_locals, nesting, subexpressions
from argon_lang.errors import ArgonError
from argon_lang.ir import expr as e
from argon_lang.ir.module import Function
from argon_lang.ir.names import AGGREGATE
from argon_lang.ir.rules import Literal, Rule
from argon_lang.ir.values import Value
from argon_lang.problems import args
from argon_lang.program.types import Type

Run = Callable[..., Value]
Waiting = list[tuple[dict[str, Any], dict[str, str]]]
"""Namespaces of compiled code, each with the names that the declared functions it calls shall have in it."""


class State(Protocol):
    """What an expression in a state context may read."""

    def field(self, key: str, entity: Value) -> tuple[Value, ...]:
        """The values of a field of one individual or relation tuple, in value order; empty when absent."""

    def holds(self, key: str, arguments: tuple[Value, ...]) -> bool:
        """Is there a row with these columns? None stands for any value."""

    def query(self, path: str, arguments: tuple[Value, ...]) -> Value:
        """The answer of a declared query: a tuple of rows, one row, or None, by its result type."""

    def solutions(self, rule: Rule, arguments: tuple[Value, ...]) -> Sequence[tuple[Value, ...]]:
        """The distinct head rows of a rule whose inputs have these values."""


class Context:
    """One evaluation: its clock (an aware instant), its governor, and the state that it may read, if any."""

    __slots__ = ("_steps", "clock", "depth_seen", "governor", "state")

    def __init__(self, clock: datetime, governor: Governor, state: State | None = None) -> None:
        """Fix the instant; `state` None makes every state read a refusal."""
        self.clock = clock.astimezone(UTC)
        self.governor = governor
        self.state = state
        self.depth_seen = min(_SHALLOW, governor.limits.fn_depth)
        self._steps = 0

    def enter(self, depth: int) -> None:
        """A declared function is called at `depth`: ask the governor, and make room for deep recursion."""
        self._steps -= 1
        if self._steps < 0:
            self._steps = self.governor.tick()
        if depth > self.depth_seen:
            limit = self.governor.limits.fn_depth
            self.governor.over("fnDepth", "nested function calls", depth, limit)
            self.depth_seen = limit
            make_room(limit * _FRAMES_PER_CALL)

    def field(self, key: str, base: Value, optional: bool, many: bool) -> Value:
        """Read a field. Raises `ARGON_RUNTIME_DERIVE_FAILED` when a plain one has no value."""
        values = self._reader().field(key, base) if base is not None else ()
        if many:
            return values
        if values or optional:
            return values[0] if values else None
        name = f"{display(base)}.{key.rsplit('.', 1)[-1]}"
        raise ArgonError("ARGON_RUNTIME_DERIVE_FAILED", args(name=name, found="no value"), details={"key": key})

    def holds(self, key: str, arguments: tuple[Value, ...]) -> Value:
        """Is there such a row?"""
        return self._reader().holds(key, arguments)

    def query(self, path: str, arguments: tuple[Value, ...]) -> Value:
        """Ask a declared query."""
        return self._reader().query(path, arguments)

    def fold(self, op: str, rule: Rule, ty: Type, arguments: tuple[Value, ...]) -> Value:
        """The value of an aggregate. Raises `ARGON_RUNTIME_DERIVE_FAILED` where it has none."""
        rows = self._reader().solutions(rule, arguments)
        found = folding(op, ty)([row[-1] for row in rows])
        if found is None:
            name = op if rule.key == AGGREGATE else rule.key.rsplit("::", 1)[-1]
            count = f"{len({sort_key(row[-1]) for row in rows})} values" if rows else "nothing to range over"
            raise ArgonError("ARGON_RUNTIME_DERIVE_FAILED", args(name=name, found=count))
        return found

    def _reader(self) -> State:
        if self.state is None:
            raise ArgonError("ARGON_RUNTIME_INTERNAL", args(found="a state read without a state"))
        return self.state


class Early(Exception):
    """The value with which a `?` ends the function or closure that it stands in."""

    def __init__(self, value: Value) -> None:
        """Keep the value."""
        super().__init__()
        self.value = value


_SHALLOW = 100
_FRAMES_PER_CALL = 3
_FRAMES_PER_LEVEL = 10
_FRAMES_BESIDE = 2_000


def make_room(frames: int) -> None:
    """Let Python nest so many more calls. Between Python functions they take no C stack: only memory bounds them."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), frames + _FRAMES_BESIDE))


@lru_cache(maxsize=8_192)
def code_of(source: str) -> CodeType:
    """Compiled Python of generated source; equal sources (rules of one shape, a reloaded module) compile once."""
    return compile(source, "<rule>", "exec")


_DEEPEST_INDENT = 60


class _Emitter:
    """Writes the body of one generated function. `names` maps the author's locals to Python names."""

    def __init__(self, functions: Functions, params: Iterable[str], waiting: Waiting) -> None:
        self.functions = functions
        self.waiting = waiting
        self.globals: dict[str, Any] = {}
        self.calls: dict[str, str] = {}
        self.names = {name: f"p{i}" for i, name in enumerate(params)}
        self.arity = len(self.names)
        self.lines: list[str] = []
        self.may_end = False
        self._temporaries = 0
        self._indent = 1

    def line(self, text: str) -> None:
        self.lines.append(" " * self._indent + text)

    def constant(self, value: Any) -> str:
        name = f"c{len(self.globals)}"
        self.globals[name] = value
        return name

    def temporary(self, text: str) -> str:
        self._temporaries += 1
        name = f"t{self._temporaries}"
        self.line(f"{name} = {text}")
        return name

    def apply(self, function: Any, operands: Iterable[str]) -> str:
        return self.temporary(f"{self.constant(function)}({', '.join(operands)})")

    def emit(self, expr: e.Expr) -> str:
        """Write the code of `expr`; the name that holds its value."""
        if self._indent > _DEEPEST_INDENT:
            return self._outline(expr)
        outer = self.names
        while isinstance(expr, e.LetIn):
            value = self.emit(expr.value)
            self.names = {**self.names, expr.name: value}
            expr = expr.body
        result = self._plain(expr)
        self.names = outer
        return result

    def _plain(self, expr: e.Expr) -> str:
        match expr:
            case e.Lit(value):
                return self.constant(value)
            case e.Local(name):
                return self.names[name]
            case e.Unary(op, operand, _):
                value = self.emit(operand)
                return self.temporary(f"not {value}") if op == "!" else self.apply(exact.negate, [value])
            case e.Binary(op, _, _, _):
                return self._logical(expr) if op in ("&&", "||") else self._chain(expr)
            case e.If():
                return self._conditional(expr)
            case e.CallFn(path, arguments):
                callee = self.calls.setdefault(path, f"f{len(self.calls)}")
                return self.temporary(f"{callee}(S, D + 1{self._listed(arguments)})")
            case e.Builtin(name, arguments, _):
                return self.temporary(f"{self.constant(BUILTINS[name].call)}(S{self._listed(arguments)})")
            case _:
                return self._data(expr)

    def _listed(self, arguments: Iterable[e.Expr]) -> str:
        return "".join(f", {self.emit(argument)}" for argument in arguments)

    def _chain(self, expr: e.Binary) -> str:
        """A left-leaning chain `a + b + c …` without recursion along its spine."""
        spine: list[e.Binary] = []
        current: e.Expr = expr
        while isinstance(current, e.Binary) and current.op not in ("&&", "||"):
            spine.append(current)
            current = current.left
        value = self.emit(current)
        for node in reversed(spine):
            value = self.apply(OPERATIONS[node.op], [value, self.emit(node.right)])
        return value

    def _logical(self, expr: e.Binary) -> str:
        """`a && b && c`: each operand is evaluated only when the ones before leave the answer open."""
        operands: list[e.Expr] = []
        current: e.Expr = expr
        while isinstance(current, e.Binary) and current.op == expr.op:
            operands.append(current.right)
            current = current.left
        result = self.temporary(self.emit(current))
        for operand in reversed(operands):
            self.line(f"if {result}:" if expr.op == "&&" else f"if not {result}:")
            self._branch(operand, result)
        return result

    def _conditional(self, expr: e.If) -> str:
        condition = self.emit(expr.condition)
        result = self.temporary("None")
        self.line(f"if {condition}:")
        self._branch(expr.then, result)
        self.line("else:")
        self._branch(expr.otherwise, result)
        return result

    def _branch(self, expr: e.Expr, target: str) -> None:
        self._indent += 1
        self.line(f"{target} = {self.emit(expr)}")
        self._indent -= 1

    def _outline(self, expr: e.Expr) -> str:
        """A function of its own for an expression that lies too deep for Python's indentation."""
        inner = free_locals(expr)
        listed = "".join(f", {self.names[name]}" for name in inner)
        return self.temporary(f"{self._helper(expr, inner)}(S, D{listed})")

    def _helper(self, expr: e.Expr, params: tuple[str, ...]) -> str:
        """A Python function of a part of this one; a `?` in it ends this one."""
        self.may_end = self.may_end or ends_early(expr)
        return self.constant(self.functions.part(expr, params, False, self.waiting))

    def _data(self, expr: e.Expr) -> str:
        match expr:
            case e.GetMember(base, field):
                return self.temporary(f"{self.emit(base)}.get({self.constant(field)})")
            case e.GetEnd(base, index):
                return self.temporary(f"{self.emit(base)}.ends[{index}]")
            case e.IsCase(base, variant):
                return self.apply(is_case, [self.emit(base), self.constant(variant)])
            case e.GetPayload(base, variant, index, named):
                return self.apply(payload_of, [self.emit(base), self.constant(variant), str(index), str(named)])
            case e.Comprehend():
                return self._comprehension(expr)
            case e.MakeList(items):
                return self.temporary(f"({''.join(f'{self.emit(item)}, ' for item in items)})")
            case e.MakeTuple(relation, ends):
                return self._build(make_tuple, relation, None, ends)
            case e.MakeStruct(path, fields):
                names = tuple(name for name, _ in fields)
                return self._build(make_struct, path, names, [value for _, value in fields])
            case e.MakeEnum(path, variant, payload):
                return self._build(make_enum, path, variant, payload)
            case e.Format(pieces, arguments):
                return self._build(format_text, pieces, None, arguments)
            case e.Closure() | e.Apply() | e.Try():
                return self._function_value(expr)
            case _:
                return self._state_read(expr)

    def _function_value(self, expr: e.Closure | e.Apply | e.Try) -> str:
        match expr:
            case e.Closure(params, body):
                inner = [name for name in free_locals(body) if name not in params]
                helper = self.constant(self.functions.part(body, (*params, *inner), True, self.waiting))
                given = [f"a{index}" for index in range(len(params))]
                listed = "".join(f", {each}" for each in (*given, *(self.names[name] for name in inner)))
                return self.temporary(f"lambda {', '.join(given)}: {helper}(S, D + 1{listed})")
            case e.Apply(callee, arguments):
                called = self.emit(callee)
                return self.temporary(f"{called}({', '.join(map(self.emit, arguments))})")
            case e.Try(base, of):
                value, early = self.emit(base), self.constant(Early)
                self.may_end = True
                if of == "return":
                    self.line(f"raise {early}({value})")
                    return value
                if of == "option":
                    self.line(f"if {value} is None: raise {early}(None)")
                    return value
                self.line(f"if {value}.variant != 'Ok': raise {early}({value})")
                return self.temporary(f"{value}.payload[0]")

    def _comprehension(self, expr: e.Comprehend) -> str:
        source = self.emit(expr.source)
        element = self._per_item(expr.name, expr.element)
        condition = "None" if expr.condition is None else self._per_item(expr.name, expr.condition)
        return self.apply(comprehended, [source, element, condition])

    def _per_item(self, name: str, expr: e.Expr) -> str:
        """A Python function of one item, as an expression in the generated code."""
        inner = [each for each in free_locals(expr) if each != name]
        helper = self._helper(expr, (name, *inner))
        listed = "".join(f", {self.names[each]}" for each in inner)
        return self.temporary(f"lambda item: {helper}(S, D, item{listed})")

    def _build(self, make: Any, first: Any, second: Any, arguments: Iterable[e.Expr]) -> str:
        heads = [self.constant(head) for head in (first, second) if head is not None]
        return self.apply(make, [*heads, *map(self.emit, arguments)])

    def _state_read(self, expr: e.Expr) -> str:
        match expr:
            case e.GetField(base, key, optional, many):
                value = self.emit(base)
                return self.temporary(f"S.field({self.constant(key)}, {value}, {optional}, {many})")
            case e.Holds(key, arguments):
                listed = "".join(f"{'None' if a is None else self.emit(a)}, " for a in arguments)
                return self.temporary(f"S.holds({self.constant(key)}, ({listed}))")
            case e.CallQuery(path, arguments):
                listed = "".join(f"{self.emit(a)}, " for a in arguments)
                return self.temporary(f"S.query({self.constant(path)}, ({listed}))")
            case e.Fold(op, rule, arguments, ty):
                listed = "".join(f"{self.emit(a)}, " for a in arguments)
                heads = ", ".join(map(self.constant, (op, rule, ty)))
                return self.temporary(f"S.fold({heads}, ({listed}))")
            case _:
                raise TypeError(type(expr).__name__)

    def source(self, result: str, is_function: bool) -> str:
        """The whole function. A declared function announces itself to the governor first."""
        params = "".join(f", p{i}" for i in range(self.arity))
        entry = [" S.enter(D)"] if is_function else []
        body = [*self.lines, f" return {result}"]
        if is_function and self.may_end:
            caught = f" except {self.constant(Early)} as early: return early.value"
            body = [" try:", *(f" {line}" for line in body), caught]
        return "\n".join([f"def run(S, D{params}):", *entry, *body, ""])


class Functions:
    """The declared functions of a module, compiled on first use, and the compiler of expressions that call them."""

    def __init__(self, functions: Iterable[Function] = ()) -> None:
        """Know the functions by path; compile none yet."""
        self.declared: Mapping[str, Function] = {function.path: function for function in functions}
        self._compiled: dict[str, Run] = {}

    def compile(self, expr: e.Expr, params: Iterable[str]) -> Run:
        """Python function `run(context, depth, *params)` of an expression over these locals."""
        waiting: Waiting = []
        run = self.part(expr, tuple(params), False, waiting)
        while waiting:
            namespace, calls = waiting.pop()
            for path, name in calls.items():
                if path not in self._compiled:
                    function = self.declared[path]
                    inner = tuple(param.name for param in function.params)
                    self._compiled[path] = self.part(function.body, inner, True, waiting)
                namespace[name] = self._compiled[path]
        return run

    def part(self, expr: e.Expr, params: tuple[str, ...], is_function: bool, waiting: Waiting) -> Run:
        """As `compile`, but for the functions that the expression calls: `waiting` gathers who is to have them.

        The body of a function announces itself to the governor, and a `?` in it ends it.
        """
        depth = nesting(expr)
        if depth > _SHALLOW // 2:
            make_room(depth * _FRAMES_PER_LEVEL)
        emitter = _Emitter(self, params, waiting)
        source = emitter.source(emitter.emit(expr), is_function)
        namespace: dict[str, Any] = dict(emitter.globals)
        exec(code_of(source), namespace)
        waiting.append((namespace, emitter.calls))
        run: Run = namespace["run"]
        return run

    def intrinsics(self, body: tuple[Literal, ...]) -> frozenset[str]:
        """The intrinsics that a rule body may call, through declared functions too."""
        found: set[str] = set()
        pending = list(expressions(body))
        called: set[str] = set()
        while pending:
            for part in subexpressions(pending.pop()):
                if isinstance(part, e.Builtin):
                    found.add(part.name)
                elif isinstance(part, e.CallFn) and part.path not in called:
                    called.add(part.path)
                    pending.append(self.declared[part.path].body)
        return frozenset(found)

    def refused(self, expr: e.Expr) -> str | None:
        """The first construct that a rule body cannot evaluate (it reads the state, or nothing defines it), if any."""
        return next((named for part in subexpressions(expr) if (named := self._refused(part)) is not None), None)

    def _refused(self, expr: e.Expr) -> str | None:
        match expr:
            case e.GetField(_, key, _, _):
                return f"`.{key.rsplit('.', 1)[-1]}`"
            case e.Holds(key, _):
                return f"`{key.rsplit('::', 1)[-1]}`"
            case e.CallQuery(path, _):
                return f"`{path.rsplit('::', 1)[-1]}`"
            case e.Fold(op):
                return f"`{op}`"
            case e.CallFn(path, _):
                function = self.declared.get(path)
                return f"`{path.rsplit('::', 1)[-1]}`" if function is None or function.reads_state else None
            case e.Builtin(name, _, _):
                return None if name in BUILTINS else f"`{name}`"
            case _:
                return None


def evaluate_expression(run: Run, context: Context, *values: Value) -> Value:
    """Call a compiled expression from outside any other one; too deep a recursion becomes an `ArgonError`."""
    try:
        return run(context, 0, *values)
    except RecursionError:
        limit = context.governor.limits.fn_depth
        context.governor.over("fnDepth", "nested function calls", limit + 1, limit)
        raise
