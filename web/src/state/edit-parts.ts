/** The takes of an edit with their settings: plain values and pure functions. */
import type {
  EditRequest,
  EditSlotChoice,
  JobCreateRequest,
  StyleJSON,
  Video,
} from '../../../src/client/api-types.ts';
import type { Settings } from './settings.ts';

/** A file being uploaded, or a video of the service. */
export type Source =
  | { readonly kind: 'upload'; readonly uploadId: number }
  | { readonly kind: 'video'; readonly videoId: string };

/** `[from, to]` in seconds of a take. */
export type Range = readonly [from: number, to: number];

export interface Take {
  /** The same while its upload becomes a video, and over undo. */
  readonly id: number;
  readonly source: Source;
  /** Parts that are not shown. */
  readonly exclude: readonly Range[];
  readonly mustUse: boolean;
  /** In a talk, as requested by another program; left out: by what is heard. */
  readonly role?: 'talk' | 'b_roll';
}

export interface Song {
  readonly source: Source;
  /** Start of the edit in the song; null: the service decides. */
  readonly startSeconds: number | null;
}

export interface Pin {
  readonly slot: number;
  readonly videoId: string;
  readonly startSeconds: number | null;
  /** Left out: the service frames it. */
  readonly focus?: Point;
}

/** In shares of a picture, from its upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A slot that is longer than planned, or shorter. */
export interface Length {
  readonly slot: number;
  /** 0: no other slot changes it. */
  readonly beats: number;
}

interface Ban {
  readonly videoId: string;
  readonly range: Range;
}

export interface Title {
  readonly at: 'start' | 'end' | number;
  /** At most two lines. */
  readonly text: string;
  /** Left out: as in the look. */
  readonly style?: TitleStyle | undefined;
  /** Middle of the text; null or left out: as the style has it. */
  readonly place?: Point | null | undefined;
  /** A box behind the text; null or left out: as the style has it. */
  readonly box?: boolean | null | undefined;
  /** Left out: as the style has it. */
  readonly animation?: TitleAnimation | undefined;
}

export type TitleStyle = NonNullable<NonNullable<EditRequest['titles']>[number]['style']>;

export type TitleAnimation = NonNullable<NonNullable<EditRequest['titles']>[number]['animation']>;

export type EditSound = NonNullable<EditRequest['sound']>;
export type EditOrder = NonNullable<EditRequest['order']>;
export type EditRhythm = NonNullable<EditRequest['rhythm']>;
export type EditDuration = NonNullable<EditRequest['duration']>;

export type PresetId = NonNullable<JobCreateRequest['preset']>;

export type Look =
  | Exclude<Source, { kind: 'video' }>
  /** `range`: the part that counts; left out: all of it. */
  | { readonly kind: 'video'; readonly videoId: string; readonly range?: Range }
  | { readonly kind: 'preset'; readonly presetId: PresetId }
  /** A look that the person saved at the service. */
  | { readonly kind: 'saved'; readonly styleId: string }
  | { readonly kind: 'style'; readonly name: string; readonly style: StyleJSON };

/** The parts that undo and redo restore. */
export interface EditParts {
  readonly takes: readonly Take[];
  readonly song: Song | null;
  readonly sound: EditSound;
  readonly order: EditOrder;
  readonly rhythm: EditRhythm;
  readonly duration: EditDuration;
  readonly pins: readonly Pin[];
  readonly lengths: readonly Length[];
  readonly bans: readonly Ban[];
  readonly titles: readonly Title[];
  /** Seed; another one gives another version of the edit. */
  readonly seed: number;
}

export interface Make extends EditParts {
  readonly look: Look | null;
  /** File name of a Style DNA that the opened link does not carry; null or left out: none. */
  readonly lostLook?: string | null;
  readonly settings: Settings;
  /** The job that this edit changes. */
  readonly revises: string | null;
}

export const NO_EDIT: EditParts = {
  takes: [],
  song: null,
  sound: 'music',
  order: 'story',
  rhythm: 'on_beat',
  duration: 'template',
  pins: [],
  lengths: [],
  bans: [],
  titles: [],
  seed: 0,
};

