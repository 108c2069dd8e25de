import * as vscode from "vscode";
import type { CompletionItem, CompletionList, TextEdit } from "vscode-languageclient/node";
import { LANGUAGES } from "./languages";
import type { Session } from "./session";

const INSIDE = /(<[^<>]*|\{\?[^{}]*|\[@\?[^\][]*)$/; // a placeholder that the cursor stands in

/**
 * The best work for the placeholder at the cursor as ghost text, where the user wants that.
 *
 * VS Code shows as ghost text only what adds to the text that is there.  So the citation is added behind the cursor,
 * and once accepted it takes the place of the whole placeholder.
 */
export class Inline implements vscode.InlineCompletionItemProvider, vscode.Disposable {
  private readonly registered: vscode.Disposable;

  constructor(private readonly session: Session) {
    const selector = LANGUAGES.map((language) => ({ language }));
    this.registered = vscode.Disposable.from(
      vscode.languages.registerInlineCompletionItemProvider(selector, this),
      vscode.commands.registerCommand("citelsp.fillPlaceholder", fill),
    );
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
    const best = items(found).find((it) => it.textEdit && it.data); // works have data, the offer to search has none
    if (!best) {
      return [];
    }
    const edit = best.textEdit as TextEdit;
    const { start, end } = client.protocol2CodeConverter.asRange(edit.range);
    const ghost = ` → ${edit.newText}`;
    const moved = end.line === position.line ? end.translate(0, ghost.length) : end;
    const then = best.command && client.protocol2CodeConverter.asCommand(best.command);
    const item = new vscode.InlineCompletionItem(ghost, new vscode.Range(position, position));
    const filled = [document.uri, new vscode.Range(start, moved), edit.newText, then];
    item.command = { command: "citelsp.fillPlaceholder", title: "Cite", arguments: filled };
    return [item];
  }

  dispose(): void {
    this.registered.dispose();
  }
}

async function fill(uri: vscode.Uri, range: vscode.Range, citation: string, then?: vscode.Command): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, range, citation);
  await vscode.workspace.applyEdit(edit);
  if (then) {
    await vscode.commands.executeCommand(then.command, ...(then.arguments ?? []));
  }
}

function items(found: CompletionItem[] | CompletionList | null): CompletionItem[] {
  return Array.isArray(found) ? found : (found?.items ?? []);
}
