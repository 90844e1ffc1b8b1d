import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { labToRgb } from '../../src/signal/color-space.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { lookOf, monochromeShareOf } from '../../src/style/look/estimate.ts';
import type { LabPicture } from '../../src/style/look/evidence.ts';
import { monochromeShare } from '../../src/style/look/monochrome.ts';
import { videoFacts } from '../support/clip-facts.ts';
import { drawnVideo } from '../support/drawn-video.ts';
import { filmOf } from '../support/monochrome-film.ts';

/** A picture of every lightness, in the tint of each, with noise in (a, b). */
function toned(
  tint: (lightness: number) => readonly [number, number],
  noise: number,
  isCounted?: Uint8Array,
): LabPicture {
  const random = seededRandom(3);
  const lab = new Float64Array(3 * 600);
  for (let at = 0; at < 600; at++) {
    const lightness = 100 * random();
    const [a, b] = tint(lightness);
    lab.set([lightness, a + noise * (2 * random() - 1), b + noise * (2 * random() - 1)], 3 * at);
  }
  return { width: 30, height: 20, lab, ...(isCounted && { isCounted }) };
}
const sepia = (lightness: number) => [2, 0.006 * lightness * (100 - lightness)] as const;

test('a film in black and white may have a colored scene; a colored one with a third of cards is none', () => {
  for (const [grey, colored, share] of [
    [10, 0, 1],
    [8, 2, 1],
    [3, 6, 0],
    [0, 10, 0],
  ] as const)
    assert.ok(
      Math.abs(monochromeShareOf(filmOf(grey, colored)) - share) < 0.01,
      `${grey} of ${grey + colored}`,
    );
  assert.equal(monochromeShareOf(videoFacts()), 0);
});

describe('black and white, or toned', () => {
  for (const [name, picture, share] of [
    ['black and white', toned(() => [0, 0], 0.5), 1],
    ['sepia, stronger in the middle', toned(sepia, 0.5), 1],
    ['blue in the shadows', toned((lightness) => [0, -0.3 * (100 - lightness)], 0.5), 1],
    ['a faintly colored picture', toned(sepia, 3), 0],
    ['one color as strong as a screen', toned((lightness) => [-lightness, lightness], 0.1), 0],
  ] as const)
    test(name, () => {
      assert.ok(Math.abs(monochromeShare([picture]) - share) < 0.02, `${monochromeShare([picture])}`);
    });

  test('one colored shot is enough against it, and excluded shots are ignored', () => {
    assert.equal(monochromeShare([toned(sepia, 0.5), toned(() => [0, 0], 9)]), 0);
    const nothing = toned(() => [0, 0], 9, new Uint8Array(600));
    assert.ok(monochromeShare([toned(sepia, 0.5), nothing]) > 0.98);
    assert.equal(monochromeShare([nothing]), 0);
  });

  test('near-black pixels count neither way: red lamps in black are a color', () => {
    const lab = new Float64Array(3 * 600);
    for (let at = 0; at < 600; at++) lab.set(at < 570 ? [1, 0, 0] : [40, at % 2 === 0 ? 4 : -4, 0], 3 * at);
    assert.equal(monochromeShare([{ width: 30, height: 20, lab }]), 0);
  });

  test('leaves a look no color but its tint', () => {
    const rgb = new Float64Array(3);
    const look = lookOf(
      drawnVideo((x, y) => {
        const lightness = 100 * Math.abs(2 * ((x + 0.3 * y) % 1) - 1);
        labToRgb(lightness, ...sepia(lightness), rgb);
        return [0, 1, 2].map((axis) => Math.max(0, Math.min(255, Math.round(255 * rgb[axis])))) as [
          number,
          number,
          number,
        ];
      }),
    ).look;
    assert.equal(look.chroma, 0);
    assert.ok(look.greys[3]!.b > 1, `${look.greys[3]!.b}`);
  });
});
