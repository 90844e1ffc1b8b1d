/** View model of the report of an edit: its slots, its takes and its song, without markup. */

import type { Envelope, Still } from '../domain/footage.ts';
import { totalSeconds } from '../domain/spans.ts';
import type { Warning } from '../domain/stage.ts';
import type { EditResult, EditSlotChoice, EditSlotResult } from '../style/model/edit-result.ts';
import type { TimelineTransition } from '../style/model/timeline.ts';
import { waveView } from './audio-view.ts';
import { readableJson } from './readable-json.ts';
import { partsOfTakes, type TalkPartsView } from './talk-parts.ts';
import type { BeatView, ShotView, StillView, TimeView, TransitionView } from './view.ts';
import { clock, count, lengthText, spoken } from './wording.ts';

interface ReportedTake {
  readonly videoId: string;
  readonly name: string;
  /** 0: a photo. */
  readonly durationSeconds: number;
}

/** A song in its own time. */
export interface ReportedSong {
  readonly name: string;
  readonly beats: readonly BeatView[];
  /** Energy 0..1 within the song. */
  readonly sections: readonly {
    readonly startSeconds: number;
    readonly endSeconds: number;
    readonly energy: number;
  }[];
}

export interface TakesReportInput {
  readonly edit: EditResult;
  /** In the order of the request. */
  readonly takes: readonly ReportedTake[];
  /** Null: no song is heard. */
  readonly song: ReportedSong | null;
  /** Null: a style without its template. */
  readonly template: {
    readonly name: string;
    readonly shots: readonly ShotView[];
    /** Middle of each slot of the style in the template. */
    readonly slotSeconds: readonly number[];
  } | null;
  readonly output: {
    readonly width: number;
    readonly height: number;
    readonly framesPerSecond: number;
    /** Into each slot, as rendered; null: a cut, or the start. */
    readonly transitions: readonly (TimelineTransition | null)[];
    /** One for each slot; a damaged end may lack the last ones. */
    readonly stills: readonly Still[];
    readonly envelope: Envelope | null;
  };
  /** Address of the output for playing; null: its pictures alone are shown. */
  readonly outputAddress: string | null;
  readonly warnings: readonly Warning[];
  readonly createdAt: string;
  readonly version: string;
}

export interface SlotView {
  readonly number: number;
  readonly shot: ShotView;
  readonly takeName: string;
  /** Time in the take. */
  readonly moment: string;
  readonly beat: number | null;
  readonly isPinned: boolean;
  readonly reasons: readonly string[];
  readonly alternatives: readonly string[];
  /** The template's shot that it follows; null: none is known. */
  readonly templateStill: StillView | null;
  readonly templateShot: number | null;
}

/** A part of a take. */
export interface TakeSpanView {
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** `free`: usable, but no slot shows it. `refused`: it has a fault, or was excluded. */
  readonly kind: 'used' | 'free' | 'refused';
  readonly text: string;
}

export interface TakeView {
  readonly name: string;
  /** Null: a photo. */
  readonly durationSeconds: number | null;
  /** Used and unused parts of the take. */
  readonly used: string;
  readonly passedOver: string | null;
  readonly spans: readonly TakeSpanView[];
}

export interface TakesView {
  readonly key: string;
  readonly headline: string;
  readonly facts: readonly { readonly label: string; readonly value: string }[];
  readonly notes: readonly string[];
  readonly time: TimeView;
  readonly slots: readonly SlotView[];
  readonly takes: readonly TakeView[];
  /** Empty: the edit is no talk. */
  readonly talkParts: TalkPartsView;
  readonly templateName: string | null;
  /** In the output's time. */
  readonly song: ReportedSong | null;
  readonly outputAddress: string | null;
  readonly json: string;
  readonly createdAt: string;
  readonly version: string;
}

const KEY = 'edit';

