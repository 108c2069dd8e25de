import * as path from "node:path";
import * as vscode from "vscode";
import type { BaseLanguageClient, CodeAction, TextEdit, WorkspaceEdit } from "vscode-languageclient/node";

const SCHEME = "citelsp-fix";

interface Pending {
  edit: vscode.WorkspaceEdit;
  shown: vscode.Uri[];
  documents: Map<vscode.TextDocument, number>; // with the version that the edit is made for
}

/** Fixes that the author should look at first: shown as a diff, applied on request. */
export class Preview implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly registered: vscode.Disposable[];
  private pending: Pending | undefined;
  private number = 0;

  constructor() {
    this.registered = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand("citelsp.showFix", (title: string, edit: vscode.WorkspaceEdit) => this.show(title, edit)),
    ];
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Turns an action whose edit wants confirmation into one that shows a diff; false where it wants none. */
  async offer(client: BaseLanguageClient, item: vscode.CodeAction, found: CodeAction): Promise<boolean> {
    const annotations = Object.values(found.edit?.changeAnnotations ?? {});
    if (!found.edit || !annotations.some((it) => it.needsConfirmation)) {
      return false;
    }
    const edit = await client.protocol2CodeConverter.asWorkspaceEdit(unannotated(found.edit));
    item.command = { command: "citelsp.showFix", title: found.title, arguments: [found.title, edit] };
    return true;
  }

  /** Lets the author choose among the fixes at the cursor, and shows the one chosen. */
  async choose(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return;
    }
    const provider = "vscode.executeCodeActionProvider";
    const { uri } = editor.document;
    const actions: vscode.CodeAction[] = await vscode.commands.executeCommand(provider, uri, editor.selection, undefined, 30);
    const fixes = actions.filter((it) => it.edit ?? it.command?.command === "citelsp.showFix");
    const picked = await vscode.window.showQuickPick(fixes.map((fix) => ({ label: fix.title, fix })), {
      placeHolder: fixes.length ? "Which fix?" : "There is nothing to fix here",
    });
    if (picked) {
      await this.show(picked.label, picked.fix.edit ?? picked.fix.command?.arguments?.[1]);
    }
  }

  /** Shows a fix in place of the one before: of two diffs side by side, the one looked at might not be the one applied. */
  async show(title: string, edit: vscode.WorkspaceEdit): Promise<void> {
    await this.discard();
    const shown: vscode.Uri[] = [];
    const documents: Pending["documents"] = new Map();
    for (const [uri, edits] of edit.entries()) {
      const document = await vscode.workspace.openTextDocument(uri);
      documents.set(document, document.version);
      const after = vscode.Uri.from({ scheme: SCHEME, path: uri.path, query: String(++this.number) });
      this.texts.set(after.toString(), changed(document, edits));
      shown.push(after);
      const named = `${path.basename(uri.path)}: ${title}`;
      await vscode.commands.executeCommand("vscode.diff", uri, after, named, { preview: false });
    }
    this.pending = { edit, shown, documents };
  }

  /** Closes the diff of the fix shown last and leaves everything as it is. */
  async discard(): Promise<void> {
    const pending = this.pending;
    this.pending = undefined;
    await this.close(pending?.shown ?? []);
  }

  /** Closes the diff of the fix shown last and applies it, unless what it would change has changed since. */
  async accept(): Promise<void> {
    const pending = this.pending;
    if (!pending) {
      return;
    }
    this.pending = undefined;
    const stale = [...pending.documents].some(([document, version]) => document.isClosed || document.version !== version);
    await this.close(pending.shown);
    if (stale) {
      throw new Error("the document has changed since this fix was shown; ask for it again");
    }
    await vscode.workspace.applyEdit(pending.edit);
  }

  private async close(shown: vscode.Uri[]): Promise<void> {
    const names = new Set(shown.map(String));
    const tabs = vscode.window.tabGroups.all.flatMap((it) => it.tabs);
    const diffs = tabs.filter((it) => it.input instanceof vscode.TabInputTextDiff && names.has(String(it.input.modified)));
    await vscode.window.tabGroups.close(diffs);
    names.forEach((it) => this.texts.delete(it));
  }

  dispose(): void {
    this.registered.forEach((it) => it.dispose());
  }
}

/** The same edit without anything to confirm: the diff is the confirmation. */
function unannotated(edit: WorkspaceEdit): WorkspaceEdit {
  const { changeAnnotations: _, ...rest } = edit;
  const bare = ({ range, newText }: TextEdit): TextEdit => ({ range, newText });
  const documentChanges = rest.documentChanges?.map((it) =>
    "edits" in it ? { ...it, edits: it.edits.map((one) => ("newText" in one ? bare(one) : one)) } : it,
  );
  return documentChanges ? { ...rest, documentChanges } : rest;
}

function changed(document: vscode.TextDocument, edits: vscode.TextEdit[]): string {
  let text = document.getText();
  // Reversed, as of texts put at one place the first comes first.
  const backwards = [...edits].reverse().sort((a, b) => b.range.start.compareTo(a.range.start));
  for (const it of backwards) {
    text = text.slice(0, document.offsetAt(it.range.start)) + it.newText + text.slice(document.offsetAt(it.range.end));
  }
  return text;
}
