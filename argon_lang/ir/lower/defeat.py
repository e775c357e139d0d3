"""Defeat compiled away, before stratification (semantics S5.2).

A default clause gets what may defeat it as the last literals of its body: `not` over each relation of attacks on it,
and `not` over the strong negatives of its head. An exception gives one clause to each relation of attacks that it
takes part in: `attacked(args) :- effective body`, the exception's own guards included.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from argon_lang.ir.codec import rule_id
from argon_lang.ir.lower.canonical import canonical_rule
from argon_lang.ir.lower.fragment import Attack, Defeasible, Fragment, Trace, summary_of
from argon_lang.ir.lower.remember import PerRow
from argon_lang.ir.module import Default
from argon_lang.ir.names import attack_key, attacked_columns, attacked_label, negative_key
from argon_lang.ir.rules import ATTACK, Literal, Match, Not, Predicate, Rule

Attacks = Mapping[str, tuple[str, ...]]
"""The keys of attacks on each predicate that an exception of the program names."""


def defeated(fragments: list[Fragment]) -> list[Fragment]:
    """The fragments with guarded default clauses and clauses of attacks."""
    touched = [each for each in fragments if each.defeasible]
    if not touched:
        return fragments
    attacks = _attacks(defeasible for each in touched for defeasible in each.defeasible)
    rows = [(each, *_listed(each, attacks)) for each in touched]
    made = {id(old): new for old, new in zip(touched, _COMPILED.all(rows, _compiled), strict=True)}
    return [made.get(id(each), each) for each in fragments]


def _listed(fragment: Fragment, attacks: Attacks) -> Iterator[str | None]:
    """The attacks on each clause of an item, behind each clause's a None."""
    for defeasible in fragment.defeasible:
        yield from _guards(fragment, defeasible, attacks)
        yield None


def _attacks(listed: Iterable[Defeasible]) -> Attacks:
    found: dict[str, set[str]] = {}
    for defeasible in listed:
        for attack in defeasible.attacks:
            found.setdefault(attack.key, set()).add(_key(attack))
    return {key: tuple(sorted(keys)) for key, keys in found.items()}


def _key(attack: Attack) -> str:
    columns = tuple(index for index, term in enumerate(attack.terms) if term is not None)
    return attack_key(attack.key, attack.label, columns, len(attack.terms))


_INTERNED: dict[str, str] = {}


def _guards(fragment: Fragment, defeasible: Defeasible, attacks: Attacks) -> tuple[str, ...]:
    """The keys of the attacks on a default clause of an item, the same objects each time."""
    if defeasible.default is None:
        return ()
    key = next(trace.key for trace in fragment.traces if trace.rule == defeasible.rule)
    wanted = (each for each in attacks.get(key, ()) if attacked_label(each) in ("", defeasible.label))
    return tuple(_INTERNED.setdefault(each, each) for each in wanted)


_COMPILED: PerRow[Fragment] = PerRow()


def _compiled(fragment: Fragment, *attacks: str | None) -> Fragment:
    """The item's clauses with their guards, and what they attack. Behind the attacks on each clause stands a None."""
    keys = list(attacks)
    known = []
    for defeasible in fragment.defeasible:
        end = keys.index(None)
        own, keys = [key for key in keys[:end] if key is not None], keys[end + 1 :]
        fragment, settled = _guarded(fragment, defeasible, own)
        known.append(settled)
    return replace(fragment, needs=summary_of(fragment.part), defeasible=tuple(known))


def _guarded(fragment: Fragment, defeasible: Defeasible, attacks: Iterable[str]) -> tuple[Fragment, Defeasible]:
    """The fragment with one clause guarded, and with the clauses of what it attacks."""
    trace = next(each for each in fragment.traces if each.rule == defeasible.rule)
    plain = next(each for each in fragment.part.rules if each.id == defeasible.rule)
    rule, defaults = plain, fragment.part.defaults
    if defeasible.default is not None:
        guards = tuple(_guard(plain, key, defeasible.default) for key in (*attacks, negative_key(plain.key)))
        body = (*plain.body, *guards)
        rule = replace(plain, id=rule_id(plain.key, plain.terms, body), body=body)
        defaults = (*defaults, Default(rule.id, defeasible.label, len(guards)))
        trace = replace(trace, rule=rule.id, guards=len(guards))
    made = [_attack(rule, trace, each) for each in defeasible.attacks]
    others = (each for each in fragment.part.rules if each is not plain)
    part = replace(fragment.part, rules=(rule, *others, *(each for each, _ in made)), defaults=defaults)
    rest = (each for each in fragment.traces if each.rule != plain.id)
    traces = (trace, *rest, *(each for _, each in made))
    return replace(fragment, part=part, traces=traces), replace(defeasible, rule=rule.id)


def _guard(rule: Rule, key: str, site: int) -> Literal:
    """`not` the row of `key` that the head of the rule names."""
    columns = attacked_columns(key, len(rule.terms))
    return Not((Match(key, tuple(rule.terms[index] for index in columns), site),), site)


def _attack(rule: Rule, trace: Trace, attack: Attack) -> tuple[Rule, Trace]:
    """One clause of the attacks, with the way back to its exception's text."""
    terms = [term for term in attack.terms if term is not None]
    made, names = canonical_rule(_key(attack), terms, rule.body, ATTACK)
    new = names.given
    way = replace(
        trace,
        rule=made.id,
        key=made.key,
        names=tuple(sorted((new[old], shown) for old, shown in trace.names if old in new)),
        locals=tuple(sorted((new[old], number) for old, number in trace.locals if old in new)),
        columns=(),
    )
    return made, way


def guard_shapes(
    defaults: Iterable[Default], rules: Iterable[Rule], shapes: Mapping[str, Predicate]
) -> Iterator[Predicate]:
    """The shapes of the relations that guards read: columns of the predicates that they guard."""
    guards = {default.rule: default.guards for default in defaults}
    for rule in rules if guards else ():
        for literal in rule.body[-guards[rule.id] :] if rule.id in guards else ():
            if isinstance(literal, Not) and isinstance(literal.body[0], Match) and rule.key in shapes:
                yield _guard_shape(literal.body[0].key, shapes[rule.key])


def _guard_shape(key: str, guarded: Predicate) -> Predicate:
    if "~" not in key:
        return Predicate(key, "negative", guarded.columns)
    columns = attacked_columns(key, len(guarded.columns))
    return Predicate(key, "attack", tuple(guarded.columns[index] for index in columns))
