/** Which shots of an edit fill its picture, and how much of the others is shown. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { editShape } from '../../src/style/plan/edit-shape.ts';
import { frameGrid } from '../../src/style/plan/segments.ts';
import { clipFacts } from '../support/clip-facts.ts';

const style = extractStyle(clipFacts({}), { createdAt: new Date(0), fingerprint: null });
const RATE = { numerator: 25, denominator: 1 };
const WIDE = { width: 1920, height: 1080 };
const UPRIGHT = { width: 1080, height: 1920 };

/** A face without motion, 10 s long. */
function face(x: number, width: number, height: number): SubjectTrack {
  const box = { x, y: 0.2, width, height };
  const boxes = Array.from({ length: 50 }, (_, at) => ({ timeSeconds: at / 5, box }));
  return { kind: 'face', startSeconds: 0, endSeconds: 10, salience: 0.8, boxes };
}

function shown(size: typeof WIDE, subjects: readonly SubjectTrack[] = [], seconds = 2) {
  const grid = frameGrid(RATE, 10);
  const facts = clipFacts({ video: { ...size, durationSeconds: 10 }, motion: { subjects } });
  return { facts, grid, focus: null, segments: [{ startFrame: 0, endFrame: seconds * 25 }] };
}

describe('a shot of another shape than most', () => {
  const rows = [
    ['upright in a wide edit', UPRIGHT, [], WIDE, {}, 'pad'],
    ['wide in an upright edit, nobody seen', WIDE, [], UPRIGHT, {}, 'crop'],
    ['wide in an upright edit, a face', WIDE, [face(0.2, 0.1, 0.25)], UPRIGHT, {}, 'crop'],
    ['two faces far apart', WIDE, [face(0.05, 0.1, 0.25), face(0.85, 0.1, 0.25)], UPRIGHT, {}, 'pad'],
    ['the shape of the others', WIDE, [], WIDE, {}, 'crop'],
    ['upright, crops requested', UPRIGHT, [], WIDE, { framing: 'crop' }, 'crop'],
    ['4:3 in a wide edit', { width: 1440, height: 1080 }, [], WIDE, {}, 'crop'],
  ] as const;
  for (const [name, size, subjects, common, more, fit] of rows)
    test(`${name}: ${fit}`, () => {
      const config = jobConfigSchema.parse({ components: { aspect_ratio: false }, ...more });
      const takes = [shown(size, subjects), shown(common, [], 8)];
      const { framingOf } = editShape(takes, style, config);
      const [own, others] = takes.map((take) => framingOf(take).views.map((view) => view.fit));
      assert.deepEqual(own, [fit]);
      assert.deepEqual(others, ['crop']);
    });

  const figuresAt = (cells: readonly number[]) => {
    const profile = (seen: readonly number[]) =>
      Array.from({ length: 24 }, (_, at) => (seen.includes(at) ? 0.5 : 0));
    return Array.from({ length: 10 }, (_, at) => ({
      ...{ timeSeconds: at + 0.5, across: profile(cells), down: profile([11, 12]) },
    }));
  };
  const line = { startSeconds: 0, endSeconds: 10, box: { x: 0.2, y: 0.7, width: 0.6, height: 0.1 } };
  const captions = { share: 1, spans: [line], style: null, confidence: 1 };
  for (const [name, video, fit] of [
    ['figures at both sides', { figures: figuresAt([1, 22]) }, 'crop'],
    ['a line of letters wider than the crop', { captions }, 'pad'],
  ] as const)
    test(`wide in an upright edit, ${name}: ${fit}`, () => {
      const own = shown(WIDE, [], 10);
      const facts = { ...own.facts, video: { ...own.facts.video, ...video } };
      const config = jobConfigSchema.parse({ components: { aspect_ratio: false } });
      const { framingOf } = editShape([{ ...own, facts }, shown(UPRIGHT, [], 60)], style, config);
      assert.deepEqual(
        framingOf({ ...own, facts }).views.map((view) => view.fit),
        [fit],
      );
    });

  // Sides in shares of the picture. A square has √.316 = .5625 of the longer side; of twelve steps from the crop to the whole the fifth is .601.
  const shares = [
    ['upright in a wide edit: about a square', UPRIGHT, [], WIDE, { width: 1, height: 0.601 }],
    [
      'two faces, from .05 to .95: nearly all',
      WIDE,
      [face(0.05, 0.1, 0.25), face(0.85, 0.1, 0.25)],
      UPRIGHT,
      { width: 0.943, height: 1 },
    ],
    [
      'a face as wide as half of it: wider than the face',
      WIDE,
      [face(0.2, 0.55, 0.7)],
      UPRIGHT,
      { width: 0.601, height: 1 },
    ],
  ] as const;
  for (const [name, size, subjects, common, window] of shares)
    test(`shows of a picture that no crop holds, ${name}`, () => {
      const config = jobConfigSchema.parse({ components: { aspect_ratio: false } });
      const own = shown(size, subjects);
      const [view] = editShape([own, shown(common, [], 8)], style, config).framingOf(own).views;
      assert.equal(view!.fit, 'pad');
      assert.ok(Math.abs(view!.window.width - window.width) < 0.001, `${view!.window.width}`);
      assert.ok(Math.abs(view!.window.height - window.height) < 0.001, `${view!.window.height}`);
    });

  // Heads at the left, then at the right, for 5 s each: a crop can hold each moment, but not travel between them.
  const aside = (from: number, x: number): SubjectTrack => {
    const { boxes, ...track } = face(x, 0.12, 0.3);
    const own = boxes.filter(({ timeSeconds }) => timeSeconds >= from && timeSeconds < from + 5);
    return { ...track, boxes: own, startSeconds: from, endSeconds: from + 5 };
  };
  for (const [name, second, fit] of [
    ['heads in one place', 0.12, 'crop'],
    ['heads in places too far apart for a path', 0.8, 'pad'],
  ] as const)
    test(`${name}: ${fit}`, () => {
      const faces = [aside(0, 0.1), aside(5, second)];
      const own = { ...shown(WIDE, faces), segments: [{ startFrame: 100, endFrame: 150 }] };
      const facts = { ...own.facts, video: { ...own.facts.video, faces } };
      const config = jobConfigSchema.parse({ components: { aspect_ratio: false } });
      const { framingOf } = editShape([{ ...own, facts }, shown(UPRIGHT, [], 8)], style, config);
      assert.deepEqual(
        framingOf({ ...own, facts }).views.map((view) => view.fit),
        [fit],
      );
    });

  // Upright takes in a wide edit are padded, wide ones without a face in an upright edit are not.
  for (const [name, subjects, ratio] of [
    ['nobody in the wide ones: the template\u2019s shape', [], 9 / 16],
    [
      'people at both sides of the wide ones: the shape of most',
      [face(0.05, 0.1, 0.25), face(0.85, 0.1, 0.25)],
      16 / 9,
    ],
  ] as const)
    test(`an upright template, a little more wide than upright, ${name}`, () => {
      const takes = [shown(UPRIGHT, [], 4), shown(WIDE, subjects, 5)];
      const { framingOf } = editShape(takes, { ...style, aspect_ratio: '9:16' }, jobConfigSchema.parse({}));
      const { window, area } = framingOf(takes[0]!).views[0]!;
      const isWhole = window.width === area.width && window.height === area.height;
      assert.equal(isWhole, ratio < 1);
    });

  test('fills the picture in a shape that a person chose', () => {
    const config = jobConfigSchema.parse({ components: { aspect_ratio: true } });
    const { framingOf } = editShape([shown(WIDE)], { ...style, aspect_ratio: '9:16' }, config);
    assert.deepEqual(
      framingOf(shown(WIDE)).views.map(({ fit }) => fit),
      ['crop'],
    );
  });

  test('only the shots that no crop holds are shown whole', () => {
    const late = { ...face(0.2, 0.1, 0.25), startSeconds: 0, endSeconds: 6 };
    const pair = { ...face(0.85, 0.1, 0.25), startSeconds: 6, endSeconds: 10 };
    const other = { ...face(0.05, 0.1, 0.25), startSeconds: 6, endSeconds: 10 };
    const within = (track: SubjectTrack) => ({
      ...track,
      boxes: track.boxes.filter(
        ({ timeSeconds }) => timeSeconds >= track.startSeconds && timeSeconds < track.endSeconds,
      ),
    });
    const take = {
      ...shown(WIDE, [late, pair, other].map(within)),
      segments: [
        { startFrame: 25, endFrame: 75 },
        { startFrame: 175, endFrame: 225 },
      ],
    };
    const config = jobConfigSchema.parse({ components: { aspect_ratio: false } });
    const { framingOf } = editShape([take, shown(UPRIGHT, [], 8)], style, config);
    assert.deepEqual(
      framingOf(take).views.map(({ fit }) => fit),
      ['crop', 'pad'],
    );
  });
});
