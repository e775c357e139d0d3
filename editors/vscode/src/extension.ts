/** Entry points: what is registered when the first Argon file or package is opened. */

import * as vscode from "vscode";
import { openDocs } from "./docs.ts";
import { explainCode, providePages } from "./explain.ts";
import { provideCommands } from "./live.ts";
import { tellPackage } from "./package_item.ts";
import { Server, type State } from "./server.ts";
import { provideTasks, runTests } from "./tasks.ts";
import { tell } from "./telling.ts";

/** The server of this window, for `deactivate`. */
let running: Server | undefined;

/** What the extension tells other extensions. */
export interface Api {
  /** What the server is doing now. */
  readonly state: () => State;
}

/** Register everything and start the server; nothing waits for it. */
export function activate(context: vscode.ExtensionContext): Api {
  const log = vscode.window.createOutputChannel("Argon", { log: true });
  const trace = vscode.window.createOutputChannel("Argon Messages", { log: true });
  const server = new Server(log, trace);
  running = server;
  context.subscriptions.push(
    log,
    trace,
    tell(server),
    provideTasks(server),
    providePages(),
    provideCommands(),
    tellPackage(server),
    vscode.commands.registerCommand("argon.restartServer", () => server.restart()),
    vscode.commands.registerCommand("argon.showLog", () => log.show()),
    vscode.commands.registerCommand("argon.explainCodeHere", explainCode),
    vscode.commands.registerCommand("argon.runTests", () => runTests(server)),
    vscode.commands.registerCommand("argon.openDocs", () => openDocs(context.extensionUri)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("argon.path") || change.affectsConfiguration("argon.extraArgs")) {
        void server.restart();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.restart()),
    // Whoever installs argon in a terminal comes back to the editor afterwards.
    vscode.window.onDidChangeWindowState((window) => {
      if (window.focused && server.state.kind === "unusable") {
        void server.start();
      }
    }),
  );
  void server.start();
  return { state: () => server.state };
}

/** End the server before the window closes. */
export async function deactivate(): Promise<void> {
  await running?.stop();
}
