/** The takes of an edit, and the checks of a request against its videos. Pure. */
import { type EditOptions, MAX_TAKES, MIN_EDIT_SECONDS } from './edit-options.ts';
import type { FieldError } from './errors.ts';
import { type ForbiddenPart, pinPlace } from './pin-place.ts';
import type { VideoKind } from './stage.ts';
import type { TalkOptions } from './talk-options.ts';
import { talkTakesErrors } from './talk-takes.ts';
import type { TimeRange } from './time-range.ts';

/** A video that an edit names. */
export interface EditVideo {
  readonly kind: VideoKind;
  /** 0 for an image, which has no time. */
  readonly durationSeconds: number;
  readonly hasAudio: boolean;
}

/**
 * Finds a video by its id in lower case. Null: it is still being imported, so its properties are not known; undefined:
 * there is none.
 */
export type FindEditVideo = (videoId: string) => EditVideo | null | undefined;

type Range = readonly [from: number, to: number];
type Take = EditOptions['takes'][number];

/** Interfaces show times in tenths of a second, and callers send them back. */
const TOLERANCE_SECONDS = 0.1;
/** Most takes that a response lists. */
const NAMED_TAKES = 5;

/**
 * The edit with all takes in order, each once: the first is the source. Excluded parts of a take that is named several times are joined.
 * Ids are in lower case.
 */
export function wholeEdit(sourceId: string, edit: EditOptions): EditOptions {
  const takes = new Map<string, Take>();
  for (const take of [{ video_id: sourceId, exclude: [], must_use: false }, ...edit.takes]) {
    const video_id = take.video_id.toLowerCase();
    const known = takes.get(video_id);
    const exclude = [...(known?.exclude ?? []), ...take.exclude];
    takes.set(video_id, {
      ...known,
      ...take,
      video_id,
      exclude,
      must_use: take.must_use || known?.must_use === true,
    });
  }
  const withLowerId = <T extends { video_id: string }>(one: T): T => ({
    ...one,
    video_id: one.video_id.toLowerCase(),
  });
  return {
    ...edit,
    takes: [...takes.values()],
    music: edit.music === null ? null : withLowerId(edit.music),
    pins: edit.pins.map(withLowerId),
    bans: edit.bans.map(withLowerId),
    revises: edit.revises?.toLowerCase() ?? null,
  };
}

/** The edit with the template as its song, if that is a sound file and no other song is named. `range`: the part of it that counts. */
export function withTemplateSong(
  edit: EditOptions,
  template: { readonly videoId: string; readonly kind: VideoKind } | null,
  range: TimeRange | null | undefined,
  startSeconds: number | null = null,
): EditOptions {
  if (edit.music !== null || template?.kind !== 'audio') return edit;
  return {
    ...edit,
    music: { video_id: template.videoId.toLowerCase(), start_seconds: startSeconds ?? range?.[0] ?? null },
  };
}

/** Text about a whole edit with the fields of the edit as sent: `wholeEdit` puts the source first and joins equal takes. */
export function inSentFields(sourceId: string, { takes }: EditOptions, text: string): string {
  const sent = new Map<string, string[]>([[sourceId.toLowerCase(), []]]);
  for (const [take, { video_id, exclude }] of takes.entries()) {
    const paths = exclude.map((_, at) => `edit.takes.${take}.exclude.${at}`);
    const id = video_id.toLowerCase();
    sent.set(id, [...(sent.get(id) ?? []), ...paths]);
  }
  const whole = [...sent.values()];
  return text.replaceAll(/edit\.takes\.(\d+)\.exclude\.(\d+)/g, (path, take, at) => {
    return whole[Number(take)]?.[Number(at)] ?? path;
  });
}

/** All videos of a whole edit, with the part that each has in it. */
export function editVideoIds({
  takes,
  music,
}: EditOptions): { readonly role: 'take' | 'music'; readonly position: number; readonly videoId: string }[] {
  return [
    ...takes.map(({ video_id: videoId }, position) => ({ role: 'take' as const, position, videoId })),
    ...(music === null ? [] : [{ role: 'music' as const, position: 0, videoId: music.video_id }]),
  ];
}

/** The errors of an edit as sent, with values and corrections. Empty: it is valid. The source exists. */
export function editErrors(
  sourceId: string,
  edit: EditOptions,
  find: FindEditVideo,
  talk: TalkOptions,
): FieldError[] {
  const whole = wholeEdit(sourceId, edit);
  const known = (id: string) => find(id.toLowerCase()) ?? null;
  return [
    ...countErrors(whole),
    ...sourceErrors(known(sourceId)),
    ...edit.takes.flatMap((take, index) => takeErrors(`edit.takes.${index}`, take, find)),
    ...leftErrors(whole, edit, known),
    ...musicErrors(edit, find),
    ...pinErrors(whole, edit, known),
    ...slotLengthErrors(edit),
    ...banErrors(whole, edit, known),
    ...titleErrors(edit),
    ...talkTakesErrors(talk, edit, whole.takes, known),
  ];
}

