"""The statements of a mutation, run one after the other on the working state (language §3.11, semantics S1.4, S7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time
from typing import Any

from argon_lang.engine.exact import add, subtract
from argon_lang.ir.expr import Expr
from argon_lang.ir.module import (
    CallMutation,
    DeleteMembership,
    DeleteTuple,
    Field,
    InsertElement,
    InsertEntity,
    InsertMembership,
    InsertTuple,
    Let,
    Mutation,
    Require,
    Return,
    Statement,
    Update,
)
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity, Row, TupleValue, Value
from argon_lang.problems import args
from argon_lang.runtime.work import GateRefusal, Work

Env = dict[str, Value]
Given = Sequence[tuple[str, Expr]]


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


def instant_of(value: Value) -> datetime:
    """A date or date-time as an instant: a Date is midnight UTC (S1.3)."""
    if isinstance(value, datetime):
        return value.astimezone(UTC)
    if isinstance(value, date):
        return datetime.combine(value, time(), UTC)
    raise TypeError(f"not an instant: {value!r}")


def _when(work: Work, expr: Expr | None, env: Env) -> datetime | None:
    return None if expr is None else instant_of(_value(work, expr, env))


def _require(work: Work, statement: Require, env: Env, name: str) -> None:
    if _value(work, statement.condition, env) is not True:
        raise GateRefusal("OE0731", args(name=name.rsplit("::", 1)[-1], expected=statement.text))


def _let(work: Work, statement: Let, env: Env, _name: str) -> None:
    env[statement.name] = _value(work, statement.value, env)


def _return(work: Work, statement: Return, env: Env, _name: str) -> None:
    raise _Returned(_value(work, statement.value, env))


def _call(work: Work, statement: CallMutation, env: Env, _name: str) -> None:
    mutation = work.served.schema.mutations[statement.path]
    result = call(work, mutation, [_value(work, arg, env) for arg in statement.args])
    if statement.bind is not None:
        env[statement.bind] = result


def _insert_entity(work: Work, statement: InsertEntity, env: Env, _name: str) -> None:
    given = _given(work, statement.fields, env)
    entity = work.mint(statement.concept)
    work.assert_row(asserted(statement.concept), (entity,))
    _construct(work, statement.concept, entity, given, None, None)
    if statement.bind is not None:
        env[statement.bind] = entity


def _insert_membership(work: Work, statement: InsertMembership, env: Env, _name: str) -> None:
    entity = _value(work, statement.entity, env)
    given = _given(work, statement.fields, env)
    at, until = _when(work, statement.at, env), _when(work, statement.until, env)
    work.assert_row(asserted(statement.concept), (entity,), at, until)
    _construct(work, statement.concept, entity, given, at, until)
    if statement.bind is not None:
        env[statement.bind] = entity


def _insert_tuple(work: Work, statement: InsertTuple, env: Env, _name: str) -> None:
    ends = tuple(_value(work, end, env) for end in statement.ends)
    given = _given(work, statement.fields, env)
    at, until = _when(work, statement.at, env), _when(work, statement.until, env)
    key = asserted(statement.relation)
    subject = TupleValue(statement.relation, ends)
    if ends in dict.fromkeys(work.rows_at(key, at)):
        _reinsert(work, subject, given, at)
    else:
        work.assert_row(key, ends, at, until)
        _construct(work, statement.relation, subject, given, at, until)
    if statement.bind is not None:
        env[statement.bind] = subject


def _given(work: Work, fields: Given, env: Env) -> dict[str, Value]:
    return {key: _value(work, expr, env) for key, expr in fields}


def field_subject(key: str, subject: Value) -> Value:
    """A relation tuple as the subject of a field that a superrelation declares: the parent tuple (language §3.3)."""
    if isinstance(subject, TupleValue):
        return TupleValue(key.rpartition(".")[0], subject.ends)
    return subject


def _reinsert(work: Work, subject: TupleValue, given: dict[str, Value], at: datetime | None) -> None:
    """Re-inserting a live tuple updates the named fields."""
    for field in work.served.schema.fields_of(subject.relation).values():
        if field.key in given:
            _replace(work, field, field_subject(field.key, subject), given[field.key], at)


def _construct(
    work: Work, owner: str, subject: Value, given: dict[str, Value], at: datetime | None, until: datetime | None
) -> None:
    """Store the given fields and the defaults of the others; refuse when a required one is missing (OE0669)."""
    missing = []
    for field in work.served.schema.fields_of(owner).values():
        target = field_subject(field.key, subject)
        if field.key in given:
            for value in _elements(field, given[field.key]):
                work.assert_row(field.key, (target, value), at, until)
        elif _has_value(work, field, target, at):
            continue
        elif field.default is not None:
            work.assert_row(field.key, (target, _value(work, field.default, {})), at, until)
        elif field.required:
            missing.append(f"`{field.name}`")
    if missing:
        raise GateRefusal("OE0669", args(of=owner.rsplit("::", 1)[-1], name=", ".join(missing)))


def _has_value(work: Work, field: Field, subject: Value, at: datetime | None) -> bool:
    return any(row[0] == subject for row in work.rows_at(field.key, at))


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


def _update(work: Work, statement: Update, env: Env, _name: str) -> None:
    at = _when(work, statement.at, env)
    for target in _targets(work, statement, env):
        inner = {**env, statement.name: target}
        if statement.where is not None and _value(work, statement.where, inner) is not True:
            continue
        for key, operator, expr in statement.sets:
            field = work.served.schema.fields[key]
            subject = field_subject(key, target)
            _replace(work, field, subject, _updated(work, field, subject, operator, expr, inner), at)


def _targets(work: Work, statement: Update, env: Env) -> Sequence[Value]:
    if statement.target is not None:
        return [_value(work, statement.target, env)]
    rows = work.reading.model.rows(statement.concept)
    if statement.concept in work.served.schema.relations:
        return [TupleValue(statement.concept, row) for row in rows]
    return [row[0] for row in rows]


_OPERATORS: dict[str, Callable[[Any, Any], Value]] = {"+=": add, "-=": subtract}


def _updated(work: Work, field: Field, subject: Value, operator: str, expr: Expr, env: Env) -> Value:
    value = _value(work, expr, env)
    if operator == "=":
        return value
    current = work.reading.field(field.key, subject)
    if field.many:
        change = set(_elements(field, value))
        kept = [element for element in current if element not in change]
        return (*kept, *change) if operator == "+=" else tuple(kept)
    if not current:
        raise GateRefusal("OE0669", args(of=field.key.rpartition(".")[0].rsplit("::", 1)[-1], name=f"`{field.name}`"))
    return _OPERATORS[operator](current[0], value)


def _replace(work: Work, field: Field, subject: Value, value: Value, at: datetime | None) -> None:
    """Close what does not stay and open what is new, at one instant (S1.4)."""
    wanted = dict.fromkeys(_elements(field, value))
    current = [row for row in work.rows_at(field.key, at) if row[0] == subject]
    work.close_rows(field.key, [row for row in current if row[1] not in wanted], at)
    held = {row[1] for row in current}
    for element in wanted:
        if element not in held:
            work.assert_row(field.key, (subject, element), at)


def _delete_tuple(work: Work, statement: DeleteTuple, env: Env, _name: str) -> None:
    at = _when(work, statement.at, env)
    pattern = tuple(None if end is None else (_value(work, end, env),) for end in statement.ends)
    for relation in work.served.schema.descendants(statement.relation):
        rows = [row for row in work.rows_at(asserted(relation), at) if _matches(row, pattern)]
        work.close_rows(asserted(relation), rows, at)
        for row in rows:
            _drop_tuple_fields(work, relation, row, at)


def _matches(row: Row, pattern: Sequence[tuple[Value] | None]) -> bool:
    return all(want is None or value == want[0] for value, want in zip(row, pattern, strict=True))


def _drop_tuple_fields(work: Work, relation: str, ends: Row, at: datetime | None) -> None:
    for field in work.served.schema.fields_of(relation).values():
        _drop_field(work, field.key, field_subject(field.key, TupleValue(relation, ends)), at)


def _drop_field(work: Work, key: str, subject: Value, at: datetime | None) -> None:
    work.close_rows(key, [row for row in work.rows_at(key, at) if row[0] == subject], at)


def _delete_membership(work: Work, statement: DeleteMembership, env: Env, _name: str) -> None:
    at = _when(work, statement.at, env)
    for entity in _members(work, statement, env, at):
        closing = [c for c in work.memberships(entity, at) if c in work.served.schema.descendants(statement.concept)]
        for concept in closing:
            work.close_rows(asserted(concept), [(entity,)], at)
            work.dropped.append((concept, entity, at or work.instant))
        _drop_undeclared_fields(work, entity, closing, at)


def _members(work: Work, statement: DeleteMembership, env: Env, at: datetime | None) -> list[Entity]:
    if statement.entity is not None:
        entity = _value(work, statement.entity, env)
        return [entity] if isinstance(entity, Entity) else []
    below = work.served.schema.descendants(statement.concept)
    rows = dict.fromkeys(row for concept in below for row in work.rows_at(asserted(concept), at))
    return [row[0] for row in rows if isinstance(row[0], Entity)]


def _drop_undeclared_fields(work: Work, entity: Entity, closed: Sequence[str], at: datetime | None) -> None:
    """Close the fields that no remaining membership declares."""
    schema = work.served.schema
    kept = {field.key for concept in work.memberships(entity, at) for field in schema.fields_of(concept).values()}
    for key in {field.key: None for concept in closed for field in schema.fields_of(concept).values()}:
        if key not in kept:
            _drop_field(work, key, entity, at)


_RUN: dict[type[Statement], Callable[[Work, Any, Env, str], None]] = {
    Require: _require,
    Let: _let,
    Return: _return,
    CallMutation: _call,
    InsertEntity: _insert_entity,
    InsertMembership: _insert_membership,
    InsertTuple: _insert_tuple,
    InsertElement: _insert_element,
    Update: _update,
    DeleteTuple: _delete_tuple,
    DeleteMembership: _delete_membership,
}
