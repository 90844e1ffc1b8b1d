/** Tables that benches write into the notebook's page of accuracy, between two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const PAGE = fileURLToPath(new URL('../../docs/notebook/accuracy.md', import.meta.url));

/** Puts the text between `<!-- NAME: … -->` and `<!-- /NAME -->`; `title` is the text of the first mark. */
export function writeBetween(title: string, text: string): void {
  const marks = [`<!-- ${title} -->`, `<!-- /${title.split(':')[0]} -->`] as const;
  const page = readFileSync(PAGE, 'utf8');
  const [start, end] = marks.map((mark) => page.indexOf(mark)) as [number, number];
  if (start < 0 || end < start) throw new Error(`${PAGE} lacks the marks ${marks.join(' and ')}`);
  writeFileSync(PAGE, `${page.slice(0, start + marks[0].length)}\n\n${text}\n\n${page.slice(end)}`);
}
