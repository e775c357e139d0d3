/** `argon check`, `argon build` and `argon test` of a package, as tasks in the terminal panel. */

import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import type { Server } from "./server.ts";

const COMMANDS = ["check", "build", "test"] as const;
const MANIFEST = "ox.toml";

/** Offer the tasks of each folder of the workspace that is a package. */
export function provideTasks(server: Server): vscode.Disposable {
  return vscode.tasks.registerTaskProvider("argon", {
    provideTasks: () =>
      (vscode.workspace.workspaceFolders ?? [])
        .filter((folder) => existsSync(path.join(folder.uri.fsPath, MANIFEST)))
        .flatMap((folder) => COMMANDS.map((command) => made(server, command, folder, folder.uri.fsPath))),
    resolveTask: (task) => {
      const command: unknown = task.definition["command"];
      const folder = task.scope;
      const known = COMMANDS.find((each) => each === command);
      return known !== undefined && typeof folder === "object" ? made(server, known, folder, folder.uri.fsPath) : undefined;
    },
  });
}

function made(server: Server, command: string, scope: vscode.WorkspaceFolder | vscode.TaskScope.Workspace, cwd: string): vscode.Task {
  const running = new vscode.ProcessExecution(server.program?.path ?? "argon", [command], { cwd });
  const task = new vscode.Task({ type: "argon", command }, scope, command, "argon", running);
  task.group = command === "test" ? vscode.TaskGroup.Test : vscode.TaskGroup.Build;
  task.presentationOptions = { clear: true, reveal: vscode.TaskRevealKind.Always };
  return task;
}

/** Run the tests of the package of the file in front. */
export async function runTests(server: Server): Promise<void> {
  const file = vscode.window.activeTextEditor?.document.uri;
  const folder = file === undefined ? undefined : vscode.workspace.getWorkspaceFolder(file);
  const cwd = packageOf(file?.fsPath) ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (server.program === undefined || cwd === undefined) {
    vscode.window.setStatusBarMessage("Argon: there is no package here to test, or no argon to test it with.", 5_000);
    return;
  }
  await savePackages();
  await vscode.tasks.executeTask(made(server, "test", folder ?? vscode.TaskScope.Workspace, cwd));
}

/** Save what `argon` reads; what else is open stays as it is. */
async function savePackages(): Promise<void> {
  const read = (each: vscode.TextDocument): boolean => each.languageId === "argon" || path.basename(each.fileName) === MANIFEST;
  const dirty = vscode.workspace.textDocuments.filter((each) => each.isDirty && !each.isUntitled && read(each));
  await Promise.all(dirty.map((each) => each.save()));
}

/** The nearest folder with a manifest, from the file upward. */
export function packageOf(file: string | undefined): string | undefined {
  let folder = file === undefined ? undefined : path.dirname(file);
  while (folder !== undefined && !existsSync(path.join(folder, MANIFEST))) {
    const parent = path.dirname(folder);
    folder = parent === folder ? undefined : parent;
  }
  return folder;
}
