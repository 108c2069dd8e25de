import * as vscode from "vscode";
import { say } from "./messages";
import type { Session } from "./session";

interface Place {
  uri: string;
  position: { line: number; character: number };
}

/** What the server's `citelsp.findWorks` answers; `outside` says what would ask the services. */
interface Found {
  works: { work: string; title: string; who: string; key: string; adds: boolean; quote: string; against: string; origin: string }[];
  outside: { title: string; words: string } | null;
  reason: string;
}

/** What the server's `citelsp.previewCitation` answers. */
interface Shown {
  forms: { textual: boolean; text: string }[];
  adds: string;
  entries: string;
}

interface Row extends vscode.QuickPickItem {
  work?: string; // none: the row says why there is nothing
  asks?: boolean; // the row asks the services
}

interface FormRow extends vscode.QuickPickItem {
  textual: boolean;
}

const PAUSE = 150; // milliseconds without a key, after which the server is asked

/** Insert Citation…: works by words from the author's list, Zotero, corpus and services; then how they are cited. */
export async function insertCitation(session: Session): Promise<void> {
  const place = here(session);
  if (!place) {
    throw new Error("open a manuscript that the server serves first");
  }
  const works = await chooseWorks(session, place);
  const form = works.length ? await chooseForm(session, place, works) : undefined;
  if (form) {
    await session.ask("citelsp.writeCitation", { ...place, works, ...form });
  }
}

/** The names of the works chosen, which stay in the list whatever is typed next. */
function chooseWorks(session: Session, place: Place): Promise<string[]> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = "Insert citation";
  pick.placeholder = "Title, author or DOI; Space picks, Enter goes on";
  pick.canSelectMany = true;
  pick.matchOnDescription = pick.matchOnDetail = true;
  pick.ignoreFocusOut = true;
  let [asked, timer] = [0, undefined as NodeJS.Timeout | undefined];

  /** Shows what is found for the words typed, unless others were typed meanwhile. */
  const find = async (further: boolean): Promise<void> => {
    const [number, words] = [++asked, pick.value];
    pick.busy = true;
    const found = await session.ask<Found>("citelsp.findWorks", { ...place, words, outside: further }).catch(nothing);
    if (number === asked) {
      const picked = pick.selectedItems.filter((it) => it.work);
      const rows = found ? listed(found).filter((row) => !picked.some((it) => it.work === row.work)) : [];
      pick.items = [...picked, ...rows];
      pick.selectedItems = picked;
      const first = rows[0];
      pick.activeItems = first ? [first] : [];
      pick.busy = false;
    }
  };
  return new Promise((resolve) => {
    const done = (names: string[]) => {
      resolve(names);
      pick.hide();
    };
    pick.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void find(false), PAUSE);
    });
    pick.onDidChangeSelection((rows) => rows.some((it) => it.asks) && void find(true));
    pick.onDidAccept(() => {
      const chosen = pick.selectedItems.filter((it) => it.work);
      const [active] = chosen.length ? chosen : pick.activeItems;
      if (active?.asks) {
        void find(true);
      } else {
        done((chosen.length ? chosen : pick.activeItems).flatMap((it) => it.work ?? []));
      }
    });
    pick.onDidHide(() => {
      clearTimeout(timer);
      resolve([]);
      pick.dispose();
    });
    pick.show();
    void find(false);
  });
}

/** What would be written in each form, with the locator as it is typed. */
function chooseForm(session: Session, place: Place, works: string[]): Promise<{ locator: string; textual: boolean } | undefined> {
  const pick = vscode.window.createQuickPick<FormRow>();
  pick.title = "Insert citation: how";
  pick.placeholder = "A locator such as p. 12 or chap. 3, or nothing; Enter writes what is marked";
  pick.ignoreFocusOut = true;
  let asked = 0;
  const show = async (): Promise<void> => {
    const [number, textual] = [++asked, pick.activeItems[0]?.textual ?? false];
    pick.busy = true;
    const shown = await session.ask<Shown>("citelsp.previewCitation", { ...place, works, locator: pick.value }).catch(nothing);
    if (number === asked) {
      pick.title = ["Insert citation", shown?.adds].filter(Boolean).join(": ");
      pick.items = (shown?.forms ?? []).map((it) => ({
        label: it.text,
        detail: it.textual ? "As a part of the sentence" : "Beside the sentence",
        textual: it.textual,
        alwaysShow: true,
      }));
      pick.activeItems = pick.items.filter((it) => it.textual === textual);
      pick.busy = false;
    }
  };
  return new Promise((resolve) => {
    pick.onDidChangeValue(() => void show());
    pick.onDidAccept(() => {
      const [chosen] = pick.activeItems;
      // While an answer is due, what is marked is not what was typed.
      if (chosen && !pick.busy) {
        resolve({ locator: pick.value, textual: chosen.textual });
        pick.hide();
      }
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
    void show();
  });
}

function listed({ works, outside, reason }: Found): Row[] {
  const rows: Row[] = works.map((it) => ({
    label: it.against ? `✗ ${it.title}` : it.title,
    detail: [it.who, it.origin, it.adds ? `new entry ${it.key}` : it.key, it.against || (it.quote && `“${it.quote}”`)].filter(Boolean).join(" · "),
    work: it.work,
    alwaysShow: true, // the server found them by more than their labels
  }));
  const globe = new vscode.ThemeIcon("globe");
  const further: Row[] = outside
    ? [{ label: outside.title, detail: `Sends the words “${outside.words}”`, iconPath: globe, asks: true, alwaysShow: true }]
    : [];
  return rows.length || further.length ? [...rows, ...further] : [{ label: reason, alwaysShow: true }];
}

/** Says what went wrong and leaves the list as it is. */
function nothing(problem: Error): undefined {
  void say(`citelsp: ${problem.message}`, 1);
}

function here({ client }: Session): Place | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || !client?.isRunning()) {
    return undefined;
  }
  const { textDocument, position } = client.code2ProtocolConverter.asTextDocumentPositionParams(
    editor.document,
    editor.selection.active,
  );
  return { uri: textDocument.uri, position };
}
