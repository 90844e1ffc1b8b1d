/** Footage for blind judging: a folder whose `index.tsv` has a line for each file. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../generate/random.ts';

interface Footage {
  readonly path: string;
  readonly seconds: number;
  readonly kind: string;
  /** Clips of one occasion. */
  readonly group: string;
}

export interface DrawnReel {
  readonly takes: readonly string[];
  readonly template: string;
  readonly song: string;
}

const TAKES = { least: 4, most: 10 };
const MIN_TEMPLATE_SECONDS = 10;
const MIN_SONG_SECONDS = 30;

/** @param folder Holds `index.tsv` with the columns path, seconds, kind (`take`, `reel`, `song`) and group; paths begin with its own name. */
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

/** Takes of one occasion with a reel and a song of any other; no occasion twice while others are left. */
export function drawnReels(footage: readonly Footage[], count: number, random: Random): DrawnReel[] {
  const of = (kind: string, seconds: number) =>
    footage.filter((one) => one.kind === kind && one.seconds >= seconds).map(({ path }) => path);
  const groups = Map.groupBy(
    footage.filter(({ kind }) => kind === 'take'),
    ({ group }) => group,
  );
  const occasions = random.shuffled([...groups.values()].filter(({ length }) => length >= TAKES.least));
  const templates = random.shuffled(of('reel', MIN_TEMPLATE_SECONDS));
  const songs = random.shuffled(of('song', MIN_SONG_SECONDS));
  return Array.from({ length: count }, (_, at) => ({
    takes: random
      .shuffled(occasions[at % occasions.length]!)
      .slice(0, TAKES.most)
      .map(({ path }) => path)
      .sort(),
    template: templates[at % templates.length]!,
    song: songs[at % songs.length]!,
  }));
}
