// A person's session with a package, through the editor's own commands, so that the whole way is tried: extension,
// protocol client, converters, server. Each step is one entry of the JSON that is written at the end.
const vscode = require("vscode");
const fs = require("node:fs");
const path = require("node:path");

const PATIENCE = 60_000;
const out = process.env.ARGON_DRIVER_OUT;
const steps = [];
let root, document, editor, original;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(condition) {
  const end = Date.now() + PATIENCE;
  let found = await condition();
  while (!found && Date.now() < end) {
    await pause(20);
    found = await condition();
  }
  return found;
}

async function step(name, doing) {
  const begun = Date.now();
  let ok = false;
  let seen;
  try {
    [ok, seen] = await doing();
  } catch (fault) {
    seen = String(fault && fault.stack);
  }
  steps.push({ name, ok: Boolean(ok), milliseconds: Date.now() - begun, ...(ok ? {} : { seen: JSON.stringify(seen ?? null).slice(0, 2_000) }) });
  fs.writeFileSync(`${out}.steps`, steps.map((each) => `${each.ok ? "ok" : "FAILED"} ${each.name}`).join("\n"));
}

const ask = (command, ...rest) => vscode.commands.executeCommand(`vscode.${command}`, document.uri, ...rest);
const problems = (uri = document.uri) => vscode.languages.getDiagnostics(uri);
const codes = (uri) => problems(uri).map((each) => each.code && each.code.value);
const inside = (name) => vscode.Uri.file(path.join(root, name));
const clean = () => until(() => problems().length === 0);

function place(words, into = 0) {
  const offset = document.getText().indexOf(words);
  if (offset < 0) throw new Error(`not in the text: ${words}`);
  return document.positionAt(offset + into);
}

async function replace(words, other) {
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, new vscode.Range(place(words), place(words, words.length)), other);
  return vscode.workspace.applyEdit(change);
}

async function restore() {
  const whole = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, whole, original);
  await vscode.workspace.applyEdit(change);
  return clean();
}

async function picture(name) {
  const wanted = path.join(process.env.ARGON_DRIVER_PICTURES, `${name}.wanted`);
  fs.writeFileSync(wanted, "");
  return until(() => !fs.existsSync(wanted));
}

/** Process numbers of the language servers that this editor started. */
function servers() {
  return fs.readdirSync("/proc").filter((each) => /^\d+$/.test(each)).filter((each) => {
    try {
      const parent = fs.readFileSync(`/proc/${each}/stat`, "utf8").replace(/^.*\) /s, "").split(" ")[1];
      const words = fs.readFileSync(`/proc/${each}/cmdline`, "utf8").split("\0");
      return Number(parent) === process.pid && words.includes("lsp");
    } catch {
      return false;
    }
  }).map(Number);
}

