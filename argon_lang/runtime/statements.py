"""The statements of a mutation, run one after the other on the working state (language §3.11, semantics S1.4, S7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from argon_lang.engine.display import display
from argon_lang.engine.exact import add, subtract
from argon_lang.engine.order import sort_key
from argon_lang.ir.expr import Expr
from argon_lang.ir.module import Field, Mutation
from argon_lang.ir.names import asserted
from argon_lang.ir.statements import (
    Assert,
    AssertDerivable,
    Branch,
    CallMutation,
    DeleteMembership,
    DeleteTuple,
    Emit,
    Forget,
    InsertElement,
    InsertEntity,
    InsertMembership,
    InsertTuple,
    Let,
    Loop,
    Refute,
    Require,
    Return,
    Statement,
    Update,
)
from argon_lang.ir.values import Entity, Row, TupleValue, Value
from argon_lang.problems import args
from argon_lang.runtime.base import instant_of
from argon_lang.runtime.forgetting import forget
from argon_lang.runtime.reading import field_subject
from argon_lang.runtime.schema import field_owner
from argon_lang.runtime.work import GateRefusal, Work

Env = dict[str, Value]
Given = Sequence[tuple[str, Expr]]
Span = tuple[datetime | None, datetime | None]
"""Valid time as written: `at` (None: now) and `until` (None: for ever)."""
ALWAYS: Span = (None, None)


class _Returned(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


def call(work: Work, mutation: Mutation, values: Sequence[Value]) -> Value:
    """Run a mutation's body with its arguments; its returned value, None without one. Raises GateRefusal."""
    env: Env = {param.name: value for param, value in zip(mutation.params, values, strict=True)}
    try:
        run(work, mutation.body, env, mutation.path)
    except _Returned as returned:
        return returned.value
    return None


def run(work: Work, statements: Iterable[Statement], env: Env, name: str) -> None:
    """Run statements in order; `env` gains their bindings. `name` is whose they are, for messages."""
    for statement in statements:
        _RUN[type(statement)](work, statement, env, name)


def _value(work: Work, expr: Expr, env: Env) -> Value:
    return work.reading.value(expr, env)


def _when(work: Work, expr: Expr | None, env: Env) -> datetime | None:
    return None if expr is None else instant_of(_value(work, expr, env))


def _require(work: Work, statement: Require, env: Env, name: str) -> None:
    if _value(work, statement.condition, env) is not True:
        raise GateRefusal("OE0731", args(name=name.rsplit("::", 1)[-1], expected=statement.text))


def _let(work: Work, statement: Let, env: Env, _name: str) -> None:
    env[statement.name] = _value(work, statement.value, env)


def _return(work: Work, statement: Return, env: Env, _name: str) -> None:
    raise _Returned(_value(work, statement.value, env))


def _branch(work: Work, statement: Branch, env: Env, name: str) -> None:
    chosen = statement.then if _value(work, statement.condition, env) is True else statement.otherwise
    run(work, chosen, dict(env), name)


def _loop(work: Work, statement: Loop, env: Env, name: str) -> None:
    """The elements are those of before the first round."""
    items = _value(work, statement.source, env)
    for item in sorted(items, key=sort_key) if isinstance(items, frozenset) else _listed(items):
        work.governor.check()
        run(work, statement.body, {**env, statement.name: item}, name)


def _listed(items: Value) -> tuple[Value, ...]:
    return items if isinstance(items, tuple) else ()


def _emit(work: Work, statement: Emit, env: Env, _name: str) -> None:
    work.emitted.append((statement.name, _value(work, statement.value, env)))


def _call(work: Work, statement: CallMutation, env: Env, _name: str) -> None:
    mutation = work.served.schema.mutations[statement.path]
    result = call(work, mutation, [_value(work, arg, env) for arg in statement.args])
    if statement.bind is not None:
        env[statement.bind] = result


