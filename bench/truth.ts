/** Ground truth beside a media file: `NAME.truth.json`. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { TransitionType } from '../src/analysis/facts.ts';

export interface TrueTransition {
  /** Null: a kind that has no name of ours; such ones are always optional. */
  readonly type: TransitionType | null;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Neither wanted nor wrong. */
  readonly optional: boolean;
  /** Its length is not scored. */
  readonly loose: boolean;
}

export interface TrueBeats {
  readonly bpm: number;
  readonly offsetSeconds: number;
  /** The off-beat is as good. */
  readonly phaseFree: boolean;
}

export interface Truth {
  /** Path of the media file. */
  readonly path: string;
  readonly name: string;
  /** Null for sound-only files. */
  readonly cutsSeconds: readonly number[] | null;
  readonly optionalCutsSeconds: readonly number[];
  readonly transitions: readonly TrueTransition[];
  readonly beats: TrueBeats | null;
  /** Burnt-in captions; null: open to argument. */
  readonly captions: boolean | null;
  /** What a person said of the camera, by the start of the shot. */
  readonly cameraNotes: readonly { readonly startSeconds: number; readonly words: string }[];
  /** What is not scored: `cuts`, `speed` and so on. */
  readonly excluded: ReadonlySet<string>;
}

/** The file as written; times in seconds from the container's start. */
interface TruthFile {
  readonly file: string;
  readonly hard_cuts_s?: readonly number[];
  readonly optional_cuts_s?: readonly number[];
  readonly transitions?: readonly {
    readonly type: string;
    readonly start_s: number;
    readonly end_s: number;
    readonly optional?: boolean;
    readonly loose?: boolean;
  }[];
  readonly bpm?: number;
  readonly beat_offset_s?: number;
  readonly beat_phase_free?: boolean;
  readonly audio?: Pick<TruthFile, 'bpm' | 'beat_offset_s' | 'beat_phase_free'>;
  readonly captions?: boolean | null;
  readonly camera?: string;
  readonly shots?: readonly { readonly start_s: number; readonly note?: string }[];
  readonly exclude?: Readonly<Record<string, string>>;
}

/** Beginnings of the truth's words for kinds of transition. */
const KINDS: readonly (readonly [string, TransitionType])[] = [
  ['fadeblack', 'fade_black'],
  ['fade_in_black', 'fade_black'],
  ['fade_out_black', 'fade_black'],
  ['fade_to_black', 'fade_black'],
  ['fadewhite', 'fade_white'],
  ['fade_to_white', 'fade_white'],
  ['fade_out_dark', 'fade_black'],
  ['dissolve', 'dissolve'],
  ['wipe', 'wipe'],
  ['slide', 'slide'],
  ['circle', 'circle'],
  ['zoom', 'zoom'],
];

/** All media files below a folder that have a truth beside them, in the order of their names. */
export function readTruths(folder: string): Truth[] {
  return globSync('**/*.truth.json', { cwd: folder })
    .sort()
    .map((name) => readTruth(join(folder, name)))
    .filter(({ path }) => existsSync(path));
}

function readTruth(truthPath: string): Truth {
  const raw = JSON.parse(readFileSync(truthPath, 'utf8')) as TruthFile;
  const sound = raw.audio ?? raw;
  const notes = (raw.shots ?? []).map(({ start_s, note }) => ({ startSeconds: start_s, words: note ?? '' }));
  return {
    path: join(dirname(truthPath), raw.file),
    name: basename(raw.file),
    cutsSeconds: raw.hard_cuts_s ?? null,
    optionalCutsSeconds: raw.optional_cuts_s ?? [],
    transitions: (raw.transitions ?? []).map((one) => {
      const type = typeOf(one.type);
      return {
        type,
        startSeconds: one.start_s,
        endSeconds: one.end_s,
        optional: one.optional === true || type === null,
        loose: one.loose === true,
      };
    }),
    beats:
      sound.bpm === undefined
        ? null
        : {
            bpm: sound.bpm,
            offsetSeconds: sound.beat_offset_s ?? 0,
            phaseFree: sound.beat_phase_free === true,
          },
    captions: raw.captions ?? null,
    cameraNotes: raw.camera === undefined ? notes : [{ startSeconds: 0, words: raw.camera }],
    excluded: new Set(Object.keys(raw.exclude ?? {})),
  };
}

function typeOf(word: string): TransitionType | null {
  if (word === 'fade') return 'dissolve';
  return KINDS.find(([start]) => word.startsWith(start))?.[1] ?? null;
}
