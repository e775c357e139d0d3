"""What an editor shows of a document, and would show otherwise if it asked again: another file was edited meanwhile.

Only of documents at the version that was asked about; of an edited one the editor asks again by itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import blake2b

from argon_lang.session.editor import colouring, look
from argon_lang.session.editor.asked import Asked, Json, placer_of
from argon_lang.session.editor.edited import Edited, Shown
from argon_lang.text import Encoding


def colours(asked: Asked) -> Json:
    """As `colouring.whole`, remembered as shown."""
    found = colouring.whole(asked)
    _show(asked, "colours", found["id"])
    return found


def hints(asked: Asked) -> Json:
    """As `look.hints`, remembered as shown."""
    found = look.hints(asked)
    _show(asked, "hints", _digest(found))
    return found


def stale(package: Edited, encoding: Encoding) -> list[str]:
    """What is to be asked again, of `colours` and `hints`; each is told once."""
    return sorted({what for what, path in list(package.shown) if _is_stale(package, encoding, what, path)})


def _is_stale(package: Edited, encoding: Encoding, what: str, path: str) -> bool:
    shown, document = package.shown[what, path], package.document(path)
    if document is None or document.version != shown.version:
        return False
    asked = Asked(package, package.file(path), placer_of(package, encoding), shown.given)
    if _DIGESTS[what](asked) == shown.digest:
        return False
    del package.shown[what, path]
    return True


def _show(asked: Asked, what: str, digest: str) -> None:
    path = asked.package.relative(asked.file)
    document = asked.package.document(path)
    if document is not None:
        asked.package.shown[what, path] = Shown(document.version, asked.given, digest)


def _digest(found: Json) -> str:
    return blake2b(json.dumps(found).encode(), digest_size=9).hexdigest()


_DIGESTS: Mapping[str, Callable[[Asked], str]] = {
    "colours": lambda asked: colouring.id_of(colouring.numbers(asked)),
    "hints": lambda asked: _digest(look.hints(asked)),
}
