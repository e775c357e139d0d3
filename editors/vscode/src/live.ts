/** What the server does for a person beside answering the editor: queries, builds, proofs, and what its lenses ask. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { DynamicFeature, Middleware, StaticFeature } from "vscode-languageclient/node";

/** The command that a lens about uses runs: document, position, places. */
export const SHOW_REFERENCES = "argon.showReferences";

/** Documents that the server has at hand are of this scheme. */
const PAGES = "argon";

interface Position {
  readonly line: number;
  readonly character: number;
}

interface Place {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

/** Register the commands that a person runs by name, and the one that lenses run. */
export function provideCommands(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(SHOW_REFERENCES, showReferences),
    vscode.commands.registerCommand("argon.buildPackage", () => onPackage("argon.build")),
    vscode.commands.registerCommand("argon.explainFactHere", () => aboutFact("argon.explainFact")),
    vscode.commands.registerCommand("argon.showProofHere", () => aboutFact("argon.showProof")),
  );
}

/** Tells the server which commands of ours its lenses may run. */
export const lensCommands: StaticFeature | DynamicFeature<unknown> = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = { ...(capabilities.experimental as object | undefined), commands: { commands: [SHOW_REFERENCES] } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** How what the server shows is shown: its pages as a preview, proofs as a page of the editor's own. */
export const showing: Middleware = {
  window: {
    showDocument: async (params, token, next) => {
      const uri = vscode.Uri.parse(params.uri, true);
      if (uri.scheme === PAGES || isCatalogPage(uri)) {
        await preview(uri);
        return { success: true };
      }
      if (params.external === true && uri.scheme === "file" && uri.fsPath.endsWith(".html")) {
        await showPage(uri);
        return { success: true };
      }
      return next(params, token);
    },
  },
};

function isCatalogPage(uri: vscode.Uri): boolean {
  return uri.scheme === "file" && path.basename(path.dirname(uri.fsPath)) === "codes" && uri.fsPath.endsWith(".md");
}

/** Show a page of Markdown as it is read, in the second column, where the one before it was. */
export async function preview(uri: vscode.Uri): Promise<void> {
  const beside = { viewColumn: vscode.ViewColumn.Two, preview: true, preserveFocus: true };
  await vscode.commands.executeCommand("vscode.openWith", uri, "vscode.markdown.preview.editor", beside);
}

/** A page of HTML beside the text. It runs no scripts: its nodes open and close by themselves. */
async function showPage(uri: vscode.Uri): Promise<void> {
  const html = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  const title = path.basename(uri.fsPath, ".html");
  const panel = vscode.window.createWebviewPanel("argon.proof", title, { viewColumn: vscode.ViewColumn.Two, preserveFocus: true }, { enableFindWidget: true });
  panel.webview.html = html;
}

function showReferences(uri: string, at: Position, places: readonly Place[]): Thenable<unknown> {
  const found = places.map(
    ({ uri: file, range: { start, end } }) =>
      new vscode.Location(vscode.Uri.parse(file, true), new vscode.Range(start.line, start.character, end.line, end.character)),
  );
  const position = new vscode.Position(at.line, at.character);
  return vscode.commands.executeCommand("editor.action.showReferences", vscode.Uri.parse(uri, true), position, found);
}

/** Have the server do something with the package of the file in front. */
async function onPackage(command: string, ...rest: readonly unknown[]): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    vscode.window.setStatusBarMessage("Argon: open a file of a package first.", 5_000);
    return;
  }
  await vscode.commands.executeCommand(command, document.uri.toString(), ...rest);
}

/** Ask which fact is meant, and have the server say why it holds, or why it does not. */
async function aboutFact(command: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor === undefined ? "" : editor.document.getText(editor.selection);
  const value = selected.includes("(") ? selected : "";
  const fact = await vscode.window.showInputBox({ prompt: "A fact of the package, as it is saved", placeHolder: "late(ada)", value });
  if (fact !== undefined && fact.trim() !== "") {
    await onPackage(command, fact.trim());
  }
}
