"""Instance-level checks over declared facts, the last gate of language §6: what the rows themselves must satisfy.

The users' own checks over the same facts are in `violations`.
"""

from __future__ import annotations

from argon_lang.gates.cardinality import check_cardinality
from argon_lang.gates.declared import declared_facts
from argon_lang.gates.membership import check_membership
from argon_lang.gates.misspelt import check_misspelt
from argon_lang.gates.rules import Findings
from argon_lang.ir.lower.link import Linked
from argon_lang.program.view import ProgramView


def check_instances(view: ProgramView, linked: Linked, findings: Findings) -> None:
    """OE0229, OE0632 and OW0108 over the declared facts."""
    facts = declared_facts(view, linked)
    if facts.by_key:
        check_membership(linked.module, facts, view.declarations, findings)
        check_cardinality(linked.module, facts, view.declarations, findings)
        check_misspelt(linked.module, facts, findings)