/** Limit of the service (`src/domain/edit-options.ts`). */
export const MAX_TAKES = 50;
const MIN_EARLY_TAKES = 2;
/** A trim that leaves less is none. */
export const MIN_TAKE_SECONDS = 0.2;
/** A part of a video without an edit is never shorter (`src/domain/time-range.ts`). */
export const MIN_PART_SECONDS = 0.5;
/** Times of a request are hundredths of a second, which an address can hold. */
const STEPS_PER_SECOND = 100;
/** Ends of a part lie between frames, which are .004 s apart at least. */
const TRIM_STEPS_PER_SECOND = 1000;
/** A range this near to the end of a take reaches it. */
const END_SECONDS = 0.11;

/** One video without a song is styled; anything else is an edit. */
export function isEdit({ takes, song }: Pick<EditParts, 'takes' | 'song'>): boolean {
  return takes.length > 1 || song !== null;
}

/** Without the files that the service refused: the others are cut without them. */
export function withoutRefused<Parts extends Pick<EditParts, 'takes' | 'song'>>(
  parts: Parts,
  isRefused: (uploadId: number) => boolean,
): Parts {
  const isUsable = ({ source }: { readonly source: Source }) =>
    source.kind !== 'upload' || !isRefused(source.uploadId);
  const { takes, song } = parts;
  return { ...parts, takes: takes.filter(isUsable), song: song !== null && isUsable(song) ? song : null };
}

/**
 * The takes for a first plan while others are measured: the first of those that are measured, in the order of the list. Their number doubles
 * from plan to plan, because each plan changes most shots. Fewer than two show nothing of an edit.
 *
 * @param measured Ids of videos in the order in which they were measured.
 */
export function earlyTakes(takes: readonly Take[], measured: readonly string[]): readonly Take[] {
  const count = 2 ** Math.floor(Math.log2(measured.length));
  if (count < MIN_EARLY_TAKES) return [];
  const early = new Set(measured.slice(0, count));
  return takes.filter(({ source }) => source.kind === 'video' && early.has(source.videoId));
}

/** The look that an edit follows: without one, the song. Null: it has neither, or waits for a file that a link does not carry. */
export function followedLook({
  look,
  song,
  lostLook = null,
}: Pick<Make, 'look' | 'song' | 'lostLook'>): Look | null {
  if (look !== null || lostLook !== null) return look;
  return song?.source ?? null;
}

export function videoIdOf(source: Source | null | undefined): string | null {
  return source?.kind === 'video' ? source.videoId : null;
}

/** The part of a take between its in and out points. */
export function trimOf({ exclude }: Pick<Take, 'exclude'>, durationSeconds: number): Range {
  const from = exclude.find(([start]) => start === 0)?.[1] ?? 0;
  const to = exclude.find(([start, end]) => start > 0 && end >= durationSeconds - END_SECONDS)?.[0];
  return [from, to ?? durationSeconds];
}

/** Excluded parts other than those that a trim makes. */
export function innerExclusions({ exclude }: Pick<Take, 'exclude'>, durationSeconds: number): Range[] {
  return exclude.filter(([start, end]) => start > 0 && end < durationSeconds - END_SECONDS);
}

export function trimmed(take: Take, [from, to]: Range, durationSeconds: number): Take {
  const [start, end] = [trimStep(from), trimStep(to)];
  const ends: Range[] = [
    ...(start > 0 ? [[0, start] as const] : []),
    ...(end < durationSeconds - END_SECONDS ? [[end, toStep(durationSeconds)] as const] : []),
  ];
  return { ...take, exclude: [...ends, ...innerExclusions(take, durationSeconds)] };
}

/** The part of a video that counts; null: all of it. */
export function partOf(take: Pick<Take, 'exclude'>, durationSeconds: number): Range | null {
  const [from, to] = trimOf(take, durationSeconds);
  return from === 0 && to === durationSeconds ? null : [from, to];
}

/** Whether a part of it can count: it has time for one. */
export function isTrimmable({
  kind,
  duration_seconds: seconds,
}: Pick<Video, 'kind' | 'duration_seconds'>): boolean {
  return kind === 'video' && seconds > MIN_PART_SECONDS;
}

/** A look of which only a part counts. */
export function lookWithPart(videoId: string, [from, to]: Range, durationSeconds: number): Look {
  const isWhole = from <= 0 && to >= durationSeconds - END_SECONDS;
  return { kind: 'video', videoId, ...(isWhole ? {} : { range: [trimStep(from), trimStep(to)] as const }) };
}

