/** The catalog page of a diagnostic: the server links each diagnostic to the page of the version that found it. */

import * as vscode from "vscode";
import { preview } from "./live.ts";
import { readable } from "./page.ts";

const SCHEME = "argon-page";

/** Give the pages of the catalog to the editor, as documents whose query is the file of the page. */
export function providePages(): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: async (uri) =>
      readable(new TextDecoder().decode(await vscode.workspace.fs.readFile(vscode.Uri.parse(uri.query, true)))),
  });
}

/** Diagnostics of argon in a document, each with the page of its code. */
interface Explained {
  readonly code: string;
  readonly message: string;
  readonly page: vscode.Uri;
  readonly range: vscode.Range;
}

function explained(uri: vscode.Uri): Explained[] {
  const found: Explained[] = [];
  for (const { code, message, range } of vscode.languages.getDiagnostics(uri)) {
    if (typeof code === "object" && code.target.path.endsWith(`/${code.value}.md`)) {
      found.push({ code: String(code.value), message, page: code.target, range });
    }
  }
  return found;
}

/** Open the page of the diagnostic under the cursor; where there is none, let one of the file be chosen. */
export async function explainCode(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const all = explained(editor.document.uri);
  const here = all.filter((each) => each.range.contains(editor.selection.active));
  const chosen = here.length === 1 ? here[0] : await choose(here.length > 0 ? here : all);
  if (chosen !== undefined) {
    const page = vscode.Uri.from({ scheme: SCHEME, path: `/${chosen.code}.md`, query: chosen.page.toString() });
    await preview(page);
  }
}

async function choose(among: readonly Explained[]): Promise<Explained | undefined> {
  if (among.length === 0) {
    vscode.window.setStatusBarMessage("Argon has nothing to say about this file.", 5_000);
    return undefined;
  }
  const items = among.map((each) => ({ label: each.code, description: each.message, each }));
  return (await vscode.window.showQuickPick(items, { placeHolder: "Which code?", matchOnDescription: true }))?.each;
}