async function session() {
  root = vscode.workspace.workspaceFolders[0].uri.fsPath;
  const extension = vscode.extensions.getExtension("argon-lang.argon");
  document = await vscode.workspace.openTextDocument(inside("root.ar"));
  editor = await vscode.window.showTextDocument(document);
  original = document.getText();
  let api;

  await step("the language is known", async () => [document.languageId === "argon", document.languageId]);
  await step("the program in the environment of the workspace is found and runs", async () => {
    api = await extension.activate();
    await until(() => api.state().kind === "running");
    const state = api.state();
    return [state.kind === "running" && state.program.path === path.join(root, ".venv", "bin", "argon"), state];
  });
  await step("every command is registered", async () => {
    const known = await vscode.commands.getCommands(true);
    const missing = extension.packageJSON.contributes.commands.map((each) => each.command).filter((each) => !known.includes(each));
    return [missing.length === 0, missing];
  });

  await step("an error is underlined where it was made", async () => {
    await replace("overdue(i),", "overdeu(i),");
    await until(() => codes().includes("OE0101"));
    const found = problems()[0];
    return [found && document.getText(found.range) === "overdeu" && found.source === "argon", problems()];
  });
  await step("the code is explained on its page", async () => {
    editor.selection = new vscode.Selection(problems()[0].range.start, problems()[0].range.start);
    editor.revealRange(problems()[0].range, vscode.TextEditorRevealType.InCenter);
    await vscode.commands.executeCommand("argon.explainCodeHere");
    const labels = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
    const shown = await until(() => labels().some((label) => label.includes("OE0101.md")));
    const page = await until(() => vscode.workspace.textDocuments.find((each) => each.fileName.endsWith("OE0101.md")));
    return [shown && page?.getText().startsWith("# OE0101: Nothing has this name\n"), [labels(), page?.getText()]];
  });
  await step("a picture of the error", async () => [await pause(1_500).then(() => picture("error")), undefined]);
  await step("the preferred fix mends it", async () => {
    const offers = await ask("executeCodeActionProvider", problems()[0].range, vscode.CodeActionKind.QuickFix.value);
    const fix = offers.find((each) => each.isPreferred);
    await vscode.workspace.applyEdit(fix.edit);
    return [document.getText() === original, offers.map((each) => each.title)];
  });
  await step("the error is gone after the fix", async () => [await clean(), problems()]);

  await step("hover shows the signature", async () => {
    const found = await ask("executeHoverProvider", place("late_fee(i.amount", 2));
    const text = found.flatMap((each) => each.contents.map((content) => content.value)).join("\n");
    return [text.includes("late_fee(amount: Money, days_late: Int) -> Money"), text];
  });
  await step("definition goes to the other file", async () => {
    const [found] = await ask("executeDefinitionProvider", place("t: Tenant)", 4));
    const target = await vscode.workspace.openTextDocument(found.targetUri ?? found.uri);
    const word = target.getText(found.targetSelectionRange ?? found.range);
    return [target.uri.path.endsWith("/parties.ar") && word === "Tenant", [target.uri.path, word]];
  });
  await step("references are those of every file", async () => {
    const found = await ask("executeReferenceProvider", place("derive in_arrears", 8));
    const files = new Set(found.map((each) => path.basename(each.uri.path)));
    return [found.length >= 5 && files.has("root.ar") && files.has("tests.ar"), [found.length, ...files]];
  });
  await step("completion brings the import along", async () => {
    const end = document.positionAt(document.getText().length);
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, end, "\npub type Area {\n    district: Distr\n}\n");
    await vscode.workspace.applyEdit(change);
    const found = await ask("executeCompletionItemProvider", place("district: Distr\n", 15), undefined, 100);
    const label = (each) => (typeof each.label === "string" ? each.label : each.label.label);
    const offer = found.items.find((each) => label(each) === "District");
    const imported = offer?.additionalTextEdits?.map((each) => each.newText).join("") ?? "";
    return [imported.includes("District"), [imported, found.items.map(label).slice(0, 20)]];
  });
  await step("the text is as it was", async () => [await restore(), problems()]);
  await step("signature help tells the parameters", async () => {
    const found = await ask("executeSignatureHelpProvider", place("late_fee(i.amount", 9));
    return [found?.signatures[0]?.parameters.length === 2, found];
  });

  await step("rename reaches every file and leaves the package clean", async () => {
    const found = await ask("executeDocumentRenameProvider", place("derive in_arrears", 8), "in_debt");
    const files = found.entries().map(([uri]) => path.basename(uri.path));
    await vscode.workspace.applyEdit(found);
    const tests = await vscode.workspace.openTextDocument(inside("tests.ar"));
    await pause(500);
    await until(() => problems().length + problems(tests.uri).length === 0);
    const renamed = [document, tests].every((each) => each.getText().includes("in_debt") && !each.getText().includes("in_arrears"));
    return [renamed && problems().length + problems(tests.uri).length === 0, [files, problems(), problems(tests.uri)]];
  });
  await step("and back again", async () => {
    await vscode.workspace.applyEdit(await ask("executeDocumentRenameProvider", place("derive in_debt", 8), "in_arrears"));
    const dirty = () => vscode.workspace.textDocuments.filter((each) => each.isDirty);
    const saved = await Promise.all(dirty().map((each) => each.save()));
    return [saved.length === 2 && saved.every(Boolean) && dirty().length === 0 && document.getText() === original && (await clean()), [saved, dirty().map((each) => each.fileName), problems()]];
  });
  await step("formatting lays the file out", async () => {
    await replace("pub rel guarantees(backer: Person, debtor: Person);", "pub   rel guarantees( backer:Person,debtor :Person );");
    const found = await ask("executeFormatDocumentProvider", { tabSize: 4, insertSpaces: true });
    const change = new vscode.WorkspaceEdit();
    change.set(document.uri, found);
    await vscode.workspace.applyEdit(change);
    return [document.getText() === original, found];
  });

  await step("colours go by meaning", async () => {
    const legend = await ask("provideDocumentSemanticTokensLegend");
    const tokens = await ask("provideDocumentSemanticTokens");
    return [tokens.data.length >= 500 && legend.tokenTypes.includes("parameter"), [tokens.data.length, legend]];
  });
  await step("inlay hints show types", async () => {
    const found = await ask("executeInlayHintProvider", new vscode.Range(0, 0, document.lineCount, 0));
    return [found.length > 0, found];
  });
  await step("blocks and comments fold", async () => {
    const found = await ask("executeFoldingRangeProvider");
    return [found.length >= 10, found.length];
  });
  await step("the outline lists the declarations", async () => {
    const names = (await ask("executeDocumentSymbolProvider")).map((each) => each.name);
    return [["lets", "overdue", "late_fee", "bill"].every((each) => names.includes(each)), names];
  });
  await step("the workspace's symbols are found by a few letters", async () => {
    const found = await vscode.commands.executeCommand("vscode.executeWorkspaceSymbolProvider", "Guarant");
    return [found.some((each) => each.name === "Guarantor"), found.map((each) => each.name)];
  });
  await step("calls have a hierarchy", async () => {
    const [item] = await ask("prepareCallHierarchy", place("derive in_arrears", 8));
    const callers = await vscode.commands.executeCommand("vscode.provideIncomingCalls", item);
    return [callers.some((each) => each.from.name === "called_upon"), callers.map((each) => each.from.name)];
  });
  await step("mod leads to its file", async () => {
    const found = await ask("executeLinkProvider", 10);
    return [found.some((each) => each.target?.path.endsWith("/parties.ar")), found];
  });

  const front = async () => {
    await Promise.all(vscode.workspace.textDocuments.filter((each) => each.isDirty).map((each) => each.save()));
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preview: false });
  };
  const shot = async (name, words, into, command) => {
    const at = place(words, into);
    editor.selection = new vscode.Selection(at, at);
    editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenter);
    await pause(300);
    await vscode.commands.executeCommand(command);
    await pause(2_500);
    const taken = await picture(name);
    for (const each of ["closeReferenceSearch", "closeParameterHints", "editor.action.hideHover", "hideSuggestWidget", "cancelRenameInput"]) {
      await vscode.commands.executeCommand(each).then(undefined, () => undefined);
    }
    return taken;
  };
  await step("pictures of what one sees while reading", async () => {
    await front();
    const taken = [
      await shot("hover", "answers_for(middle, debtor)", 3, "editor.action.showHover"),
      await shot("rename", "derive in_arrears", 8, "editor.action.rename"),
      await shot("calls", "derive in_arrears", 8, "editor.showCallHierarchy"),
      await shot("outline", "pub derive overdue", 0, "outline.focus"),
    ];
    await front();
    return [taken.every(Boolean), taken];
  });
  await step("pictures of what one sees while writing", async () => {
    const end = document.positionAt(document.getText().length);
    const change = new vscode.WorkspaceEdit();
    change.insert(document.uri, end, "\npub derive due_soon(i: Invoice) :-\n    i: Invoice,\n    i.due < today() + 7.days,\n    i.;\n\npub fn twice(m: Money) -> Money = late_fee(m, );\n");
    await vscode.workspace.applyEdit(change);
    const taken = [
      await shot("completion", "    i.;", 6, "editor.action.triggerSuggest"),
      await shot("signature", "late_fee(m, );", 12, "editor.action.triggerParameterHints"),
      await shot("quickfix", "late_fee(m, );", 2, "editor.action.quickFix"),
    ];
    await vscode.commands.executeCommand("hideCodeActionWidget").then(undefined, () => undefined);
    return [taken.every(Boolean) && (await restore()), taken];
  });
  await step("a rule is extracted by a refactoring", async () => {
    const range = new vscode.Range(place("answers_for(p, t),"), place("in_arrears(t),\n    not", 13));
    const offers = await ask("executeCodeActionProvider", range, vscode.CodeActionKind.RefactorExtract.value, 10);
    const extract = offers.find((each) => each.kind?.value === "refactor.extract");
    await vscode.workspace.applyEdit(extract.edit);
    const done = document.getText().includes("derive extracted(p) :- answers_for(p, t), in_arrears(t);");
    return [done && (await clean()) && (await restore()), [offers.map((each) => each.title), document.getText().slice(-1500)]];
  });
  await step("lenses count clauses and run tests", async () => {
    const tests = await vscode.workspace.openTextDocument(inside("tests.ar"));
    const lenses = async (uri) => (await vscode.commands.executeCommand("vscode.executeCodeLensProvider", uri, 100)) ?? [];
    const titles = (found) => found.map((each) => each.command?.title ?? "");
    const rules = await lenses(document.uri);
    const runs = await lenses(tests.uri);
    const run = runs.find((each) => each.command?.command === "argon.runTest");
    const answer = run && (await vscode.commands.executeCommand(run.command.command, ...run.command.arguments));
    return [titles(rules).some((each) => each.includes("clause")) && answer?.answer?.passed === 1, [titles(rules), titles(runs), answer]];
  });
  await step("a failing test is a diagnostic where it fails", async () => {
    const tests = await vscode.workspace.openTextDocument(inside("tests.ar"));
    const text = tests.getText();
    const change = new vscode.WorkspaceEdit();
    change.insert(tests.uri, tests.positionAt(text.length), '\ntest "nobody is late" {\n    assert not derivable overdue(march);\n}\n');
    await vscode.workspace.applyEdit(change);
    await tests.save();
    await vscode.commands.executeCommand("argon.runTest", tests.uri.toString());
    const seen = await until(() => problems(tests.uri).some((each) => each.source === "argon test"));
    await vscode.window.showTextDocument(tests, { viewColumn: vscode.ViewColumn.One });
    await vscode.commands.executeCommand("workbench.actions.view.problems");
    await pause(2_000);
    await picture("failure");
    await vscode.commands.executeCommand("workbench.action.closePanel");
    await front();
    const back = new vscode.WorkspaceEdit();
    back.replace(tests.uri, new vscode.Range(new vscode.Position(0, 0), tests.positionAt(tests.getText().length)), text);
    await vscode.workspace.applyEdit(back);
    await tests.save();
    return [seen && (await until(() => problems(tests.uri).length === 0)), problems(tests.uri)];
  });
  await step("a fact is explained, and its proof shown", async () => {
    const explained = await vscode.commands.executeCommand("argon.explainFact", document.uri.toString(), "called_upon(dora)");
    const proof = await vscode.commands.executeCommand("argon.showProof", document.uri.toString(), "called_upon(dora)");
    const labels = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map((tab) => tab.label));
    const shown = await until(() => labels().some((label) => label.includes("called_upon")));
    return [explained.text.includes("guarantees(dora, cleo)") && proof.form === "html" && shown, [explained.text, labels()]];
  });
  await step("a picture of the proof", async () => [await pause(3_000).then(() => picture("proof")), undefined]);
  await step("the package is built, and the status says so", async () => {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("argon.buildPackage");
    return [fs.existsSync(path.join(root, "target", "root.oxbin")), fs.readdirSync(root)];
  });
  await step("a file that is renamed in the editor takes its module along", async () => {
    const move = async (from, to) => {
      const change = new vscode.WorkspaceEdit();
      change.renameFile(inside(from), inside(to));
      await vscode.workspace.applyEdit(change);
    };
    await move("world.ar", "town.ar");
    const followed = await until(() => document.getText().includes("mod town;"));
    const well = await clean();
    await move("town.ar", "world.ar");
    const back = await until(() => document.getText() === original);
    await Promise.all(vscode.workspace.textDocuments.filter((each) => each.isDirty).map((each) => each.save()));
    return [followed && well && back && (await clean()), [document.getText().slice(0, 400), codes()]];
  });
  await step("another branch on disk is seen at once", async () => {
    const file = path.join(root, "parties.ar");
    const text = fs.readFileSync(file, "utf8");
    fs.writeFileSync(file, text.replace("pub type Guarantor <: Person;", "pub type Backer <: Person;"));
    const seen = await until(() => codes().length > 0);
    fs.writeFileSync(file, text);
    return [seen && (await clean()), codes()];
  });

  await step("a picture of the page", async () => [await pause(6_000).then(() => picture("page")), undefined]);
  await step("a file that is renamed on disk is missed", async () => {
    fs.renameSync(path.join(root, "world.ar"), path.join(root, "elsewhere.ar"));
    return [await until(() => codes().includes("OE0103")), codes()];
  });
  await step("and found again", async () => {
    fs.renameSync(path.join(root, "elsewhere.ar"), path.join(root, "world.ar"));
    return [await clean(), codes()];
  });

  await step("a server that is killed is started again and knows the open text", async () => {
    const before = servers();
    before.forEach((each) => process.kill(each, "SIGKILL"));
    const noticed = await until(() => api.state().kind === "waiting");
    const back = await until(() => api.state().kind === "running");
    await replace("overdue(i),", "overdeu(i),");
    const seen = await until(() => codes().includes("OE0101"));
    return [before.length === 1 && noticed && back && seen && (await restore()), [before, api.state(), codes()]];
  });
  await step("the restart command starts another server, and no second one", async () => {
    const before = servers();
    await vscode.commands.executeCommand("argon.restartServer");
    await until(() => api.state().kind === "running" && !servers().some((each) => before.includes(each)));
    return [servers().length === 1 && !before.includes(servers()[0]), [before, servers()]];
  });

  await step("restarts in quick succession leave one server", async () => {
    await Promise.all([0, 100, 200, 300].map((after) => pause(after).then(() => vscode.commands.executeCommand("argon.restartServer"))));
    await until(() => api.state().kind === "running");
    const seen = await until(() => servers().length === 1);
    await pause(1_500);
    return [seen && servers().length === 1 && api.state().kind === "running", [servers(), api.state()]];
  });

  const settings = vscode.workspace.getConfiguration("argon");
  const use = (program) => settings.update("path", program, vscode.ConfigurationTarget.Global);
  await step("a program without its language server is told with the command that installs it", async () => {
    const program = path.join(root, "bare-argon");
    fs.writeFileSync(program, '#!/bin/sh\n[ "$1" = lsp ] || exec echo argon 9.9.9\necho "error[ARGON_EXTRA_MISSING]" >&2\nexit 3\n', { mode: 0o755 });
    await use(program);
    await until(() => api.state().kind === "unusable");
    return [api.state().advice?.command === 'pip install "argon-lang[lsp]"', api.state()];
  });
  await step("a setting that names nothing is told", async () => {
    await use("/nowhere/argon");
    await until(() => api.state().advice?.sentence.includes("/nowhere/argon"));
    return [api.state().kind === "unusable" && api.state().advice.command === undefined, api.state()];
  });
  await step("a server that always dies is left alone after five more attempts", async () => {
    const program = path.join(root, "dying-argon");
    const count = path.join(root, "deaths");
    fs.writeFileSync(program, `#!/bin/sh\n[ "$1" = lsp ] || exec echo argon 9.9.9\necho dead >>'${count}'\nexit 1\n`, { mode: 0o755 });
    await use(program);
    await until(() => api.state().kind === "failed");
    const deaths = fs.readFileSync(count, "utf8").split("\n").length - 1;
    return [api.state().kind === "failed" && deaths === 6, [api.state(), deaths]];
  });
  await step("a picture of the messages", async () => [await pause(1_000).then(() => picture("messages")), undefined]);
  await step("once the setting is mended the server runs", async () => {
    await use(undefined);
    return [await until(() => api.state().kind === "running"), api.state()];
  });
}

exports.activate = async () => {
  let fault = null;
  try {
    await session();
  } catch (thrown) {
    fault = String(thrown && thrown.stack);
  }
  fs.writeFileSync(`${out}.part`, JSON.stringify({ editor: vscode.version, steps, fault }, null, 1));
  fs.renameSync(`${out}.part`, out);
};
