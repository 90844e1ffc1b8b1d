import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CaptionLook, Timeline } from '../../src/style/model/timeline.ts';
import { plannedLookOf } from '../../web/src/state/planned-title.ts';

const look = (sizePixels: number) => ({ sizePixels }) as CaptionLook;
const caption = (sizePixels: number, ...lines: string[]) =>
  ({ lines, look: look(sizePixels) }) as unknown as Timeline['captions'][number];
const CAPTIONS = [
  caption(10, 'Lisbon'),
  caption(20, 'Lisbon,', 'May'),
  caption(30, 'A long title', 'of two'),
];

for (const [text, sizePixels] of [
  ['Lisbon', 10],
  ['Lisbon,\n May ', 20],
  ['A long title of two captions', 30],
  ['Porto', null],
  ['', null],
] as const)
  test(`the look of the title ${JSON.stringify(text)}: ${sizePixels}`, () =>
    assert.equal(plannedLookOf(text, CAPTIONS)?.sizePixels ?? null, sizePixels));
