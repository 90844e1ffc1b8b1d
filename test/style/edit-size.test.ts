import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Warning } from '../../src/domain/stage.ts';
import { editSize, type SizedPart } from '../../src/style/plan/edit-size.ts';
import type { SizeConfig } from '../../src/style/plan/output-size.ts';

const AUTO: SizeConfig = { quality: 'medium', resolution: 'auto' };

const part = (width: number, height: number, frames: number): SizedPart => ({
  own: { width, height },
  shown: { width, height },
  frames,
});
/** A crop of 1280 × 720: sizes of outputs are even. */
const UPRIGHT: SizedPart = { ...part(404, 720, 100), shown: { width: 405, height: 720 } };

function sized(parts: readonly SizedPart[], config: SizeConfig) {
  const warnings: Warning[] = [];
  const { width, height } = editSize(parts, config, warnings);
  return [[width, height], warnings.map(({ code }) => code)];
}

const FULL_HD = part(1920, 1080, 100);
const CASES: readonly [
  string,
  readonly SizedPart[],
  SizeConfig,
  readonly [number, number],
  readonly string[],
][] = [
  ['the size at the median of the time', [part(640, 360, 40), FULL_HD], AUTO, [1920, 1080], []],
  ['a quarter of the time has 720 lines', [part(640, 360, 299), FULL_HD], AUTO, [1280, 720], []],
  ['less than a quarter has them', [part(710, 400, 310), FULL_HD], AUTO, [1278, 720], ['UPSCALED']],
  ['upright, 720 columns', [UPRIGHT], AUTO, [720, 1280], ['UPSCALED']],
  ['a quality that permits fewer', [UPRIGHT], { ...AUTO, quality: 'low' }, [480, 852], ['UPSCALED']],
  ['as the source', [UPRIGHT], { ...AUTO, resolution: 'source' }, [404, 720], []],
  ['of a requested size', [UPRIGHT], { ...AUTO, resolution: '1080p' }, [404, 720], []],
];

describe('size of an edit', () => {
  for (const [what, parts, config, size, codes] of CASES)
    test(what, () => assert.deepEqual(sized(parts, config), [size, codes]));
});
