import * as vscode from "vscode";
import type { Middleware } from "vscode-languageclient/node";

const INSIDE = /(<[^<>]*|\{\?[^{}]*|\[@\?[^\][]*)$/; // a placeholder that the cursor stands in
const FILL = "citelsp.fillPlaceholder";

/**
 * The server's ghost text at a placeholder, where the user wants it, in a form that VS Code shows.
 *
 * It shows only what adds to the text that is there.  So the citation is added behind the cursor, and once accepted it
 * takes the place of the whole placeholder.
 */
export const ghostText: NonNullable<Middleware["provideInlineCompletionItems"]> = async (
  document,
  position,
  context,
  token,
  next,
) => {
  const wanted = vscode.workspace.getConfiguration("citelsp.inline", document).get("enabled", false);
  const before = document.lineAt(position).text.slice(0, position.character);
  if (!wanted || !INSIDE.test(before)) {
    return [];
  }
  const found = await next(document, position, context, token);
  return (Array.isArray(found) ? found : (found?.items ?? [])).map((it) => added(document.uri, position, it));
};

function added(uri: vscode.Uri, position: vscode.Position, item: vscode.InlineCompletionItem) {
  const citation = String(item.insertText);
  const { start, end } = item.range ?? new vscode.Range(position, position);
  const ghost = ` → ${citation}`;
  const moved = end.line === position.line ? end.translate(0, ghost.length) : end;
  const shown = new vscode.InlineCompletionItem(ghost, new vscode.Range(position, position));
  const filled = [uri, new vscode.Range(start, moved), citation, item.command];
  shown.command = { command: FILL, title: "Cite", arguments: filled };
  return shown;
}

/** Registers what an accepted one runs. */
export function fillPlaceholders(): vscode.Disposable {
  return vscode.commands.registerCommand(FILL, fill);
}

async function fill(uri: vscode.Uri, range: vscode.Range, citation: string, then?: vscode.Command): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(uri, range, citation);
  await vscode.workspace.applyEdit(edit);
  if (then) {
    await vscode.commands.executeCommand(then.command, ...(then.arguments ?? []));
  }
}
