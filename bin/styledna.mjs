#!/usr/bin/env node
// Runs on any Node that can read this. Where it is older than what StyleDNA needs, it starts a newer one: signals,
// the terminal and the exit code pass through as if there were one process.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MIN_MAJOR = 24;
const REFUSED = 3;

/** A clone runs its sources, an installed package what they were compiled to. */
const sources = new URL('../src/main.ts', import.meta.url);
const main = existsSync(sources) ? sources : new URL('../dist/main.js', import.meta.url);

if (process.versions.pnp !== undefined) {
  console.error(
    'StyleDNA does not run under Yarn Plug\'n\'Play: its media processes load a native package from a folder. Set "nodeLinker: node-modules" in .yarnrc.yml and run "yarn install".',
  );
  process.exitCode = REFUSED;
} else if (Number.parseInt(process.versions.node, 10) >= MIN_MAJOR) {
  const { rememberProgram } = await import('./program-cache.mjs');
  rememberProgram();
  await import(main.href);
} else {
  const newer = newerNode();
  if (newer === null) {
    console.error(
      `StyleDNA needs Node ${MIN_MAJOR} or later; this is ${process.version}. Run it with a newer one, or put one beside it: npm install node@${MIN_MAJOR}`,
    );
    process.exitCode = REFUSED;
  } else {
    standInFor(newer);
  }
}

/** The npm package `node`, where it is installed beside this one and new enough. */
function newerNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const { version } = createRequire(import.meta.url)(manifest);
    const program = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    return Number.parseInt(version, 10) >= MIN_MAJOR && existsSync(program) ? program : null;
  } catch {
    return null;
  }
}

function standInFor(program) {
  // The closed channel tells the other process that this one has ended, for any reason.
  const child = spawn(program, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  // A terminal signals both at once: main counts two signals in quick succession as one.
  const forward = (signal) => child.kill(signal);
  const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2', 'SIGCONT', 'SIGWINCH'];
  for (const signal of passedOn) process.on(signal, forward);
  process.on('SIGTSTP', () => {
    child.kill('SIGTSTP');
    process.kill(process.pid, 'SIGSTOP');
  });
  child.on('error', (error) => {
    console.error(`${program} cannot be started: ${error.message}`);
    process.exitCode = REFUSED;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    for (const handled of passedOn) process.off(handled, forward);
    process.kill(process.pid, signal);
  });
}
