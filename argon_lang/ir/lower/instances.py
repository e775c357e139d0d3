"""A concept that instantiates a higher-level one: its membership and its values as declared facts (language §3.2)."""

from __future__ import annotations

from argon_lang.ir.lower.constants import as_type, constant
from argon_lang.ir.lower.expr import lower_expr
from argon_lang.ir.lower.facts import field_elements
from argon_lang.ir.lower.keys import field_of
from argon_lang.ir.lower.reading import NotLowered, Reading
from argon_lang.ir.module import Fact
from argon_lang.ir.names import asserted
from argon_lang.ir.values import Entity
from argon_lang.program.model import ConceptSig
from argon_lang.program.paths import name_of
from argon_lang.program.types import Named
from argon_lang.syntax import nodes
from argon_lang.syntax.tree import need


def instance_facts(root: nodes.ConceptDecl, sig: ConceptSig, reading: Reading) -> tuple[Fact, ...]:
    """The facts about the individual that the concept is; its id is the concept's path. Raises NotLowered."""
    itself = Entity(sig.path)
    facts = [Fact(asserted(each), (itself,)) for each in sig.instance_of]
    for member in root.body.members if root.body else ():
        if isinstance(member, nodes.MemberValue):
            name, value = need(name_of(member.name)), constant(lower_expr(member.value, reading))
            owned = [field_of(reading.declarations, Named("concept", each), name) for each in sig.instance_of]
            field, key = need(next((each for each in owned if each is not None), None))
            if value is None:
                raise NotLowered(member.value, need(member.value).text, "a literal")
            elements = field_elements(as_type(value.value, field.type), field.type)
            facts += [Fact(key, (itself, each)) for each in elements]
    return tuple(facts)
