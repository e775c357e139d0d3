"""From a tree to a document, bottom-up over the post-order arrays, so that no depth of nesting uses up the stack."""

from __future__ import annotations

from argon_lang.syntax import kinds as K
from argon_lang.syntax.layout.docs import Doc, Dropped, Group, Indent, Line, Tok
from argon_lang.syntax.layout.lists import CLOSER, HUGGED, LISTS, braces, comma_list
from argon_lang.syntax.layout.spacing import blank
from argon_lang.syntax.layout.trivia import Trivia
from argon_lang.syntax.tree import Item

Part = int
"""A part of a node: a token's place, or the complement (`~`) of a child's number."""

POWER = {
    K.OR_OR: 1, K.AND_AND: 2, K.EQ_EQ: 3, K.NOT_EQ: 3, K.LT: 3, K.LT_EQ: 3, K.GT: 3, K.GT_EQ: 3, K.PLUS: 4,
    K.MINUS: 4, K.STAR: 5, K.SLASH: 5, K.PERCENT: 5,
}  # fmt: skip

_ITEM_BODIES = frozenset((
    K.N_CONCEPT_BODY, K.N_SUBTYPE_LIST, K.N_FIELD_LIST, K.N_VARIANT_LIST, K.N_MEMBER_LIST, K.N_GROUP_MEMBERS,
    K.N_BLOCK, K.N_STMT_BLOCK, K.N_AXIS_SETTINGS, K.N_AXIS_VALUES,
))  # fmt: skip


