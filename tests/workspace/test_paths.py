"""Whether a path lies in the project, for both families of systems, on whichever the test runs."""

from __future__ import annotations

import ntpath
import os
import posixpath
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from argon_lang.errors import ArgonError
from argon_lang.workspace.paths import MACOS, POSIX, WINDOWS, PathStyle, path_in_project

NFC, NFD = "caf\u00e9", "cafe\u0301"


def links(table: Mapping[str, str], rules: ModuleType) -> Callable[[str], str]:
    """A realpath over a table of symlinks: each leading part that is a link is replaced, from the left."""

    def realpath(path: str) -> str:
        drive, rest = rules.splitdrive(path)
        resolved = drive + rules.sep
        for name in rest.replace("/", rules.sep).split(rules.sep):
            if name == "..":
                resolved = rules.dirname(resolved)
            elif name not in ("", "."):
                resolved = rules.join(resolved, name)
                resolved = table.get(resolved, resolved)
        return str(resolved)

    return realpath


def located(argument: str, style: PathStyle, root: str, base: str, table: Mapping[str, str] | None = None) -> str:
    realpath = links(table or {}, style.rules)
    return path_in_project(argument, root=root, base=base, style=style, realpath=realpath)


POSIX_INSIDE = [
    ("root.ar", "root.ar"),
    (".", "."),
    ("", "."),
    ("./a/../b.ar", "b.ar"),
    ("/p/lease/a/b.ar", "a/b.ar"),
    ("/p/lease", "."),
    ("/p/lease/", "."),
    ("/p//lease//a.ar", "a.ar"),
    ("../lease/a.ar", "a.ar"),
    ("file:///p/lease/a%20b.ar", "a b.ar"),
    ("FILE:///p/lease/a.ar", "a.ar"),
    ("file://localhost/p/lease/a.ar", "a.ar"),
    (r"a\b.ar", r"a\b.ar"),
    ("C:/a.ar", "C:/a.ar"),
    (f"{NFD}.ar", f"{NFD}.ar"),
    ("..hidden/a.ar", "..hidden/a.ar"),
]

POSIX_OUTSIDE = [
    "..",
    "../other/a.ar",
    "/p/lease2/a.ar",
    "/p/LEASE/a.ar",
    "/etc/passwd",
    "a/../../other",
    "file:///etc/passwd",
    "file:///p/lease/%2e%2e/other",
    "file://server/p/lease/a.ar",
    "file:relative.ar",
    "file:///p/lease/%ff.ar",
    "file:///p/lease/a.ar?x=1",
    "a\0b.ar",
    "a\ud800.ar",
]


@pytest.mark.parametrize(("argument", "relative"), POSIX_INSIDE)
def test_a_posix_path_in_the_project_is_answered_relative_to_its_root(argument: str, relative: str) -> None:
    assert located(argument, POSIX, "/p/lease", "/p/lease") == relative


@pytest.mark.parametrize("argument", POSIX_OUTSIDE)
def test_a_posix_path_outside_the_project_is_refused_with_its_name(argument: str) -> None:
    with pytest.raises(ArgonError) as refusal:
        located(argument, POSIX, "/p/lease", "/p/lease")
    assert refusal.value.code == "ARGON_PATH_OUTSIDE_PROJECT"
    assert dict(refusal.value.args_) == {"path": argument}
    assert [(note.key, dict(note.args)) for note in refusal.value.notes] == [("root", {"root": "/p/lease"})]


WINDOWS_INSIDE = [
    ("root.ar", "root.ar"),
    (r"sub\a.ar", "sub/a.ar"),
    ("sub/a.ar", "sub/a.ar"),
    (r"C:\p\Lease\a.ar", "a.ar"),
    (r"c:\P\lease\A.ar", "A.ar"),
    ("C:/p/Lease/sub/a.ar", "sub/a.ar"),
    (r"\p\Lease\a.ar", "a.ar"),
    (r"C:a.ar", "a.ar"),
    (r"..\Lease\a.ar", "a.ar"),
    (r"\\?\C:\p\Lease\a.ar", "a.ar"),
    ("file:///c%3A/p/Lease/a.ar", "a.ar"),
    ("file:///C:/p/Lease/a%20b.ar", "a b.ar"),
]

WINDOWS_OUTSIDE = [
    "..",
    r"D:\p\Lease\a.ar",
    "D:a.ar",
    r"\\server\share\a.ar",
    "//server/share/a.ar",
    r"\\?\UNC\server\share\a.ar",
    r"\\.\C:\p\Lease\a.ar",
    r"C:\p\Lease2\a.ar",
    r"sub\..\..\a.ar",
    r"sub\... \a.ar",
    "file:///d%3A/p/Lease/a.ar",
    "file://server/share/a.ar",
    "file:///p/Lease/a.ar",
    "a\0b.ar",
]


