import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boxOf, drawText, layText, type Place } from '../../bench/generate/lettering.ts';
import { CaptionDetector } from '../../src/analysis/captions/captions.ts';
import type { Box, CaptionSpan } from '../../src/analysis/facts.ts';
import { MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import type { Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { mediaPath } from '../support/media.ts';

const TEXTS = [
  'at a massive scale using what',
  'this is what we found out',
  'nobody had asked before',
  'until now',
] as const;
const SHOWN_SECONDS = 2;
const CLIP_SECONDS = 6;
/** Capitals of Inter over its type size. */
const CAPITAL = 0.727;

interface Drawing {
  /** Height of the capitals as a share of the picture's. */
  readonly capital: number;
  readonly look: 'outline' | 'box' | 'shadow';
  /** Distance of the letters from the lower edge, share of the height. */
  readonly above: number;
}

/** Draws the captions of a moment into a detail picture, in place; returns their box. */
function drawCaption(detail: Picture, seconds: number, { capital, look, above }: Drawing): Box {
  const size = (capital * detail.height) / CAPITAL;
  const lettering = drawText([TEXTS[Math.floor(seconds / SHOWN_SECONDS)]!], {
    font: 'interRegular',
    size,
    color: [255, 255, 255],
    outline: look === 'outline' ? 1 : 0,
    outlineColor: [0, 0, 0],
    shadow: look === 'shadow' ? 0.8 : 0,
    box: look === 'box' ? { color: [0, 0, 0], opacity: 0.8 } : null,
  });
  const { bounds } = lettering;
  const place: Place = {
    x: Math.round((detail.width - bounds.left - bounds.right) / 2),
    y: Math.round(detail.height * (1 - above)) - bounds.bottom,
  };
  const rgb = { width: detail.width, height: detail.height, data: new Uint8Array(3 * detail.data.length) };
  for (const [at, level] of detail.data.entries()) rgb.data.fill(level, 3 * at, 3 * at + 3);
  layText(rgb, lettering, place);
  for (let at = 0; at < detail.data.length; at++) detail.data[at] = rgb.data[3 * at];
  return boxOf(lettering, place, detail);
}

function isHeldBy({ startSeconds, endSeconds, box }: CaptionSpan, seconds: number, drawn: Box): boolean {
  const shared = (from: number, size: number, other: number, otherSize: number) =>
    Math.min(from + size, other + otherSize) - Math.max(from, other);
  return (
    startSeconds <= seconds &&
    seconds < endSeconds &&
    shared(box.x, box.width, drawn.x, drawn.width) >= 0.85 * drawn.width &&
    shared(box.y, box.height, drawn.y, drawn.height) >= 0.5 * drawn.height
  );
}

/** Share of the samples in which a span lies on the drawn caption. */
async function heldShare(path: string, drawing: Drawing): Promise<number> {
  const motion = new MotionFieldEstimator();
  const detector = new CaptionDetector();
  const drawn: { readonly seconds: number; readonly box: Box }[] = [];
  for await (const frame of openFrames(path, { thinned: true })) {
    if (frame.timeSeconds > CLIP_SECONDS) break;
    if (frame.detail !== null)
      drawn.push({ seconds: frame.timeSeconds, box: drawCaption(frame.detail, frame.timeSeconds, drawing) });
    detector.push(frame, motion.push(frame.grey));
  }
  const { spans } = detector.finish();
  const held = drawn.filter(({ seconds, box }) => spans.some((span) => isHeldBy(span, seconds, box)));
  return held.length / drawn.length;
}

for (const name of [
  'video/sam2_dog.mp4',
  'video/bbb_opening_30s_vp8.webm',
  'more/video/street_fire_10s.mp4',
]) {
  for (const drawing of [
    { capital: 0.015, look: 'outline', above: 0.06 },
    { capital: 0.02, look: 'box', above: 0.015 },
    { capital: 0.02, look: 'outline', above: 0.04 },
    { capital: 0.025, look: 'shadow', above: 0.08 },
    { capital: 0.03, look: 'box', above: 0.01 },
  ] as const) {
    const what = `${100 * drawing.capital} % of the height (${drawing.look})`;
    test(`captions with capitals of ${what} on ${name}`, async (t) => {
      const path = mediaPath(name);
      if (path === null) return t.skip(`needs ../shared/media/${name}`);
      const held = await heldShare(path, drawing);
      assert.ok(held >= 0.85, `${held}`);
    });
  }
}
