"""Every prompt, in the order in which it is listed."""

from __future__ import annotations

from argon_mcp.prompts import audit_mutation, authoring_loop, diagnose_absence, investigate_fact
from argon_mcp.prompts.prompt import Guide

GUIDES: dict[str, Guide] = {
    guide.name: guide
    for guide in (investigate_fact.GUIDE, diagnose_absence.GUIDE, audit_mutation.GUIDE, authoring_loop.GUIDE)
}