class Builder:
    """The documents of one item's nodes, filled in post-order. The rules per kind are in `rules.py`."""

    def __init__(self, item: Item, trivia: Trivia, *, keep_semicolon: bool = False) -> None:
        self.item = item
        self.keep_semicolon = keep_semicolon
        self.trivia = trivia
        places = item.extent[0]
        self.tokens = [item.kinds[index] for index in places]
        self.docs: list[Doc] = [""] * len(item.node_kinds)
        self.forced = [False] * len(item.node_kinds)

    # Parts ------------------------------------------------------------------------------------------------------

    def parts(self, node: int) -> list[Part]:
        """Own tokens and children of a node, in the order of the text."""
        item, firsts = self.item, self.item.node_firsts
        found: list[Part] = []
        place, child = item.node_ends[node], node - 1
        while child >= firsts[node]:
            found.extend(range(place - 1, item.node_ends[child] - 1, -1))
            found.append(~child)
            place, child = item.node_starts[child], firsts[child] - 1
        found.extend(range(place - 1, item.node_starts[node] - 1, -1))
        found.reverse()
        return found

    def kind(self, part: Part) -> int:
        """Node kind of a child; -1 for a token."""
        return self.item.node_kinds[~part] if part < 0 else -1

    def token(self, part: Part) -> int:
        """Token kind of a token; -1 for a child."""
        return self.tokens[part] if part >= 0 else -1

    def first(self, part: Part) -> int:
        """Place of a part's first token."""
        return self.item.node_starts[~part] if part < 0 else part

    def end(self, part: Part) -> int:
        """Place behind a part's last token."""
        return self.item.node_ends[~part] if part < 0 else part + 1

    def breaks(self, parts: list[Part]) -> bool:
        """Whether some part cannot stand on one line, or a comment between them needs a line end."""
        if any(part < 0 and self.forced[~part] for part in parts):
            return True
        return bool(parts) and self.trivia.inside(self.first(parts[0]), self.end(parts[-1]))

    # Documents of parts -----------------------------------------------------------------------------------------

    def doc(self, part: Part, parent: int) -> Doc:
        """The document of a part inside a node of kind `parent`, grouped where its lines are its own."""
        if part >= 0:
            return Tok(part)
        child = ~part
        kind, doc = self.item.node_kinds[child], self.docs[child]
        if kind == K.N_BINARY and parent != K.N_BINARY:
            return Group(Indent(doc), self.forced[child])
        if (kind == K.N_BLOCK and parent not in (K.N_IF_EXPR, K.N_ELSE_CLAUSE)) or (
            kind == K.N_IF_EXPR and parent != K.N_ELSE_CLAUSE
        ):
            return Group(doc, self.forced[child])
        return doc

    def sequence(self, parts: list[Part], parent: int) -> list[Doc]:
        """The parts on one line, with blanks where they belong."""
        docs: list[Doc] = []
        for number, part in enumerate(parts):
            if number and self.parted(parts[number - 1], part, parent):
                docs.append(" ")
            docs.append(self.doc(part, parent))
        return docs

    def parted(self, left: Part, right: Part, parent: int) -> bool:
        """Whether a blank stands between two neighbours."""
        return blank(parent, self.token(left), self.tokens[self.first(right)], self.kind(right))

    # Lists ------------------------------------------------------------------------------------------------------

    def list_node(self, node: int, opener: int) -> None:
        """A node whose own brackets, from token kind `opener` on, hold a list."""
        kind, parts = self.item.node_kinds[node], self.parts(node)
        begin = next(i for i, part in enumerate(parts) if self.token(part) == opener)
        end = max(i for i, part in enumerate(parts) if self.token(part) == CLOSER[opener])
        head = self.sequence(parts[: begin + 1], kind)[:-1]
        doc, broken = self.bracket(parts[begin], parts[begin + 1 : end], parts[end], kind)
        tail = self.sequence(parts[end:], kind)[1:]
        self.docs[node] = [*head, doc, *tail]
        self.forced[node] = broken or self.breaks(parts[: begin + 1]) or self.breaks(parts[end:])

    def bracket(self, opener: Part, inner: list[Part], closer: Part, parent: int) -> tuple[Doc, bool]:
        """The document of a list in brackets, and whether it must be broken."""
        commas = [part for part in inner if self.token(part) == K.COMMA]
        elements = self.elements(inner)
        comments = any(each.own_line or each.line for each in self.trivia.leading[closer])
        if not elements and not comments:
            return [Tok(opener), Tok(closer)], self.trivia.inside(opener, closer + 1)
        if self.hugs(elements, commas, parent):
            child = elements[0][0]
            return [Tok(opener), self.doc(child, parent), Tok(closer)], self.forced[~child]
        broken = self.trivia.newline[opener + 1] or self.breaks([opener, *inner, closer])
        trailing = bool(elements) and self.token(elements[-1][-1]) != K.DOT_DOT
        docs: list[Doc] = [self.sequence(element, parent) for element in elements]
        firsts = [self.first(element[0]) for element in elements]
        inside = comma_list(docs, firsts, commas, trailing=trailing)
        flat = " " if self.tokens[opener] == K.LBRACE and parent != K.N_USE_LEAVES else ""
        return braces(opener, closer, inside, flat=flat, broken=broken, comments=comments), broken

    def elements(self, inner: list[Part]) -> list[list[Part]]:
        """The parts between commas."""
        found: list[list[Part]] = [[]]
        for part in inner:
            if self.token(part) == K.COMMA:
                found.append([])
            else:
                found[-1].append(part)
        return [element for element in found if element]

    def hugs(self, elements: list[list[Part]], commas: list[Part], parent: int) -> bool:
        """Whether the brackets close around an only element that has brackets itself."""
        if len(elements) != 1 or len(elements[0]) != 1 or commas or parent not in (K.N_ARG_LIST, K.N_LIST_EXPR):
            return False
        part = elements[0][0]
        return self.kind(part) in HUGGED and not self.trivia.inside(self.first(part) - 1, self.end(part) + 1)

    # Lines of things in braces ----------------------------------------------------------------------------------

    def lines(self, opener: Part, inner: list[Part], closer: Part, parent: int) -> Doc:
        """Braces around things that each begin a line of their own."""
        comments = any(each.own_line or each.line for each in self.trivia.leading[closer])
        if not inner and not comments:
            return [Tok(opener), Tok(closer)]
        docs: list[Doc] = []
        for part in inner:
            if docs:
                docs.append(Line(" ", self.first(part)))
            docs.append(self.doc(part, parent))
        return braces(opener, closer, docs, flat=" ", broken=True, comments=comments)

    def without_semicolon(self, parts: list[Part]) -> tuple[list[Part], list[Doc]]:
        """The parts of an item, without the `;` behind the brace that ends its body, and the comments behind that."""
        optional = not self.keep_semicolon and len(parts) > 1 and self.token(parts[-1]) == K.SEMI and (
            self.kind(parts[-2]) in _ITEM_BODIES or self.token(parts[-2]) == K.RBRACE
        )  # fmt: skip
        return (parts[:-1], [Dropped(parts[-1])]) if optional else (parts, [])

    def opens_list(self, node: int) -> int | None:
        """The opening bracket of a list node; None when the node is none."""
        kind = self.item.node_kinds[node]
        first = self.tokens[self.item.node_starts[node]]
        if kind == K.N_PARAMS and first in (K.PIPE, K.OR_OR):
            return K.PIPE if first == K.PIPE else None
        if kind in (K.N_AXIS_VALUES, K.N_META_TARGET, K.N_REQUIRE_STMT):
            own = [self.token(part) for part in self.parts(node)]
            return next((each for each in own if each in (K.LBRACE, K.LBRACKET)), None) if K.LT not in own else None
        return LISTS.get(kind)
