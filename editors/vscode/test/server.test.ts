// The real server, with the protocol library of VS Code as client.

import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
  ApplyWorkspaceEditRequest,
  CodeActionRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentDiagnosticRequest,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  ExecuteCommandRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type CodeAction,
  type FullDocumentDiagnosticReport,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type TextEdit,
} from 'vscode-languageserver-protocol/node';

import { version } from '../src/program';

const JSONX = process.env.JSONX ?? 'jsonx';
const problem = (await version(JSONX)).kind === 'found' ? false : `${JSONX} is not there: set JSONX`;
if (problem && process.env.JSONX_REQUIRED) {
  throw new Error(problem);
}

interface Session {
  connection: ProtocolConnection;
  process: ChildProcess;
  folder: string;
  initialized: InitializeResult;
}

async function session(capabilities: ClientCapabilities, work: (session: Session) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'jsonx-'));
  const process = spawn(JSONX, ['lsp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const connection = createProtocolConnection(new StreamMessageReader(process.stdout!), new StreamMessageWriter(process.stdin!));
  connection.listen();
  const rootUri = pathToFileURL(folder).toString();
  const initialized = await connection.sendRequest(InitializeRequest.type, { processId: null, rootUri, capabilities });
  await connection.sendNotification(InitializedNotification.type, {});
  const ended = new Promise<number | null>((resolve) => process.on('exit', resolve));
  try {
    await work({ connection, process, folder, initialized });
    await connection.sendRequest(ShutdownRequest.type);
    await connection.sendNotification(ExitNotification.type);
    assert.equal(await ended, 0);
  } finally {
    process.kill();
    connection.dispose();
  }
}

function applied(text: string, edits: TextEdit[]): string {
  const starts = [0];
  for (const [index, character] of [...Array(text.length).keys()].map((index) => [index, text[index]] as const)) {
    if (character === '\n') {
      starts.push(index + 1);
    }
  }
  const offset = (at: { line: number; character: number }) => starts[at.line] + at.character;
  return edits
    .toSorted((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce((text, edit) => text.slice(0, offset(edit.range.start)) + edit.newText + text.slice(offset(edit.range.end)), text);
}

const TEXT = '{"name": "häß😀", "ports": [80, 8080,], "id": 12345678901234567890}\n';

test('findings, fixes, layout, outline', { skip: problem }, () =>
  session({ textDocument: { diagnostic: {}, documentSymbol: { hierarchicalDocumentSymbolSupport: true } } }, async ({ connection, folder }) => {
    const uri = pathToFileURL(join(folder, 'a.json')).toString();
    const textDocument = { uri };
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'json', version: 1, text: TEXT },
    });
    const report = (await connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })) as FullDocumentDiagnosticReport;
    assert.deepEqual(report.items.map((item) => item.code), ['trailing-comma', 'unsafe-integer']);
    const [comma] = report.items;
    // In UTF-16, the only encoding in common.
    assert.equal(comma.range.start.character, TEXT.indexOf(',]'));

    const actions = (await connection.sendRequest(CodeActionRequest.type, {
      textDocument,
      range: comma.range,
      context: { diagnostics: [comma] },
    })) as CodeAction[];
    const fix = actions.find((action) => action.isPreferred);
    const changes = fix?.edit?.documentChanges?.flatMap((change) => ('edits' in change ? change.edits : [])) ?? fix?.edit?.changes?.[uri];
    const fixed = applied(TEXT, changes as TextEdit[]);
    assert.equal(fixed, TEXT.replace(',]', ']'));

    await connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: 2 },
      contentChanges: [{ range: { start: comma.range.start, end: { ...comma.range.start, character: comma.range.start.character + 1 } }, text: '' }],
    });
    const formatting = await connection.sendRequest(DocumentFormattingRequest.type, {
      textDocument,
      options: { tabSize: 2, insertSpaces: true },
    });
    const formatted = applied(fixed, formatting ?? []);
    assert.deepEqual(JSON.parse(formatted), JSON.parse(fixed));
    assert.match(formatted, /^\{\n {2}"name": "häß😀",\n/);

    const symbols = await connection.sendRequest(DocumentSymbolRequest.type, { textDocument });
    assert.deepEqual(symbols?.map((symbol) => symbol.name), ['name', 'ports', 'id']);
  }));