function countErrors({ takes }: EditOptions): FieldError[] {
  if (takes.length <= MAX_TAKES) return [];
  return [
    {
      path: 'edit.takes',
      message: `at most ${MAX_TAKES} takes are allowed, video_id included; these are ${takes.length}`,
    },
  ];
}

function sourceErrors(source: EditVideo | null): FieldError[] {
  if (source?.kind !== 'audio') return [];
  return [
    { path: 'video_id', message: 'is a sound file; a take is a video or a photo, a song goes to edit.music' },
  ];
}

function takeErrors(path: string, { video_id, exclude }: Take, find: FindEditVideo): FieldError[] {
  const video = find(video_id.toLowerCase());
  if (video === undefined)
    return [{ path: `${path}.video_id`, message: `there is no video ${video_id}; upload it first` }];
  if (video?.kind === 'audio') {
    const message = `${video_id} is a sound file; a take is a video or a photo, a song goes to edit.music`;
    return [{ path: `${path}.video_id`, message }];
  }
  return exclude.flatMap((range, index) => rangeErrors(`${path}.exclude.${index}`, range, video));
}

/** A range of a photo, which has no time, counts as the whole photo. */
function rangeErrors(path: string, [from, to]: Range, video: EditVideo | null): FieldError[] {
  if (video?.kind !== 'video' || to <= video.durationSeconds + TOLERANCE_SECONDS) return [];
  return [
    {
      path,
      message: `[${from}, ${to}] reaches past the end of the take, which runs for ${lengthOf(video)}`,
    },
  ];
}

/** Takes of which exclusions and bans leave nothing. */
function leftErrors(
  whole: EditOptions,
  edit: EditOptions,
  known: (id: string) => EditVideo | null,
): FieldError[] {
  const empty = whole.takes.filter(({ video_id, exclude }) => {
    const video = known(video_id);
    return video !== null && isCovered(video, [...exclude, ...bansOf(whole, video_id)]);
  });
  if (empty.length === whole.takes.length)
    return [
      { path: 'edit.takes', message: 'exclude and bans leave nothing of any take; leave a part of one' },
    ];
  return empty
    .filter((take) => take.must_use)
    .flatMap(({ video_id }) => {
      const path = `edit.takes.${edit.takes.findIndex((take) => take.must_use && isSame(take.video_id, video_id))}.must_use`;
      const message = `exclude and bans leave nothing of ${video_id}, which must be used; leave a part of it, or must_use out`;
      const parts = forbiddenParts(edit, video_id).map((part) => ({
        ...{ path: part.path, message: `forbids a take that ${path} demands` },
      }));
      return [{ path, message }, ...parts];
    });
}

function musicErrors({ music, duration }: EditOptions, find: FindEditVideo): FieldError[] {
  if (music === null) {
    if (duration !== 'music') return [];
    return [{ path: 'edit.duration', message: '"music" needs edit.music; or name "template" or seconds' }];
  }
  const { video_id, start_seconds: start } = music;
  const song = find(video_id.toLowerCase());
  const path = 'edit.music.video_id';
  if (song === undefined) return [{ path, message: `there is no video ${video_id}; upload the song first` }];
  if (song === null) return [];
  if (song.kind === 'image' || !song.hasAudio) {
    const what = song.kind === 'image' ? 'is an image' : 'has no sound';
    return [{ path, message: `${video_id} ${what}; music is a sound file, or a video with sound` }];
  }
  const message = musicStartFault(start, song.durationSeconds);
  return message === null ? [] : [{ path: 'edit.music.start_seconds', message }];
}

/** Why an edit cannot begin there in a song that ends at `endSeconds`; null: it can. */
export function musicStartFault(start: number | null, endSeconds: number): string | null {
  if (start === null || start === 0 || endSeconds - start >= MIN_EDIT_SECONDS) return null;
  const runs = `the song, which runs for ${endSeconds.toFixed(2)} s`;
  const latest = Math.floor(100 * Math.max(0, endSeconds - MIN_EDIT_SECONDS)) / 100;
  const right = `an edit plays at least ${MIN_EDIT_SECONDS} s of it, so begin at ${latest.toFixed(2)} s or earlier`;
  return start >= endSeconds
    ? `${start} s is not in ${runs}; ${right}`
    : `${start} s leaves ${(endSeconds - start).toFixed(2)} s of ${runs}; ${right}`;
}

