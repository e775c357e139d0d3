"""Module trees and what modules see, from declarations alone: no text is parsed here."""

from __future__ import annotations

from argon_lang.program.declare import Declared, Import
from argon_lang.program.lookup import World, walk
from argon_lang.program.model import Lookup, SymbolKind, Visibility
from argon_lang.program.modules import ModuleTree, module_tree, shapes
from argon_lang.program.scopes import Namespaces, namespaces
from argon_lang.queries.snippet import check_files


def item(kind: SymbolKind, name: str, visibility: Visibility = "public", arity: int | None = None) -> Declared:
    return Declared(f"{kind} {name}", kind, name, arity, visibility)


def mod(name: str, visibility: Visibility = "private") -> Declared:
    return Declared(f"mod {name}", "module", name, None, visibility, opens="file")


def use(path: str, visibility: Visibility = "private", alias: str | None = None) -> Declared:
    segments = tuple(path.split("::"))
    glob = segments[-1] == "*"
    leaf = Import(segments[:-1], None, 0) if glob else Import(segments, alias or segments[-1], 0)
    return Declared(f"use {path}", visibility=visibility, imports=(leaf,))


def fact(*names: str) -> Declared:
    return Declared(f"fact P({names})", individuals=names)


OPEN, CLOSE = "inline", Declared("}", closes=True)


def inline(name: str, *items: Declared) -> list[Declared]:
    return [Declared(f"mod {name}", "module", name, None, "public", opens="inline"), *items, CLOSE]


def tree_of(files: dict[str, list[Declared]]) -> ModuleTree:
    return module_tree({"pkg": "p/root.ar"}, lambda file: shapes(file, files[file]) if file in files else None)


def names_of(files: dict[str, list[Declared]]) -> Namespaces:
    return namespaces(tree_of(files), {})


def look(world: World, module: str, path: str) -> Lookup:
    return walk(world, module, tuple(path.split("::")))


def paths(found: Lookup) -> list[str]:
    return [symbol.path for symbol in found.symbols]


def test_mod_opens_the_file_beside_or_the_folder() -> None:
    tree = tree_of({"p/root.ar": [mod("a"), mod("b")], "p/a.ar": [], "p/b/mod.ar": [mod("c")], "p/b/c.ar": []})
    assert list(tree.modules) == ["pkg", "pkg::a", "pkg::b", "pkg::b::c"]
    assert tree.files == ("p/a.ar", "p/b/c.ar", "p/b/mod.ar", "p/root.ar")
    assert tree.faults == ()


def test_a_missing_file_is_a_fault_that_says_where_it_was_sought() -> None:
    (fault,) = tree_of({"p/root.ar": [mod("a")]}).faults
    assert (fault.name, fault.looked) == ("a", ("p/a.ar", "p/a/mod.ar"))


def test_a_file_that_opens_an_open_one_is_a_cycle() -> None:
    tree = tree_of({"p/root.ar": [mod("a")], "p/a.ar": [mod("b")], "p/b.ar": [mod("a")]})
    (fault,) = tree.faults
    assert fault.cycle == ("p/a.ar", "p/b.ar", "p/a.ar")


def test_whatever_is_sought_in_an_unopened_module_counts_as_found() -> None:
    world = names_of({"p/root.ar": [mod("a")]}).world
    assert look(world, "pkg", "a::Thing").symbols[0].kind == "unsupported"


def test_items_of_inline_modules_stand_in_them() -> None:
    world = names_of({"p/root.ar": [*inline("a", item("concept", "X"), *inline("b", item("concept", "Y")))]}).world
    assert paths(look(world, "pkg", "a::b::Y")) == ["pkg::a::b::Y"]
    assert look(world, "pkg::a", "Y").code == "OE0101"
    assert paths(look(world, "pkg::a::b", "super::X")) == ["pkg::a::X"]


def test_private_items_are_for_their_module_and_those_inside_it() -> None:
    files = {
        "p/root.ar": [mod("a"), item("concept", "Top", "private")],
        "p/a.ar": [item("concept", "X", "private"), item("concept", "Y", "package"), *inline("b")],
    }
    world = names_of(files).world
    assert look(world, "pkg", "a::X").code == "OE0104"
    assert paths(look(world, "pkg", "a::Y")) == ["pkg::a::Y"]
    assert paths(look(world, "pkg::a::b", "super::X")) == ["pkg::a::X"]
    assert paths(look(world, "pkg::a::b", "pkg::Top")) == ["pkg::Top"]


def test_reexports_resolve_in_any_order_of_modules() -> None:
    files = {
        "p/root.ar": [mod("a"), mod("b"), mod("c"), use("a::X")],
        "p/a.ar": [use("super::b::X", "public")],
        "p/b.ar": [use("super::c::*", "public")],
        "p/c.ar": [item("concept", "X")],
    }
    found = names_of(files)
    assert paths(look(found.world, "pkg", "X")) == ["pkg::c::X"]
    assert all(each.lookup.code is None for each in found.imports.values())


