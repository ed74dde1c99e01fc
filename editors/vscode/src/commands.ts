// The commands of the server: their arguments, and the use of their results.

import * as vscode from 'vscode';

type Run = (command: string, args: unknown[]) => unknown;

/** The notations of a path, as the server names them. */
const NOTATIONS = [
  { label: 'Dot path', description: '.servers[0].name', notation: 'dot' },
  { label: 'JSONPath', description: '$.servers[0].name', notation: 'jsonpath' },
  { label: 'JSON Pointer', description: '/servers/0/name', notation: 'pointer' },
];

/** Runs a command for the active editor, unless arguments are given by a code action or a keyboard shortcut. */
export async function execute(command: string, args: unknown[], run: Run): Promise<unknown> {
  if (args.length > 0 && typeof args[0] === 'string') {
    return run(command, args);
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    void vscode.window.showInformationMessage('jsonx: no editor is active.');
    return undefined;
  }
  const uri = editor.document.uri.toString();
  switch (command) {
    case 'jsonx.copyPath': {
      const picked = await vscode.window.showQuickPick(NOTATIONS, { placeHolder: 'Notation of the path' });
      if (!picked) {
        return undefined;
      }
      const { line, character } = editor.selection.active;
      const path = await run(command, [uri, { line, character }, picked.notation]);
      if (typeof path !== 'string') {
        void vscode.window.showInformationMessage('jsonx: there is no value here.');
        return undefined;
      }
      await vscode.env.clipboard.writeText(path);
      vscode.window.setStatusBarMessage(`Copied ${path}`, 3000);
      return path;
    }
    case 'jsonx.jumpToPath': {
      const typed = await vscode.window.showInputBox({
        prompt: 'A dot path, a JSONPath or a JSON Pointer',
        placeHolder: '.servers[0].name',
      });
      return typed === undefined ? undefined : run(command, [uri, typed]);
    }
    default:
      return run(command, [uri]);
  }
}