def _insert_entity(work: Work, statement: InsertEntity, env: Env, _name: str) -> None:
    given = _given(work, statement.fields, env)
    entity = work.mint(statement.concept)
    work.assert_row(asserted(statement.concept), (entity,))
    _construct(work, statement.concept, entity, given, ALWAYS)
    if statement.bind is not None:
        env[statement.bind] = entity


def _insert_membership(work: Work, statement: InsertMembership, env: Env, _name: str) -> None:
    entity = _value(work, statement.entity, env)
    given = _given(work, statement.fields, env)
    span = _span(work, statement.at, statement.until, env)
    work.assert_row(asserted(statement.concept), (entity,), *span)
    _construct(work, statement.concept, entity, given, span)
    if statement.bind is not None:
        env[statement.bind] = entity


def _insert_tuple(work: Work, statement: InsertTuple, env: Env, _name: str) -> None:
    ends = tuple(_value(work, end, env) for end in statement.ends)
    given = _given(work, statement.fields, env)
    span = _span(work, statement.at, statement.until, env)
    subject = TupleValue(work.served.schema.tuple_root(statement.relation), ends)
    work.assert_row(asserted(statement.relation), ends, *span)
    _construct(work, statement.relation, subject, given, span)
    if statement.bind is not None:
        env[statement.bind] = subject


def _span(work: Work, at: Expr | None, until: Expr | None, env: Env) -> Span:
    return _when(work, at, env), _when(work, until, env)


def _given(work: Work, fields: Given, env: Env) -> dict[str, Value]:
    return {key: _value(work, expr, env) for key, expr in fields}


def _construct(work: Work, owner: str, subject: Value, given: Mapping[str, Value], span: Span) -> None:
    """Store the given fields, and the defaults of others that have no value; a required one must have one (OE0669)."""
    work.constructed[owner, subject] = None
    missing = []
    for field in work.served.schema.fields_of(owner).values():
        target = field_subject(field.key, subject)
        held = work.base_at(span[0]).about(field.key, target)
        if field.key in given:
            _supply(work, field, target, given[field.key], span)
        elif held:
            _store(work, field, target, [row[1] for row in held], span)
        elif field.default is not None:
            _store(work, field, target, _elements(field, _value(work, field.default, {})), span)
        elif field.required:
            missing.append(f"`{field.name}`")
    if missing:
        raise GateRefusal("OE0669", args(of=owner.rsplit("::", 1)[-1], name=", ".join(missing)))


def _supply(work: Work, field: Field, subject: Value, value: Value, span: Span) -> None:
    """A field's given value. What has one already keeps it, or is updated when it is `mut` (else OE0231)."""
    wanted = _elements(field, value)
    held = [row[1] for row in work.base_at(span[0]).about(field.key, subject)]
    if held and set(held) != set(wanted):
        if not field.mutable:
            raise GateRefusal("OE0231", args(of=field_owner(field.key).rsplit("::", 1)[-1], name=field.name))
        _close_others(work, field, subject, wanted, span[0])
    _store(work, field, subject, wanted, span)


def _store(work: Work, field: Field, subject: Value, elements: Sequence[Value], span: Span) -> None:
    """Assert values over a span; a plain field's only until its next value begins: an insert rewrites no history."""
    at, until = span
    for element in elements:
        row = (subject, element)
        following = None if field.many else work.next_value(field.key, row, at)
        ends = [end for end in (until, following) if end is not None]
        work.assert_row(field.key, row, at, min(ends, default=None))


def _elements(field: Field, value: Value) -> tuple[Value, ...]:
    """The stored values of a field: each element of a many field, nothing for an absent optional."""
    if value is None:
        return ()
    if field.many:
        return tuple(dict.fromkeys(value)) if isinstance(value, tuple | frozenset) else (value,)
    return (value,)


