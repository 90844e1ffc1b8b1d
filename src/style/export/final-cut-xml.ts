/**
 * The edit as Final Cut Pro 7 XML (`xmeml` version 5), which Premiere Pro and DaVinci Resolve import. Element names and meanings:
 * Apple, "Final Cut Pro XML Interchange Format". What the format cannot express (grade, stabilisation, blurred borders) is left out.
 */
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import { framingAt, isMoving } from '../model/framing.ts';
import {
  type Clip,
  clipStartFrames,
  type Reframe,
  type Timeline,
  type TimelineTransition,
} from '../model/timeline.ts';
import type { TimelineMedia } from './source-media.ts';
import { element, writeXml, type XmlElement } from './xml.ts';

/** Keyframes of a move that is not linear: straight lines between them are off by at most 1.2 % of it (`ease_in_out`). */
const EASED_KEYS = 9;
const SEQUENCE_ID = 'sequence-1';

/** Where one clip lies in the sequence, in its frames, and in the source, in frames of the source. */
interface PlacedClip {
  readonly clip: Clip;
  readonly start: number;
  readonly end: number;
  readonly sourceIn: number;
  readonly sourceOut: number;
}

interface PlacedTransition {
  readonly transition: TimelineTransition;
  /** Frames of the sequence before and after the cut. */
  readonly before: number;
  readonly after: number;
}

interface Edit {
  readonly timeline: Timeline;
  readonly media: TimelineMedia;
  readonly clips: readonly PlacedClip[];
  /** By the index of the clip that it leads to. */
  readonly transitions: ReadonlyMap<number, PlacedTransition>;
  readonly frameCount: number;
}

