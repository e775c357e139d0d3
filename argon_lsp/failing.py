"""Where tests failed, as diagnostics beside those of the checks: until the test is run again, or its file edited."""

from __future__ import annotations

from typing import Any

from argon_lsp import convert

Json = Any
SOURCE = "argon test"


class Failing:
    """The failures by file, each with the test that it belongs to."""

    def __init__(self) -> None:
        self._marks: dict[str, list[Json]] = {}

    def of(self, uri: str) -> list[Json]:
        """The diagnostics of a file."""
        return [mark["diagnostic"] for mark in self._marks.get(uri, ())]

    def ran(self, folder: str, tests: list[str], marks: list[Json]) -> set[str]:
        """Tests of a project ran, with these failures; the files of which something else is true now."""
        concerned = set[str]()
        for uri, known in list(self._marks.items()):
            left = [each for each in known if each["folder"] != folder or each["test"] not in tests]
            if len(left) < len(known):
                concerned.add(uri)
                self._marks[uri] = left
        for mark in marks:
            uri = convert.uri_of(mark["span"]["file"])
            place = {end: mark["span"][end] for end in ("start", "end")}
            diagnostic = {
                "range": place,
                "severity": 1,
                "source": SOURCE,
                "message": f"{mark['test']}: {mark['message']}",
            }
            self._marks.setdefault(uri, []).append({"folder": folder, "test": mark["test"], "diagnostic": diagnostic})
            concerned.add(uri)
        return concerned

    def edited(self, uri: str) -> None:
        """A file is another one now: nobody knows where the failures would be in it."""
        self._marks.pop(uri, None)
