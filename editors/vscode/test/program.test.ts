import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { complaint, version } from '../src/program';

/** A program that prints `output`. */
function program(output: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'jsonx-')), 'program');
  writeFileSync(file, `#!/bin/sh\n${output}\n`);
  chmodSync(file, 0o755);
  return file;
}

const unix = { skip: process.platform === 'win32' };

test('the version of the program', unix, async () => {
  const found = await version(program('echo jsonx 0.1.0'));
  assert.deepEqual(found, { kind: 'found', version: '0.1.0' });
  assert.equal(complaint('jsonx', found), undefined);
});

test('a program that is not there is named, and the setting', async () => {
  const found = await version('no-such-program-anywhere');
  assert.deepEqual(found, { kind: 'missing' });
  assert.match(complaint('no-such-program-anywhere', found) ?? '', /no-such-program-anywhere.*not found.*jsonx\.path/);
});

test('another program of this name is not started', unix, async () => {
  const found = await version(program('echo something else'));
  assert.equal(found.kind, 'failed');
  assert.match(complaint('jsonx', found) ?? '', /it is not jsonx/);
});

test('a program that does not answer is given up', unix, async () => {
  assert.deepEqual(await version(program('exec sleep 60'), 200), { kind: 'failed', reason: 'it does not answer' });
});
