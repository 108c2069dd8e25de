import * as vscode from "vscode";
import type { Session } from "./session";

export const READ = "citelsp.readEvidence";
const SCHEME = "citelsp-reading";
const LANGUAGE = "citelsp-evidence"; // which wraps lines, by the defaults of this extension
const PAGE = vscode.Uri.from({ scheme: SCHEME, path: "Evidence" });

interface Place {
  uri: string;
  position?: { line: number; character: number };
}

/** What the server's `citelsp.reading` answers. */
interface Found {
  text: string;
  citations: { line: number; key: string; uri: string; range: { start: vscode.Position; end: vscode.Position } }[];
}

/** The evidence for all citations of a manuscript beside it, as a text that goes along with the manuscript. */
export class Reading implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly registered: vscode.Disposable[];
  private readonly mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
  });
  private found: Found = { text: "", citations: [] };
  private current = -1;
  readonly onDidChange = this.changed.event;

  constructor(private readonly session: Session) {
    this.registered = [this.changed, this.mark, vscode.workspace.registerTextDocumentContentProvider(SCHEME, this)];
  }

  provideTextDocumentContent(): string {
    return this.found.text;
  }

  /** Shows what is known of the citations of a manuscript, by default the one in front, and goes to the one at a place. */
  async show(place = this.here()): Promise<void> {
    const found = place && (await this.session.ask<Found>("citelsp.reading", { uri: place.uri }));
    if (!found?.citations.length) {
      throw new Error("no citation here has an entry");
    }
    this.found = found;
    this.changed.fire(PAGE);
    const opened = await vscode.workspace.openTextDocument(PAGE);
    const document = await vscode.languages.setTextDocumentLanguage(opened, LANGUAGE);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true, preview: false });
    const line = place?.position?.line ?? 0;
    const next = found.citations.findIndex((it) => it.range.end.line >= line);
    await this.go(next < 0 ? found.citations.length - 1 : next);
  }

  /** Goes so many citations on, in both texts. */
  async move(by: number): Promise<void> {
    if (this.current < 0) {
      return this.show();
    }
    const count = this.found.citations.length;
    return this.go((this.current + by + count) % count);
  }

  dispose(): void {
    this.registered.forEach((it) => it.dispose());
  }

  private async go(number: number): Promise<void> {
    const citation = this.found.citations[number];
    const page = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === PAGE.toString());
    if (!citation) {
      return;
    }
    this.current = number;
    const { start, end } = citation.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const uri = vscode.Uri.parse(citation.uri);
    const there = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === uri.toString());
    await vscode.window.showTextDocument(uri, { selection, viewColumn: there?.viewColumn ?? vscode.ViewColumn.One });
    const line = new vscode.Range(citation.line, 0, citation.line, 0);
    page?.setDecorations(this.mark, [line]);
    page?.revealRange(line, vscode.TextEditorRevealType.AtTop);
  }

  private here(): Place | undefined {
    const editor = vscode.window.activeTextEditor;
    const { client } = this.session;
    if (!editor || !client || editor.document.uri.scheme === SCHEME) {
      return undefined;
    }
    const { line, character } = editor.selection.active;
    return { uri: client.code2ProtocolConverter.asUri(editor.document.uri), position: { line, character } };
  }
}
