/** Reels for blind judging: of footage of the kinds `take`, `reel` and `song`. */
import type { Random } from '../generate/random.ts';
import type { Footage } from '../lib/footage.ts';

export interface DrawnReel {
  readonly takes: readonly string[];
  readonly template: string;
  readonly song: string;
}

const TAKES = { least: 4, most: 10 };
const MIN_TEMPLATE_SECONDS = 10;
const MIN_SONG_SECONDS = 30;

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