@pytest.mark.parametrize(("argument", "relative"), WINDOWS_INSIDE)
def test_a_windows_path_in_the_project_is_answered_relative_with_slashes(argument: str, relative: str) -> None:
    assert located(argument, WINDOWS, "C:\\p\\Lease", "C:\\p\\Lease") == relative


@pytest.mark.parametrize("argument", WINDOWS_OUTSIDE)
def test_a_windows_path_outside_the_project_is_refused(argument: str) -> None:
    with pytest.raises(ArgonError):
        located(argument, WINDOWS, "C:\\p\\Lease", "C:\\p\\Lease")


@pytest.mark.parametrize(
    "argument", [r"\\server\share\lease\a.ar", "//SERVER/Share/lease/a.ar", "file://server/share/lease/a.ar", "a.ar"]
)
def test_a_project_on_a_windows_share_holds_its_own_paths(argument: str) -> None:
    root = r"\\server\share\lease"
    assert path_in_project(argument, root=root, base=root, style=WINDOWS, realpath=ntpath.normpath) == "a.ar"


def test_a_project_at_the_root_of_a_drive_or_of_the_system_holds_everything_on_it() -> None:
    assert located(r"C:\a\b.ar", WINDOWS, "C:\\", "C:\\") == "a/b.ar"
    assert located("/a/b.ar", POSIX, "/", "/") == "a/b.ar"


def test_macos_names_are_equal_whatever_their_case_and_normal_form() -> None:
    assert located(f"/P/{NFD.upper()}/a.ar", MACOS, f"/p/{NFC}", "/") == "a.ar"
    with pytest.raises(ArgonError):
        located(f"/p/{NFD}/a.ar", POSIX, f"/p/{NFC}", "/")


def test_a_symlink_out_of_the_project_is_outside_and_one_within_is_resolved() -> None:
    table = {"/p/lease/out": "/etc", "/p/lease/in": "/p/lease/deep/er"}
    with pytest.raises(ArgonError):
        located("out/passwd", POSIX, "/p/lease", "/p/lease", table)
    assert located("in/a.ar", POSIX, "/p/lease", "/p/lease", table) == "deep/er/a.ar"


def test_dots_after_a_symlink_count_from_where_it_leads() -> None:
    table = {"/p/lease/in": "/p/lease/deep/er"}
    assert located("in/../a.ar", POSIX, "/p/lease", "/p/lease", table) == "deep/a.ar"
    with pytest.raises(ArgonError):
        located("in/../../../a.ar", POSIX, "/p/lease", "/p/lease", table)


def test_a_root_that_is_itself_reached_by_a_symlink_holds_its_files() -> None:
    assert located("/q/a.ar", POSIX, "/q", "/q", {"/q": "/p/lease"}) == "a.ar"
    assert located("/p/lease/a.ar", POSIX, "/q", "/q", {"/q": "/p/lease"}) == "a.ar"


def test_a_relative_argument_counts_from_the_working_folder_not_from_the_root() -> None:
    assert located("a.ar", POSIX, "/p/lease", "/p/lease/sub") == "sub/a.ar"
    with pytest.raises(ArgonError):
        located("lease/a.ar", POSIX, "/p/lease", "/p/other")


def test_a_real_symlink_out_of_a_real_project_is_refused(tmp_path: Path) -> None:
    project, other = tmp_path / "project", tmp_path / "other"
    project.mkdir()
    other.mkdir()
    (project / "leak").symlink_to(other)
    here = str(project)
    with pytest.raises(ArgonError):
        path_in_project("leak/a.ar", root=here, base=here)
    assert path_in_project(os.fspath(project / "new.ar"), root=here, base=here) == "new.ar"


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(["a", "b", "..", ".", "", "lease", "p"]), max_size=8), st.booleans())
def test_an_answer_never_leaves_the_root_and_names_the_same_file(parts: list[str], absolute: bool) -> None:
    argument = ("/" if absolute else "") + "/".join(parts)
    direct = posixpath.normpath(posixpath.join("/p/lease", argument)).replace("//", "/")
    try:
        relative = path_in_project(argument, root="/p/lease", base="/p/lease", style=POSIX, realpath=posixpath.normpath)
    except ArgonError:
        assert not (direct + "/").startswith("/p/lease/")
    else:
        assert posixpath.normpath("/p/lease/" + relative) == direct
