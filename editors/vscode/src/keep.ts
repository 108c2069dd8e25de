import * as vscode from "vscode";

export const KEEP = "citelsp.keepText";
const KINDS = [vscode.CompletionItemKind.Text, vscode.CompletionItemKind.Event]; // of items that say or do something
const MOST = 50; // items that may still be accepted

/** Where an item would write once more what stood there when its list was made. */
interface Idle {
  start: vscode.Position;
  text: string;
}

/**
 * Gives back what was typed between the making of a list and the acceptance of an item that is to write nothing: VS Code
 * replaces that, too, as long as the next list has not come.
 */
export class Keeper implements vscode.Disposable {
  private idle: Idle[] = [];
  private watched: { uri: string; line: number; text: string } | undefined;
  private lost: { line: number; text: string; cursor: vscode.Position } | undefined;
  private readonly registered = vscode.workspace.onDidChangeTextDocument((event) => this.changed(event));

  /** Notes what a list at a place would write, and has each such item call for what it may replace. */
  list(document: vscode.TextDocument, { line }: vscode.Position, items: vscode.CompletionItem[]): void {
    const uri = document.uri.toString();
    if (this.watched?.uri !== uri || this.watched.line !== line) {
      this.idle = [];
    }
    this.watched = { uri, line, text: document.lineAt(line).text };
    for (const item of items.filter((it) => it.kind !== undefined && KINDS.includes(it.kind))) {
      const range = item.range instanceof vscode.Range ? item.range : item.range?.replacing;
      const written = typeof item.insertText === "string" ? item.insertText : item.insertText?.value;
      if (range && written !== undefined) {
        this.idle.push({ start: range.start, text: written });
        item.command ??= { command: KEEP, title: "" };
      }
    }
    this.idle = this.idle.slice(-MOST);
  }

  /** Writes again what the acceptance of the last item replaced; called before that item does anything. */
  async restore(): Promise<void> {
    const lost = this.lost;
    this.lost = undefined;
    const editor = vscode.window.activeTextEditor;
    if (!lost || !editor) {
      return;
    }
    const { range } = editor.document.lineAt(lost.line);
    await editor.edit((it) => it.replace(range, lost.text), { undoStopBefore: false, undoStopAfter: false });
    editor.selection = new vscode.Selection(lost.cursor, lost.cursor);
  }

  dispose(): void {
    this.registered.dispose();
  }

  private changed({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    const { watched } = this;
    if (document.uri.toString() !== watched?.uri || !contentChanges.length) {
      return;
    }
    const [change, ...others] = contentChanges;
    const here = watched.line < document.lineCount ? document.lineAt(watched.line).text : undefined;
    if (!change || others.length || !change.range.isSingleLine || change.range.start.line !== watched.line || here === undefined) {
      this.watched = this.lost = undefined;
      return;
    }
    const { range, text } = change;
    const accepted = !range.isEmpty && this.idle.some((it) => it.start.isEqual(range.start) && it.text === text);
    this.lost = accepted && here !== watched.text ? { line: watched.line, text: watched.text, cursor: range.end } : undefined;
    this.watched = { ...watched, text: here };
  }
}
