/**
 * Counts the numbers that somebody chose, room by room: `bench/lib/constants.ts` says which they are.
 *
 *   node bench/constants.ts [src/analysis …] [--list]
 */
import { globSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { constantsOf, isFitted, treeOf } from './lib/constants.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false } },
});
const rooms = new Map<string, { named: number; inline: number; fitted: number }>();
const all = { named: 0, inline: 0, fitted: 0 };
for (const folder of positionals.length > 0 ? positionals : ['src/analysis'])
  for (const file of globSync('**/*.ts', { cwd: folder }).sort()) {
    const room = `${folder}/${file.includes('/') ? file.split('/')[0] : ''}`;
    const counts = rooms.get(room) ?? { named: 0, inline: 0, fitted: 0 };
    rooms.set(room, counts);
    for (const { line, name, text } of constantsOf(treeOf(readFileSync(`${folder}/${file}`, 'utf8')))) {
      const kind = isFitted(file) ? 'fitted' : name === null ? 'inline' : 'named';
      counts[kind]++;
      all[kind]++;
      if (values.list) console.log(`${folder}/${file}:${line} ${kind} ${name ?? ''} ${text}`);
    }
  }
console.log('| room | named | inline | together | fitted weights |\n|---|--:|--:|--:|--:|');
for (const [room, { named, inline, fitted }] of [...rooms, ['all', all] as const])
  console.log(`| ${room} | ${named} | ${inline} | ${named + inline} | ${fitted} |`);
