import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TitleMeter, titleRanges } from '../../src/analysis/captions/title-meter.ts';
import type { TitleSample } from '../../src/analysis/title-facts.ts';
import type { Picture } from '../../src/domain/footage.ts';

const [WIDTH, HEIGHT, RATE] = [320, 240, 30];
/** Letters of 28 pixels: stems of 4 pixels with bars, in the middle of the picture. */
const TEXT = { left: 90, right: 230, top: 110, bottom: 130 };
const [START, END] = [1, 3.5];
const SAMPLE: TitleSample = {
  ...{ startSeconds: START, endSeconds: END, lineHeight: 28 / HEIGHT, inkLevel: 240 },
  box: {
    ...{ x: TEXT.left / WIDTH, y: TEXT.top / HEIGHT },
    ...{ width: (TEXT.right - TEXT.left) / WIDTH, height: (TEXT.bottom - TEXT.top) / HEIGHT },
  },
};

interface State {
  readonly opacity?: number;
  readonly x?: number;
  readonly y?: number;
  readonly scale?: number;
  /** Part of the letters that is shown, from left to right. */
  readonly typed?: number;
}
interface Drawn {
  readonly box?: { readonly rgb: readonly number[]; readonly opacity: number; readonly soft?: boolean };
  /** Of the title at a time; null: it is not shown. */
  readonly stateAt?: (seconds: number) => State | null;
  readonly isStill?: boolean;
}

const PAD = { x: 14, y: 8 };

/** Bars of each letter beside its stem: rows, from the top of the text. */
const BARS = [[0, 8], [16], [0], [8, 16], [0, 16], [8], [0, 8, 16]] as const;

/** Letters like E, L and H, none like its neighbors. */
function isInk(x: number, y: number): boolean {
  if (x < TEXT.left || x >= TEXT.right || y < TEXT.top || y >= TEXT.bottom) return false;
  const [column, row] = [(x - TEXT.left) % 20, y - TEXT.top];
  const bars = BARS[Math.floor((x - TEXT.left) / 20)]!;
  return column < 4 || (column < 14 && bars.some((bar) => row >= bar && row < bar + 4));
}

/** Opacity of the box; a soft one becomes fainter outwards like a glow. */
function boxCover(x: number, y: number, soft: boolean): number {
  const away = Math.max(TEXT.left - x, x - TEXT.right + 1, TEXT.top - y, y - TEXT.bottom + 1);
  if (soft) return Math.min(1, Math.max(0, 1 - away / 24));
  const isInside =
    x >= TEXT.left - PAD.x && x < TEXT.right + PAD.x && y >= TEXT.top - PAD.y && y < TEXT.bottom + PAD.y;
  return isInside ? 1 : 0;
}

function draw(seconds: number, { box, stateAt = atOnce, isStill = false }: Drawn): Picture {
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  const state = stateAt(seconds);
  const { opacity = 1, x: dx = 0, y: dy = 0, scale = 1, typed = 1 } = state ?? {};
  const [cx, cy] = [(TEXT.left + TEXT.right) / 2, (TEXT.top + TEXT.bottom) / 2];
  const at = isStill ? 0 : seconds;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      // Large moving waves of other colors.
      const wave = (a: number, b: number, c: number) => 110 + 70 * Math.sin(x / a + y / b + c * at);
      const rgb = [wave(41, 67, 2.1), wave(59, 47, -1.7), wave(73, 53, 1.3)];
      const [tx, ty] = [(x - dx - cx) / scale + cx, (y - dy - cy) / scale + cy];
      if (state !== null) {
        const cover = box === undefined ? 0 : opacity * box.opacity * boxCover(tx, ty, box.soft === true);
        const isShown =
          isInk(Math.floor(tx), Math.floor(ty)) && tx < TEXT.left + typed * (TEXT.right - TEXT.left);
        for (let c = 0; c < 3; c++) {
          const under = rgb[c]! * (1 - cover) + (box?.rgb[c] ?? 0) * cover;
          rgb[c] = isShown ? under * (1 - opacity) + 240 * opacity : under;
        }
      }
      for (let c = 0; c < 3; c++) data[3 * (y * WIDTH + x) + c] = rgb[c]!;
    }
  }
  return { width: WIDTH, height: HEIGHT, channels: 3, data };
}

