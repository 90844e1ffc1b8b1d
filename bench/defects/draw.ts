/** Pairs of a source and a template, drawn by a seed from a folder that lists its files. */
import type { Random } from '../generate/random.ts';
import { readFootage } from '../lib/footage.ts';

export interface DrawnPair {
  readonly kind: string;
  readonly source: string;
  readonly template: string;
}

/** Every second source is a talker; the others take turns. */
const OTHERS = ['screen', 'take', 'cartoon', 'reel'] as const;
const TEMPLATES = ['reel', 'reel', 'reel', 'talker', 'take', 'cartoon'] as const;
const SOURCE_SECONDS = 5;
/** Shorter templates have no pace to speak of. */
const TEMPLATE_SECONDS = 8;

/** No source twice while others of its kind are left; the template is of another occasion. */
export function drawnPairs(
  folder: string,
  {
    count,
    longestSeconds,
    templates: kindsOfTemplates = TEMPLATES,
  }: {
    readonly count: number;
    readonly longestSeconds: number;
    /** Kinds in turns. */
    readonly templates?: readonly string[] | undefined;
  },
  random: Random,
): DrawnPair[] {
  const footage = readFootage(folder);
  const of = (wanted: string, least: number) =>
    random.shuffled(
      footage.filter(({ kind, seconds }) => kind === wanted && seconds >= least && seconds <= longestSeconds),
    );
  const kinds = ['talker', ...OTHERS];
  const sources = new Map(kinds.map((kind) => [kind, of(kind, SOURCE_SECONDS)]));
  const templates = new Map(kindsOfTemplates.map((kind) => [kind, of(kind, TEMPLATE_SECONDS)]));
  const pairs: DrawnPair[] = [];
  for (let at = 0; at < count; at++) {
    const kind = at % 2 === 0 ? 'talker' : OTHERS[Math.floor(at / 2) % OTHERS.length]!;
    const source = sources.get(kind)!.shift();
    if (source === undefined) continue;
    const choice = templates.get(kindsOfTemplates[at % kindsOfTemplates.length]!)!;
    const template = choice.findIndex(({ group }) => group !== source.group);
    if (template === -1) continue;
    const [chosen] = choice.splice(template, 1);
    pairs.push({ kind, source: source.path, template: chosen!.path });
  }
  return pairs;
}