function trimStep(seconds: number): number {
  return Math.round(seconds * TRIM_STEPS_PER_SECOND) / TRIM_STEPS_PER_SECOND;
}

export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const rest = items.filter((_, at) => at !== from);
  return [...rest.slice(0, to), items[from]!, ...rest.slice(to)];
}

/** Without a take, and without pins and bans that name it. */
export function withoutTake(
  parts: Pick<EditParts, 'takes' | 'pins' | 'bans'>,
  id: number,
): Pick<EditParts, 'takes' | 'pins' | 'bans'> {
  const gone = parts.takes.find((take) => take.id === id);
  const goneId = videoIdOf(gone?.source);
  return {
    takes: parts.takes.filter((take) => take.id !== id),
    pins: parts.pins.filter(({ videoId }) => videoId !== goneId),
    bans: parts.bans.filter(({ videoId }) => videoId !== goneId),
  };
}

/** The slot shows this from now on. Another moment of its take keeps its focus. */
export function pinned(
  pins: readonly Pin[],
  slot: number,
  {
    video_id: videoId,
    source_start_seconds: startSeconds,
  }: Pick<EditSlotChoice, 'video_id' | 'source_start_seconds'>,
): Pin[] {
  const before = pins.find((pin) => pin.slot === slot && pin.videoId === videoId);
  const focus = before?.focus === undefined ? {} : { focus: before.focus };
  return withPin(pins, { slot, videoId, startSeconds: toStep(startSeconds), ...focus });
}

/** The same slot with a point in view; null: the service chooses the framing. */
export function focused(
  pins: readonly Pin[],
  slot: number,
  choice: Pick<EditSlotChoice, 'video_id' | 'source_start_seconds'>,
  point: Point | null,
): Pin[] {
  const pin = pinned(pins, slot, choice).find((one) => one.slot === slot)!;
  const { focus: _, ...plain } = pin;
  const focus = point === null ? {} : { focus: { x: toStep(point.x), y: toStep(point.y) } };
  return withPin(pins, { ...plain, ...focus });
}

function withPin(pins: readonly Pin[], pin: Pin): Pin[] {
  return [...unpinned(pins, pin.slot), pin].sort((one, other) => one.slot - other.slot);
}

/** @param beats Beats by which the slot is longer than planned. */
export function lengthened(lengths: readonly Length[], slot: number, beats: number): Length[] {
  const next = [...lengths.filter((length) => length.slot !== slot), { slot, beats }];
  // Without a change the list is empty: all slots stay as planned.
  if (next.every((length) => length.beats === 0)) return [];
  return next.sort((one, other) => one.slot - other.slot);
}

export function unpinned(pins: readonly Pin[], slot: number): Pin[] {
  return pins.filter((pin) => pin.slot !== slot);
}

/** Bans a slot's moment and removes the slot's pin. */
export function banned(
  { pins, bans }: Pick<EditParts, 'pins' | 'bans'>,
  slot: number,
  choice: Pick<EditSlotChoice, 'video_id' | 'source_start_seconds' | 'source_end_seconds'>,
): Pick<EditParts, 'pins' | 'bans'> {
  const from = Math.floor(choice.source_start_seconds * STEPS_PER_SECOND) / STEPS_PER_SECOND;
  // A photo has no time: any range of it is the whole.
  const to = Math.max(
    from + 1 / STEPS_PER_SECOND,
    Math.floor(choice.source_end_seconds * STEPS_PER_SECOND) / STEPS_PER_SECOND,
  );
  return { pins: unpinned(pins, slot), bans: [...bans, { videoId: choice.video_id, range: [from, to] }] };
}

/** Refused moments as excluded parts of their takes: the whole edit is planned as if they were not there, and later refusals change their slots alone. */
export function plannedAgain({
  takes,
  bans,
}: Pick<EditParts, 'takes' | 'bans'>): Pick<EditParts, 'takes' | 'bans'> {
  const rangesOf = ({ source }: Take) =>
    bans.filter((ban) => source.kind === 'video' && ban.videoId === source.videoId).map(({ range }) => range);
  return {
    takes: takes.map((take) => ({ ...take, exclude: [...take.exclude, ...rangesOf(take)] })),
    bans: [],
  };
}

function toStep(seconds: number): number {
  return Math.round(seconds * STEPS_PER_SECOND) / STEPS_PER_SECOND;
}
