import * as vscode from "vscode";
import { findServer } from "./find";

const PROVIDER = "citelsp"; // as package.json calls it

/** What VS Code has from 1.101 on, and the older API that this is compiled against lacks. */
interface Chat {
  registerMcpServerDefinitionProvider?(id: string, provider: object): vscode.Disposable;
}
interface Newer {
  lm?: Chat;
  McpStdioServerDefinition?: new (
    label: string,
    command: string,
    args: string[],
    env: Record<string, string>,
    version: string,
  ) => { cwd?: vscode.Uri };
}

/** Offers the tools of `citelsp mcp` to the editor's chat, a server for each folder; nothing in an older editor. */
export function offerTools(context: vscode.ExtensionContext): vscode.Disposable {
  const { lm, McpStdioServerDefinition: Definition } = vscode as Newer;
  if (!lm?.registerMcpServerDefinitionProvider || !Definition) {
    return new vscode.Disposable(() => undefined);
  }
  const changed = new vscode.EventEmitter<void>();
  const version = String(context.extension.packageJSON.version);
  const provider = lm.registerMcpServerDefinitionProvider(PROVIDER, {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: async () => {
      const program = vscode.workspace.isTrusted && (await findServer(context));
      const folders = program ? (vscode.workspace.workspaceFolders ?? []).filter((it) => it.uri.scheme === "file") : [];
      return folders.map((folder) => {
        const label = folders.length === 1 ? "citelsp" : `citelsp (${folder.name})`;
        const args = ["mcp", "--folder", folder.uri.fsPath];
        return Object.assign(new Definition(label, String(program), args, { PYTHONUTF8: "1" }, version), { cwd: folder.uri });
      });
    },
  });
  return vscode.Disposable.from(
    changed,
    provider,
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
  );
}
