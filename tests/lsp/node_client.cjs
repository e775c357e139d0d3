// A session with `argon lsp` through Microsoft's own protocol library: argv is the modules' folder, the package's
// folder, then the server's command. Prints what it saw as one line of JSON.
"use strict";

const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { pathToFileURL } = require("node:url");
const path = require("node:path");

const [modules, root, command, ...words] = process.argv.slice(2);
const p = createRequire(path.join(modules, "session.cjs"))("vscode-languageserver-protocol/node");

async function main() {
  const server = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
  const connection = p.createProtocolConnection(
    new p.StreamMessageReader(server.stdout),
    new p.StreamMessageWriter(server.stdin),
  );
  const seen = { errors: [], refreshes: 0, progress: 0 };
  connection.onError(([error]) => seen.errors.push(String(error)));
  connection.onRequest(p.DiagnosticRefreshRequest.type, () => { seen.refreshes += 1; });
  connection.onRequest(p.RegistrationRequest.type, () => {});
  connection.onRequest(p.WorkDoneProgressCreateRequest.type, () => {});
  connection.onRequest(p.ShowDocumentRequest.type, () => ({ success: true }));
  connection.listen();

  const folder = pathToFileURL(root).href;
  const uri = pathToFileURL(path.join(root, "root.ar")).href;
  const text = readFileSync(path.join(root, "root.ar"), "utf8");
  const document = { textDocument: { uri } };
  const initialized = await connection.sendRequest(p.InitializeRequest.type, {
    processId: process.pid,
    rootUri: folder,
    workspaceFolders: [{ uri: folder, name: "package" }],
    capabilities: {
      general: { positionEncodings: [p.PositionEncodingKind.UTF16] },
      textDocument: { diagnostic: { relatedDocumentSupport: true }, rename: { prepareSupport: true } },
      workspace: { diagnostics: { refreshSupport: true }, workspaceFolders: true },
      window: { workDoneProgress: true, showDocument: { support: true } },
    },
  });
  seen.pulls = initialized.capabilities.diagnosticProvider !== undefined;
  await connection.sendNotification(p.InitializedNotification.type, {});
  const opened = { uri, languageId: "argon", version: 1, text };
  await connection.sendNotification(p.DidOpenTextDocumentNotification.type, { textDocument: opened });
  const codes = async () => {
    const report = await connection.sendRequest(p.DocumentDiagnosticRequest.type, document);
    return report.items.map((each) => each.code);
  };
  const position = (words, after = 0) => {
    const lines = text.slice(0, text.indexOf(words) + after).split("\n");
    return { ...document, position: { line: lines.length - 1, character: lines[lines.length - 1].length } };
  };
  seen.clean = await codes();
  const colours = await connection.sendRequest(p.SemanticTokensRequest.type, document);
  const end = text.split("\n").length - 1;
  const at = { line: end, character: 0 };
  const change = { range: { start: at, end: at }, text: "pub derive wrong(p: Nobody) :- p: Nobody;\n" };
  const edited = { textDocument: { uri, version: 2 }, contentChanges: [change] };
  await connection.sendNotification(p.DidChangeTextDocumentNotification.type, edited);
  seen.broken = await codes();
  const since = { ...document, previousResultId: colours.resultId };
  seen.delta = (await connection.sendRequest(p.SemanticTokensDeltaRequest.type, since)).edits.length;
  const undone = { range: { start: at, end: { line: end + 1, character: 0 } }, text: "" };
  await connection.sendNotification(p.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 3 },
    contentChanges: [undone],
  });
  seen.mended = await codes();
  seen.hover = (await connection.sendRequest(p.HoverRequest.type, position("answers_for(middle", 3))).contents.value;
  seen.definitions = (await connection.sendRequest(p.DefinitionRequest.type, position("answers_for(middle", 3))).length;
  seen.symbols = (await connection.sendRequest(p.DocumentSymbolRequest.type, document)).map((each) => each.name);
  const lenses = await connection.sendRequest(p.CodeLensRequest.type, document);
  seen.lens = (await connection.sendRequest(p.CodeLensResolveRequest.type, lenses[0])).command.title;
  seen.renamed = Object.keys(
    (await connection.sendRequest(p.RenameRequest.type, { ...position("answers_for(middle", 3), newName: "stands_for" }))
      .changes,
  ).length;
  const query = { command: "argon.runQuery", arguments: [uri, "late_payers"] };
  seen.rows = (await connection.sendRequest(p.ExecuteCommandRequest.type, query)).title;
  const source = new p.CancellationTokenSource();
  const streamed = connection.sendRequest(
    p.WorkspaceDiagnosticRequest.type,
    { previousResultIds: [], partialResultToken: "stream" },
    source.token,
  );
  source.cancel();
  seen.cancelled = await streamed.then(() => 0, (error) => error.code);
  await connection.sendRequest(p.ShutdownRequest.type);
  const ended = new Promise((resolve) => server.on("exit", resolve));
  await connection.sendNotification(p.ExitNotification.type);
  seen.status = await ended;
  console.log(JSON.stringify(seen));
  process.exit(0);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
