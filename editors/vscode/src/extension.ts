// Starts `jsonx lsp`, and reports if that fails.

import * as vscode from 'vscode';
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from 'vscode-languageclient/node';

import { execute } from './commands';
import { complaint, version } from './program';

const LANGUAGES = ['json', 'jsonc', 'json5', 'jsonl'];
const CHOOSE = 'Open Settings';

let client: LanguageClient | undefined;
/** Serializes starts and stops. */
let last: Promise<void> = Promise.resolve();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand('jsonx.restart', restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('jsonx.path') || change.affectsConfiguration('jsonx.arguments')) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  last = last.then(stop);
  await last;
}

function restart(): Promise<void> {
  last = last.then(stop).then(start);
  return last;
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('jsonx');
  const program = settings.get<string>('path')?.trim() || 'jsonx';
  const problem = complaint(program, await version(program));
  if (problem) {
    // Not awaited: a message may stay open forever.
    void vscode.window.showErrorMessage(`jsonx: ${problem}`, CHOOSE).then((choice) => {
      if (choice === CHOOSE) {
        void vscode.commands.executeCommand('workbench.action.openSettings', 'jsonx.path');
      }
    });
    return;
  }
  const server: ServerOptions = { command: program, args: ['lsp', ...(settings.get<string[]>('arguments') ?? [])] };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ language })),
    middleware: { executeCommand: execute },
  };
  const starting = new LanguageClient('jsonx', 'jsonx', server, options);
  try {
    await starting.start();
    client = starting;
  } catch (error) {
    void vscode.window.showErrorMessage(`jsonx: the server did not start: ${String(error)}`);
  }
}
