import * as vscode from "vscode";

export type Tree = { [name: string]: unknown };

const OWN = /^citelsp\.(server|inline)\./; // settings of this extension, not of the server

/** What the user wrote, with the keys from the keychain; defaults stay away, so that the settings file counts. */
export function written(scope: vscode.Uri | undefined, keys: ReadonlyMap<string, string>): Tree {
  const found: Tree = {};
  const configuration = vscode.workspace.getConfiguration(undefined, scope ?? null);
  for (const [name, { scope: reach }] of ours()) {
    const said = configuration.inspect(name);
    const values = [said?.globalValue, said?.workspaceValue, said?.workspaceFolderValue];
    // What a workspace may not set is not taken from it, whatever VS Code makes of a table or a dotted name.
    const set = reach === "machine" ? said?.globalValue : values.some((it) => it !== undefined) ? configuration.get(name) : undefined;
    const value = set ?? older(configuration, name);
    if (value !== undefined) {
      put(found, name.split(".").slice(1), value);
    }
  }
  for (const [owner, key] of keys) {
    put(found, [...owner.split("."), "key"], key);
  }
  return found;
}

/** What the user set by the setting's name in 0.1; a workspace's word is not taken, as VS Code holds nobody back from it. */
function older(configuration: vscode.WorkspaceConfiguration, name: string): unknown {
  const old = name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`);
  return old === name ? undefined : configuration.inspect(old)?.globalValue;
}

function ours(): [string, { scope: string }][] {
  const contributes = vscode.extensions.getExtension("citelsp.citelsp")?.packageJSON.contributes;
  return Object.entries<{ scope: string }>(contributes.configuration.properties).filter(([name]) => !OWN.test(name));
}

function put(tree: Tree, path: string[], value: unknown): void {
  const [head, ...rest] = path;
  if (head === undefined) {
    return;
  }
  if (rest.length === 0) {
    tree[head] = value;
    return;
  }
  const branch = { ...(tree[head] as Tree | undefined) };
  tree[head] = branch;
  put(branch, rest, value);
}
