/**
 * Decides the use of files that are dropped together: takes, the song, the look, or none, with the reason.
 */
import { MAX_TAKES } from './edit-parts.ts';

export type WellName = 'source' | 'look';

/** Kind of a file, by its name and type. */
export type FileKind = 'video' | 'photo' | 'song' | 'style' | 'other';

export type LeftOutReason = 'other' | 'full' | 'song' | 'look';

export interface Dropped<File> {
  readonly takes: readonly File[];
  readonly song: File | null;
  readonly look: File | null;
  readonly leftOut: readonly { readonly file: File; readonly reason: LeftOutReason }[];
}

/** Files that are present already. */
export interface Present {
  readonly takes: number;
  readonly hasSong: boolean;
  readonly hasLook: boolean;
}

interface Named {
  readonly name: string;
  /** MIME type by the browser; empty: unknown. */
  readonly type: string;
}

const BY_TYPE: readonly (readonly [RegExp, FileKind])[] = [
  [/^video\//, 'video'],
  [/^image\/(?!svg)/, 'photo'],
  [/^audio\//, 'song'],
];
/** Files of folders have no type in some browsers, and some types are unknown to all. */
const BY_NAME: readonly (readonly [RegExp, FileKind])[] = [
  [/\.json$/i, 'style'],
  [/\.(jpe?g|png|webp|gif|avif|hei[cf])$/i, 'photo'],
  [/\.(mp3|m4a|aac|flac|wav|ogg|oga|opus)$/i, 'song'],
  [/\.(mp4|m4v|mov|mkv|webm|avi|mts|m2ts|ts|mpe?g|wmv|flv|3gp|mxf|insv)$/i, 'video'],
];

export function fileKind({ name, type }: Named): FileKind {
  const named = BY_NAME.find(([pattern]) => pattern.test(name));
  if (named !== undefined) return named[1];
  const typed = BY_TYPE.find(([pattern]) => pattern.test(type));
  // The service inspects files without a known name or type.
  return typed?.[1] ?? (type === '' && !name.includes('.') ? 'video' : 'other');
}

/** `on`: the well on which they were dropped. */
export function sortDropped<File extends Named>(
  files: readonly File[],
  on: WellName,
  present: Present,
): Dropped<File> {
  const look = lookAmong(files, on, present);
  const others = files.filter((file) => file !== look);
  const isTake = (file: File) => ['video', 'photo'].includes(fileKind(file));
  // Next to a look they are takes only if there are none yet: a person who chooses among looks drops several.
  const mayTake = on === 'source' || present.takes === 0;
  const takes = mayTake ? others.filter(isTake).slice(0, Math.max(0, MAX_TAKES - present.takes)) : [];
  const song = present.hasSong ? null : (others.find((file) => fileKind(file) === 'song') ?? null);
  const leftOut = others
    .filter((file) => !takes.includes(file) && file !== song)
    .map((file) => ({ file, reason: reasonOf(file, mayTake) }));
  return { takes, song, look, leftOut };
}

/**
 * Chooses the look among several files that were dropped on an empty look. If takes are needed, a file that
 * cannot be a take comes first.
 */
function lookAmong<File extends Named>(
  files: readonly File[],
  on: WellName,
  { takes, hasLook }: Present,
): File | null {
  const first = (...kinds: FileKind[]) => files.find((file) => kinds.includes(fileKind(file))) ?? null;
  if (on === 'source') return hasLook ? null : first('style');
  const still = first('photo', 'style');
  return takes === 0 && still !== null && first('video') !== null ? still : first('video', 'photo', 'style');
}

function reasonOf(file: Named, mayTake: boolean): LeftOutReason {
  switch (fileKind(file)) {
    case 'song':
      return 'song';
    case 'style':
      return 'look';
    case 'other':
      return 'other';
    default:
      return mayTake ? 'full' : 'look';
  }
}