/** The text of the file; framing is written as the scale and centre of each clip, with keyframes where it moves. */
export function writeFinalCutXml(timeline: Timeline, media: TimelineMedia): string {
  const document = element('xmeml', [sequence(placed(timeline, media))], { version: '5' });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE xmeml>\n${writeXml(document)}\n`;
}

function placed(timeline: Timeline, media: TimelineMedia): Edit {
  const fps = framesPerSecond(timeline.frameRate);
  const starts = clipStartFrames(timeline);
  const clips = timeline.clips.map((clip, index) => {
    const sourceFps = framesPerSecond(media.takes[clip.take]!.frameRate);
    const sourceIn = Math.round(clip.sourceStartSeconds * sourceFps);
    const sourceOut = Math.max(sourceIn + 1, Math.round(clip.sourceEndSeconds * sourceFps));
    return { clip, start: starts[index], end: starts[index + 1], sourceIn, sourceOut };
  });
  const transitions = new Map<number, PlacedTransition>();
  for (const transition of timeline.transitions) {
    const [left, right] = [clips[transition.clipIndex - 1], clips[transition.clipIndex]];
    if (left === undefined || right === undefined) continue;
    const half = Math.max(1, Math.round((transition.durationSeconds * fps) / 2));
    // An editing program shows more of the left clip after the cut and of the right one before it: only as much as the source has.
    const { durationSeconds } = media.takes[left.clip.take]!;
    const spare = Math.floor((durationSeconds - left.clip.sourceEndSeconds) * fps);
    const after = Math.min(half, Math.max(0, spare), right.end - right.start);
    const before = Math.min(half, Math.floor(right.clip.sourceStartSeconds * fps), left.end - left.start);
    if (before + after > 0) transitions.set(transition.clipIndex, { transition, before, after });
  }
  return { timeline, media, clips, transitions, frameCount: starts[clips.length] };
}

function sequence(edit: Edit): XmlElement {
  const { timeline, media, frameCount } = edit;
  const { width, height, frameRate, captions } = timeline;
  const fps = framesPerSecond(frameRate);
  return element(
    'sequence',
    [
      element('name', `${media.takes[0]!.fileName} (StyleDNA)`),
      element('duration', frameCount),
      rate(frameRate),
      element('media', [
        element('video', [
          element('format', [
            element('samplecharacteristics', [
              rate(frameRate),
              element('width', width),
              element('height', height),
              element('pixelaspectratio', 'square'),
            ]),
          ]),
          element('track', videoItems(edit)),
        ]),
        ...(timeline.audio === null ? [] : [element('audio', audioTracks(edit))]),
      ]),
      ...captions.map((cue) =>
        element('marker', [
          element('name', cue.lines.join(' ')),
          element('comment', cue.lines.join(' ')),
          element('in', Math.round(cue.startSeconds * fps)),
          element('out', Math.round(cue.endSeconds * fps)),
        ]),
      ),
    ],
    { id: SEQUENCE_ID },
  );
}

function videoItems(edit: Edit): readonly XmlElement[] {
  return edit.clips.flatMap((one, index) => {
    const entering = edit.transitions.get(index);
    const item = clipItem(edit, index, 'video');
    return entering === undefined ? [item] : [transitionItem(one, entering, edit.timeline.frameRate), item];
  });
}

/** One track for each channel that editing programs play: two of a source with more. */
function audioTracks(edit: Edit): readonly XmlElement[] {
  const channels = Math.min(2, Math.max(1, edit.media.takes[0]!.audioChannels));
  return Array.from({ length: channels }, (_, channel) =>
    element(
      'track',
      edit.clips.map((_clip, index) => clipItem(edit, index, 'audio', channel + 1)),
    ),
  );
}

function clipItem(edit: Edit, index: number, kind: 'video' | 'audio', channel = 1): XmlElement {
  const { clips, transitions, timeline } = edit;
  const { clip, start, end, sourceIn, sourceOut } = clips[index];
  const media = edit.media.takes[clip.take]!;
  const entering = kind === 'video' ? transitions.get(index) : undefined;
  const leaving = kind === 'video' ? transitions.get(index + 1) : undefined;
  const perFrame = framesPerSecond(media.frameRate) / framesPerSecond(timeline.frameRate);
  const number = index + 1;
  const id = kind === 'video' ? `video-${number}` : `audio-${channel}-${number}`;
  return element(
    'clipitem',
    [
      element('name', media.fileName),
      element('enabled', true),
      element('duration', Math.round(media.durationSeconds * framesPerSecond(media.frameRate))),
      rate(media.frameRate),
      // −1: a transition decides.
      element('start', entering === undefined ? start : -1),
      element('end', leaving === undefined ? end : -1),
      element('in', sourceIn - Math.round((entering?.before ?? 0) * perFrame)),
      element('out', sourceOut + Math.round((leaving?.after ?? 0) * perFrame)),
      file(
        edit,
        clip.take,
        kind === 'video' && clips.findIndex((one) => one.clip.take === clip.take) === index,
      ),
      ...(kind === 'audio'
        ? [element('sourcetrack', [element('mediatype', 'audio'), element('trackindex', channel)])]
        : framing(edit, clip)),
      ...links(edit, number),
    ],
    { id },
  );
}

/** Picture and sound of one clip move together. */
function links({ timeline, media }: Edit, number: number): readonly XmlElement[] {
  if (timeline.audio === null) return [];
  const channels = Math.min(2, Math.max(1, media.takes[0]!.audioChannels));
  const audio = Array.from({ length: channels }, (_, channel) => ['audio', channel + 1] as const);
  return ([['video', 1], ...audio] as const).map(([kind, track]) =>
    element('link', [
      element('linkclipref', kind === 'video' ? `video-${number}` : `audio-${track}-${number}`),
      element('mediatype', kind),
      element('trackindex', track),
      element('clipindex', number),
    ]),
  );
}

/** Described once, and named by its id afterwards. */
function file({ media }: Edit, take: number, isFirst: boolean): XmlElement {
  const id = `file-${take + 1}`;
  if (!isFirst) return element('file', [], { id });
  const { fileName, durationSeconds, frameRate, width, height, audioChannels } = media.takes[take]!;
  return element(
    'file',
    [
      element('name', fileName),
      element('pathurl', encodeURIComponent(fileName.toWellFormed())),
      rate(frameRate),
      element('duration', Math.round(durationSeconds * framesPerSecond(frameRate))),
      element('media', [
        element('video', [
          element('samplecharacteristics', [
            rate(frameRate),
            element('width', width),
            element('height', height),
            element('pixelaspectratio', 'square'),
          ]),
        ]),
        ...(audioChannels === 0 ? [] : [element('audio', [element('channelcount', audioChannels)])]),
      ]),
    ],
    { id },
  );
}

/** The nominal rate, and whether the true one is 1000/1001 of it. */
function rate({ numerator, denominator }: FrameRate): XmlElement {
  const isNtsc = denominator === 1001;
  return element('rate', [
    element('timebase', Math.round(isNtsc ? numerator / 1000 : numerator / denominator)),
    element('ntsc', isNtsc),
  ]);
}

/** `Basic Motion`: scale in percent of the source's own pixels, centre as an offset in widths and heights of the source. */
function framing(edit: Edit, clip: Clip): readonly XmlElement[] {
  const media = edit.media.takes[clip.take]!;
  const keys = keysOf(clip).map(({ timeSeconds, box }) => ({
    when: Math.round(timeSeconds * framesPerSecond(media.frameRate)),
    ...placement(edit, clip, box),
  }));
  const [first] = keys;
  const centre = ({ x, y }: { readonly x: number; readonly y: number }) =>
    element('value', [element('horiz', x), element('vert', y)]);
  const scale = ({ scale: percent }: { readonly scale: number }) => element('value', percent);
  const parameter = (id: string, name: string, value: (key: (typeof keys)[number]) => XmlElement) =>
    element('parameter', [
      element('parameterid', id),
      element('name', name),
      value(first),
      ...(keys.length === 1
        ? []
        : keys.map((key) => element('keyframe', [element('when', key.when), value(key)]))),
    ]);
  return [
    element('filter', [
      element('effect', [
        element('name', 'Basic Motion'),
        element('effectid', 'basic'),
        element('effectcategory', 'motion'),
        element('effecttype', 'motion'),
        element('mediatype', 'video'),
        parameter('scale', 'Scale', scale),
        parameter('center', 'Center', centre),
      ]),
    ]),
  ];
}

interface FramingKey {
  readonly timeSeconds: number;
  readonly box: Reframe;
}

/** The planned framing over the source's time, without stabilisation: one key if it does not move. */
function keysOf({ steady: _, ...clip }: Clip): readonly FramingKey[] {
  const { sourceStartSeconds: start, sourceEndSeconds: end } = clip;
  const times = isMoving(clip) ? keyTimes(clip) : [start];
  return times.map((timeSeconds) => ({
    timeSeconds,
    box: framingAt(clip, (timeSeconds - start) / (end - start), timeSeconds),
  }));
}

/** Of a followed subject its own keys inside the clip; of a move as many as its easing needs; always both ends. */
function keyTimes({
  easing,
  track = [],
  sourceStartSeconds: start,
  sourceEndSeconds: end,
}: Clip): readonly number[] {
  if (track.length > 0) {
    const inside = track.map(({ timeSeconds }) => timeSeconds).filter((time) => time > start && time < end);
    return [start, ...inside, end];
  }
  const last = easing === 'linear' ? 1 : EASED_KEYS - 1;
  return Array.from({ length: last + 1 }, (_, index) => start + ((end - start) * index) / last);
}

function placement({ timeline, media: { takes } }: Edit, { fit, take }: Clip, box: Reframe) {
  const media = takes[take]!;
  const widths = timeline.width / (box.width * media.width);
  const heights = timeline.height / (box.height * media.height);
  const scale = fit === 'crop' ? Math.max(widths, heights) : Math.min(widths, heights);
  return {
    scale: 100 * scale,
    x: (0.5 - (box.x + box.width / 2)) * scale,
    y: (0.5 - (box.y + box.height / 2)) * scale,
  };
}

/** Effects of Final Cut Pro 7. What it does not have is written as a dissolve, under its own name. */
function transitionItem(
  { start }: PlacedClip,
  { transition, before, after }: PlacedTransition,
  frameRate: FrameRate,
): XmlElement {
  return element('transitionitem', [
    rate(frameRate),
    element('start', start - before),
    element('end', start + after),
    element('alignment', 'center'),
    element('effect', [
      element('name', NAMES[transition.type]),
      ...effectOf(transition),
      element('effecttype', 'transition'),
      element('mediatype', 'video'),
    ]),
  ]);
}

const NAMES: Readonly<Record<TimelineTransition['type'], string>> = {
  dissolve: 'Cross Dissolve',
  fade_black: 'Dip to Color Dissolve',
  fade_white: 'Dip to Color Dissolve',
  fade_color: 'Dip to Color Dissolve',
  wipe: 'Edge Wipe',
  slide: 'Slide (StyleDNA)',
  circle: 'Circle (StyleDNA)',
  zoom: 'Zoom (StyleDNA)',
};

/** SMPTE 258M wipe codes: 1 moves its edge to the right, 2 downwards; `reverse` the other way. */
const WIPES = {
  right: { code: 1, isReversed: false },
  left: { code: 1, isReversed: true },
  down: { code: 2, isReversed: false },
  up: { code: 2, isReversed: true },
} as const;

function effectOf({ type, direction, color }: TimelineTransition): readonly XmlElement[] {
  if (type === 'wipe') {
    const { code, isReversed } = WIPES[direction ?? 'right'];
    return [
      element('effectid', 'Edge Wipe'),
      element('effectcategory', 'Wipe'),
      element('wipecode', code),
      element('reverse', isReversed),
    ];
  }
  if (type === 'fade_black' || type === 'fade_white' || type === 'fade_color') {
    const hex = type === 'fade_black' ? '#000000' : type === 'fade_white' ? '#ffffff' : (color ?? '#000000');
    const channel = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
    return [
      element('effectid', 'Dip to Color Dissolve'),
      element('effectcategory', 'Dissolve'),
      element('parameter', [
        element('parameterid', 'color'),
        element('name', 'Color'),
        element('value', [
          element('alpha', 0),
          element('red', channel(1)),
          element('green', channel(3)),
          element('blue', channel(5)),
        ]),
      ]),
    ];
  }
  return [element('effectid', 'Cross Dissolve'), element('effectcategory', 'Dissolve')];
}