test('findings are pushed to a client that does not pull, and commands change the text', { skip: problem }, () =>
  session({ workspace: { applyEdit: true } }, async ({ connection, folder }) => {
    const uri = pathToFileURL(join(folder, 'a.json')).toString();
    const pushed = new Promise<PublishDiagnosticsParams>((resolve) =>
      connection.onNotification(PublishDiagnosticsNotification.type, resolve),
    );
    const text = '{"b": 1, "a": [tru]}';
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'json', version: 7, text },
    });
    const { diagnostics, version } = await pushed;
    assert.deepEqual([diagnostics.length, version], [1, 7]);
    for (const [command, expected] of [
      ['jsonx.repair', '{"b": 1, "a": [true]}'],
      ['jsonx.minify', undefined],
    ] as const) {
      const edit = new Promise<string>((resolve) =>
        connection.onRequest(ApplyWorkspaceEditRequest.type, ({ edit }) => {
          const edits = edit.documentChanges?.flatMap((change) => ('edits' in change ? change.edits : [])) ?? edit.changes?.[uri];
          resolve(applied(text, edits as TextEdit[]));
          return { applied: true };
        }),
      );
      const ran = connection.sendRequest(ExecuteCommandRequest.type, { command, arguments: [uri] });
      if (expected) {
        assert.equal(await edit, expected);
        await ran;
      } else {
        // Minifying an invalid text is an error.
        await assert.rejects(ran);
      }
    }
    await connection.sendNotification(DidChangeTextDocumentNotification.type, {
      textDocument: { uri, version: 8 },
      contentChanges: [{ text: '{"b": 1, "a": [true]}' }],
    });
    const path = await connection.sendRequest(ExecuteCommandRequest.type, {
      command: 'jsonx.copyPath',
      arguments: [uri, { line: 0, character: 6 }, 'pointer'],
    });
    assert.equal(path, '/b');
  }));

test('positions are in UTF-8 where the client wants them so', { skip: problem }, () =>
  session({ general: { positionEncodings: ['utf-8', 'utf-16'] }, textDocument: { diagnostic: {} } }, async ({ connection, folder, initialized }) => {
    assert.equal(initialized.capabilities.positionEncoding, 'utf-8');
    const uri = pathToFileURL(join(folder, 'a.json')).toString();
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'json', version: 1, text: TEXT },
    });
    const report = (await connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument: { uri } })) as FullDocumentDiagnosticReport;
    assert.equal(report.items[0].range.start.character, Buffer.from(TEXT).indexOf(',]'));
  }));

test('the settings of the repository hold', { skip: problem }, () =>
  session({ textDocument: { diagnostic: {} } }, async ({ connection, folder }) => {
    writeFileSync(join(folder, 'jsonx.json'), '{"lints": {"unsafe-integer": "deny"}, "indent": 4}');
    const uri = pathToFileURL(join(folder, 'a.json')).toString();
    const textDocument = { uri };
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'json', version: 1, text: '{"id":12345678901234567890}' },
    });
    const report = (await connection.sendRequest(DocumentDiagnosticRequest.type, { textDocument })) as FullDocumentDiagnosticReport;
    assert.deepEqual(report.items.map((item) => [item.code, item.severity]), [['unsafe-integer', 1]]);
    const edits = await connection.sendRequest(DocumentFormattingRequest.type, { textDocument, options: { tabSize: 2, insertSpaces: true } });
    assert.equal(applied('{"id":12345678901234567890}', edits ?? []), '{\n    "id": 12345678901234567890\n}\n');
  }));
