/** The package of the file in front, in the status bar: which module was built, and whether the sources are others now. */

import { execFile } from "node:child_process";
import * as vscode from "vscode";
import { type Told, read, toldOf } from "./package_state.ts";
import type { Server } from "./server.ts";
import { packageOf } from "./tasks.ts";

const QUIET_MILLISECONDS = 400;
const PATIENCE_MILLISECONDS = 20_000;

/** Tell the state of the package, anew after every save, build and change of the file in front. */
export function tellPackage(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("argon.package", vscode.StatusBarAlignment.Left, -11);
  item.name = "Argon Package";
  item.command = "argon.buildPackage";
  let timer: NodeJS.Timeout | undefined;
  let turn = 0;
  const now = async (): Promise<void> => {
    const mine = (turn += 1);
    const told = await stateOf(server, inFront());
    if (mine === turn) {
      show(item, told);
    }
  };
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void now(), QUIET_MILLISECONDS);
  };
  const artifacts = vscode.workspace.createFileSystemWatcher("**/target/*.oxbin");
  const subscriptions = [
    server.onDidChange(later),
    vscode.window.onDidChangeActiveTextEditor(later),
    vscode.workspace.onDidSaveTextDocument(later),
    artifacts.onDidChange(later),
    artifacts.onDidCreate(later),
    artifacts.onDidDelete(later),
  ];
  later();
  return vscode.Disposable.from(item, artifacts, ...subscriptions, new vscode.Disposable(() => clearTimeout(timer)));
}

/** The source in front; where a page is in front, a source beside it. */
function inFront(): vscode.TextDocument | undefined {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find((each) => each?.document.languageId === "argon")?.document;
}

function show(item: vscode.StatusBarItem, told: Told | undefined): void {
  if (told === undefined) {
    item.hide();
    return;
  }
  item.text = `$(package) ${told.text}`;
  item.tooltip = told.tooltip;
  item.show();
}

/** What `argon status` says of the package of a document; nothing where there is none, or it says nothing. */
async function stateOf(server: Server, document: vscode.TextDocument | undefined): Promise<Told | undefined> {
  const folder = document === undefined ? undefined : packageOf(document.fileName);
  if (folder === undefined || server.state.kind !== "running") {
    return undefined;
  }
  const { path } = server.state.program;
  const options = { cwd: folder, timeout: PATIENCE_MILLISECONDS, windowsHide: true };
  const text = await new Promise<string>((resolve) => {
    execFile(path, ["status", "--json"], options, (_fault, stdout) => resolve(stdout));
  });
  const found = read(text);
  return found === undefined ? undefined : toldOf(found);
}