function pinErrors(
  whole: EditOptions,
  edit: EditOptions,
  known: (id: string) => EditVideo | null,
): FieldError[] {
  const slots = new Set<number>();
  return edit.pins.flatMap(({ slot, video_id, start_seconds: start }, index) => {
    const path = `edit.pins.${index}`;
    const isTwice = slots.has(slot);
    slots.add(slot);
    if (isTwice)
      return [{ path: `${path}.slot`, message: `slot ${slot} is pinned already; pin each slot once` }];
    const take = takeOf(whole, video_id);
    if (take === undefined) return [noTake(`${path}.video_id`, video_id, whole)];
    const video = known(video_id);
    if (video == null || video.kind === 'audio') return [];
    const isPhoto = video.kind === 'image';
    const { durationSeconds } = video;
    if (start !== null && !isPhoto && start >= durationSeconds) {
      const message = `${start} s is not in the take, which runs for ${lengthOf(video)}`;
      return [{ path: `${path}.start_seconds`, message }];
    }
    const forbidden = forbiddenParts(edit, video_id);
    const pin = { path, slot, startSeconds: start, isPhoto, durationSeconds, forbidden };
    // Lengths of slots are known when the edit is planned.
    const place = pinPlace(pin, 0);
    return 'runs' in place ? [] : place;
  });
}

/** Exclusions and bans of a take, by the fields of the edit as sent. */
function forbiddenParts({ takes, bans }: EditOptions, videoId: string): ForbiddenPart[] {
  const excluded = takes.flatMap(({ video_id, exclude }, take) =>
    isSame(video_id, videoId)
      ? exclude.map((range, at) => ({ range, path: `edit.takes.${take}.exclude.${at}` }))
      : [],
  );
  const banned = bans.flatMap(({ video_id, range }, at) =>
    isSame(video_id, videoId) ? [{ range, path: `edit.bans.${at}.range` }] : [],
  );
  return [...excluded, ...banned];
}

function slotLengthErrors({ lengths = [] }: EditOptions): FieldError[] {
  return lengths.flatMap(({ slot }, index) => {
    if (lengths.findIndex((other) => other.slot === slot) === index) return [];
    const message = `slot ${slot} has a length already; name each slot once`;
    return [{ path: `edit.lengths.${index}.slot`, message }];
  });
}

function banErrors(
  whole: EditOptions,
  { bans }: EditOptions,
  known: (id: string) => EditVideo | null,
): FieldError[] {
  return bans.flatMap(({ video_id, range }, index) =>
    takeOf(whole, video_id) === undefined
      ? [noTake(`edit.bans.${index}.video_id`, video_id, whole)]
      : rangeErrors(`edit.bans.${index}.range`, range, known(video_id)),
  );
}

function titleErrors({ titles, duration }: EditOptions): FieldError[] {
  return titles.flatMap(({ at }, index) =>
    typeof at !== 'number' || typeof duration !== 'number' || at < duration
      ? []
      : [
          {
            path: `edit.titles.${index}.at`,
            message: `${at} s is not in the edit, which takes ${duration} s`,
          },
        ],
  );
}

function noTake(path: string, videoId: string, { takes }: EditOptions): FieldError {
  const named = takes.slice(0, NAMED_TAKES).map(({ video_id }) => video_id);
  const more = takes.length > named.length ? ` and ${takes.length - named.length} more` : '';
  return { path, message: `${videoId} is no take of this edit; its takes are ${named.join(', ')}${more}` };
}

function takeOf({ takes }: EditOptions, videoId: string): Take | undefined {
  return takes.find(({ video_id }) => isSame(video_id, videoId));
}

function bansOf({ bans }: EditOptions, videoId: string): Range[] {
  return bans.filter(({ video_id }) => isSame(video_id, videoId)).map(({ range }) => range);
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Whether the ranges leave less of the video than can be shown. */
function isCovered({ kind, durationSeconds }: EditVideo, ranges: readonly Range[]): boolean {
  if (kind === 'image') return ranges.length > 0;
  let left = 0;
  let end = 0;
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    left += Math.max(0, Math.min(from, durationSeconds) - end);
    end = Math.max(end, to);
  }
  return left + Math.max(0, durationSeconds - end) <= TOLERANCE_SECONDS;
}

function lengthOf({ durationSeconds }: EditVideo): string {
  return `${durationSeconds.toFixed(2)} s`;
}
