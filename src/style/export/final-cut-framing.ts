/** The framing of a clip in Final Cut Pro 7 XML. */
import { framesPerSecond } from '../../domain/time.ts';
import { framingAt, isMoving } from '../model/framing.ts';
import type { Clip, Reframe } from '../model/timeline.ts';
import { type PlacedClip, type PlacedEdit, takeRate } from './placed-clips.ts';
import { element, type XmlElement } from './xml.ts';

/** Keyframes of a move that is not linear: straight lines between them are off by at most 1.2 % of it (`ease_in_out`). */
const EASED_KEYS = 9;

/** `Basic Motion`: scale in percent of the source's own pixels, centre as an offset in widths and heights of the source. */
export function framing(edit: PlacedEdit, { clip, sourceIn }: PlacedClip): readonly XmlElement[] {
  const rate = framesPerSecond(takeRate(edit.timeline, edit.media, clip.take));
  // A photo is shown from any of its frames.
  const shift = sourceIn - Math.round(clip.sourceStartSeconds * rate);
  const keys = keysOf(clip).map(({ timeSeconds, box }) => ({
    when: Math.round(timeSeconds * rate) + shift,
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

/**
 * Times of the keys: of a followed subject its keys inside the clip, of a move as many as its easing needs.
 * Always both ends.
 */
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

function placement({ timeline, media: { takes } }: PlacedEdit, { fit, take }: Clip, box: Reframe) {
  const media = takes[take];
  const widths = timeline.width / (box.width * media.width);
  const heights = timeline.height / (box.height * media.height);
  const scale = fit === 'crop' ? Math.max(widths, heights) : Math.min(widths, heights);
  return {
    scale: 100 * scale,
    x: (0.5 - (box.x + box.width / 2)) * scale,
    y: (0.5 - (box.y + box.height / 2)) * scale,
  };
}
