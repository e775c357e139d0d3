/** The language server's life: found, started, watched, started again after a while when it dies. */

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { homedir } from "node:os";
import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  LanguageClient,
  type LanguageClientOptions,
  RevealOutputChannelOn,
} from "vscode-languageclient/node";
import { Backoff } from "./backoff.ts";
import { lensCommands, showing } from "./live.ts";
import { type Advice, EXTRA_MISSING, type Program, type Surroundings, find, judged, missing, withoutExtra } from "./program.ts";

/** What the server is doing. */
export type State =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly program: Program; readonly version: string }
  | { readonly kind: "waiting"; readonly seconds: number }
  | { readonly kind: "failed" }
  | { readonly kind: "unusable"; readonly advice: Advice };

/** How much of standard error is kept to find out why a server died at once. */
const KEPT_CHARACTERS = 4_000;

/** The protocol's client, without its own windows about a server that does not start: the state is told elsewhere. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown, _showNotification?: boolean | "force"): void {
    super.error(message, data, false);
  }
}

/** How long a server may take to end in good order. */
const STOP_MILLISECONDS = 3_000;

/** One server process and its client. */
interface Run {
  readonly program: Program;
  readonly version: string;
  readonly started: number;
  readonly client: LanguageClient;
  child: ChildProcessWithoutNullStreams | undefined;
  said: string;
  /** Whether the server has answered `initialize`. */
  ready: boolean;
  /** Whether it was stopped or has died. */
  over: boolean;
}

export class Server implements vscode.Disposable {
  #state: State = { kind: "stopped" };
  #run: Run | undefined;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #backoff = new Backoff();
  readonly #log: vscode.LogOutputChannel;
  readonly #trace: vscode.LogOutputChannel;
  readonly #changed = new vscode.EventEmitter<State>();
  readonly onDidChange = this.#changed.event;

  constructor(log: vscode.LogOutputChannel, trace: vscode.LogOutputChannel) {
    this.#log = log;
    this.#trace = trace;
  }

  get state(): State {
    return this.#state;
  }

  /** The program to run commands with: that of the server, or what would be started now. */
  get program(): Program | undefined {
    return this.#run?.program ?? find(surroundings());
  }

  /** Start anew because somebody asked for it. */
  async restart(): Promise<void> {
    this.#backoff.forget();
    if (await this.stop()) {
      await this.start();
    }
  }

  /** End the server, if there is one; whether nobody asked for anything else meanwhile. */
  async stop(): Promise<boolean> {
    const turn = (this.#turn += 1);
    clearTimeout(this.#timer);
    const run = this.#run;
    this.#run = undefined;
    if (run !== undefined) {
      run.over = true;
      if (!run.ready) {
        // A client that is still starting cannot be stopped; without its server it gives up.
        run.child?.kill();
      }
      await this.#buried(run);
    }
    if (turn === this.#turn) {
      this.#become({ kind: "stopped" });
    }
    return turn === this.#turn;
  }

  dispose(): void {
    void this.stop().finally(() => this.#changed.dispose());
  }

  /** Look for the program and start it; whatever comes of it is told by the state. */
  async start(): Promise<void> {
    const turn = (this.#turn += 1);
    clearTimeout(this.#timer);
    this.#become({ kind: "starting" });
    const around = surroundings();
    const program = find(around);
    if (program === undefined) {
      this.#become({ kind: "unusable", advice: missing(around) });
      return;
    }
    const version = await judged(program);
    if (turn !== this.#turn) {
      return;
    }
    if (typeof version !== "string") {
      this.#become({ kind: "unusable", advice: version });
      return;
    }
    await this.#launch(program, version);
  }

  async #launch(program: Program, version: string): Promise<void> {
    const words = ["lsp", ...vscode.workspace.getConfiguration("argon").get<string[]>("extraArgs", [])];
    this.#log.info(`starting ${[program.path, ...words].join(" ")} (argon ${version})`);
    const run: Run = {
      program,
      version,
      started: Date.now(),
      child: undefined,
      said: "",
      ready: false,
      over: false,
      client: new QuietClient("argon", "Argon", () => this.#spawned(run, words), this.#options(() => this.#ended(run))),
    };
    this.#run = run;
    run.client.registerFeature(lensCommands);
    try {
      await run.client.start();
      if (!run.over) {
        run.ready = true;
        this.#become({ kind: "running", program, version });
      }
    } catch (fault: unknown) {
      this.#log[run.over ? "debug" : "error"](`the server did not start: ${fault instanceof Error ? fault.message : String(fault)}`);
      this.#ended(run);
    }
    if (run.over) {
      await this.#buried(run);
    }
  }

  #spawned(run: Run, words: readonly string[]): Promise<ChildProcessWithoutNullStreams> {
    if (run.over) {
      return Promise.reject(new Error("it was stopped before it began"));
    }
    const cwd = vscode.workspace.workspaceFolders?.find((each) => each.uri.scheme === "file")?.uri.fsPath;
    const child = spawn(run.program.path, words, { ...(cwd === undefined ? {} : { cwd }), windowsHide: true });
    run.child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      run.said = (run.said + text).slice(-KEPT_CHARACTERS);
    });
    child.once("exit", (status, signal) => this.#log.info(`the server ended (${signal ?? `exit status ${String(status)}`})`));
    return new Promise((resolve, reject) => {
      child.once("error", reject).once("spawn", () => resolve(child));
    });
  }

  #options(closed: () => void): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: "file", language: "argon" }],
      outputChannel: this.#log,
      traceOutputChannel: this.#trace,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      middleware: showing,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue, handled: true }),
        closed: () => {
          closed();
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    };
  }

  /** A server is gone that nobody stopped. Both the client's start and its connection may say so; once is enough. */
  #ended(run: Run): void {
    if (run.over) {
      return;
    }
    run.over = true;
    this.#run = undefined;
    if (run.ready) {
      // Its client is in the middle of noticing; it is disposed of when it has come to rest.
      setTimeout(() => void this.#buried(run), 0);
    }
    if (run.said.includes(EXTRA_MISSING)) {
      this.#become({ kind: "unusable", advice: withoutExtra(run.program) });
      return;
    }
    const seconds = this.#backoff.died(Date.now() - run.started);
    if (seconds === undefined) {
      this.#become({ kind: "failed" });
      return;
    }
    this.#log.warn(`the server died; it is started again in ${seconds} s`);
    this.#become({ kind: "waiting", seconds });
    this.#timer = setTimeout(() => void this.start(), seconds * 1000);
  }

  /** Put a client away, and its process, which a client that was still starting cannot end. */
  async #buried(run: Run): Promise<void> {
    const disposed = run.client.dispose().catch((fault: unknown) => this.#log.debug(`while stopping: ${String(fault)}`));
    await Promise.race([disposed, new Promise((resolve) => setTimeout(resolve, STOP_MILLISECONDS))]);
    run.child?.kill();
  }

  #become(state: State): void {
    this.#state = state;
    this.#changed.fire(state);
  }
}

/** Where the editor is, for `find`. */
export function surroundings(): Surroundings {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    platform: process.platform,
    environment: process.env,
    home: homedir(),
    folders: folders.filter((each) => each.uri.scheme === "file").map((each) => each.uri.fsPath),
    setting: vscode.workspace.getConfiguration("argon").get<string>("path", "").trim(),
    trusted: vscode.workspace.isTrusted,
    isFile: (path) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false,
  };
}
