import * as vscode from "vscode";
import type {
  CloseHandlerResult,
  CodeAction,
  LanguageClient,
  LanguageClientOptions,
  Middleware,
} from "vscode-languageclient/node";
import { findServer } from "./find";
import { ghostText } from "./inline";
import { install, isOutdated } from "./install";
import { Keeper } from "./keep";
import type { Keys } from "./keys";
import { CELLS, FILES, LANGUAGES } from "./languages";
import { say, showMessages } from "./messages";
import { announcement } from "./pick";
import type { Preview } from "./preview";
import { READ } from "./reading";
import { OVERVIEW } from "./references";
import { Reopener } from "./reopen";
import { written } from "./settings";

export const CANCELLED = -32800; // what the protocol calls a request that the user took back
const CRASHES = 3;
const SPELL = 180_000; // milliseconds within which so many crashes are too many

let library: typeof import("vscode-languageclient/node");

/** The language server and the connection to it, from start to stop. */
export class Session implements vscode.Disposable {
  client: LanguageClient | undefined;
  private readonly started = new vscode.EventEmitter<LanguageClient>();
  private readonly missed = new vscode.EventEmitter<void>();
  private readonly reopener = new Reopener();
  readonly keeper = new Keeper();
  private crashes: number[] = [];
  private readonly commanded = new vscode.EventEmitter<void>();
  showsEvidence: (uri: string) => boolean = () => false;
  readonly onStarted = this.started.event;
  readonly onCommand = this.commanded.event; // a command of the server is about to run
  readonly onMissing = this.missed.event; // no server was found

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly keys: Keys,
    private readonly preview: Preview,
  ) {
    const changed = (it: vscode.ConfigurationChangeEvent) => it.affectsConfiguration("citelsp");
    context.subscriptions.push(
      this.started,
      this.missed,
      this.commanded,
      this.keeper,
      vscode.workspace.onDidChangeConfiguration((it) => changed(it) && this.tellSettings()),
    );
  }

  async start(): Promise<void> {
    const program = await findServer(this.context);
    await vscode.commands.executeCommand("setContext", "citelsp.workspace.missing", !program);
    if (!program) {
      this.missed.fire();
      void this.offer("citelsp needs its server, a Python program, which was not found. Install it now?", "Install");
      return;
    }
    const level = vscode.workspace.getConfiguration("citelsp.server").get("logLevel", "warning");
    const args = ["serve", "--log-level", level];
    this.log.info(`starting ${program} ${args.join(" ")}`);
    const server = { command: program, args, options: { env: { ...process.env, PYTHONUTF8: "1" } } };
    library = await import("vscode-languageclient/node"); // large, hence not before it is needed
    this.client = new library.LanguageClient("citelsp", "citelsp", { run: server, debug: server }, this.options());
    this.client.registerFeature(announcement);
    showMessages(this.client);
    await this.client.start();
    await vscode.commands.executeCommand("setContext", "citelsp.running", true);
    this.started.fire(this.client);
    if (await isOutdated(this.context, program)) {
      void this.offer("The citelsp server is older than this extension, which carries a newer one.", "Update");
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  async restart(): Promise<void> {
    this.crashes = [];
    await this.stop();
    await this.start();
  }

  /** Runs a command of the server on the document in front. */
  async execute<T>(command: string, uri = vscode.window.activeTextEditor?.document.uri): Promise<T | undefined> {
    return uri && this.ask(command, this.client?.code2ProtocolConverter.asUri(uri));
  }

  /** Runs a command of the server, if it is running. */
  async ask<T>(command: string, argument: unknown): Promise<T | undefined> {
    if (command !== OVERVIEW) {
      this.commanded.fire(); // what is only read must not pass for what the author is about to have added
    }
    return this.client?.isRunning()
      ? this.client.sendRequest("workspace/executeCommand", { command, arguments: [argument] })
      : undefined;
  }

  /** Has VS Code ask for the lines above paragraphs again. */
  lensesChanged(): void {
    const lenses = this.client?.getFeature("textDocument/codeLens");
    for (const { document } of vscode.window.visibleTextEditors) {
      lenses?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
  }

  /** Has the server ask for its settings; one that does not run asks when it starts. */
  async tellSettings(): Promise<void> {
    if (this.client?.isRunning()) {
      await this.client.sendNotification("workspace/didChangeConfiguration", { settings: null });
    }
  }

  dispose(): void {
    void this.stop();
  }

  /** Installs the server that the extension carries, and starts it. */
  async install(): Promise<void> {
    if (await install(this.context, this.log)) {
      await this.restart();
    }
  }

  private async offer(message: string, yes: string): Promise<void> {
    if ((await vscode.window.showInformationMessage(message, yes, "Not Now")) === yes) {
      await vscode.commands.executeCommand("citelsp.install");
    }
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        ...LANGUAGES.flatMap((language) => [
          { scheme: "file", language },
          { scheme: "untitled", language },
        ]),
        ...FILES.map((name) => ({ scheme: "file", pattern: `**/${name}` })),
        ...CELLS.map((language) => ({ notebook: "jupyter-notebook", language })),
      ],
      outputChannel: this.log,
      markdown: { isTrusted: false, supportHtml: false },
      middleware: this.middleware(),
      errorHandler: {
        error: () => ({ action: library.ErrorAction.Continue }),
        closed: () => this.crashed(),
      },
    };
  }

  private middleware(): Middleware {
    return {
      workspace: {
        configuration: async (params) => {
          const secret = await this.keys.all();
          return params.items.map((it) => written(it.scopeUri ? vscode.Uri.parse(it.scopeUri) : undefined, secret));
        },
      },
      provideCompletionItem: async (document, position, context, token, next) => {
        this.reopener.listed();
        const found = await next(document, position, context, token);
        this.keeper.list(document, position, Array.isArray(found) ? found : (found?.items ?? []));
        return found;
      },
      provideInlineCompletionItems: ghostText,
      executeCommand: async (command, args, next) => {
        await this.keeper.settled();
        this.commanded.fire();
        return this.reopener.following(command, async () => next(command, args));
      },
      provideCodeLenses: async (document, token, next) => {
        const found = await next(document, token);
        const shown = this.showsEvidence(this.client?.code2ProtocolConverter.asUri(document.uri) ?? "");
        return found?.filter((it) => shown || !isOfParagraph(it)).map((it) => (shown ? hiding(it) : it));
      },
      resolveCodeAction: async (item, token, next) => {
        const client = this.client;
        if (!client) {
          return next(item, token);
        }
        const asked = client.code2ProtocolConverter.asCodeActionSync(item);
        const found = await client.sendRequest<CodeAction>("codeAction/resolve", asked, token).catch(refused);
        if (!found) {
          return item;
        }
        if (await this.preview.offer(client, item, found)) {
          return item;
        }
        return client.protocol2CodeConverter.asCodeAction(found, token);
      },
    };
  }

  private crashed(): CloseHandlerResult {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((it) => now - it < SPELL), now];
    if (this.crashes.length <= CRASHES) {
      return { action: library.CloseAction.Restart, handled: true };
    }
    void this.sayStopped();
    return { action: library.CloseAction.DoNotRestart, handled: true };
  }

  private async sayStopped(): Promise<void> {
    const again = "Restart";
    const log = "Show the log";
    const message = `The citelsp server stopped ${this.crashes.length} times within three minutes; it stays off.`;
    const answer = await vscode.window.showErrorMessage(message, again, log);
    if (answer === again) {
      await this.restart();
    } else if (answer === log) {
      this.log.show();
    }
  }
}

/** True for a line of evidence above a paragraph, which is there while the evidence is. */
function isOfParagraph({ command }: vscode.CodeLens): boolean {
  return command?.command === READ && command.arguments?.[0]?.position !== undefined;
}

/** The line above a manuscript whose evidence is shown: the same click takes it away. */
function hiding(lens: vscode.CodeLens): vscode.CodeLens {
  const { command, range } = lens;
  return command?.command === READ && !isOfParagraph(lens)
    ? new vscode.CodeLens(range, { ...command, title: "Hide the evidence" })
    : lens;
}

/** Says why an action cannot be done, which VS Code keeps to itself. */
function refused(problem: Error & { code?: number }): undefined {
  if (problem.code !== CANCELLED) {
    void say(`citelsp: ${problem.message}`, 1);
  }
}