def _insert_element(work: Work, statement: InsertElement, env: Env, _name: str) -> None:
    subject = field_subject(statement.key, _value(work, statement.entity, env))
    work.assert_row(statement.key, (subject, _value(work, statement.element, env)))


Setting = tuple[Field, Value, tuple[Value, ...]]
"""A field, its subject, and the values that it shall have."""


def _update(work: Work, statement: Update, env: Env, _name: str) -> None:
    """All new values are taken from the state before the statement, so `set { a = b, b = a }` swaps."""
    changes = list[Setting]()
    at = _when(work, statement.at, env)
    for target in _targets(work, statement, env):
        inner = {**env, statement.name: target}
        if statement.where is None or _value(work, statement.where, inner) is True:
            changes += _settings(work, statement, target, inner, at)
    for field, subject, wanted in changes:
        _close_others(work, field, subject, wanted, at)
        for element in wanted:
            work.assert_row(field.key, (subject, element), at)


def _settings(work: Work, statement: Update, target: Value, env: Env, at: datetime | None) -> Iterator[Setting]:
    for key, operator, expr in statement.sets:
        field = work.served.schema.fields[key]
        subject = field_subject(key, target)
        yield field, subject, _elements(field, _updated(work, field, subject, operator, expr, env, at))


def _targets(work: Work, statement: Update, env: Env) -> Sequence[Value]:
    """The bound target, else every instance at the time of the statement."""
    if statement.target is not None:
        return [_value(work, statement.target, env)]
    rows = work.reading.model.rows(statement.concept)
    if statement.concept in work.served.schema.relations:
        root = work.served.schema.tuple_root(statement.concept)
        return [TupleValue(root, row) for row in rows]
    return [row[0] for row in rows]


_OPERATORS: dict[str, Callable[[Any, Any], Value]] = {"+=": add, "-=": subtract}


def _updated(
    work: Work, field: Field, subject: Value, operator: str, expr: Expr, env: Env, at: datetime | None
) -> Value:
    """A field's new value; `+=` and `-=` start from the one that holds at the instant of the update, or its default."""
    value = _value(work, expr, env)
    if operator == "=":
        return value
    current = [row[1] for row in work.base_at(at).about(field.key, subject)]
    if not current and field.default is not None:
        current = list(_elements(field, _value(work, field.default, {})))
    if field.many:
        named = _elements(field, value)
        rest = [each for each in current if each not in named]
        return (*rest, *named) if operator == "+=" else tuple(rest)
    if not current:
        raise GateRefusal("OE0669", args(of=display(subject), name=f"`{field.name}`"))
    return _OPERATORS[operator](current[0], value)


def _close_others(work: Work, field: Field, subject: Value, kept: Sequence[Value], at: datetime | None) -> None:
    """End what does not stay, what begins later too: from the instant on the new values hold (S1.4)."""
    stays = dict.fromkeys(kept)
    current = work.from_now_on(field.key, subject, at)
    work.close_rows(field.key, [row for row in current if row[1] not in stays], at)


def _delete_tuple(work: Work, statement: DeleteTuple, env: Env, _name: str) -> None:
    """A tuple of a sub-relation is the parent's tuple: whichever of them is deleted, those below it are closed too."""
    at = _when(work, statement.at, env)
    pattern = tuple(None if end is None else (_value(work, end, env),) for end in statement.ends)
    schema, closed = work.served.schema, dict[Row, list[str]]()
    for relation in schema.descendants(statement.relation):
        rows = [row for row in work.rows_at(asserted(relation), at) if _matches(row, pattern)]
        work.close_rows(asserted(relation), rows, at)
        for row in rows:
            closed.setdefault(row, []).append(relation)
    for row, relations in closed.items():
        _drop_tuple(work, TupleValue(schema.tuple_root(statement.relation), row), relations, at)


