"""Questions of an editor about what it can do at a place: fixes of what is wrong there, refactorings, their edits."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b

from argon_lang.ide import fixes
from argon_lang.ide.actions import offers
from argon_lang.problems import Diagnostic, Replacement
from argon_lang.session.editor.asked import Asked, Json
from argon_lang.session.places import plain_diagnostic, plain_edits, plain_fix

_FIX_ALL = offers.Offer("fixAll", "Apply every safe fix in the file", "source.fixAll")


def offered(asked: Asked) -> Json:
    """The fixes of what is wrong now, not of what the client remembers; other actions, without edits if `lazy`."""
    found = asked.package.diagnostics_of(asked.file)
    listed = offers.offers_at(asked.database, asked.file, *asked.span)
    if fixes.all_safe(found):
        listed.append(_FIX_ALL)
    return {"fixes": _fixes(asked, found), "actions": [_action(asked, each) for each in listed]}


def edits(asked: Asked) -> Json:
    """What an action of an earlier answer changes; None when the text is another one by now."""
    action = asked.given["action"]
    if action["text"] != _stamp(asked):
        return None
    return plain_edits(_edits(asked, action["name"]), asked.placer)


def _edits(asked: Asked, name: str) -> tuple[Replacement, ...]:
    if name == _FIX_ALL.name:
        return fixes.all_safe(asked.package.diagnostics_of(asked.file))
    return offers.edits_of(asked.database, name, asked.file, *asked.span)


def _action(asked: Asked, offer: offers.Offer) -> Json:
    found = {"title": offer.title, "kind": offer.kind, "action": {"name": offer.name, "text": _stamp(asked)}}
    return found if asked.given["lazy"] else found | {"edits": plain_edits(_edits(asked, offer.name), asked.placer)}


def _fixes(asked: Asked, diagnostics: Iterable[Diagnostic]) -> list[Json]:
    listed = ((each, plain_fix(each.fix, asked.placer)) for each in fixes.fixes_at(diagnostics, *asked.span))
    return [
        {"diagnostic": plain_diagnostic(offer.diagnostic, asked.placer), "fix": fix, "preferred": offer.preferred}
        for offer, fix in listed
        if fix is not None
    ]


def _stamp(asked: Asked) -> str:
    """Which text an action was offered for."""
    text = asked.package.text(asked.file) or ""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
