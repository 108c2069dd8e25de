import * as vscode from "vscode";
import { mentions } from "./mentions.ts";
import type { Session } from "./session";

export const ADDED = "citelsp.showAdded";

/** What the server's `citelsp/added` tells of entries; the last four of a single insertion only. */
interface Addition {
  message: string;
  manuscript: string;
  keys: string[];
  files: string[];
  save: boolean;
  uri?: string;
  position?: { line: number; character: number };
  old_text?: string;
  new_text?: string;
}

interface Known extends Addition {
  there: boolean; // false once it was taken back
}

const SHOWN = 15_000; // milliseconds
const MOST = 200; // additions that are taken back with their citations

/**
 * Says where entries were added, and makes a citation and its entry one act: VS Code undoes a citation in the manuscript
 * alone, so the entry is taken out of the bibliography with it, and put back if the author redoes it.
 */
export class Additions implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("citelsp.added", vscode.StatusBarAlignment.Right, 91);
  private readonly registered: vscode.Disposable[];
  private known: Known[] = [];
  private timer: NodeJS.Timeout | undefined;
  private working = Promise.resolve();
  private unsaved = new Set<string>(); // documents, before entries were asked for last
  private readonly versions = new Map<string, number>(); // of documents, when they were saved last

  constructor(session: Session) {
    this.item.name = "citelsp: added entries";
    this.item.command = ADDED;
    this.registered = [
      this.item,
      session.onCommand(() => this.adding()),
      session.onStarted((client) => client.onNotification("citelsp/added", (told: Addition) => this.add(told))),
      vscode.workspace.onDidSaveTextDocument(({ uri, version }) => this.versions.set(uri.toString(), version)),
      vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
    ];
  }

  private changed({ document, reason, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (!reason) {
      return;
    }
    this.follow(document, reason);
    // VS Code undoes an edit of several documents in all of them, and saves none.
    const { uri, version } = document;
    const undone = (it: Known) => contentChanges.some((change) => isChangeOf(it, change));
    const clean = this.versions.get(uri.toString()) === version - 1;
    if (clean && this.known.some((it) => it.save && it.files.some((name) => isSame(name, uri)) && undone(it))) {
      this.working = this.working.then(() => saved(uri)).catch(() => undefined);
    }
  }

  private adding(): void {
    const unsaved = vscode.workspace.textDocuments.filter((it) => it.isDirty);
    this.unsaved = new Set(unsaved.map((it) => it.uri.toString()));
  }

  /** Shows the entry that was added last. */
  async show(): Promise<void> {
    const last = this.known.at(-1);
    if (last?.uri && last.position) {
      const line = last.position.line + leading(last.new_text ?? "");
      const selection = new vscode.Range(line, 0, line, 0);
      await vscode.window.showTextDocument(vscode.Uri.parse(last.uri), { selection });
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registered.forEach((it) => it.dispose());
  }

  private add(told: Addition): void {
    this.known = [...this.known.slice(1 - MOST), { ...told, there: true }];
    this.item.text = `$(check) ${told.message}`;
    this.item.tooltip = "Show the entry";
    this.item.show();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.item.hide(), SHOWN);
    for (const uri of told.save ? told.files.map((it) => vscode.Uri.parse(it)) : []) {
      if (!this.unsaved.has(uri.toString())) {
        this.working = this.working.then(() => saved(uri)).catch(() => undefined);
      }
    }
    const manuscript = vscode.workspace.textDocuments.find((it) => isSame(told.manuscript, it.uri));
    if (manuscript) {
      this.follow(manuscript, vscode.TextDocumentChangeReason.Undo); // which the author may have done already
    }
  }

  /** One after another: undoing twice must not change the bibliography from both ends. */
  private follow(document: vscode.TextDocument, reason: vscode.TextDocumentChangeReason): void {
    if (this.known.length) {
      this.working = this.working.then(() => this.followed(document, reason)).catch(() => undefined);
    }
  }

  private async followed(document: vscode.TextDocument, reason: vscode.TextDocumentChangeReason): Promise<void> {
    const text = document.getText();
    const last = this.known.at(-1);
    if (last && isSame(last.manuscript, document.uri) && !last.keys.some((key) => mentions(text, key))) {
      this.item.hide(); // its citation was taken back, and the entry with it
    }
    const changed = this.known.filter((it) => isIn(it, document) && it.there !== it.keys.some((key) => mentions(text, key)));
    // The last first: entries that stand behind others go before those, and come back after them.
    for (const it of reason === vscode.TextDocumentChangeReason.Undo ? changed.reverse() : changed) {
      const [now, then] = it.there ? [it.new_text, it.old_text] : [it.old_text, it.new_text];
      it.there = !it.there;
      await replaced(it, now ?? "", then ?? "");
    }
  }
}

function isIn(addition: Addition, document: vscode.TextDocument): boolean {
  return Boolean(addition.uri) && isSame(addition.manuscript, document.uri);
}

function isSame(name: string, uri: vscode.Uri): boolean {
  return vscode.Uri.parse(name).toString() === uri.toString();
}

/** True if the change takes the addition's entries away, or brings them back. */
function isChangeOf({ old_text = "", new_text = "" }: Addition, { text, rangeLength }: vscode.TextDocumentContentChangeEvent): boolean {
  const [before, after] = [old_text.length, new_text.length];
  return Boolean(new_text) && ((text === old_text && rangeLength === after) || (text === new_text && rangeLength === before));
}

/** Puts one text in the place of the other in the bibliography, unless that was changed there. */
async function replaced(addition: Addition, now: string, then: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(addition.uri ?? ""));
  const { line, character } = addition.position ?? { line: 0, character: 0 };
  const start = document.offsetAt(new vscode.Position(line, character));
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + now.length));
  if (document.getText(range) === now) {
    const clean = !document.isDirty;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, range, then);
    await vscode.workspace.applyEdit(edit);
    if (clean && addition.save) {
      await saved(document.uri);
    }
  }
}

async function saved(uri: vscode.Uri): Promise<void> {
  await (await vscode.workspace.openTextDocument(uri)).save();
}

/** How many lines of a text are empty before it begins. */
function leading(text: string): number {
  return (/^\s*/.exec(text)?.[0].split("\n").length ?? 1) - 1;
}
