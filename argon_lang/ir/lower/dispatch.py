"""Which `impl` a call of a trait's member means (language §3.6).

What an `impl` gives is lowered under a path of its own, `pkg::Billable::fee@pkg:Lease`. A call whose argument belongs
to the target of one `impl` means that one's member. Any other asks at run time: in an expression over the state a
function, named as the member is, goes through the targets; in a rule the member is a predicate with its value in the
last column.
"""

from __future__ import annotations

from collections.abc import Sequence

from argon_lang.ir.names import derived_key
from argon_lang.program.infer.traits import self_places
from argon_lang.program.model import CallableSig, Declarations, ImplSig, Signature, TraitSig
from argon_lang.program.types import Named, Type


def given_by(target: str) -> str:
    """What stands behind the path of a trait's member where the one that the `impl` for a target gives is meant."""
    return f"@{target.replace('::', ':')}"


def member_of(declarations: Declarations, kind: str, path: str) -> tuple[str, CallableSig] | None:
    """The trait and the signature of a function, query or mutation that is a member; None of any other."""
    owner = path.rpartition("::")[0]
    trait = declarations.trait(owner)
    found = (each for each in trait.members if each.kind == kind and each.path == path) if trait is not None else ()
    sig = next(iter(found), None)
    return (owner, sig) if sig is not None else None


def impls_by_target(declarations: Declarations, trait: str) -> list[tuple[str, ImplSig]]:
    """The impls of a trait whose target is known, by the path of the target."""
    found = [(sig.target.path, sig) for _, sig in declarations.impls(trait) if isinstance(sig.target, Named)]
    return sorted(found, key=lambda each: each[0])


def chosen_target(declarations: Declarations, trait: str, sig: CallableSig, given: Sequence[Type]) -> str | None:
    """The target whose `impl` a call with such arguments means; None when only the run time can tell."""
    targets = [path for path, _ in impls_by_target(declarations, trait)]
    if len(targets) == 1:
        return targets[0]
    places = [place for place in self_places(sig, trait) if place < len(given)]
    found = given[places[0]] if places else None
    above = declarations.supers(found.path) if isinstance(found, Named) and found.kind == "concept" else ()
    return next((path for path in above if path in targets), None)


def value_key(path: str) -> str:
    """The predicate in whose rows a function member without further parameters has its values."""
    return derived_key(path, 2)


def implementors_key(trait: str) -> str:
    """The predicate of those who implement a trait."""
    return derived_key(trait, 1)


def member_paths(sig: Signature) -> tuple[str, ...]:
    """The functions that a trait has for its members, or that an `impl` gives; none of any other signature."""
    match sig:
        case TraitSig(_, _, members):
            return tuple(each.path for each in members if each.kind in ("fn", "query"))
        case ImplSig(_, Named(_, target), members):
            return tuple(each.path + given_by(target) for each in members if each.kind == "fn")
        case _:
            return ()
