import * as vscode from "vscode";
import { LANGUAGES } from "./languages";
import type { Session } from "./session";

interface Place {
  uri: string;
  range: { start: vscode.Position; end: vscode.Position };
}

interface Reference {
  key: string;
  title: string;
  who: string;
  verdict: string | null;
  reason: string;
  settled: boolean; // by a comment, `citelsp: ignore`, or the setting `checks.severity`
  place: Place;
  cited: Place[];
}

/** What the server's `citelsp.overview` answers. */
export interface Overview {
  summary: string;
  references: Reference[];
  gaps: { words: string; place: Place }[];
}

export const OVERVIEW = "citelsp.overview";
const SHOWN = ["file", "vscode-notebook-cell"]; // schemes of documents whose references are shown
const PAUSE = 600; // milliseconds after a change
const WRONG = ["mismatch", "conflict", "not-found", "retracted"];

/** True if the author should look at an entry, and has not settled it. */
export function needsALook({ verdict, settled }: Reference): boolean {
  return WRONG.includes(verdict ?? "") && !settled;
}
const ICONS: Record<string, [icon: string, colour: string]> = {
  verified: ["verified-filled", "charts.green"],
  mismatch: ["warning", "list.warningForeground"],
  conflict: ["error", "list.errorForeground"],
  "not-found": ["error", "list.errorForeground"],
  retracted: ["circle-slash", "list.errorForeground"],
  unchecked: ["question", "disabledForeground"],
};

class Group extends vscode.TreeItem {
  constructor(
    name: string,
    readonly children: vscode.TreeItem[],
    open: boolean,
  ) {
    const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
    super(name, open ? Expanded : Collapsed);
    this.description = String(children.length);
    this.id = name;
  }
}

class Entry extends vscode.TreeItem {
  readonly children: vscode.TreeItem[];

  constructor(reference: Reference) {
    const { Collapsed, None } = vscode.TreeItemCollapsibleState;
    super(reference.who || reference.key, reference.cited.length ? Collapsed : None);
    const [icon, colour] = ICONS[reference.verdict ?? ""] ?? ["circle-outline", "disabledForeground"];
    this.description = reference.title;
    this.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
    this.tooltip = [reference.key, reference.title, verdictOf(reference)].filter(Boolean).join("\n");
    this.command = opening(reference.place);
    this.children = reference.cited.map((it) => new Mention(it));
  }
}

/** "Not found: no source that answered has a work of this title". */
function verdictOf({ verdict, reason }: Reference): string {
  const words = (verdict ?? "not yet checked").replace("-", " ");
  return [words.charAt(0).toUpperCase() + words.slice(1), reason].filter(Boolean).join(": ");
}

class Mention extends vscode.TreeItem {
  constructor(place: Place, label = "", icon = "quote") {
    const { line } = place.range.start;
    super(label || `${vscode.workspace.asRelativePath(vscode.Uri.parse(place.uri))}, line ${line + 1}`);
    this.iconPath = new vscode.ThemeIcon(icon);
    this.command = opening(place);
  }
}

/** The view of references of the project in front. */
export class References implements vscode.TreeDataProvider<vscode.TreeItem>, vscode.Disposable {
  overview: Overview | undefined;
  private readonly changed = new vscode.EventEmitter<void>();
  private readonly registered: vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private shown: vscode.Uri | undefined;
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly session: Session) {
    const later = () => this.later();
    this.registered = [
      this.changed,
      vscode.window.registerTreeDataProvider("citelsp.references", this),
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.languages.onDidChangeDiagnostics((it) => it.uris.some(isOurs) && later()),
      vscode.workspace.onDidSaveTextDocument((it) => LANGUAGES.includes(it.languageId) && later()),
      session.onStarted(later),
    ];
  }

  getTreeItem(item: vscode.TreeItem): vscode.TreeItem {
    return item;
  }

  getChildren(item?: vscode.TreeItem): vscode.TreeItem[] {
    if (item) {
      return item instanceof Group || item instanceof Entry ? item.children : [];
    }
    return this.overview ? groups(this.overview) : [];
  }

  async refresh(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document && SHOWN.includes(document.uri.scheme) && LANGUAGES.includes(document.languageId)) {
      this.shown = document.uri;
    }
    const asked = this.shown;
    const overview = asked && (await this.session.execute<Overview>(OVERVIEW, asked));
    if (asked && asked === this.shown) { // else the author went to another document meanwhile
      this.overview = overview;
      this.changed.fire();
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.registered.forEach((it) => it.dispose());
  }

  private later(): void {
    clearTimeout(this.timer);
    // A refusal leaves what is shown: nobody asked for this.
    this.timer = setTimeout(() => void this.refresh().catch(() => undefined), PAUSE);
  }
}

/** True for bibliographies, which need not be open, and for open documents that the server reads. */
function isOurs(uri: vscode.Uri): boolean {
  const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
  return uri.path.endsWith(".bib") || LANGUAGES.includes(document?.languageId ?? "");
}

function groups({ references, gaps }: Overview): vscode.TreeItem[] {
  const entries = (kept: (it: Reference) => boolean) => references.filter(kept).map((it) => new Entry(it));
  return [
    new Group("To look at", entries(needsALook), true),
    new Group("Placeholders", gaps.map((it) => new Mention(it.place, it.words || "any work", "search")), true),
    new Group("Cited", entries((it) => it.cited.length > 0 && !needsALook(it)), true),
    new Group("Not cited", entries((it) => it.cited.length === 0 && !needsALook(it)), false),
  ].filter((it) => it.children.length > 0);
}

function opening(place: Place): vscode.Command {
  const { start, end } = place.range;
  const selection = new vscode.Range(start.line, start.character, end.line, end.character);
  return { command: "vscode.open", title: "Show", arguments: [vscode.Uri.parse(place.uri), { selection }] };
}
