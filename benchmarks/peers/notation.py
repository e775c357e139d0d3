"""The notation of the workloads, read into rules of the engine."""

from __future__ import annotations

import hashlib

from argon_lang.ir.expr import Binary, Expr, Lit, Local
from argon_lang.ir.module import Module
from argon_lang.ir.rules import Aggregate, Bind, Literal, Match, Not, Rule, Test, Var
from argon_lang.program.types import BOOL, INT


def rules_of(text: str) -> tuple[Rule, ...]:
    """The rules, a line each."""
    return tuple(_rule(line) for line in text.splitlines())


def module_of(text: str) -> Module:
    """They as a module."""
    return Module("peers", "0", rules=rules_of(text))


def _rule(line: str) -> Rule:
    head, body = line.split(" :- ")
    key, *names = head.split()
    content = hashlib.sha256(line.encode()).hexdigest()[:16]
    return Rule(content, key, tuple(map(Var, names)), tuple(map(_literal, body.split(", "))))


def _literal(text: str) -> Literal:
    words = text.split()
    if words[0] == "not":
        return Not((_read(words[1:]),))
    if words[1] in ("<", ">", "!="):
        return Test(Binary(words[1], Local(words[0]), _operand(words[2]), BOOL))
    if words[1] == "=" and "of" in words:
        at = words.index("of")
        own, value = words[3 : at - 1], words[at - 1]
        return Aggregate(words[0], words[2], tuple(map(Var, own)), Var(value), (_read(words[at + 1 :]),), INT)
    if words[1] == "=":
        return Bind(words[0], Binary(words[3], Local(words[2]), _operand(words[4]), INT))
    return _read(words)


def _read(words: list[str]) -> Match:
    return Match(words[0], tuple(map(Var, words[1:])))


def _operand(word: str) -> Expr:
    return Lit(int(word)) if word.isdigit() else Local(word)
