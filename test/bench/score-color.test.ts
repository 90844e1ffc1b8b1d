/** The benchmark's rules for color, on dials with known answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MadeTruth } from '../../bench/lib/truth.ts';
import { DIALS, type Dial, type GradedClip, scoreGrades, spearman } from '../../bench/score/color.ts';

const AMOUNTS = [-1, -0.5, 0.5, 1];

function clip(made: MadeTruth, moves: Partial<Record<Dial, number>>, confidence = 1): GradedClip {
  const dials = Object.fromEntries(DIALS.map((dial) => [dial, moves[dial] ?? 0])) as GradedClip['dials'];
  return { made, dials, confidence };
}

/** A base whose dials answer each turn by `answer`, about an offset of its own. */
function clipsOf(
  base: string,
  offset: number,
  answer: (field: Dial, amount: number) => Partial<Record<Dial, number>>,
  confidence = 1,
): GradedClip[] {
  const about = (moves: Partial<Record<Dial, number>>) =>
    Object.fromEntries(DIALS.map((dial) => [dial, offset + (moves[dial] ?? 0)]));
  return [
    clip({ known_look: { name: 'untouched', base } }, about({}), confidence),
    ...DIALS.flatMap((field) =>
      AMOUNTS.map((amount) =>
        clip(
          { known_grade: { field, amount, base, visible_lab: 9 } },
          about(answer(field, amount)),
          confidence,
        ),
      ),
    ),
  ];
}

const faithful = (field: Dial, amount: number) => ({ [field]: 40 * amount });

describe('rank correlation', () => {
  const cases: [string, number[], number][] = [
    ['rising', [1, 2, 5, 9], 1],
    ['falling', [9, 5, 2, 1], -1],
    ['constant', [3, 3, 3, 3], 0],
    ['a tie', [1, 2, 2, 4], 0.9487],
  ];
  for (const [name, values, wanted] of cases) {
    it(name, () => assert.ok(Math.abs(spearman([0, 1, 2, 3], values) - wanted) < 1e-3));
  }
});

describe('scoring grades', () => {
  it('dials that follow are right for any offset of the content', () => {
    const scored = scoreGrades([...clipsOf('a', 0, faithful), ...clipsOf('b', 7, faithful)]);
    for (const { rankMean, rankLeast, signsRight, signs, move, orderAcross } of scored.dials) {
      assert.deepEqual([rankMean, rankLeast, signsRight, signs, orderAcross], [1, 1, 8, 8, 1]);
      assert.ok(Math.abs(move - 40) < 1e-9);
    }
    assert.equal(scored.separability, 1);
  });

  it('scores a dial that turns in the wrong direction, and one that follows another', () => {
    const { dials } = scoreGrades(
      clipsOf('a', 0, (field, amount) => {
        if (field === 'tint') return { tint: -40 * amount };
        return field === 'contrast'
          ? { contrast: 40 * amount, highlights: 10 * amount }
          : faithful(field, amount);
      }),
    );
    const [tint, contrast] = ['tint', 'contrast'].map((name) => dials.find(({ dial }) => dial === name)!);
    assert.deepEqual([tint!.rankMean, tint!.signsRight, tint!.signs], [-1, 0, 4]);
    assert.equal(contrast!.crossTalk.highlights, 0.25);
  });

  it('turns that do not show are not scored', () => {
    const clips = clipsOf('a', 0, (field, amount) => (field === 'tint' ? {} : faithful(field, amount)));
    const hidden = clips.map(
      (one): GradedClip =>
        one.made.known_grade?.field === 'tint'
          ? { ...one, made: { known_grade: { ...one.made.known_grade, visible_lab: 1 } } }
          : one,
    );
    const tint = scoreGrades(hidden).dials.find(({ dial }) => dial === 'tint')!;
    assert.deepEqual([tint.bases, tint.signs], [0, 0]);
  });

  it('looks: effects of bars, exposure, black and white, and mixes', () => {
    const look = (name: string, moves: Partial<Record<Dial, number>>, parts?: Record<string, number>) =>
      clip({ known_look: { name, base: 'a', ...(parts === undefined ? {} : { parts }) } }, moves);
    const { looks } = scoreGrades([
      look('untouched', {}),
      look('letterbox', { shadows: -2 }),
      look('darker', { contrast: -30, tint: 3 }),
      look('black-and-white', { saturation: -98 }),
      look('sepia', { temperature: 44 }),
      look('mix-0', { tint: 20, saturation: 5 }, { tint: 0.7, saturation: -0.6 }),
    ]);
    assert.deepEqual(looks, {
      mixSignsRight: 1,
      mixSigns: 2,
      greySaturation: -98,
      sepiaRise: 44,
      besideMove: 2,
      exposureCast: 3,
    });
  });

  it('thirds by confidence: a content that passes for a grade is wrong, and in the third of its confidence', () => {
    const { thirds } = scoreGrades([
      ...clipsOf('a', 0, faithful, 0.9),
      ...clipsOf('b', 1, faithful, 0.8),
      ...clipsOf('c', 60, faithful, 0.3),
    ]);
    assert.deepEqual(
      thirds.map(({ meanRight }) => meanRight),
      [0, 1, 1],
    );
  });
});
