import { MARKED, pathsIn, RATIOS, ROUNDS } from '../framing/marked.ts';
import { scoreFraming } from '../framing/score.ts';
import { scoreSecondCamera, sumOf } from '../framing/second-camera.ts';
import { totalsOf } from '../framing/totals.ts';
import type { Group } from './group.ts';
import type { Clip } from './stages.ts';

/** The marked clips of the tuning half that the folders hold, by round, measured by the figures of `bench/framing.ts`. */
export async function framingGroups(
  folders: readonly string[],
  record: (path: string) => Promise<Clip>,
): Promise<readonly Group[]> {
  const paths = pathsIn(folders);
  const groups: Group[] = [];
  for (const round of ROUNDS) {
    const marked = MARKED.filter(
      (one) => one.half === 'tuning' && one.round === round && paths.has(one.clip),
    );
    const clips: Clip[] = [];
    for (const { clip } of marked) clips.push(await record(paths.get(clip)!));
    const ratio = RATIOS[round];
    groups.push({
      name: `round ${round}`,
      clips,
      figuresOf: (found) => {
        const facts = found.map(({ seen, audio }) => ({ ...seen!, audio }));
        const framing = totalsOf(facts.map((one, at) => scoreFraming(one, marked[at]!.moments, ratio)));
        const second = sumOf(facts.flatMap((one, at) => scoreSecondCamera(one, marked[at]!.moments, ratio)));
        return new Map([
          ...Object.entries(framing),
          ...Object.entries(second).map(([name, value]) => [`second camera: ${name}`, value] as const),
        ]);
      },
    });
  }
  return groups;
}
