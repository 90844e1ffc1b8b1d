import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ORDINARY_SECONDS, ordinaryDuration } from '../../src/pipeline/engine/ordinary-clip.ts';
import type { InspectedFile } from '../../src/pipeline/engine/tasks.ts';

const outline = (width: number, height: number) => ({
  durationSeconds: 10,
  hasAudio: false,
  video: { width, height, hdr: false, isStill: false },
});
const probe = (durationSeconds: number) =>
  ({ durationSeconds, warnings: [] }) as unknown as InspectedFile['probe'];

describe('a clip that needs no limits of its own', () => {
  const rows: readonly (readonly [what: string, file: InspectedFile, found: number | null])[] = [
    ['a minute', { outline: outline(1920, 1080), probe: probe(ORDINARY_SECONDS) }, ORDINARY_SECONDS],
    ['upright', { outline: outline(1088, 1920), probe: probe(3) }, 3],
    ['longer', { outline: outline(640, 360), probe: probe(ORDINARY_SECONDS + 0.01) }, null],
    ['larger', { outline: outline(1920, 1090), probe: probe(3) }, null],
    [
      'refused',
      { outline: outline(640, 360), probe: { refusal: ['INVALID_VIDEO', 'The file is empty'] } },
      null,
    ],
    ['sound alone', { outline: { durationSeconds: 3, hasAudio: true, video: null }, probe: null }, null],
  ];
  for (const [what, file, found] of rows) test(what, () => assert.equal(ordinaryDuration(file), found));
});
