import * as vscode from "vscode";

export const REOPEN = "citelsp.reopenList";
const SEARCHES = ["citelsp.searchOnline", "citelsp.searchFurther"];

/** Opens the list at a placeholder again once a search for it has ended, unless the author did something meanwhile. */
export class Reopener {
  private asked = 0; // lists, so far

  /** Called for each list that VS Code asks for. */
  listed(): void {
    this.asked++;
  }

  async following<T>(command: string, search: () => Promise<T>): Promise<T> {
    const before = SEARCHES.includes(command) ? this.place() : undefined;
    const found = await search();
    // A list that is open stays as it is: what is under the cursor must not move.
    if (before && before === this.place()) {
      await vscode.commands.executeCommand("editor.action.triggerSuggest");
    }
    return found;
  }

  private place(): string | undefined {
    const editor = vscode.window.activeTextEditor;
    const { uri, version } = editor?.document ?? {};
    const { line, character } = editor?.selection.active ?? {};
    return editor && [uri, version, line, character, this.asked].join(" ");
  }
}
