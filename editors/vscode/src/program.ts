// The program that the extension starts.

import { spawn } from 'node:child_process';

/** The result of querying the version of a program. */
export type Version =
  | { kind: 'found'; version: string }
  | { kind: 'missing' }
  | { kind: 'failed'; reason: string };

/** Timeout of `--version` in milliseconds. */
const PATIENCE = 10_000;

/** Queries the version of `program`, a name in the PATH or a file, and whether it is jsonx. */
export function version(program: string, patience = PATIENCE): Promise<Version> {
  return new Promise((resolve) => {
    const child = spawn(program, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'], signal: AbortSignal.timeout(patience) });
    let output = '';
    child.stdout.on('data', (data: Buffer) => (output += data.toString()));
    child.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        resolve({ kind: 'missing' });
      } else {
        resolve({ kind: 'failed', reason: error.name === 'AbortError' ? 'it does not answer' : error.message });
      }
    });
    child.on('close', (code) => {
      const found = /^jsonx (\S+)/.exec(output);
      if (found) {
        resolve({ kind: 'found', version: found[1] });
      } else {
        resolve({ kind: 'failed', reason: `it is not jsonx, or ended with ${code ?? 'a signal'}` });
      }
    });
  });
}

/** The message about a program that cannot be started, or nothing. */
export function complaint(program: string, version: Version): string | undefined {
  switch (version.kind) {
    case 'found':
      return undefined;
    case 'missing':
      return `"${program}" was not found. Install jsonx, or set "jsonx.path" to the program.`;
    case 'failed':
      return `"${program}" cannot be used: ${version.reason}. Set "jsonx.path" to the program.`;
  }
}
