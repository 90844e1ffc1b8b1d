import type { CameraLabel, ClipFacts } from '../src/analysis/facts.ts';
import type { Truth } from './truth.ts';

/** The labels that a word of the truth allows. A move described in several words may be called by any of them. */
const WORDS: readonly (readonly [RegExp, readonly CameraLabel[]])[] = [
  [/static|locked/, ['static']],
  [/push in|zoom in|zoom-in/, ['zoom_in']],
  [/zoom.*\bout\b|zoom in\/out/, ['zoom_out', 'zoom_in']],
  [/\bpan\b/, ['pan']],
  [/tilt|crane/, ['tilt']],
  [/handheld/, ['handheld', 'moving']],
  [/orbit|walks/, ['moving', 'pan', 'handheld']],
  [/slow move|\/slow/, ['moving', 'handheld', 'pan', 'tilt']],
];

export interface CameraVerdict {
  readonly startSeconds: number;
  readonly found: CameraLabel;
  readonly allowed: readonly CameraLabel[];
  readonly right: boolean;
}

/** Compares each described shot with the label of the found shot that shares most of its time. */
export function judgeCamera({ picture, motion }: ClipFacts, truth: Truth): CameraVerdict[] {
  // A description of several shots in one sentence tells of none of them.
  const notes = truth.cameraNotes.filter(({ words }) => !/shot \d/.test(words));
  return notes.flatMap(({ startSeconds, words }, index) => {
    const allowed = allowedLabels(words);
    const endSeconds = notes[index + 1]?.startSeconds ?? picture.durationSeconds;
    const shares = picture.shots.map(
      (shot) => Math.min(shot.endSeconds, endSeconds) - Math.max(shot.startSeconds, startSeconds),
    );
    const found = motion.shots[shares.indexOf(Math.max(...shares))]?.label;
    if (allowed.length === 0 || found === undefined) return [];
    return [{ startSeconds, found, allowed, right: allowed.includes(found) }];
  });
}

function allowedLabels(words: string): CameraLabel[] {
  return [...new Set(WORDS.filter(([word]) => word.test(words)).flatMap(([, labels]) => labels))];
}
