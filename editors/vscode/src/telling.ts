/** What a person is shown of the server: an item in the status bar, and one message when there is something to do. */

import * as vscode from "vscode";
import type { Advice } from "./program.ts";
import type { Server, State } from "./server.ts";

/** Show the state from now on. */
export function tell(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("argon.state", vscode.StatusBarAlignment.Left, -10);
  item.name = "Argon";
  const told = new Set<string>();
  const show = (state: State): void => {
    draw(item, state);
    void message(state, told);
  };
  const watching = server.onDidChange(show);
  show(server.state);
  item.show();
  return vscode.Disposable.from(item, watching);
}

function draw(item: vscode.StatusBarItem, state: State): void {
  const drawn = drawing(state);
  item.text = drawn.text;
  item.tooltip = drawn.tooltip;
  item.command = drawn.command;
  item.backgroundColor = drawn.wrong ? new vscode.ThemeColor("statusBarItem.warningBackground") : undefined;
}

interface Drawing {
  readonly text: string;
  readonly tooltip: string;
  readonly command: string;
  readonly wrong: boolean;
}

function drawing(state: State): Drawing {
  const [restart, log] = ["argon.restartServer", "argon.showLog"];
  switch (state.kind) {
    case "running":
      return { text: `$(check) Argon ${state.version}`, tooltip: state.program.path, command: log, wrong: false };
    case "starting":
      return { text: "$(sync~spin) Argon", tooltip: "The language server starts", command: log, wrong: false };
    case "waiting": {
      const tooltip = `The language server died; it is started again in ${state.seconds} s. Click to start it now.`;
      return { text: "$(sync) Argon", tooltip, command: restart, wrong: true };
    }
    case "failed": {
      const tooltip = "The language server died again and again. Click to start it once more.";
      return { text: "$(error) Argon", tooltip, command: restart, wrong: true };
    }
    case "unusable": {
      const tooltip = `${state.advice.sentence} Click to look again.`;
      return { text: "$(warning) Argon", tooltip, command: restart, wrong: true };
    }
    case "stopped":
      return { text: "$(circle-slash) Argon", tooltip: "Click to start the language server", command: restart, wrong: false };
  }
}

/** One message for each thing there is to say, until the server has run again. */
async function message(state: State, told: Set<string>): Promise<void> {
  if (state.kind === "running") {
    told.clear();
  } else if (state.kind === "unusable" && once(told, state.advice.sentence)) {
    await advise(state.advice);
  } else if (state.kind === "failed" && once(told, state.kind)) {
    await offer("Argon's language server died again and again and was left alone.", {
      "Start Again": () => vscode.commands.executeCommand("argon.restartServer"),
      "Show Log": () => vscode.commands.executeCommand("argon.showLog"),
    });
  }
}

function once(told: Set<string>, sentence: string): boolean {
  const fresh = !told.has(sentence);
  told.add(sentence);
  return fresh;
}

async function advise(advice: Advice): Promise<void> {
  const { command } = advice;
  const settings = { "Open Settings": () => vscode.commands.executeCommand("workbench.action.openSettings", "argon.path") };
  if (command === undefined) {
    await offer(advice.sentence, settings);
    return;
  }
  await offer(`${advice.sentence} Install it with: ${command}`, {
    "Copy Command": async () => {
      await vscode.env.clipboard.writeText(command);
      vscode.window.setStatusBarMessage("Copied: run it in a terminal, then come back to the editor.", 10_000);
    },
    ...settings,
  });
}

async function offer(sentence: string, choices: Readonly<Record<string, () => Thenable<unknown>>>): Promise<void> {
  const chosen = await vscode.window.showWarningMessage(sentence, ...Object.keys(choices));
  await (chosen === undefined ? undefined : choices[chosen]?.());
}