def test_a_reexport_cycle_is_reported_at_each_of_its_imports_and_nowhere_else() -> None:
    files = {
        "p/root.ar": [mod("a"), mod("b"), use("a::X")],
        "p/a.ar": [use("super::b::X", "public")],
        "p/b.ar": [use("super::a::X", "public")],
    }
    found = names_of(files).imports.values()
    assert sorted(each.cycle for each in found) == [
        (),
        ("pkg::a", "pkg::b", "pkg::a"),
        ("pkg::b", "pkg::a", "pkg::b"),
    ]
    assert [each.silent for each in found if not each.cycle] == [True]


def test_own_and_imported_names_hide_those_of_globs() -> None:
    files = {
        "p/root.ar": [mod("a"), mod("b"), item("concept", "X"), use("a::*"), use("b::Y")],
        "p/a.ar": [item("concept", "X"), item("concept", "Y"), item("concept", "Z")],
        "p/b.ar": [item("concept", "Y")],
    }
    world = names_of(files).world
    assert [paths(look(world, "pkg", name)) for name in "XYZ"] == [["pkg::X"], ["pkg::b::Y"], ["pkg::a::Z"]]


def test_two_globs_that_bring_different_things_are_ambiguous_only_where_the_name_is_used() -> None:
    files = {
        "p/root.ar": [mod("a"), mod("b"), use("a::*"), use("b::*")],
        "p/a.ar": [item("concept", "X")],
        "p/b.ar": [item("concept", "X")],
    }
    found = names_of(files)
    assert found.clashes == ()
    lookup = look(found.world, "pkg", "X")
    assert (lookup.code, lookup.candidates) == ("OE0102", ("pkg::a::X", "pkg::b::X"))


def test_clauses_of_one_arity_unite_and_another_arity_is_a_hint() -> None:
    clauses = [item("predicate", "p", "private", 2), item("predicate", "p", "public", 2)]
    found = names_of({"p/root.ar": [*clauses, item("predicate", "p", arity=3)]})
    symbols = look(found.world, "pkg", "p").symbols
    assert [(s.arity, len(s.items), s.visibility) for s in symbols] == [(2, 2, "public"), (3, 1, "public")]
    assert [clash.hint for clash in found.clashes] == [True]


def test_a_rule_may_not_share_name_and_arity_with_a_concept() -> None:
    found = names_of({"p/root.ar": [item("concept", "P", arity=1), item("predicate", "P", arity=1)]})
    assert [(clash.symbol.kind, clash.hint) for clash in found.clashes] == [("predicate", False)]


def test_an_import_that_collides_with_a_declaration_is_a_clash_at_its_leaf() -> None:
    files = {"p/root.ar": [mod("a"), item("struct", "X"), use("a::X")], "p/a.ar": [item("concept", "X")]}
    assert [(clash.leaf, clash.symbol.path) for clash in names_of(files).clashes] == [(0, "pkg::a::X")]


def test_an_argument_that_means_nothing_else_declares_an_individual() -> None:
    files = {"p/root.ar": [item("concept", "P"), fact("ada", "P"), fact("ada", "ben")]}
    world = names_of(files).world
    (ada,) = look(world, "pkg", "ada").symbols
    assert (ada.kind, len(ada.items)) == ("individual", 2)
    assert look(world, "pkg", "P").symbols[0].kind == "concept"


def test_a_name_that_a_glob_brings_means_the_other_modules_individual() -> None:
    files = {
        "p/root.ar": [mod("a"), mod("b")],
        "p/a.ar": [use("super::b::*"), fact("ada", "eve")],
        "p/b.ar": [fact("ada")],
    }
    world = names_of(files).world
    assert paths(look(world, "pkg::a", "ada")) == ["pkg::b::ada"]
    assert paths(look(world, "pkg::a", "eve")) == ["pkg::a::eve"]


def test_modules_whose_globs_bring_each_others_names_declare_an_individual_once() -> None:
    files = {
        "p/root.ar": [mod("a"), mod("b")],
        "p/a.ar": [use("super::b::*"), fact("ada")],
        "p/b.ar": [use("super::a::*"), fact("ada")],
    }
    world = names_of(files).world
    assert paths(look(world, "pkg::a", "ada")) == paths(look(world, "pkg::b", "ada"))


def test_a_failed_import_binds_its_name_so_that_one_mistake_is_one_diagnostic() -> None:
    found = names_of({"p/root.ar": [mod("a"), use("a::Missing")], "p/a.ar": []})
    assert [each.lookup.code for each in found.imports.values()] == ["OE0101"]
    assert look(found.world, "pkg", "Missing").symbols[0].kind == "unsupported"


def test_a_miss_names_near_spellings() -> None:
    world = names_of({"p/root.ar": [item("concept", "Tenant")]}).world
    assert look(world, "pkg", "Tenent").candidates == ("Tenant",)


def test_a_long_chain_of_re_exports_is_followed_whichever_way_it_is_written() -> None:
    chain = [f"mod m{number} {{ pub use super::m{number + 1}::A; }}" for number in range(150)]
    for written in (chain, chain[::-1]):
        text = "\n".join([*written, "mod m150 { pub type A; }", "use m0::A;", "fact A(x);"])
        assert check_files({"root.ar": text}) == []
