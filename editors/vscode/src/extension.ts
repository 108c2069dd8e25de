import * as vscode from "vscode";
import { ADDED, Additions } from "./added";
import { answerQuestions } from "./choose";
import { insertCitation } from "./dialog";
import { fillPlaceholders } from "./inline";
import { Keys } from "./keys";
import { PICK, pickWorks } from "./pick";
import { say } from "./messages";
import { Preview } from "./preview";
import { READ, Reading } from "./reading";
import { References } from "./references";
import { PLACEHOLDERS } from "./languages";
import { CANCELLED, Session } from "./session";
import { addPapers, openDemo, openDemoManuscript } from "./start";
import { showStatus } from "./status";
import { offerTools } from "./tools";

let session: Session | undefined;

const SECONDS_TO_READ = 8;

/** Starts the server behind the editor's back: activation waits for nothing. */
export function activate(context: vscode.ExtensionContext): Session {
  const log = vscode.window.createOutputChannel("citelsp", { log: true });
  const keys = new Keys(context.secrets);
  const preview = new Preview();
  const running = (session = new Session(context, log, keys, preview));
  const references = new References(running);
  const additions = new Additions(running);
  context.subscriptions.push(log, running, preview, references, showStatus(running, references), fillPlaceholders());
  const reading = new Reading(running);
  running.showsEvidence = (uri) => reading.shows(uri);
  context.subscriptions.push(additions, reading, answerQuestions(running), offerTools(context));

  const commands: Record<string, (argument?: never) => unknown> = {
    "citelsp.suggestAll": () => suggestAll(running),
    "citelsp.verifyDocument": () => verify(running, references),
    "citelsp.sortByKey": () => running.execute("citelsp.sort"),
    "citelsp.insertCitation": () => insertCitation(running),
    "citelsp.insertPlaceholder": insertPlaceholder,
    [ADDED]: () => additions.show(),
    [PICK]: (place) => running.keeper.settled().then(() => pickWorks(running, place)),
    [READ]: (place) => reading.toggle(place),
    "citelsp.closeEvidence": () => reading.dispose(),
    "citelsp.nextCitation": () => reading.move(1),
    "citelsp.previousCitation": () => reading.move(-1),
    "citelsp.previewFix": () => preview.choose(),
    "citelsp.discardFix": () => preview.discard(),
    "citelsp.acceptFix": () => preview.accept(),
    "citelsp.setKey": async () => (await keys.ask()) && running.tellSettings(),
    "citelsp.forgetKey": async () => (await keys.forget()) && running.tellSettings(),
    "citelsp.openDemo": () => openDemo(context),
    "citelsp.addPapers": () => addPapers(context),
    "citelsp.install": () => running.install(),
    "citelsp.restart": () => running.restart(),
    "citelsp.showLog": () => log.show(),
    "citelsp.refreshReferences": () => references.refresh(),
  };
  for (const [name, run] of Object.entries(commands)) {
    context.subscriptions.push(vscode.commands.registerCommand(name, (argument) => guarded(() => run(argument as never))));
  }
  void guarded(openDemoManuscript);
  void guarded(() => running.start());
  return running;
}

export async function deactivate(): Promise<void> {
  await session?.stop();
}

async function guarded(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (problem) {
    if ((problem as { code?: unknown }).code === CANCELLED) {
      return;
    }
    void say(`citelsp: ${problem instanceof Error ? problem.message : String(problem)}`, 1);
  }
}

async function suggestAll(running: Session): Promise<void> {
  const found = await running.execute<number>("citelsp.suggest");
  if (found === undefined) {
    throw new Error("open a manuscript that the server serves first");
  }
  tellInStatus(foundFor(found));
}

function foundFor(placeholders: number): string {
  return placeholders === 1 ? "Works were found for one placeholder" : `Works were found for ${placeholders} placeholders`;
}

/** Who asks for a check hears what it came to, also if nobody answered as before. */
async function verify(running: Session, references: References): Promise<void> {
  const summary = await running.execute<string>("citelsp.verify");
  references.refresh();
  if (summary) {
    tellInStatus(`References: ${summary}`);
  }
}

function tellInStatus(answer: string): void {
  vscode.window.setStatusBarMessage(`$(book) ${answer}`, SECONDS_TO_READ * 1000);
}

/** An empty placeholder at the cursor, with the list of works open inside it. */
async function insertPlaceholder(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const text = editor && PLACEHOLDERS[editor.document.languageId];
  if (!editor || !text) {
    return;
  }
  await editor.insertSnippet(new vscode.SnippetString(text));
  await vscode.commands.executeCommand("editor.action.triggerSuggest");
}
