/** Cuts of made templates on made songs, at 30 frames a second. */
import type { Song } from '../../../src/analysis/music/song.ts';
import { seededRandom } from '../../../src/signal/seeded-random.ts';
import type { CutPlan, CutRequest } from '../../../src/style/edit/cut-plan.ts';
import { planCuts } from '../../../src/style/edit/cut-times.ts';
import type { TemplateEdit } from '../../../src/style/edit/edit-plan.ts';
import { madeTemplate } from './made-material.ts';

export const RATE = 30;
export const BEATS = [
  4, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 8,
];

export function cutsOf(more: Partial<CutRequest> & { readonly song?: Song }): CutPlan {
  const { song, ...rest } = more;
  const music = song === undefined ? null : { song, startSeconds: null, templateStartSeconds: null };
  return planCuts({
    template: madeTemplate(BEATS),
    music,
    seconds: 34,
    frameRate: RATE,
    rhythm: 'on_beat',
    playsTakes: false,
    runs: Array.from({ length: 60 }, () => ({ startSeconds: 0, endSeconds: 10 })),
    ...rest,
  });
}

export function lengthsOf({ slots }: CutPlan): number[] {
  return slots.map(({ startFrame, endFrame }) => (endFrame - startFrame) / RATE);
}

/** Share of the cuts within 60 ms of one of the song's beats. */
export function onBeatShare({ slots, musicStartSeconds }: CutPlan, { beats }: Song): number {
  const cuts = slots.slice(1).map(({ startFrame }) => startFrame / RATE + musicStartSeconds!);
  const near = cuts.filter((cut) => beats.some(({ timeSeconds }) => Math.abs(timeSeconds - cut) <= 0.06));
  return near.length / cuts.length;
}

/** The template with cuts at random phases. */
export function offBeat(template: TemplateEdit, seed: number): TemplateEdit {
  const random = seededRandom(seed);
  let [start, beats] = [0, 0];
  const slots = template.slots.map((slot) => {
    const phase = beats % 1;
    beats += slot.beats!;
    const end = (beats + random() - 0.5) / 2;
    const durationSeconds = Math.max(0.3, end - start);
    const moved = {
      ...slot,
      phase: start === 0 ? phase : (start * 2) % 1,
      durationSeconds,
      beats: durationSeconds * 2,
    };
    start += durationSeconds;
    return moved;
  });
  return { ...template, slots, onBeatShare: 0.2 };
}