export function takesView(input: TakesReportInput): TakesView {
  const { edit, template, output, warnings, outputAddress, createdAt, version } = input;
  const shots = shotsOf(input);
  const slots = edit.slots.map((slot, number) => slotView(slot, number, shots[number], input));
  const song = songInOutput(input);
  const transitions = shots.flatMap(({ entry }) => entry ?? []);
  return {
    key: KEY,
    headline: headlineOf(edit, song),
    facts: factsOf(input),
    notes: warnings.map(({ message }) => message),
    time: {
      durationSeconds: Math.max(edit.duration_seconds, 0.04),
      framesPerSecond: output.framesPerSecond,
      ratio: output.width / output.height,
      shots,
      transitions,
      wave: output.envelope === null ? null : waveView(output.envelope),
      beats: song?.beats ?? [],
      lanes: [],
      motion: null,
      loudness: null,
    },
    slots,
    takes: input.takes.map((take) => takeView(take, edit)),
    talkParts: partsOfTakes(edit, (videoId) => nameOf(input.takes, videoId)),
    templateName: template?.name ?? null,
    song,
    outputAddress,
    json: readableJson(edit),
    createdAt,
    version,
  };
}

function headlineOf({ slots, duration_seconds }: EditResult, song: ReportedSong | null): string {
  const shown = new Set(slots.map(({ video_id }) => video_id)).size;
  const onBeat = slots.filter(({ on_beat }) => on_beat).length;
  const beats = song === null || onBeat === 0 ? '' : `, ${onBeat} on the beat`;
  return `${count(slots.length, 'shot')} of ${count(shown, 'take')} in ${lengthText(duration_seconds)}${beats}`;
}

function factsOf({ edit, takes, song, template, output }: TakesReportInput): TakesView['facts'] {
  const gradual = output.transitions.filter((transition) => transition !== null).length;
  return [
    { label: 'Duration', value: lengthText(edit.duration_seconds) },
    { label: 'Size', value: `${output.width} × ${output.height} pixels` },
    { label: 'Rate', value: `${Number(output.framesPerSecond.toFixed(3))} frames/s` },
    { label: 'Takes', value: String(takes.length) },
    { label: 'Changes', value: `${count(edit.slots.length - 1 - gradual, 'cut')}, ${gradual} gradual` },
    ...(song === null ? [] : [{ label: 'Song', value: song.name }]),
    ...(template === null ? [] : [{ label: 'Template', value: template.name }]),
  ];
}

function shotsOf({ edit, output }: TakesReportInput): ShotView[] {
  return edit.slots.map((slot, number) => {
    const still = output.stills[number];
    return {
      number,
      startSeconds: slot.start_seconds,
      endSeconds: slot.end_seconds,
      camera: null,
      stills: still === undefined ? [] : [stillView(still, number)],
      entry: number === 0 ? null : entryOf(slot, output.transitions[number] ?? null),
    };
  });
}

