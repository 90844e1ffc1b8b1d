#!/usr/bin/env node
// Runs on any Node that can read this: hands over to Node 24, which `npm ci` installs, where this one is older.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LEAST_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) >= LEAST_MAJOR) {
  await import('../src/main.ts');
} else {
  const newer = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
  if (!existsSync(newer)) {
    console.error(
      `StyleDNA needs Node ${LEAST_MAJOR} or later; this is ${process.version}. "npm ci" brings one.`,
    );
    process.exit(3);
  }
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const { status, signal } = spawnSync(newer, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = status ?? 1;
}
