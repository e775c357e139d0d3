"""How a clause takes part in defeat, read from its attributes: `#[default]`, `#[label(x)]`, `#[defeats(…)]` (§3.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from argon_lang.program.attributes import attribute_name, lone_name, values_of
from argon_lang.program.paths import normal
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import Token, View


@dataclass(frozen=True, slots=True)
class Target:
    """What one `#[defeats(p.label(args))]` attacks; `label` is None where all default clauses are meant."""

    attribute: nodes.Attribute
    path: nodes.Path
    label: Token | None
    args: tuple[View, ...]

    @property
    def label_name(self) -> str:
        """The label in the form in which names are compared; empty without one."""
        return "" if self.label is None else normal(self.label.text)


def default_of(root: nodes.DeriveDecl) -> nodes.Attribute | None:
    """The `#[default]` of a clause."""
    return next((each for each in root.attributes if attribute_name(each) == "default"), None)


def label_of(root: nodes.DeriveDecl) -> str:
    """What `#[label(x)]` calls a clause; empty without one."""
    written = (lone_name(each) for each in root.attributes if attribute_name(each) == "label")
    return next((each for each in written if each is not None), "")


def targets(root: nodes.DeriveDecl) -> Iterator[Target]:
    """What the `#[defeats]` of a clause attack, as far as they are well formed."""
    for each in root.attributes:
        target = target_of(each) if attribute_name(each) == "defeats" else None
        if target is not None:
            yield target


def target_of(attribute: nodes.Attribute) -> Target | None:
    """What one `#[defeats]` attacks: `p(args)`, or `p.label(args)`."""
    values = values_of(attribute)
    match values[0] if len(values) == 1 else None:
        case nodes.Call() as call if call.path is not None and call.args is not None:
            return Target(attribute, call.path, None, tuple(call.args.args))
        case nodes.MethodCall() as call if isinstance(call.receiver, nodes.Path) and call.args is not None:
            label = call.name
            return None if label is None else Target(attribute, call.receiver, label, tuple(call.args.args))
        case _:
            return None
