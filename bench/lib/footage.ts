/** Footage of a bench: a folder whose `index.tsv` has a line for each file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Footage {
  readonly path: string;
  readonly seconds: number;
  readonly kind: string;
  /** Clips of one occasion. */
  readonly group: string;
}

/** @param folder Holds `index.tsv` with the columns path, seconds, kind and group; paths begin with its own name. */
export function readFootage(folder: string): Footage[] {
  const [head, ...lines] = readFileSync(join(folder, 'index.tsv'), 'utf8').trim().split('\n');
  const columns = head!.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)]!;
    return {
      ...{ path: join(folder, '..', cell('path')), kind: cell('kind'), group: cell('group') },
      seconds: Number(cell('seconds')),
    };
  });
}
