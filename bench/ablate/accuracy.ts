import { basename } from 'node:path';
import { scoreFindings } from '../accuracy/clip-score.ts';
import { figuresOf } from '../accuracy/totals.ts';
import { madeClips } from '../generate/families.ts';
import { readTruths, type Truth } from '../lib/truth.ts';
import type { Group } from './group.ts';
import type { Clip } from './stages.ts';

/** The clips with truths of each folder and each made family, measured by the figures of `bench/analysis.ts`; of each, `sample` at most. */
export async function accuracyGroups(
  folders: readonly string[],
  made: readonly string[],
  sample: number,
  record: (path: string) => Promise<Clip>,
): Promise<readonly Group[]> {
  return Promise.all(
    [...folders, ...(await madeClips(made))].map(async (folder) => {
      const known: { readonly truth: Truth; readonly clip: Clip }[] = [];
      for (const truth of readTruths(folder).slice(0, sample)) {
        const clip = await record(truth.path);
        if (clip.sound !== null || clip.picture !== null) known.push({ truth, clip });
      }
      const nobody = { peers: { scdet: null, aubio: null }, cost: null };
      return {
        name: basename(folder),
        clips: known.map(({ clip }) => clip),
        figuresOf: (found) => {
          const scores = found.map((findings, at) => scoreFindings(known[at]!.truth, findings));
          const figures = figuresOf(scores.map((score) => ({ ...score, ...nobody })));
          return new Map(figures.map(({ name, value }) => [name, value ?? Number.NaN]));
        },
      } satisfies Group;
    }),
  );
}
