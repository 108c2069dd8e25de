import * as vscode from "vscode";

export type Tree = { [name: string]: unknown };

const OWN = /^citelsp\.(server|inline)\./; // settings of this extension, not of the server

/** What the user wrote, with the keys from the keychain; defaults stay away, so that the settings file counts. */
export function written(scope: vscode.Uri | undefined, keys: ReadonlyMap<string, string>): Tree {
  const found: Tree = {};
  const configuration = vscode.workspace.getConfiguration(undefined, scope ?? null);
  for (const name of names()) {
    const said = configuration.inspect(name);
    const values = [said?.globalValue, said?.workspaceValue, said?.workspaceFolderValue];
    if (values.some((it) => it !== undefined)) {
      put(found, name.split(".").slice(1), configuration.get(name));
    }
  }
  for (const [owner, key] of keys) {
    put(found, [...owner.split("."), "key"], key);
  }
  return found;
}

function names(): string[] {
  const contributes = vscode.extensions.getExtension("citelsp.citelsp")?.packageJSON.contributes;
  return Object.keys(contributes.configuration.properties).filter((it) => !OWN.test(it));
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
