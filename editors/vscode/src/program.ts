/** Finding `argon`, judging what was found, and what to type when it is no good. Nothing here knows the editor. */

import { execFile } from "node:child_process";
import * as path from "node:path";

/** The oldest argon that the extension was made for. */
export const OLDEST = "0.1.0";
/** What `argon lsp` says on standard error when it was installed without the packages it needs. */
export const EXTRA_MISSING = "ARGON_EXTRA_MISSING";

const PATIENCE_MILLISECONDS = 20_000;
const VENVS = [".venv", "venv"];

/** Where to look. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Folders of the workspace, the first one first. */
  readonly folders: readonly string[];
  /** The setting `argon.path`; empty when it is not set. */
  readonly setting: string;
  /** Whether programs of the workspace may be run. */
  readonly trusted: boolean;
  readonly isFile: (path: string) => boolean;
}

/** The program, and the Python of its virtual environment where it lies in one of the workspace. */
export interface Program {
  readonly path: string;
  readonly python: string | undefined;
}

/** Why there is no server: one sentence, and the command that mends it, if a command does. */
export interface Advice {
  readonly sentence: string;
  readonly command: string | undefined;
}

/** The setting with `~` and `${workspaceFolder}` replaced. */
export function expanded(around: Surroundings): string {
  const home = around.setting.replace(/^~(?=$|[\\/])/, () => around.home);
  return home.replaceAll("${workspaceFolder}", () => around.folders[0] ?? "");
}

/** The program that the setting names; else that of the workspace's environment, else that on the PATH. */
export function find(around: Surroundings): Program | undefined {
  if (around.setting !== "") {
    const named = expanded(around);
    return around.isFile(named) ? { path: named, python: undefined } : undefined;
  }
  return (around.trusted ? inWorkspace(around) : undefined) ?? onPath(around);
}

function inWorkspace(around: Surroundings): Program | undefined {
  const { join } = pathsOf(around);
  for (const folder of around.folders) {
    for (const venv of VENVS) {
      for (const bin of programFolders(around)) {
        const found = join(folder, venv, bin, programName(around));
        if (around.isFile(found)) {
          return { path: found, python: join(folder, venv, bin, pythonName(around)) };
        }
      }
    }
  }
  return undefined;
}

function onPath(around: Surroundings): Program | undefined {
  const { delimiter, isAbsolute, join } = pathsOf(around);
  const listed = around.environment["PATH"] ?? around.environment["Path"] ?? "";
  const found = listed
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, programName(around)))
    .find((each) => around.isFile(each));
  return found === undefined ? undefined : { path: found, python: undefined };
}

function pathsOf(around: Surroundings): path.PlatformPath {
  return around.platform === "win32" ? path.win32 : path.posix;
}

function programName(around: Surroundings): string {
  return around.platform === "win32" ? "argon.exe" : "argon";
}

function pythonName(around: Surroundings): string {
  return around.platform === "win32" ? "python.exe" : "python";
}

/** Python for Windows has `Scripts`, MSYS2's Python for Windows has `bin`. */
function programFolders(around: Surroundings): readonly string[] {
  return around.platform === "win32" ? ["Scripts", "bin"] : ["bin"];
}

/** What to say when nothing was found. */
export function missing(around: Surroundings): Advice {
  if (around.setting !== "") {
    return {
      sentence: `The setting argon.path names ${expanded(around)}, and there is no such file.`,
      command: undefined,
    };
  }
  const places = around.trusted ? "in .venv or venv of the workspace or on the PATH" : "on the PATH";
  const command = installCommand(undefined);
  return { sentence: `Argon's language server is not installed: there is no argon ${places}.`, command };
}

/** What to say when the program is older than the extension can use. */
export function tooOld(program: Program, version: string): Advice {
  return {
    sentence: `${program.path} is argon ${version}, and the extension needs ${OLDEST} or newer.`,
    command: installCommand(program.python, "--upgrade"),
  };
}

/** What to say when argon is there without the packages of its language server. */
export function withoutExtra(program: Program): Advice {
  return {
    sentence: `${program.path} was installed without its language server, which is the extra "lsp".`,
    command: installCommand(program.python),
  };
}

/** What to say when the program does not even tell its version. */
export function broken(program: Program, why: string): Advice {
  return { sentence: `${program.path} --version failed: ${why}`, command: undefined };
}

/** A command for the terminals that the editor opens (bash, zsh, PowerShell): for the Python on the PATH or another. */
export function installCommand(python: string | undefined, ...flags: readonly string[]): string {
  const program = python === undefined ? "pip" : `${quoted(python)} -m pip`;
  return [program, "install", ...flags, '"argon-lang[lsp]"'].join(" ");
}

function quoted(word: string): string {
  if (!word.includes(" ")) {
    return word;
  }
  return word.includes("\\") ? `& "${word}"` : `"${word}"`;
}

/** The version in what `argon --version` prints, or undefined when it is something else. */
export function versionIn(printed: string): string | undefined {
  return /^argon (\d+\.\d+\.\d+\S*)\s*$/.exec(printed)?.[1];
}

/** Whether `version` is `oldest` or newer, by its three numbers. */
export function isRecent(version: string, oldest: string = OLDEST): boolean {
  const [ours, theirs] = [version, oldest].map((text) => text.split(/[.+-]/, 3).map((part) => Number.parseInt(part, 10)));
  for (let place = 0; place < 3; place += 1) {
    const difference = (ours?.[place] ?? 0) - (theirs?.[place] ?? 0);
    if (difference !== 0) {
      return difference > 0;
    }
  }
  return true;
}

/** Ask the program for its version: that, or the advice that says why it is no good. */
export async function judged(program: Program): Promise<string | Advice> {
  const printed = await output(program.path, ["--version"]);
  if (typeof printed !== "string") {
    return broken(program, printed.message.trim().split("\n").at(-1) ?? "");
  }
  const version = versionIn(printed);
  if (version === undefined) {
    return broken(program, "it did not print the version of argon");
  }
  return isRecent(version) ? version : tooOld(program, version);
}

function output(program: string, words: readonly string[]): Promise<string | Error> {
  return new Promise((resolve) => {
    execFile(program, words, { timeout: PATIENCE_MILLISECONDS, windowsHide: true }, (error, stdout) => {
      resolve(error ?? stdout);
    });
  });
}
