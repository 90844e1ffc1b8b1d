/** Ground truth beside a media file: `NAME.truth.json`. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Box, CameraLabel, Easing, TransitionType } from '../../src/analysis/facts.ts';

export interface TrueTransition {
  /** Null: a kind that has no name of ours; such ones are always optional. */
  readonly type: TransitionType | null;
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** Neither expected nor wrong. */
  readonly optional: boolean;
  /** Its length is not scored. */
  readonly loose: boolean;
  /** Known of generated clips only. */
  readonly easing?: Easing;
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
  /** A person's label of the camera, by the start of the shot. */
  readonly cameraNotes: readonly { readonly startSeconds: number; readonly words: string }[];
  /** Parts that are not scored: `cuts`, `speed` and so on. */
  readonly excluded: ReadonlySet<string>;
  /** What only generated clips know, as written. */
  readonly made: MadeTruth;
}

/** Facts that are known of a clip because it was made so. */
export interface MadeTruth {
  readonly family?: string;
  /** Changes that resemble a transition. */
  readonly traps?: readonly { readonly kind: string; readonly start_s: number; readonly end_s: number }[];
  /** Every burnt-in caption; the box in shares of the picture's size. */
  readonly caption_spans?: readonly {
    readonly start_s: number;
    readonly end_s: number;
    readonly text: string;
    /** Known of generated clips only. */
    readonly font?: string;
    readonly box: Box;
  }[];
  /** How they look: `line_height` is the type size as a share of the picture's height. */
  readonly caption_style?: {
    readonly position: 'top' | 'middle' | 'bottom';
    readonly line_height: number;
    readonly color: string;
    readonly outlined: boolean;
  };
  /**
   * How the camera was moved from frame to frame, in the terms of `MotionCurve`; the first entry of a shot is 0.
   * `labels` has the expected label of each stretch.
   */
  readonly camera_path?: {
    readonly shift_x: readonly number[];
    readonly shift_y: readonly number[];
    readonly log_scale: readonly number[];
    readonly rotation: readonly number[];
  };
  readonly camera_labels?: readonly {
    readonly start_s: number;
    readonly end_s: number;
    readonly label: CameraLabel;
    /** Other names that are as good. */
    readonly also?: readonly CameraLabel[];
    /** The generated motion: `eased pan`. */
    readonly kind?: string;
    /** Without texture no motion can be measured: the path is not scored. */
    readonly unmeasurable?: boolean;
  }[];
  /** Cuts within one scene at which it only changes scale. */
  readonly punch_ins?: readonly { readonly time_s: number; readonly log_scale: number }[];
  /** Things that move by themselves: where each is, five times a second. */
  readonly subjects?: readonly {
    readonly start_s: number;
    readonly end_s: number;
    readonly boxes: readonly { readonly time_s: number; readonly box: Box }[];
  }[];
  /** One dial of a grade turned by a known amount (-1..1, 0 untouched) on the same stretch of the same clip. */
  readonly known_grade?: {
    readonly field: string;
    readonly amount: number;
    readonly base: string;
    /** How far the most changed tenth of the pixels moved at least, CIELAB units: 2.3 are just noticeable. */
    readonly visible_lab?: number;
  };
  /** Another variant of a base: untouched, several dials at once (`parts`), or changes that must not affect any dial. */
  readonly known_look?: {
    readonly name: string;
    readonly base: string;
    readonly parts?: Readonly<Record<string, number>>;
  };
  /** All beats, where the tempo changes; `bpm` is then the median. */
  readonly beat_times_s?: readonly number[];
  /** The tempo never changes: it must be met within 0.2 %. */
  readonly tempo_steady?: boolean;
  /** Share within which a tempo is right where it drifts; 0.01 by default. */
  readonly tempo_tolerance?: number;
  /** Every tempo that is right, where there are several. */
  readonly tempi_bpm?: readonly number[];
  /** True where there is no pulse to be found. */
  readonly no_beat?: boolean;
  readonly speech_spans_s?: readonly (readonly [number, number])[];
  readonly genre?: string;
}

/** The file as written; times in seconds from the container's start. */
export interface TruthFile extends MadeTruth {
  readonly file: string;
  readonly hard_cuts_s?: readonly number[];
  readonly optional_cuts_s?: readonly number[];
  readonly transitions?: readonly {
    readonly type: string;
    readonly start_s: number;
    readonly end_s: number;
    readonly optional?: boolean;
    readonly loose?: boolean;
    readonly easing?: Easing;
    readonly direction?: string;
    readonly edge?: boolean;
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
  ['whip', 'slide'],
  ['circle', 'circle'],
  ['zoom', 'zoom'],
];

/**
 * Camera labels that frames contradict, by the clip's name; observations: `docs/notebook/accuracy.md`. The files are not
 * ours to change.
 */
const CAMERA_SEEN: Readonly<Record<string, string>> = {
  'bbb_static_10s_vp9.webm': 'push in',
  'hdr10_hevc_1s.mp4': 'pan left',
};

/** All media files below a folder with a truth file, in the order of their names. */
export function readTruths(folder: string): Truth[] {
  return globSync('**/*.truth.json', { cwd: folder })
    .sort()
    .map((name) => readTruth(join(folder, name)))
    .filter(({ path }) => existsSync(path));
}

export function readTruth(truthPath: string): Truth {
  const raw = JSON.parse(readFileSync(truthPath, 'utf8')) as TruthFile;
  const audio = raw.audio ?? raw;
  const camera = CAMERA_SEEN[raw.file] ?? raw.camera;
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
        ...(one.easing === undefined ? {} : { easing: one.easing }),
      };
    }),
    beats:
      audio.bpm === undefined
        ? null
        : {
            bpm: audio.bpm,
            offsetSeconds: audio.beat_offset_s ?? 0,
            phaseFree: audio.beat_phase_free === true,
          },
    captions: raw.captions ?? null,
    cameraNotes: camera === undefined ? notes : [{ startSeconds: 0, words: camera }],
    excluded: new Set(Object.keys(raw.exclude ?? {})),
    made: raw,
  };
}

function typeOf(word: string): TransitionType | null {
  if (word === 'fade') return 'dissolve';
  return KINDS.find(([start]) => word.startsWith(start))?.[1] ?? null;
}
