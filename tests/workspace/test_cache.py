"""The cache: what is put in comes out whole or not at all, and it stays within its bounds."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from argon_lang.workspace import cache as caches
from argon_lang.workspace.cache import NO_CACHE, Cache, cache_key, code_identity, user_cache


def files(cache: Cache) -> list[Path]:
    return sorted(path for path in (cache.folder or Path()).rglob("*") if path.is_file())


def test_a_value_comes_back_under_its_key_and_no_other(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "c")
    assert cache.get("ab12") is None
    cache.put("ab12", b"one")
    cache.put("ab13", b"")
    assert (cache.get("ab12"), cache.get("ab13"), cache.get("ab14")) == (b"one", b"", None)
    cache.put("ab12", b"two")
    assert cache.get("ab12") == b"two"


@pytest.mark.parametrize("damage", [b"", b"ARGONCA1", b"\0" * 100, b"ARGONCA1" + b"x" * 50])
def test_a_damaged_file_is_a_miss_and_is_written_anew(tmp_path: Path, damage: bytes) -> None:
    cache = Cache(tmp_path)
    cache.put("ab12", b"value")
    (file,) = files(cache)
    file.write_bytes(damage)
    assert cache.get("ab12") is None
    cache.put("ab12", b"value")
    assert cache.get("ab12") == b"value"


def test_a_flip_of_any_bit_is_a_miss(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("ab12", b"value")
    (file,) = files(cache)
    whole = file.read_bytes()
    for at in range(len(whole)):
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert cache.get("ab12") is None


def test_a_file_under_another_key_is_a_miss(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.put("ab12", b"value")
    (file,) = files(cache)
    file.rename(file.with_name("13"))
    assert cache.get("ab13") is None


def test_what_was_not_used_for_longest_goes_first(tmp_path: Path) -> None:
    cache = Cache(tmp_path, most=250)
    for number, key in enumerate(("aa01", "aa02", "aa03")):
        cache.put(key, bytes(40))
        os.utime(tmp_path / key[:2] / key[2:], (number, number))
    assert cache.get("aa01") is not None
    cache.put("aa04", bytes(40))
    assert [key for key in ("aa01", "aa02", "aa03", "aa04") if cache.get(key) is not None] == ["aa01", "aa03", "aa04"]


def test_a_value_that_is_too_large_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caches, "MOST_VALUE", 10)
    cache = Cache(tmp_path)
    cache.put("ab12", bytes(11))
    assert files(cache) == []


def test_a_folder_that_cannot_be_is_a_cache_that_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for cache in (NO_CACHE, Cache(tmp_path / "file" / "below")):
        cache.put("ab12", b"value")
        assert cache.get("ab12") is None


def test_the_environment_moves_it_and_turns_it_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARGON_CACHE", raising=False)
    monkeypatch.setenv("ARGON_CACHE_DIR", str(tmp_path))
    assert user_cache() == Cache(tmp_path)
    monkeypatch.setenv("ARGON_CACHE", "off")
    assert user_cache() == NO_CACHE
    monkeypatch.delenv("ARGON_CACHE")
    monkeypatch.delenv("ARGON_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "argon" in str(user_cache().folder)


def test_a_key_names_kind_inputs_and_code(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {cache_key("check", "1"), cache_key("check", "2"), cache_key("build", "1")}
    assert code_identity() == code_identity()
    monkeypatch.setattr(caches, "code_identity", lambda: "other")
    keys.add(cache_key("check", "1"))
    assert len(keys) == 4
