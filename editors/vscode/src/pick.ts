import * as vscode from "vscode";
import type { ClientCapabilities, StaticFeature } from "vscode-languageclient/node";
import { ADDED } from "./added";
import { CHOOSE } from "./choose";
import { READ } from "./reading";
import { REOPEN } from "./reopen";
import type { Session } from "./session";

export const PICK = "citelsp.pickWorks";

interface Place {
  uri: string;
  position: { line: number; character: number };
}

/** What the server's `citelsp.works` answers. */
interface Found {
  works: {
    work: string;
    title: string;
    who: string;
    key: string;
    adds: boolean;
    quote: string;
    found: string;
    against: string; // why it should not be cited as it is; "" for most
    fits: boolean;
  }[];
  reason: string;
}

interface Item extends vscode.QuickPickItem {
  work: string;
}

/** Extensions that complete keys too, by what the server calls them. */
const OTHERS: Record<string, string> = {
  "James-Yu.latex-workshop": "latex-workshop",
  "efoerster.texlab": "texlab",
  "quarto.quarto": "quarto",
  "myriad-dreamin.tinymist": "tinymist",
};

function beside(): string[] {
  return Object.entries(OTHERS).flatMap(([id, name]) => (vscode.extensions.getExtension(id) ? [name] : []));
}

/** Tells the server that this editor has the commands. */
export const announcement: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities) {
    const commands = { commands: [PICK, REOPEN, ADDED, READ, CHOOSE] };
    capabilities.experimental = { ...capabilities.experimental, commands, beside: beside() };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** Lets the author pick works for a placeholder, by default the one at the cursor; all are cited in one edit. */
export async function pickWorks(session: Session, place = here(session)): Promise<void> {
  if (!place) {
    return;
  }
  const searching = { location: vscode.ProgressLocation.Window, title: "citelsp: finding works" };
  const found = await vscode.window.withProgress(searching, () => session.ask<Found>("citelsp.works", place));
  const picked = await vscode.window.showQuickPick(items(found), {
    canPickMany: true,
    title: "Works to cite together",
    placeHolder: "Down and Space pick or leave a work, Enter cites those picked",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked?.length) {
    await session.ask("citelsp.cite", { ...place, works: picked.map((it) => it.work) });
  }
}

function items(found: Found | undefined): Item[] {
  if (!found?.works.length) {
    throw new Error(found?.reason || "No work was found for this placeholder");
  }
  return found.works.map((it) => ({
    label: `${it.against && "✗ "}${it.who || it.title}`,
    description: it.who && it.title,
    detail: [it.found, it.adds ? "" : `cited as ${it.key}`, it.against || (it.quote && `“${it.quote}”`)].filter(Boolean).join(" · "),
    picked: it.fits,
    work: it.work,
  }));
}

function here({ client }: Session): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client) {
    return undefined;
  }
  const { textDocument, position } = client.code2ProtocolConverter.asTextDocumentPositionParams(
    editor.document,
    editor.selection.active,
  );
  return { uri: textDocument.uri, position };
}
