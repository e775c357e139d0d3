/** The documentation that came with the extension, as Markdown previews. */

import * as vscode from "vscode";

/** Let a page be chosen by its title, and show it. */
export async function openDocs(extension: vscode.Uri): Promise<void> {
  const folder = vscode.Uri.joinPath(extension, "dist", "docs");
  const names = (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name).filter((name) => name.endsWith(".md"));
  const pages = await Promise.all(names.map((name) => titled(vscode.Uri.joinPath(folder, name))));
  const readme = { label: "The extension: settings and commands", page: vscode.Uri.joinPath(extension, "README.md") };
  const chosen = await vscode.window.showQuickPick([readme, ...pages], { placeHolder: "Which page?" });
  if (chosen !== undefined) {
    await vscode.commands.executeCommand("markdown.showPreview", chosen.page);
  }
}

async function titled(page: vscode.Uri): Promise<{ label: string; page: vscode.Uri }> {
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(page));
  return { label: /^# (.+)$/m.exec(text)?.[1] ?? page.path, page };
}
