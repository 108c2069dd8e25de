import * as vscode from "vscode";
import { LANGUAGES } from "./session";
import type { References } from "./references";

/** The item in the status bar: "118 verified · 1 mismatch", or how much is cited. */
export function showStatus(references: References): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("citelsp.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "citelsp";
  item.command = "citelsp.references.focus";
  const show = () => {
    const found = references.overview;
    const cited = found?.references.filter((it) => it.cited.length > 0).length ?? 0;
    const gaps = found?.gaps.length ?? 0;
    const plain = `${cited} cited${gaps ? ` · ${gaps} open` : ""}`;
    item.text = `$(book) ${found?.summary.replace(/ \(.*\)$/, "").replaceAll(", ", " · ") || plain}`;
    item.tooltip = found?.summary ? `References: ${found.summary}` : "References; nothing was verified yet";
    const language = vscode.window.activeTextEditor?.document.languageId ?? "";
    if (found && LANGUAGES.includes(language)) {
      item.show();
    } else {
      item.hide();
    }
  };
  return vscode.Disposable.from(item, references.onDidChangeTreeData(show), vscode.window.onDidChangeActiveTextEditor(show));
}