const isShownAt = (seconds: number) => seconds >= START && seconds < END;
const atOnce = (seconds: number): State | null => (isShownAt(seconds) ? {} : null);
/** Animated for .4 s at its start, by the part that is done. */
const arriving = (state: (done: number) => State) => (seconds: number) =>
  isShownAt(seconds) ? state(Math.min(1, (seconds - START) / 0.4)) : null;
const leaving = (state: (rest: number) => State) => (seconds: number) =>
  isShownAt(seconds) ? state(Math.min(1, (END - seconds) / 0.4)) : null;

function measure(drawn: Drawn, blends: ConstructorParameters<typeof TitleMeter>[1] = []) {
  const meter = new TitleMeter(SAMPLE, blends);
  for (const [from, to] of titleRanges(SAMPLE))
    for (let frame = Math.ceil(from * RATE); frame < to * RATE; frame++)
      meter.push(frame / RATE, draw(frame / RATE, drawn));
  return meter.finish();
}

describe('box of a title', () => {
  for (const [name, box] of [
    ['opaque', { rgb: [0, 0, 0], opacity: 1 }],
    ['red, half transparent', { rgb: [200, 20, 40], opacity: 0.5 }],
    ['dark, of .7', { rgb: [20, 30, 60], opacity: 0.7 }],
  ] as const)
    test(name, () => {
      const found = measure({ box }).box;
      assert.ok(found !== undefined);
      const rgb = [1, 3, 5].map((at) => Number.parseInt(found.color.slice(at, at + 2), 16));
      for (const [c, level] of rgb.entries()) assert.ok(Math.abs(level - box.rgb[c]!) <= 12, found.color);
      assert.ok(Math.abs(found.opacity - box.opacity) <= 0.06, String(found.opacity));
    });

  test('a soft shadow is none', () =>
    assert.equal(measure({ box: { rgb: [0, 0, 0], opacity: 0.8, soft: true } }).box, undefined));
  test('letters on the picture have none', () => assert.equal(measure({}).box, undefined));
});

describe('animation of a title', () => {
  for (const [name, stateAt, which, type, side] of [
    ['at once', atOnce, 'animationIn', 'cut', undefined],
    ['fades in', arriving((opacity) => ({ opacity })), 'animationIn', 'fade', undefined],
    ['slides from the left', arriving((done) => ({ x: -60 * (1 - done) })), 'animationIn', 'slide', 'left'],
    ['slides from below', arriving((done) => ({ y: 40 * (1 - done) })), 'animationIn', 'slide', 'bottom'],
    ['grows', arriving((done) => ({ scale: 0.3 + 0.7 * done })), 'animationIn', 'pop', undefined],
    ['fades out', leaving((opacity) => ({ opacity })), 'animationOut', 'fade', undefined],
    ['leaves to the top', leaving((rest) => ({ y: -40 * (1 - rest) })), 'animationOut', 'slide', 'top'],
    ['disappears at once', atOnce, 'animationOut', 'cut', undefined],
  ] as const)
    test(name, () => {
      const found = measure({ stateAt })[which];
      assert.deepEqual([found?.type, found?.side], [type, side]);
      // Letters that are small or nearly in place are not followed.
      if (type !== 'cut') assert.ok(found!.seconds > 0.2 && found!.seconds < 0.5, String(found!.seconds));
      else assert.equal(found!.seconds, 0);
    });

  test('letter by letter is unknown', () =>
    assert.equal(measure({ stateAt: arriving((typed) => ({ typed })) }).animationIn, undefined));
  test('a fade with the picture is unknown', () => {
    const blends = [{ startSeconds: START - 0.2, endSeconds: START + 0.4 }];
    assert.equal(measure({ stateAt: arriving((opacity) => ({ opacity })) }, blends).animationIn, undefined);
  });
  test('a title that is there from the first frame on is unknown', () =>
    assert.equal(measure({ stateAt: (seconds) => (seconds < END ? {} : null) }).animationIn, undefined));
});

test('titles are read as a whole, long ones at both ends', () => {
  assert.deepEqual(titleRanges({ startSeconds: 0.5, endSeconds: 2 }), [[0, 2.9]]);
  assert.deepEqual(titleRanges({ startSeconds: 5, endSeconds: 15 }), [
    [4.1, 6.2],
    [13.8, 15.9],
  ]);
});
