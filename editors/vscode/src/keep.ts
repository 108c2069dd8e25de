import * as vscode from "vscode";

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
  private restored: Promise<unknown> = Promise.resolve();
  private caret = true; // nothing is selected
  private readonly registered = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((event) => this.changed(event)),
    vscode.window.onDidChangeTextEditorSelection((event) => (this.caret = event.selections.every((it) => it.isEmpty))),
  );

  /** Notes what the items of a list at a place would write. */
  list(document: vscode.TextDocument, { line }: vscode.Position, items: vscode.CompletionItem[]): void {
    if (line >= document.lineCount) {
      return; // the line was deleted while the list was made
    }
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
      }
    }
    this.idle = this.idle.slice(-MOST);
  }

  /** Until what an accepted item replaced is written again: VS Code may lose an item's command, and so waits for none. */
  async settled(): Promise<void> {
    await this.restored;
  }

  dispose(): void {
    this.registered.dispose();
  }

  private changed({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): void {
    const { watched } = this;
    if (document.uri.toString() !== watched?.uri || !contentChanges.length) {
      return;
    }
    const [change, ...others] = contentChanges;
    const here = watched.line < document.lineCount ? document.lineAt(watched.line).text : undefined;
    if (!change || others.length || !change.range.isSingleLine || change.range.start.line !== watched.line || here === undefined) {
      this.watched = undefined;
      return;
    }
    const { range, text } = change;
    const written = this.idle.some((it) => it.start.isEqual(range.start) && it.text === text);
    this.watched = { ...watched, text: here };
    if (written && !reason && this.caret && !range.isEmpty && here !== watched.text) {
      this.restored = restore(document, watched.line, watched.text, range.end);
    }
  }
}

async function restore(document: vscode.TextDocument, line: number, text: string, cursor: vscode.Position): Promise<void> {
  const editor = vscode.window.visibleTextEditors.find((it) => it.document === document);
  await editor?.edit((it) => it.replace(document.lineAt(line).range, text), { undoStopBefore: false, undoStopAfter: false });
  if (editor) {
    editor.selection = new vscode.Selection(cursor, cursor);
  }
}
