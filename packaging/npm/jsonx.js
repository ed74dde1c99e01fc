#!/usr/bin/env node
// Starts the program, which npm installed as one of the optional packages.
'use strict';

const { spawnSync } = require('node:child_process');

const name = `jsonx-tool-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/${process.platform === 'win32' ? 'jsonx.exe' : 'jsonx'}`);
} catch {
  console.error(`jsonx: the package ${name} is not installed: it is optional (npm install --include=optional),`);
  console.error('or there is none for this platform; https://crates.io/crates/jsonx-tool builds it from source');
  process.exit(4);
}
const ran = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' });
if (ran.error) {
  console.error(`jsonx: ${program} cannot be started: ${ran.error.message}`);
  process.exit(4);
}
if (ran.signal) {
  process.kill(process.pid, ran.signal);
}
process.exitCode = ran.status ?? 4;
