"""Functions (language §3.8). The body of an `#[intrinsic]` one is the intrinsic of its name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from argon_lang.ir import expr as ir
from argon_lang.ir.lower.expr import lower_expr
from argon_lang.ir.lower.fragment import Fragment
from argon_lang.ir.lower.queries import signature_of
from argon_lang.ir.lower.reading import Reading
from argon_lang.ir.lower.rules import declared_path
from argon_lang.ir.lower.walk import parts
from argon_lang.ir.module import Function, Module, Param
from argon_lang.program.paths import name_of, names
from argon_lang.program.types import UNKNOWN
from argon_lang.program.view import Unit
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need

_READS = (ir.GetField, ir.Holds, ir.CallQuery, ir.Fold)


def lower_function(unit: Unit, root: nodes.FnDecl, functions: Mapping[str, Function]) -> Fragment:
    """A function; `reads_state` says here what its own body reads, and linking adds what its callees do."""
    sig, reading = signature_of(unit), Reading(unit, functions=functions)
    params = tuple(Param(each.name, each.type) for each in sig.params)
    result = sig.result or UNKNOWN
    if unit.is_std and any(each.path and names(each.path) == ("intrinsic",) for each in root.attributes):
        args = tuple(ir.Local(param.name) for param in params)
        body: ir.Expr = ir.Builtin(need(name_of(root.name)), args, result)
    else:
        body = lower_expr(root.value.value if root.value else root.body, reading)
    function = Function(declared_path(unit, root.name), params, result, body, reads_directly(body))
    return Fragment(unit.id, reading.with_added(Module("", "", functions=(function,))), tuple(reading.folds))


def reads_directly(body: object) -> bool:
    """Does an expression in it read the state?"""
    return any(isinstance(part, _READS) for part in parts(body))


def readers(fragments: Iterable[Fragment]) -> Mapping[str, Function]:
    """The functions that read the state, themselves or through those they call, by path."""
    found: dict[str, Function] = {}
    callers: dict[str, list[str]] = {}
    for each in fragments:
        for function in each.part.functions:
            found[function.path] = function
            for callee in each.needs.calls:
                callers.setdefault(callee, []).append(function.path)
    queue = [each.path for each in found.values() if each.reads_state]
    reading = set(queue)
    for path in queue:
        fresh = [caller for caller in callers.get(path, ()) if caller not in reading]
        reading.update(fresh)
        queue.extend(fresh)
    return {path: found[path] for path in sorted(reading)}
