import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { execute } from '../src/commands';
import { user } from './vscode';

const URI = 'file:///a.json';
let ran: [string, unknown[]][] = [];
let result: unknown;

function run(command: string, args: unknown[]): unknown {
  ran.push([command, args]);
  return result;
}

beforeEach(() => {
  ran = [];
  result = undefined;
  Object.assign(user, { uri: URI, at: { line: 3, character: 7 }, picks: undefined, types: undefined, clipboard: '', shown: [] });
});

test('commands about a document get its URI', async () => {
  for (const command of ['jsonx.repair', 'jsonx.minify', 'jsonx.sort']) {
    await execute(command, [], run);
    assert.deepEqual(ran.pop(), [command, [URI]]);
  }
});

test('a menu passes a resource, which is no argument of the server', async () => {
  await execute('jsonx.minify', [{ scheme: 'file', path: '/b.json' }], run);
  assert.deepEqual(ran, [['jsonx.minify', [URI]]]);
});

test('arguments of a code action stay', async () => {
  const args = ['file:///b.json', { line: 0, character: 0 }, 'dot'];
  await execute('jsonx.copyPath', args, run);
  assert.deepEqual(ran, [['jsonx.copyPath', args]]);
});

test('a path is copied in the notation that was picked', async () => {
  user.picks = 'pointer';
  result = '/a/0';
  assert.equal(await execute('jsonx.copyPath', [], run), '/a/0');
  assert.deepEqual(ran, [['jsonx.copyPath', [URI, { line: 3, character: 7 }, 'pointer']]]);
  assert.equal(user.clipboard, '/a/0');
});

test('where there is no value, the clipboard stays', async () => {
  user.picks = 'dot';
  user.clipboard = 'before';
  result = null;
  await execute('jsonx.copyPath', [], run);
  assert.equal(user.clipboard, 'before');
  assert.deepEqual(user.shown, ['jsonx: there is no value here.']);
});

test('nothing is run when the user cancels, or without an editor', async () => {
  await execute('jsonx.copyPath', [], run);
  await execute('jsonx.jumpToPath', [], run);
  user.uri = undefined;
  await execute('jsonx.sort', [], run);
  assert.deepEqual(ran, []);
  assert.deepEqual(user.shown, ['jsonx: no editor is active.']);
});

test('a path that was typed is gone to', async () => {
  user.types = '.a[0]';
  await execute('jsonx.jumpToPath', [], run);
  assert.deepEqual(ran, [['jsonx.jumpToPath', [URI, '.a[0]']]]);
});