def _refute(work: Work, statement: Refute, env: Env, _name: str) -> None:
    """A row is refuted whether or not it holds; with a `_`, all rows that hold and match are."""
    at = _when(work, statement.at, env)
    bound = {i: _value(work, arg, env) for i, arg in enumerate(statement.args) if arg is not None}
    if len(bound) == len(statement.args):
        work.refute_rows(statement.key, [tuple(bound.values())], at)
    else:
        work.refute_rows(statement.key, work.reading_at(at or work.instant).model.lookup(statement.key, bound), at)


def _forget(work: Work, statement: Forget, env: Env, _name: str) -> None:
    forget(work, statement.path, tuple(None if arg is None else (_value(work, arg, env),) for arg in statement.args))


def _drop_tuple(work: Work, subject: TupleValue, closed: Sequence[str], at: datetime | None) -> None:
    """Close the fields that no remaining assertion of the tuple declares."""
    base, schema = work.base_at(at), work.served.schema
    left = [path for path in schema.relations if base.holds(asserted(path), subject.ends)]
    remaining = [path for path in left if schema.tuple_root(path) == subject.relation]
    _drop_fields(work, subject, closed, remaining, at)
    for relation in closed:
        work.dropped[relation, subject] = None


def _matches(row: Row, pattern: Sequence[tuple[Value] | None]) -> bool:
    return all(want is None or value == want[0] for value, want in zip(row, pattern, strict=True))


def _delete_membership(work: Work, statement: DeleteMembership, env: Env, _name: str) -> None:
    at = _when(work, statement.at, env)
    below = work.served.schema.descendants(statement.concept)
    for entity in _members(work, statement, env, at):
        closed = [concept for concept in work.memberships(entity, at) if concept in below]
        for concept in closed:
            work.close_rows(asserted(concept), [(entity,)], at)
            work.dropped[concept, entity] = None
        ended = [*closed, *(path for path in work.served.schema.derived if _is_below(work, path, closed))]
        _drop_fields(work, entity, ended, tuple(work.memberships(entity, at)), at)


def _is_below(work: Work, path: str, closed: Iterable[str]) -> bool:
    """Does an `iff` type end with a membership that it rests on?"""
    return any(path in work.served.schema.descendants(each) for each in closed)


def _members(work: Work, statement: DeleteMembership, env: Env, at: datetime | None) -> list[Entity]:
    if statement.entity is not None:
        entity = _value(work, statement.entity, env)
        return [entity] if isinstance(entity, Entity) else []
    below = work.served.schema.descendants(statement.concept)
    rows = dict.fromkeys(row for concept in below for row in work.rows_at(asserted(concept), at))
    return [row[0] for row in rows if isinstance(row[0], Entity)]


def _drop_fields(
    work: Work, subject: Value, closed: Iterable[str], remaining: Iterable[str], at: datetime | None
) -> None:
    """Close the fields that what was closed declares and nothing that remains does."""
    schema = work.served.schema
    kept = {field.key for path in remaining for field in schema.fields_of(path).values()}
    for key in {field.key: None for path in closed for field in schema.fields_of(path).values()}:
        if key not in kept:
            work.close_rows(key, work.from_now_on(key, field_subject(key, subject), at), at)


def _judge(work: Work, statement: Assert | AssertDerivable, env: Env, _name: str) -> None:
    if work.judge is not None:
        work.judge(statement, env)


_RUN: dict[type[Statement], Callable[[Work, Any, Env, str], None]] = {
    Require: _require,
    Let: _let,
    Return: _return,
    Assert: _judge,
    AssertDerivable: _judge,
    Branch: _branch,
    Loop: _loop,
    Emit: _emit,
    CallMutation: _call,
    InsertEntity: _insert_entity,
    InsertMembership: _insert_membership,
    InsertTuple: _insert_tuple,
    InsertElement: _insert_element,
    Update: _update,
    DeleteTuple: _delete_tuple,
    DeleteMembership: _delete_membership,
    Refute: _refute,
    Forget: _forget,
}
