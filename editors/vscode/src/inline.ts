import * as vscode from "vscode";
import type { CompletionItem, CompletionList, TextEdit } from "vscode-languageclient/node";
import { LANGUAGES, type Session } from "./session";

const INSIDE = /(<[^<>]*|\{\?[^{}]*|\[@\?[^\][]*)$/; // a placeholder that the cursor stands in

/** The best work for the placeholder at the cursor as ghost text, where the user wants that. */
export class Inline implements vscode.InlineCompletionItemProvider, vscode.Disposable {
  private readonly registered: vscode.Disposable;

  constructor(private readonly session: Session) {
    const selector = LANGUAGES.map((language) => ({ language }));
    this.registered = vscode.languages.registerInlineCompletionItemProvider(selector, this);
  }

  async provideInlineCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    _: vscode.InlineCompletionContext,
    token: vscode.CancellationToken,
  ): Promise<vscode.InlineCompletionItem[]> {
    const wanted = vscode.workspace.getConfiguration("citelsp.inline", document).get("enabled", false);
    const before = document.lineAt(position).text.slice(0, position.character);
    const { client } = this.session;
    if (!wanted || !INSIDE.test(before) || !client?.isRunning()) {
      return [];
    }
    const asked = client.code2ProtocolConverter.asTextDocumentPositionParams(document, position);
    const found = await client.sendRequest<CompletionItem[] | CompletionList | null>("textDocument/completion", asked, token);
    const best = items(found).find((it) => it.textEdit && (it.command ?? it.data));
    if (!best) {
      return [];
    }
    const edit = best.textEdit as TextEdit;
    const range = client.protocol2CodeConverter.asRange(edit.range);
    const item = new vscode.InlineCompletionItem(edit.newText, range);
    item.filterText = document.getText(range);
    if (best.command) {
      item.command = client.protocol2CodeConverter.asCommand(best.command);
    }
    return [item];
  }

  dispose(): void {
    this.registered.dispose();
  }
}

function items(found: CompletionItem[] | CompletionList | null): CompletionItem[] {
  return Array.isArray(found) ? found : (found?.items ?? []);
}
