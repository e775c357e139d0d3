"""Instance-level checks over declared facts, the last gate of language §6: what the rows themselves must satisfy.

The users' own checks over the same facts are in `violations`.
"""

from __future__ import annotations

from argon_lang.gates.cardinality import check_cardinality
from argon_lang.gates.declared import Facts
from argon_lang.gates.membership import check_membership
from argon_lang.gates.misspelt import check_misspelt
from argon_lang.gates.rules import Findings
from argon_lang.ir.module import Module
from argon_lang.program.model import Declarations


def check_instances(module: Module, facts: Facts, declarations: Declarations, findings: Findings) -> None:
    """OE0229, OE0632 and OW0108 over the declared facts."""
    check_membership(module, facts, declarations, findings)
    check_cardinality(module, facts, declarations, findings)
    check_misspelt(module, facts, findings)
