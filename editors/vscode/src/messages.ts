import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { shortened } from "./shorten.ts";

const MORE = "Read More";

type Show = (message: string, ...buttons: string[]) => Thenable<string | undefined>;
type ShowModal = (message: string, options: vscode.MessageOptions) => Thenable<string | undefined>;

/** By the protocol's number; what is neither error nor warning is information. */
function shows(type: number): Show & ShowModal {
  const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
  return type === 1 ? showErrorMessage : type === 2 ? showWarningMessage : showInformationMessage;
}

/** Shows what the server tells as toasts that can be read. */
export function showMessages(client: LanguageClient): void {
  client.onNotification("window/showMessage", ({ type, message }: { type: number; message: string }) => void say(message, type));
}

/** A toast of one line; what does not fit is behind a button. */
export async function say(message: string, type = 3): Promise<void> {
  const show = shows(type);
  const short = shortened(message);
  if (short === message) {
    await show(message);
  } else if ((await show(short, MORE)) === MORE) {
    await show(message, { modal: true });
  }
}
