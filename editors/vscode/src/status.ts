import * as vscode from "vscode";
import { LANGUAGES } from "./languages";
import type { Session } from "./session";
import { type Overview, type References, needsALook } from "./references";

/** The item in the status bar: "118 verified · 1 mismatch", or how much is cited; without a server, how to get it. */
export function showStatus(session: Session, references: References): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("citelsp.status", vscode.StatusBarAlignment.Right, 90);
  item.name = "citelsp";
  let missing = false;
  const show = () => (missing ? showMissing(item) : showSummary(item, references));
  const found = (it: boolean) => {
    missing = !it;
    show();
  };
  return vscode.Disposable.from(
    item,
    session.onMissing(() => found(false)),
    session.onStarted(() => found(true)),
    references.onDidChangeTreeData(show),
    vscode.window.onDidChangeActiveTextEditor(show),
  );
}

function showMissing(item: vscode.StatusBarItem): void {
  item.text = "$(cloud-download) Install citelsp";
  item.tooltip = "The citelsp server was not found: click to install it";
  item.command = "citelsp.install";
  item.show();
}

function showSummary(item: vscode.StatusBarItem, { overview }: References): void {
  const cited = overview?.references.filter((it) => it.cited.length > 0).length ?? 0;
  const gaps = overview?.gaps.length ?? 0;
  item.text = `$(book) ${overview ? inFewWords(overview, cited, gaps) : ""}`;
  item.tooltip = overview?.summary ? `References: ${overview.summary}` : "References; nothing was verified yet";
  item.command = "citelsp.references.focus";
  if (overview && LANGUAGES.includes(vscode.window.activeTextEditor?.document.languageId ?? "")) {
    item.show();
  } else {
    item.hide();
  }
}

/** At most five words: what needs a look before what is well. */
function inFewWords({ references }: Overview, cited: number, gaps: number): string {
  const wrong = references.filter(needsALook).length;
  const verified = references.filter((it) => it.verdict === "verified").length;
  if (wrong) {
    return `${wrong} of ${references.length} ${wrong === 1 ? "needs" : "need"} a look`;
  }
  const state = verified ? `${verified} of ${references.length} verified` : `${cited} cited`;
  return gaps && !verified ? `${state}, ${gaps} to fill` : state;
}
