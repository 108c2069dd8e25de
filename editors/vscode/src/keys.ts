import * as vscode from "vscode";

const OWNERS = ["model", "embeddings", "rerank"];
const INDEX = "owners";

/** API keys in the system's keychain; a key's owner is a part of the settings such as `services.openalex`. */
export class Keys {
  constructor(private readonly secrets: vscode.SecretStorage) {}

  async all(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const owner of await this.owners()) {
      const key = await this.secrets.get(owner);
      if (key) {
        found.set(owner, key);
      }
    }
    return found;
  }

  /** True where a key was stored. */
  async ask(): Promise<boolean> {
    const owner = await vscode.window.showQuickPick([...OWNERS, ...services()], { title: "Whose key is it?" });
    if (!owner) {
      return false;
    }
    const prompt = "It is kept in the system's keychain, never in a file of settings.";
    const key = await vscode.window.showInputBox({ title: `Key for ${owner}`, prompt, password: true });
    return key ? this.store(owner, key) : false;
  }

  async store(owner: string, key: string): Promise<boolean> {
    await this.secrets.store(owner, key);
    await this.secrets.store(INDEX, JSON.stringify([...new Set([...(await this.owners()), owner])]));
    return true;
  }

  /** True where a key was removed. */
  async forget(): Promise<boolean> {
    const owner = await vscode.window.showQuickPick(await this.owners(), { title: "Which key is to be forgotten?" });
    if (!owner) {
      return false;
    }
    await this.secrets.delete(owner);
    await this.secrets.store(INDEX, JSON.stringify((await this.owners()).filter((it) => it !== owner)));
    return true;
  }

  private async owners(): Promise<string[]> {
    return JSON.parse((await this.secrets.get(INDEX)) ?? "[]");
  }
}

function services(): string[] {
  const contributes = vscode.extensions.getExtension("citelsp.citelsp")?.packageJSON.contributes;
  const names: string[] = contributes.configuration.properties["citelsp.services"].propertyNames.enum;
  return names.map((it) => `services.${it}`);
}
