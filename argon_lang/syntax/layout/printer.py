"""Documents onto lines: groups that fit stand on one line, comments keep their side of their token."""

from __future__ import annotations

from argon_lang.syntax.layout.docs import Comments, Doc, Dropped, Group, Hard, IfBroken, Indent, Line, Tok
from argon_lang.syntax.layout.trivia import Comment, Trivia
from argon_lang.syntax.tree import Item

WIDTH = 100
"""Columns of a line, in code points."""

STEP = 4
"""Blanks of one step of indentation."""

Command = tuple[int, bool, Doc]
"""Indentation, whether the group around stands on one line, document."""


class Printer:
    """Prints one item. `text` is the result so far, without the line end of the last line."""

    def __init__(self, item: Item, trivia: Trivia, indent: int) -> None:
        self.trivia = trivia
        places, _, _ = item.extent
        self.tokens = [item.tokens[index] for index in places]
        self.parts: list[str] = []
        self.column = 0
        self.fresh = True
        self.indent = self.margin = indent
        self.pending: list[Comment] = []

    def print(self, doc: Doc) -> str:
        """The text of a document, ended by a line end."""
        stack: list[Command] = [(self.indent, False, doc)]
        while stack:
            indent, flat, part = stack.pop()
            self.indent = indent
            if isinstance(part, list):
                stack.extend((indent, flat, each) for each in reversed(part))
            elif isinstance(part, Indent):
                stack.append((indent + STEP, flat, part.inner))
            elif isinstance(part, Group):
                fits = flat or (not part.broken and self.fits(part.inner, stack))
                stack.append((indent, fits, part.inner))
            else:
                self.leaf(part, flat)
        self.flush()
        return "".join(self.parts).rstrip() + "\n" if self.parts else ""

    def leaf(self, part: str | Tok | Dropped | Comments | Line | Hard | IfBroken, flat: bool) -> None:
        """Print what is no group."""
        if isinstance(part, str):
            self.write(part)
        elif isinstance(part, Tok):
            self.token(part)
        elif isinstance(part, Line):
            if flat:
                self.write(part.flat)
            else:
                self.newline(part.place)
        elif isinstance(part, Hard):
            self.newline(part.place)
        elif isinstance(part, IfBroken):
            if not flat:
                self.write(part.text)
            self.dropped(part.place)
        elif isinstance(part, Dropped):
            self.dropped(part.place)
        else:
            self.comments(part.place)

    def dropped(self, place: int) -> None:
        """The comments behind a token that is not printed itself."""
        if place >= 0:
            self.pending += self.trivia.trailing[place]

    def token(self, tok: Tok) -> None:
        """A token between its comments."""
        if not tok.bare:
            self.comments(tok.place)
        self.write(self.tokens[tok.place])
        self.pending += self.trivia.trailing[tok.place]

    def comments(self, place: int) -> None:
        """The comments before a token."""
        for number, comment in enumerate(self.trivia.leading[place]):
            if comment.own_line or comment.line:
                self.start_line(blank=comment.blank and number > 0)
                self.write(comment.text)
                self.end_line()
            else:
                self.write(comment.text)
                self.write(" ")
        if self.trivia.gap[place] and self.fresh:
            self.parts.append("\n")

    def start_line(self, *, blank: bool) -> None:
        """Make sure that nothing stands on the line."""
        self.flush()
        if not self.fresh:
            self.end_line()
        if blank:
            self.parts.append("\n")

    def end_line(self) -> None:
        """End the line; trailing blanks go."""
        while self.parts and self.parts[-1] and not self.parts[-1].strip(" "):
            self.parts.pop()
        if self.parts and self.parts[-1].endswith(" "):
            self.parts[-1] = self.parts[-1].rstrip(" ")
        self.parts.append("\n")
        self.column = 0
        self.fresh = True
        self.margin = self.indent

    def newline(self, place: int) -> None:
        """A line end that the layout asks for, with the blank line that the source has there."""
        self.flush()
        if not self.fresh:
            self.end_line()
        self.margin = self.indent
        if place >= 0 and self.trivia.blank[place] and self.parts:
            self.parts.append("\n")

    def flush(self) -> None:
        """Print the comments that wait behind the last token."""
        waiting, self.pending = self.pending, []
        for comment in waiting:
            self.put(" " + comment.text)
            if comment.line:
                self.end_line()

    def write(self, text: str) -> None:
        """Print a text; waiting comments first, unless it is a comma or semicolon that belongs before them."""
        if not text:
            return
        if self.pending and text not in (",", ";"):
            self.flush()
        if self.fresh and text == " ":
            return
        self.put(text)

    def put(self, text: str) -> None:
        """Append a text to the line, after its indentation."""
        if self.fresh:
            text = text.lstrip(" ")
            self.parts.append(" " * self.margin)
            self.column = self.margin
            self.fresh = False
        self.parts.append(text)
        _, found, tail = text.rpartition("\n")
        self.column = len(tail) if found else self.column + len(tail)

    def fits(self, doc: Doc, rest: list[Command]) -> bool:
        """Whether the document, and what follows up to the next possible line end, stays within the width."""
        room = WIDTH - (self.margin if self.fresh else self.column)
        stack: list[tuple[bool, Doc]] = [(True, doc)]
        below = len(rest)
        while room >= 0:
            if not stack:
                if not below:
                    return True
                below -= 1
                stack.append((rest[below][1], rest[below][2]))
                continue
            flat, part = stack.pop()
            if isinstance(part, (Line, Hard)):
                if isinstance(part, Hard) or not flat:
                    return True
                room -= len(part.flat)
            elif isinstance(part, list):
                stack.extend((flat, each) for each in reversed(part))
            elif isinstance(part, Indent):
                stack.append((flat, part.inner))
            elif isinstance(part, Group):
                stack.append((flat and not part.broken, part.inner))
            else:
                room -= self.width(part, flat)
        return False

    def width(self, part: str | Tok | Dropped | Comments | IfBroken, flat: bool) -> int:
        """Columns that a leaf takes."""
        if isinstance(part, str):
            return len(part)
        if isinstance(part, Tok):
            inline = sum(len(each.text) + 1 for each in self.trivia.leading[part.place] if not each.line)
            return inline + len(self.tokens[part.place].partition("\n")[0])
        return len(part.text) if isinstance(part, IfBroken) and not flat else 0
