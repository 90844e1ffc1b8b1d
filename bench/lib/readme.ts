/** Tables that benches write into their README, between two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const README = fileURLToPath(new URL('../README.md', import.meta.url));

/** Puts the text between `<!-- NAME: … -->` and `<!-- /NAME -->`; `title` is what the first mark says. */
export function writeBetween(title: string, text: string): void {
  const marks = [`<!-- ${title} -->`, `<!-- /${title.split(':')[0]} -->`] as const;
  const readme = readFileSync(README, 'utf8');
  const [start, end] = marks.map((mark) => readme.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error(`${README} lacks the marks ${marks.join(' and ')}`);
  writeFileSync(README, `${readme.slice(0, start + marks[0].length)}\n\n${text}\n\n${readme.slice(end)}`);
}
