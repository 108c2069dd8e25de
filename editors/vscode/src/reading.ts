import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { type Citation, type Position, page } from "./evidence_page.ts";
import type { Session } from "./session";

export const READ = "citelsp.readEvidence";
const OPEN = "citelsp.evidence.open"; // to the palette

interface Place {
  uri: string;
  position?: Position;
}

/** What the server's `citelsp.reading` answers. */
interface Found {
  text: string;
  citations: Citation[];
}

/** The evidence for all citations of a manuscript beside it, on a page that goes along with the manuscript. */
export class Reading implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private uri = ""; // of the manuscript, as the server spells it
  private citations: Citation[] = [];
  private current = -1;

  constructor(private readonly session: Session) {}

  /** True if the evidence for this manuscript is shown. */
  shows(uri: string): boolean {
    return this.panel !== undefined && this.uri === uri;
  }

  /** Shows what is known of the citations of a manuscript, by default the one in front, and goes to the one at a place. */
  async show(place = this.here()): Promise<void> {
    const found = place && (await this.session.ask<Found>("citelsp.reading", { uri: place.uri }));
    if (!found?.citations.length) {
      throw new Error("no citation here has an entry");
    }
    this.citations = found.citations;
    this.uri = place?.uri ?? "";
    const line = place?.position?.line ?? 0;
    const next = found.citations.findIndex((it) => it.range.end.line >= line);
    this.current = next < 0 ? found.citations.length - 1 : next;
    this.open(found.text.split("\n", 1)[0] ?? "");
    this.session.lensesChanged();
  }

  /** Shows it, or takes it away if it is shown. */
  async toggle(place = this.here()): Promise<void> {
    if (place && !place.position && this.shows(place.uri)) {
      this.panel?.dispose();
    } else {
      await this.show(place);
    }
  }

  /** Goes so many citations on, in both texts. */
  async move(by: number): Promise<void> {
    if (!this.panel) {
      return this.show();
    }
    const count = this.citations.length;
    return this.go((this.current + by + count) % count);
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private open(title: string): void {
    const options = { enableScripts: true, localResourceRoots: [] };
    const beside = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    if (!this.panel) {
      this.panel = vscode.window.createWebviewPanel("citelsp.evidence", "Evidence", beside, options);
      this.panel.webview.onDidReceiveMessage((it: { does: string; number?: number }) => this.did(it.does, it.number));
      this.panel.onDidDispose(() => this.closed());
      void vscode.commands.executeCommand("setContext", OPEN, true);
    }
    this.panel.webview.html = page(title, this.citations, randomBytes(16).toString("base64"));
    this.panel.reveal(undefined, true);
  }

  private closed(): void {
    this.panel = undefined;
    this.current = -1;
    void vscode.commands.executeCommand("setContext", OPEN, false);
    this.session.lensesChanged();
  }

  private did(what: string, number = this.current): void {
    const acts: Record<string, () => unknown> = {
      ready: () => this.go(this.current),
      previous: () => this.move(-1),
      next: () => this.move(1),
      go: () => this.go(number),
      close: () => this.panel?.dispose(),
    };
    void acts[what]?.();
  }

  private async go(number: number): Promise<void> {
    const citation = this.citations[number];
    if (!citation) {
      return;
    }
    this.current = number;
    void this.panel?.webview.postMessage({ current: number });
    const { start, end } = citation.range;
    const selection = new vscode.Range(start.line, start.character, end.line, end.character);
    const uri = vscode.Uri.parse(citation.uri);
    const there = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === uri.toString());
    await vscode.window.showTextDocument(uri, { selection, viewColumn: there?.viewColumn ?? vscode.ViewColumn.One });
  }

  private here(): Place | undefined {
    const editor = vscode.window.activeTextEditor;
    const { client } = this.session;
    if (!editor || !client) {
      return undefined;
    }
    const { line, character } = editor.selection.active;
    return { uri: client.code2ProtocolConverter.asUri(editor.document.uri), position: { line, character } };
  }
}
