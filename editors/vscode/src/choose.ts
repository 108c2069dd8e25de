import * as vscode from "vscode";
import type { Session } from "./session";

export const CHOOSE = "citelsp.choose";

interface Question {
  question: string;
  choices: { label: string; detail: string }[];
}

/** Answers questions of the server that have choices: a list that stays until the author has chosen or left it. */
export function answerQuestions(session: Session): vscode.Disposable {
  return session.onStarted((client) => client.onRequest("citelsp/choose", choose));
}

async function choose({ question, choices }: Question): Promise<number | null> {
  const items = choices.map((it, number) => ({ ...it, number }));
  const picked = await vscode.window.showQuickPick(items, { title: question, matchOnDetail: true, ignoreFocusOut: true });
  return picked?.number ?? null;
}
