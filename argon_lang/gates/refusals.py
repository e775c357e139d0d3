"""From the rule compiler's refusal to a problem in the author's words: place, names, and the nearest fix."""

from __future__ import annotations

import re
from collections.abc import Callable

from argon_lang.engine.refusal import HEAD, Refusal
from argon_lang.gates.rules import Traced
from argon_lang.ir.rules import ATTACK
from argon_lang.problems import Args, Edit, Fix, Note, Problem, Related, args
from argon_lang.program.findings import as_variant
from argon_lang.program.spelling import near
from argon_lang.program.types import Named, Type, show
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need

_ARITY = re.compile(r"/\d+`")


def refusal_problem(traced: Traced, refusal: Refusal) -> Problem:
    """The problem that a refusal stands for."""
    maker = _MAKERS.get(refusal.code, _plain)
    return maker(traced, refusal)


def _plain(traced: Traced, refusal: Refusal) -> Problem:
    return Problem(refusal.code, *traced.site(refusal.site), _written(traced, refusal.args))


def _written(traced: Traced, values: Args) -> Args:
    """The values with the author's variables in place of the canonical ones."""
    return tuple((name, traced.trace.written(text) if name == "variable" else text) for name, text in values)


def _variable(refusal: Refusal) -> str:
    return dict(refusal.args).get("variable", "")


# -- OE1303, OE1304 ---------------------------------------------------------------------------------------------------


def _unbound(traced: Traced, refusal: Refusal) -> Problem:
    variable = _variable(refusal)
    name = traced.trace.written(variable)
    if isinstance(traced.unit.item.root, nodes.ConceptDecl):
        return _unbound_self(traced, refusal)
    place = _place(traced, refusal, variable)
    slip = _slip(traced, variable, name)
    atom = _binding_atom(traced, variable, name)
    told = refusal.notes if traced.rule.origin != ATTACK else ("target",)
    notes = [Note(key) for key in told if key in ("negation", "head", "target")]
    if slip is not None:
        notes.insert(0, Note("suggest", args(suggestion=slip)))
    else:
        notes.append(Note("bind", args(variable=name, suggestion=atom)))
    values = _written(traced, refusal.args)
    return Problem(
        refusal.code, *place, values, _filter(traced, variable, name), tuple(notes), _fixes(traced, place, slip, atom)
    )


def _unbound_self(traced: Traced, refusal: Refusal) -> Problem:
    """An `iff` type without a superconcept selects among nobody."""
    notes = (Note("superconcept", args(name=traced.trace.name)),)
    return Problem(refusal.code, *traced.name_span(), _written(traced, refusal.args), (), notes)


def _needs(traced: Traced, refusal: Refusal) -> Problem:
    variable = _variable(refusal)
    name = traced.trace.written(variable)
    atom = _binding_atom(traced, variable, name)
    note = Note("bind", args(variable=name, suggestion=atom))
    place = _place(traced, refusal, variable)
    return Problem(refusal.code, *place, _written(traced, refusal.args), (), (note,), _fixes(traced, place, None, atom))


def _place(traced: Traced, refusal: Refusal, variable: str) -> tuple[int, int]:
    """The variable's occurrence in the refused literal, or in the head."""
    head: nodes.HeadParams | None = getattr(traced.unit.item.root, "head", None)
    if refusal.site == HEAD:
        within = (head.start, head.end) if head is not None else None
    else:
        within = traced.site(refusal.site)
    return traced.occurrence(variable, within) or traced.site(refusal.site)


def _type(traced: Traced, variable: str) -> Type | None:
    binding = traced.binding(variable)
    if binding is None:
        return None
    written = dict(traced.trace.columns).get(binding.name)
    return written if isinstance(written, Named) else binding.type


def _binding_atom(traced: Traced, variable: str, name: str) -> str:
    """An atom that would bind the variable: its concept or relation when that is known."""
    type_ = _type(traced, variable)
    if isinstance(type_, Named) and type_.kind in ("concept", "relation"):
        return f"{name}: {show(type_)}"
    return f"{name} = …"


def _filter(traced: Traced, variable: str, name: str) -> tuple[Related, ...]:
    """The head's `x: T`, which looks as if it bound."""
    binding = traced.binding(variable)
    head: nodes.HeadParams | None = getattr(traced.unit.item.root, "head", None)
    for param in head.params if head is not None and binding is not None else ():
        if isinstance(param, nodes.HeadVar) and param.type is not None and param.start == need(binding).start:
            values = args(variable=name, type=param.type.text)
            return (Related("never_binds", param.start, param.end, args=values),)
    return ()


def _slip(traced: Traced, variable: str, name: str) -> str | None:
    """What this may be a slip of: a variant written without its enum, another variable of nearly the same name."""
    variant = as_variant(name, traced.unit.scope, traced.unit.declarations)
    if variant is not None:
        return variant
    own = traced.binding(variable)
    others = {each.name for each in traced.unit.inference.bindings if own is not None and each.name != own.name}
    return next(iter(near(name, others - {"_"}, 1)), None) if len(name) > 2 else None


def _fixes(traced: Traced, place: tuple[int, int], slip: str | None, atom: str) -> tuple[Fix, ...]:
    if slip is not None:
        return (Fix("replace", (Edit(*place, slip),), args(suggestion=slip), safe=False),)
    body: nodes.Body | None = getattr(traced.unit.item.root, "body", None)
    if not isinstance(body, nodes.Body) or not body.atoms or atom.endswith("…"):
        return ()
    first = body.atoms[0].start
    return (Fix("bind", (Edit(first, first, f"{atom}, "),), args(suggestion=atom), safe=False),)


# -- OE1306, OE1317, OE1318 -------------------------------------------------------------------------------------------


def _rebound(traced: Traced, refusal: Refusal) -> Problem:
    variable = _variable(refusal)
    place = traced.occurrence(variable, traced.site(refusal.site)) or traced.site(refusal.site)
    name = traced.trace.written(variable)
    first = traced.occurrence(variable, traced.site(refusal.related) if refusal.related is not None else None)
    related = (Related("first", *first, args=args(variable=name)),) if first is not None and first != place else ()
    return Problem("OE1306", *place, _written(traced, refusal.args), related, (Note("compare"),))


def _not_evaluable(traced: Traced, refusal: Refusal) -> Problem:
    values = args(**{**dict(refusal.args), "rule": traced.trace.name})
    related = Related("head", *traced.name_span())
    return Problem("OE1317", *traced.site(refusal.site), values, (related,))


def _endless(traced: Traced, refusal: Refusal) -> Problem:
    variable = _variable(refusal)
    name = traced.trace.written(variable)
    values = dict(_written(traced, refusal.args))
    values["name"] = traced.trace.name
    values["cycle"] = _ARITY.sub("`", values["cycle"])
    note = Note("bound", args(name=traced.trace.name, suggestion=f"{name} < 100"))
    related = Related("computed", *traced.site(refusal.site))
    return Problem("OE1318", *traced.name_span(), args(**values), (related,), (note,))


_MAKERS: dict[str, Callable[[Traced, Refusal], Problem]] = {
    "OE1303": _unbound,
    "OE1304": _needs,
    "OE1306": _rebound,
    "OE1317": _not_evaluable,
    "OE1318": _endless,
}