function stillView({ timeSeconds, width, height, jpeg }: Still, number: number): StillView {
  const source = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`;
  return { id: `${KEY}-still-${number}`, timeSeconds, width, height, source };
}

/** A transition lies around the start of its slot. */
function entryOf(
  { start_seconds: start, on_beat }: EditSlotResult,
  transition: TimelineTransition | null,
): TransitionView {
  const seconds = transition?.durationSeconds ?? 0;
  const direction = transition?.direction === undefined ? '' : ` ${transition.direction}`;
  return {
    type: transition?.type ?? 'cut',
    startSeconds: start - seconds / 2,
    endSeconds: start + seconds / 2,
    easing: transition?.easing ?? 'linear',
    confidence: 1,
    text: transition === null ? 'cut' : `${spoken(transition.type)}${direction} ${lengthText(seconds)}`,
    isEdge: false,
    beat: transition === null && on_beat ? 'beat' : null,
  };
}

function slotView(
  slot: EditSlotResult,
  number: number,
  shot: ShotView,
  { takes, template }: TakesReportInput,
): SlotView {
  const seconds = template?.slotSeconds[slot.template_slot];
  const templateShot =
    seconds === undefined
      ? undefined
      : template?.shots.find(
          ({ startSeconds, endSeconds }) => startSeconds <= seconds && seconds < endSeconds,
        );
  const stills = templateShot?.stills ?? [];
  return {
    number,
    shot,
    takeName: nameOf(takes, slot.video_id),
    moment: momentOf(takes, slot),
    beat: slot.beat,
    isPinned: slot.pinned,
    reasons: slot.reasons,
    alternatives: slot.alternatives.map((one) => `${nameOf(takes, one.video_id)}, ${momentOf(takes, one)}`),
    templateStill: stills[Math.floor(stills.length / 2)] ?? null,
    templateShot: templateShot?.number ?? null,
  };
}

function nameOf(takes: readonly ReportedTake[], videoId: string): string {
  return takes.find((take) => take.videoId === videoId)?.name ?? videoId;
}

function momentOf(takes: readonly ReportedTake[], choice: EditSlotChoice): string {
  const take = takes.find(({ videoId }) => videoId === choice.video_id);
  if (take?.durationSeconds === 0) return 'photo';
  return `${clock(choice.source_start_seconds, 2)} to ${clock(choice.source_end_seconds, 2)}`;
}

function takeView({ videoId, name, durationSeconds }: ReportedTake, { takes, slots }: EditResult): TakeView {
  const use = takes.find(({ video_id }) => video_id === videoId);
  const shown = slots.flatMap((slot, number) =>
    slot.video_id === videoId
      ? [{ number, start: slot.source_start_seconds, end: slot.source_end_seconds }]
      : [],
  );
  const used = shown.map(
    ({ number, start, end }): TakeSpanView => ({
      ...{ startSeconds: start, endSeconds: end, kind: 'used' },
      text: `slot ${number}`,
    }),
  );
  const passedOver = (use?.passed_over ?? []).map(
    ({ range: [startSeconds, endSeconds], reason, reason_code: code }): TakeSpanView => ({
      ...{ startSeconds, endSeconds, kind: code?.code === 'no_slot' ? 'free' : 'refused' },
      text: reason,
    }),
  );
  const isPhoto = durationSeconds === 0;
  return {
    name,
    durationSeconds: isPhoto ? null : durationSeconds,
    used:
      used.length === 0
        ? 'not used'
        : `${lengthText(totalSeconds(used))} in ${count(used.length, 'slot')}: ${shown.map(({ number }) => number).join(', ')}`,
    passedOver: passedOver.length === 0 ? null : reasonsText(passedOver, isPhoto),
    spans: [...used, ...passedOver].sort((one, other) => one.startSeconds - other.startSeconds),
  };
}

/** Each reason with the time that it holds for, the longest first. */
function reasonsText(spans: readonly TakeSpanView[], isPhoto: boolean): string {
  const byReason = Map.groupBy(spans, ({ text }) => text);
  return [...byReason]
    .map(([reason, some]) => ({ reason, seconds: totalSeconds(some) }))
    .sort((one, other) => other.seconds - one.seconds)
    .map(({ reason, seconds }) => (isPhoto ? reason : `${reason} ${lengthText(seconds)}`))
    .join(', ');
}

/** Beats and sections that are heard, in the output's time; null: no song is heard. */
function songInOutput({ song, edit }: TakesReportInput): ReportedSong | null {
  const { music_start_seconds: shift, duration_seconds: total } = edit;
  if (song === null || shift === null) return null;
  return {
    name: song.name,
    beats: song.beats
      .map(({ timeSeconds, confidence }) => ({ timeSeconds: timeSeconds - shift, confidence }))
      .filter(({ timeSeconds }) => timeSeconds >= 0 && timeSeconds <= total),
    sections: song.sections
      .map(({ startSeconds, endSeconds, energy }) => ({
        startSeconds: Math.max(0, startSeconds - shift),
        endSeconds: Math.min(total, endSeconds - shift),
        energy,
      }))
      .filter(({ startSeconds, endSeconds }) => startSeconds < endSeconds),
  };
}
