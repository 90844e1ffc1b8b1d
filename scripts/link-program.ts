/**
 * Links the program of this clone into `node_modules/.bin`, where `npx styledna` finds it: npm links the programs of
 * dependencies only. `npm ci` runs this.
 */
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../node_modules/.bin', import.meta.url));
const program = join('..', '..', 'bin', 'styledna.mjs');
const link = join(folder, 'styledna');

mkdirSync(folder, { recursive: true });
rmSync(link, { force: true });
// A link needs a right on Windows that most users lack; its shells run .cmd files.
if (process.platform === 'win32') writeFileSync(`${link}.cmd`, `@node "%~dp0\\${program}" %*\r\n`);
else symlinkSync(program, link);
