import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import {
  type Surroundings, find, installCommand, isRecent, judged, missing, tooOld, versionIn, withoutExtra,
} from "../src/program.ts";

function around(files: readonly string[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    platform: "linux",
    environment: { PATH: "/usr/local/bin:relative:/usr/bin" },
    home: "/people/ada",
    folders: ["/w/one", "/w/two"],
    setting: "",
    trusted: true,
    isFile: (path) => files.includes(path),
    ...more,
  };
}

const windows: Partial<Surroundings> = {
  platform: "win32",
  environment: { Path: "C:\\Python\\Scripts;relative" },
  home: "C:\\Users\\ada",
  folders: ["C:\\w one"],
};

test("the setting comes before the environment of the workspace", () => {
  const files = ["/opt/argon", "/w/one/.venv/bin/argon"];
  assert.equal(find(around(files, { setting: "/opt/argon" }))?.path, "/opt/argon");
});

test("a setting that names nothing is not replaced by something else", () => {
  const here = around(["/usr/bin/argon"], { setting: "/opt/argon" });
  assert.equal(find(here), undefined);
  assert.match(missing(here).sentence, /argon\.path names \/opt\/argon/);
  assert.equal(missing(here).command, undefined);
});

test("the home folder and the workspace may be named in the setting", () => {
  const files = ["/people/ada/bin/argon", "/w/one/tools/argon"];
  assert.equal(find(around(files, { setting: "~/bin/argon" }))?.path, "/people/ada/bin/argon");
  assert.equal(find(around(files, { setting: "${workspaceFolder}/tools/argon" }))?.path, "/w/one/tools/argon");
});

test("the environment of the workspace comes before the PATH, .venv before venv", () => {
  const files = ["/usr/bin/argon", "/w/two/venv/bin/argon", "/w/two/.venv/bin/argon"];
  assert.deepEqual(find(around(files)), { path: "/w/two/.venv/bin/argon", python: "/w/two/.venv/bin/python" });
});

test("environments on Windows have another layout", () => {
  for (const bin of ["Scripts", "bin"]) {
    const file = `C:\\w one\\venv\\${bin}\\argon.exe`;
    assert.deepEqual(find(around([file], windows)), { path: file, python: `C:\\w one\\venv\\${bin}\\python.exe` });
  }
  assert.equal(find(around(["C:\\Python\\Scripts\\argon.exe"], windows))?.path, "C:\\Python\\Scripts\\argon.exe");
});

test("a folder that is not trusted brings no program along", () => {
  const files = ["/usr/bin/argon", "/w/one/.venv/bin/argon"];
  assert.equal(find(around(files, { trusted: false }))?.path, "/usr/bin/argon");
  assert.doesNotMatch(missing(around([], { trusted: false })).sentence, /venv/);
});

test("relative folders of the PATH are passed over", () => {
  assert.equal(find(around(["relative/argon"])), undefined);
});

test("the command installs into the environment where argon was found", () => {
  assert.equal(missing(around([])).command, 'pip install "argon-lang[lsp]"');
  const program = { path: "/w/one/.venv/bin/argon", python: "/w/one/.venv/bin/python" };
  assert.equal(withoutExtra(program).command, '/w/one/.venv/bin/python -m pip install "argon-lang[lsp]"');
  assert.equal(tooOld(program, "0.0.9").command, '/w/one/.venv/bin/python -m pip install --upgrade "argon-lang[lsp]"');
  assert.match(installCommand("C:\\w one\\venv\\Scripts\\python.exe"), /^& "C:\\w one\\venv\\Scripts\\python\.exe" -m/);
});

test("a version is read and compared by its numbers", () => {
  assert.equal(versionIn("argon 0.10.2\n"), "0.10.2");
  assert.equal(versionIn("argon 1.0.0rc1\r\n"), "1.0.0rc1");
  assert.equal(versionIn("Argon CD client"), undefined);
  assert.ok(isRecent("0.10.0", "0.9.9") && isRecent("1.0.0", "1.0.0") && isRecent("1.0.1rc1", "1.0.1"));
  assert.ok(!isRecent("0.9.9", "0.10.0") && !isRecent("1.2", "1.2.1"));
});

test("a program is judged by what it prints", async () => {
  const folder = mkdtempSync(join(tmpdir(), "argon-"));
  const judge = async (script: string): Promise<unknown> => {
    const path = join(folder, "argon");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return judged({ path, python: undefined });
  };
  try {
    assert.equal(await judge("echo argon 9.0.0"), "9.0.0");
    assert.match(JSON.stringify(await judge("echo argon 0.0.1")), /is argon 0\.0\.1, and the extension needs/);
    assert.match(JSON.stringify(await judge("echo ArgoCD")), /did not print the version of argon/);
    assert.match(JSON.stringify(await judge("echo no such module >&2; exit 3")), /--version failed: no such module/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
