import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import '../../src/media/av/quiet.ts';
import {
  bitmapOf,
  blendCaption,
  type CaptionBitmap,
  type DrawnText,
} from '../../src/render/captions/caption-blend.ts';
import { drawCaption } from '../../src/render/captions/caption-drawing.ts';
import { captionFontPath, faceMetrics } from '../../src/render/captions/caption-fonts.ts';
import { directionOf } from '../../src/render/captions/caption-geometry.ts';
import { CaptionPainter } from '../../src/render/captions/caption-painter.ts';
import type { Yuv } from '../../src/render/picture/composite.ts';
import { planesOf } from '../../src/render/picture/planes.ts';
import { luma709 } from '../../src/signal/color-space.ts';
import { type CaptionFace, widthEm } from '../../src/style/model/caption-face.ts';
import type { CaptionAnimation, CaptionCue, CaptionLook, Timeline } from '../../src/style/model/timeline.ts';
import { noiseSource } from '../support/moving-picture.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const [WIDTH, HEIGHT] = [640, 360];
const LOOK: CaptionLook = {
  timing: 'lines',
  face: 'inter-semibold',
  sizePixels: 32,
  pitchPixels: 40,
  lineEm: 17,
  position: 'bottom',
  anchorY: 0.9,
  color: '#ffffff',
  ground: 'outline',
};
const cue = (lines: readonly string[], change: Partial<CaptionCue> = {}): CaptionCue => ({
  startSeconds: 0,
  endSeconds: 1,
  lines,
  face: 'inter-semibold',
  baselineY: 300,
  ...change,
});

/** An even picture of one color. */
function plain(luma: number, blue = 128, red = 128): Yuv {
  const plane = (width: number, height: number, level: number) => ({
    data: new Uint8Array(width * height).fill(level),
    stride: width,
    width,
    height,
  });
  const [width, height] = [WIDTH / 2, HEIGHT / 2];
  return [plane(WIDTH, HEIGHT, luma), plane(width, height, blue), plane(width, height, red)];
}

/** Bounds of the pixels for which `counts` holds; null: there are none. */
function bounds({ data, width, height }: Yuv[0], counts: (level: number) => boolean) {
  let found: { left: number; right: number; top: number; bottom: number } | null = null;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!counts(data[y * width + x])) continue;
      found ??= { left: x, right: x, top: y, bottom: y };
      found = { ...found, left: Math.min(found.left, x), right: Math.max(found.right, x), bottom: y };
    }
  }
  return found;
}

/** Middle of the ink of each letter, in pixels; letters must not touch. */
function letterCenters({ planes: [{ width, height, coverage }] }: CaptionBitmap): number[] {
  const centers: number[] = [];
  let [ink, moment] = [0, 0];
  for (let x = 0; x <= width; x++) {
    let column = 0;
    for (let y = 0; y < height && x < width; y++) column += coverage[y * width + x];
    ink += column;
    moment += column * (x + 0.5);
    if (column > 0 || ink === 0) continue;
    centers.push(moment / ink);
    [ink, moment] = [0, 0];
  }
  if (ink > 0) centers.push(moment / ink);
  return centers;
}

const slide = (side: 'left' | 'bottom'): CaptionAnimation => ({
  ...{ type: 'slide', seconds: 0.32, side, distancePixels: 100 },
});
const inkOf = (bitmap: CaptionBitmap) => Buffer.from(bitmap.planes[0].coverage).toString('base64');

describe('a caption is drawn where it belongs', () => {
  test('white letters on their baseline, in the middle, with a black line around them', () => {
    const picture = plain(120);
    blendCaption(drawCaption(cue(['HIH']), LOOK, WIDTH)!, picture);
    const white = bounds(picture[0], (level) => level > 225)!;
    const black = bounds(picture[0], (level) => level < 20)!;
    const capital = faceMetrics('inter-semibold').capHeightEm * LOOK.sizePixels;
    assert.ok(Math.abs(white.bottom - 299) <= 1, `bottom ${white.bottom}`);
    assert.ok(
      Math.abs(white.bottom - white.top + 1 - capital) <= 2,
      `height ${white.bottom - white.top + 1}`,
    );
    assert.ok(Math.abs((white.left + white.right) / 2 - (WIDTH - 1) / 2) <= 1.5);
    assert.ok(black.left < white.left && black.right > white.right && black.top < white.top);
    assert.ok(white.left - black.left <= 3);
    // Neither letters nor outline have a color: the chroma planes stay.
    assert.ok(picture[1].data.every((level) => Math.abs(level - 128) <= 1));
  });

  test('letters are as far apart as in the typeface, to a quarter of a pixel', () => {
    // Symmetric letters: their middle is that of their advance.
    const letters = [...'lioHTOl'];
    for (const sizePixels of [24, 31, 40]) {
      const drawn = drawCaption(cue([letters.join(' ')]), { ...LOOK, sizePixels, ground: 'shadow' }, WIDTH)!;
      const centers = letterCenters(drawn);
      const advance = (letter: string) => widthEm(letter, faceMetrics('inter-semibold')) * sizePixels;
      let [expected, before] = [centers[0]!, advance(letters[0]!) / 2];
      for (const [index, letter] of letters.entries()) {
        if (index > 0) expected += before + advance(' ') + advance(letter) / 2;
        before = advance(letter) / 2;
        const off = centers[index]! - expected;
        assert.ok(Math.abs(off) < 0.3, `${letter} at ${sizePixels} px: ${off.toFixed(2)} px`);
      }
    }
  });

  test('letters have one baseline with and without descenders, lines are a pitch apart', () => {
    const tops = ['xxx', 'xxg'].map((text) => drawCaption(cue([text]), LOOK, WIDTH)!.y);
    assert.equal(tops[0], tops[1]);
    const picture = plain(120);
    blendCaption(drawCaption(cue(['HIH', 'HIH']), LOOK, WIDTH)!, picture);
    assert.ok(Math.abs(bounds(picture[0], (level) => level > 225)!.bottom - (299 + LOOK.pitchPixels)) <= 1);
  });

  test('in the style’s color', () => {
    const picture = plain(40);
    blendCaption(drawCaption(cue(['HHHH']), { ...LOOK, color: '#ffe200' }, WIDTH)!, picture);
    // BT.709: #ffe200 is (201, 26, 150) in limited range.
    const [luma, blue, red] = picture.map(({ data }) => data.toSorted());
    assert.ok(Math.abs(luma!.at(-1)! - 201) <= 2, `luma ${luma!.at(-1)}`);
    assert.ok(Math.abs(blue![0] - 26) <= 3, `blue ${blue![0]}`);
    assert.ok(Math.abs(red!.at(-1)! - 150) <= 2, `red ${red!.at(-1)}`);
  });

  for (const [ground, color, expected] of [
    ['box', '#ffffff', /dark around/],
    ['box', '#101010', /light around/],
    ['shadow', '#ffffff', /dark below/],
    ['outline', '#101010', /light around/],
  ] as const) {
    test(`${color} letters on a ${ground}: ${expected.source}`, () => {
      const picture = plain(120);
      blendCaption(drawCaption(cue(['HIH']), { ...LOOK, ground, color }, WIDTH)!, picture);
      const dark = bounds(picture[0], (level) => level < 100);
      const light = bounds(picture[0], (level) => level > 180);
      const [letters, around] = color === '#ffffff' ? [light!, dark!] : [dark!, light!];
      assert.ok(around.bottom > letters.bottom && around.right > letters.right);
      if (ground !== 'shadow') assert.ok(around.left < letters.left && around.top < letters.top);
      if (ground === 'box') assert.ok(letters.left - around.left >= 6 && around.bottom - letters.bottom >= 6);
    });
  }
});

describe('sizes of outlines, shadows and boxes', () => {
  const onPlain = (lines: readonly string[], change: Partial<CaptionLook>, baselineY = 300) => {
    const picture = plain(120);
    blendCaption(drawCaption(cue(lines, { baselineY }), { ...LOOK, ...change }, WIDTH)!, picture);
    return picture[0];
  };
  const rowsOf = (plane: Yuv[0], from: number, to: number) => ({
    ...plane,
    data: plane.data.subarray(from * plane.width, to * plane.width),
    height: to - from,
  });
  const isNear = (seen: number, wanted: number, tolerance: number) =>
    assert.ok(Math.abs(seen - wanted) <= tolerance, `${seen}, not ${wanted}`);
  const isWhite = (level: number) => level > 225;
  const isDark = (level: number) => level < 100;

  test('an outline of 0.07 of the type size, a shadow 0.045 to the right and below, at 0.36', () => {
    const outlined = onPlain(['I'], { sizePixels: 200 });
    const [letter, line] = [bounds(outlined, isWhite)!, bounds(outlined, isDark)!];
    for (const side of ['left', 'right', 'top', 'bottom'] as const)
      isNear(Math.abs(letter[side] - line[side]), 14, 1.5);
    const shadowed = onPlain(['I'], { sizePixels: 200, ground: 'shadow' });
    const [bare, shadow] = [bounds(shadowed, isWhite)!, bounds(shadowed, isDark)!];
    isNear(shadow.right - bare.right, 9, 1.5);
    isNear(shadow.bottom - bare.bottom, 9, 1.5);
    const middle = Math.round((bare.left + bare.right) / 2) + 4;
    isNear(shadowed.data[(bare.bottom + 4) * WIDTH + middle], 0.36 * 16 + 0.64 * 120, 2);
  });

  test('the shadow of dark letters is light, on a light picture too', () => {
    const picture = plain(225);
    const look: CaptionLook = { ...LOOK, sizePixels: 200, ground: 'shadow', color: '#101010' };
    blendCaption(drawCaption(cue(['I']), look, WIDTH)!, picture);
    const [{ data }] = picture;
    const letter = bounds(picture[0], isDark)!;
    const middle = Math.round((letter.left + letter.right) / 2) + 4;
    isNear(data[(letter.bottom + 4) * WIDTH + middle], 0.36 * 235 + 0.64 * 225, 2);
    // Dark is the letter alone: a straight stroke without a hole.
    const wide = letter.right - letter.left + 1;
    const dark = data.reduce((count, level) => count + (isDark(level) ? 1 : 0), 0);
    assert.equal(dark, wide * (letter.bottom - letter.top + 1));
  });

  test('a box behind each line, as wide as its ink and 0.36 of the type size more, at 0.8', () => {
    const [size, pitch] = [50, 120];
    const picture = onPlain(['HIH', 'II'], { sizePixels: size, pitchPixels: pitch, ground: 'box' }, 150);
    for (const [from, to, baseline] of [
      [0, 200, 150],
      [200, HEIGHT, 150 + pitch],
    ] as const) {
      const part = rowsOf(picture, from, to);
      const [ink, box] = [bounds(part, isWhite)!, bounds(part, (level) => level < 45)!];
      isNear(ink.left - box.left, 0.36 * size, 1.5);
      isNear(box.right - ink.right, 0.36 * size, 1.5);
      assert.equal(box.top + from, baseline - 1.04 * size);
      assert.equal(box.bottom + from, baseline + 0.46 * size - 1);
      const inside = [box.left, box.right].map((x) => part.data[(box.top + 3) * WIDTH + x]);
      for (const level of inside) isNear(level, 0.8 * 16 + 0.2 * 120, 1);
      // Letters lie on the box, not in it.
      isNear(part.data.toSorted().at(-1)!, 235, 1);
    }
    // Ink is any covering pixel, of any color.
    const light = onPlain(['I'], { ground: 'box', color: '#001020' });
    isNear(light.data[(300 - LOOK.sizePixels) * WIDTH + WIDTH / 2], 0.8 * 235 + 0.2 * 120, 1);
  });

  test('boxes end with the picture', () => {
    const wide = onPlain(['W'.repeat(200)], { ground: 'box' });
    const row = wide.data.subarray(270 * WIDTH, 271 * WIDTH);
    assert.ok(row.every(isDark));
    const outside = bounds(onPlain(['I'], { ground: 'box' }, 20), isDark)!;
    assert.equal(outside.top, 0);
  });

  for (const [color, around] of [
    ['#6f6f6f', 'black'],
    ['#6c6c6c', 'white'],
    ['#6464ff', 'black'],
    ['#6161ff', 'white'],
    ['#00ff00', 'black'],
    ['#ff0000', 'white'],
  ] as const) {
    test(`${color} contrasts with ${around}`, () => {
      const { data } = onPlain(['I'], { sizePixels: 100, color });
      const extreme = around === 'black' ? data.toSorted()[0] : data.toSorted().at(-1)!;
      isNear(extreme, around === 'black' ? 16 : 235, 1);
    });
  }

  test('accents and descenders are drawn whole on the first line and on the last', () => {
    const [above, below] = ['Ấ̊', 'gç'];
    const alone = [above, below].map((text) => drawCaption(cue([text]), LOOK, WIDTH)!);
    const under = drawCaption(cue([' ', above], { baselineY: 300 - LOOK.pitchPixels }), LOOK, WIDTH)!;
    const over = drawCaption(cue([below, ' ']), LOOK, WIDTH)!;
    assert.deepEqual(alone, [under, over]);
  });
});

describe('text is drawn literally', () => {
  // What would mean something to a filter graph, to drawtext's expansion, to ASS or to a shell: each must be drawn as itself.
  for (const text of [
    "it's: a, b; [c]=d",
    '%{pts} %{localtime} %{eif:1:d} %',
    '\\N \\n \\h {\\i1}x{\\p1}',
    "':fontfile=/etc/passwd:text='",
    '[out];movie=/etc/passwd[in]',
    '$(reboot) `reboot` && || > <',
    '"quoted" \\"escaped\\"',
  ]) {
    test(text, () => {
      const drawn = drawCaption(cue([text]), { ...LOOK, ground: 'shadow' }, 1600)!;
      const width = drawn.planes[0].width / LOOK.sizePixels;
      const expected = widthEm(text, faceMetrics('inter-semibold'));
      assert.ok(Math.abs(width / expected - 1) < 0.08, `${width} em, not ${expected}`);
      // Every character counts: without one of them the picture is another.
      const last = drawCaption(cue([text.slice(0, -1)]), { ...LOOK, ground: 'shadow' }, 1600)!;
      assert.notEqual(inkOf(last), inkOf(drawn));
    });
  }

  test('spaces alone leave no picture', () => {
    assert.equal(drawCaption(cue(['   ']), LOOK, WIDTH), null);
  });

  test('a line wider than the picture is cut off at its edges, not refused', () => {
    const picture = plain(120);
    blendCaption(drawCaption(cue(['W'.repeat(200)]), LOOK, WIDTH)!, picture);
    const white = bounds(picture[0], (level) => level > 225)!;
    assert.ok(white.left <= 30 && white.right >= WIDTH - 30);
  });
});

describe('the direction of a text', () => {
  for (const [text, direction] of [
    ['Hello שלום', 'ltr'],
    ['שלום hello', 'rtl'],
    ['2026: مرحبا', 'rtl'],
    ['नमस्ते', 'ltr'],
    ['!?', 'ltr'],
  ] as const)
    test(text, () => assert.equal(directionOf(text), direction));
});

describe('scripts of optional packages', () => {
  /** A text in large letters: its width and height, and whether a pixel has ink. */
  function draw(text: string, face: CaptionFace) {
    const look: CaptionLook = { ...LOOK, face, sizePixels: 100, ground: 'shadow' };
    const picture = [plainPlane(1600, 200), plainPlane(800, 100), plainPlane(800, 100)] as unknown as Yuv;
    blendCaption(drawCaption(cue([text], { face, baselineY: 140 }), look, 1600)!, picture);
    const { left, right, top, bottom } = bounds(picture[0], (level) => level > 200)!;
    const isInk = (x: number, y: number) => picture[0].data[(top + y) * 1600 + left + x]! > 200;
    const brightest = picture[0].data.reduce((most, level) => Math.max(most, level), 0);
    return { width: right - left, height: bottom - top, bottom, brightest, isInk };
  }
  const plainPlane = (width: number, height: number) => ({
    data: new Uint8Array(width * height).fill(60),
    stride: width,
    width,
    height,
  });
  const columns = ({ width, height, isInk }: ReturnType<typeof draw>) =>
    Array.from({ length: width }, (_, x) =>
      Array.from({ length: height }, (_, y) => y).some((y) => isInk(x, y)),
    );
  /** Groups of letters without an empty column between them. */
  const groups = (drawn: ReturnType<typeof draw>) =>
    columns(drawn).filter((isInk, x, all) => isInk && all[x - 1] !== true).length;
  const firstInk = ({ width, isInk }: ReturnType<typeof draw>, y: number) =>
    Array.from({ length: width }, (_, x) => x).find((x) => isInk(x, y))!;

  for (const [what, text, face, count] of [
    ['Arabic letters are joined', 'سسس', 'noto-arabic-extrabold', 1],
    ['with a joiner that separates, they are not', 'سس\u200cس', 'noto-arabic-extrabold', 2],
    ['Hebrew letters are not', 'חחח', 'noto-hebrew-semibold', 3],
    ['Devanagari hangs on one line', 'कमल', 'noto-devanagari-medium', 1],
  ] as const)
    test(what, () => assert.equal(groups(draw(text, face)), count));

  test('two consonants of Devanagari become one', () => {
    const width = (text: string) => draw(text, 'noto-devanagari-semibold').width;
    assert.ok(width('क्ष') < 0.7 * (width('क') + width('ष')));
  });

  for (const [what, text, isLeft] of [
    ['Hebrew', 'שלום.', true],
    ['Latin first', 'Hi שלום.', false],
    ['Hebrew first', 'שלום Hi.', true],
  ] as const)
    test(`${what}: the full stop is ${isLeft ? 'left' : 'right'}`, () => {
      const drawn = draw(text, 'noto-hebrew-semibold');
      const side = isLeft ? 4 : drawn.width - 4;
      const middle = Math.round(drawn.height / 3);
      assert.ok(Array.from({ length: middle }, (_, y) => y).every((y) => !drawn.isInk(side, y)));
    });

  test('brackets are mirrored in pairs', () => {
    const drawn = draw('שלום (12)', 'noto-hebrew-semibold');
    const middle = Math.round(drawn.height / 2);
    assert.ok(firstInk(drawn, middle) < firstInk(drawn, 2), 'the first sign opens to the right');
  });

  for (const text of ['\\N \\n \\h {\\i1}x{\\p1}', '{x}', 'a\\b{c', "it's, 100 % [ok]; =:"])
    test(`literally: ${text}`, () => {
      const expected = widthEm(text, faceMetrics('noto-hebrew-semibold'));
      const width = draw(text, 'noto-hebrew-semibold').width / 100;
      assert.ok(Math.abs(width / expected - 1) < 0.08, `${width} em, not ${expected}`);
    });

  test('capitals have the height of the metrics and stand on the baseline', () => {
    const { height, bottom } = draw('H', 'noto-hebrew-semibold');
    assert.ok(Math.abs(height - 100 * faceMetrics('noto-hebrew-semibold').capHeightEm) <= 2);
    assert.ok(Math.abs(bottom - 140) <= 1);
  });

  test('colors are not limited to video levels', () => {
    assert.equal(draw('H', 'noto-hebrew-semibold').brightest, draw('H', 'inter-semibold').brightest);
  });
});

describe('measures of the typefaces', () => {
  for (const face of ['inter-medium', 'inter-semibold', 'inter-extrabold', 'dela-gothic'] as const) {
    test(face, () => {
      assert.ok(existsSync(captionFontPath(face)!));
      const metrics = faceMetrics(face);
      assert.ok(metrics.capHeightEm > 0.65 && metrics.capHeightEm < 0.8);
      const text = 'Sphinx of black quartz, judge my vow: ÄÉñ';
      const look: CaptionLook = { ...LOOK, face, ground: 'shadow' };
      const drawn = drawCaption(cue([text], { face }), look, 1600)!;
      assert.ok(Math.abs(drawn.planes[0].width / LOOK.sizePixels / widthEm(text, metrics) - 1) < 0.05);
      assert.equal(metrics.advanceEm(0x0645), null, 'no Arabic');
      assert.equal(metrics.advanceEm(0x1f389), null, 'no emoji');
    });
  }
  test('a file is read once', () => assert.equal(faceMetrics('dela-gothic'), faceMetrics('dela-gothic')));

  test('widths of single characters are FreeType’s', () => {
    for (const [face, characters] of [
      ['inter-medium', 'im0'],
      ['inter-semibold', 'gÉЖΩế'],
      ['dela-gothic', 'im日あ'],
    ] as const) {
      for (const character of characters) {
        const look: CaptionLook = { ...LOOK, face, sizePixels: 200, ground: 'shadow' };
        const [five, ten] = [5, 10].map(
          (count) => drawCaption(cue([character.repeat(count)], { face }), look, 2400)!.planes[0].width,
        );
        const advance = (ten! - five!) / 5 / look.sizePixels;
        const known = faceMetrics(face).advanceEm(character.codePointAt(0)!)!;
        // Drawings are grown to even numbers, and advances hinted to whole pixels.
        assert.ok(Math.abs(advance - known) < 0.006, `${character} in ${face}: ${advance} em, not ${known}`);
      }
    }
  });

  test('Greek and Cyrillic in Inter, Japanese in Dela Gothic', () => {
    const has = (face: Parameters<typeof faceMetrics>[0], text: string) =>
      [...text].every((character) => faceMetrics(face).advanceEm(character.codePointAt(0)!) !== null);
    assert.ok(has('inter-semibold', 'Ξεσκεπάζω Съешь ещё Zażółć Việt'));
    assert.ok(has('dela-gothic', 'これは日本語です。カタカナ'));
    assert.ok(!has('inter-semibold', '日'));
  });
});

describe('blending', () => {
  test('exact: nothing where nothing covers, the caption where it covers whole, the mean at half', () => {
    for (const [covered, color, under, expected] of [
      [0, 0, 77, 77],
      [255, 255, 77, 235],
      [255, 0, 77, 16],
      [128, 128, 100, 168],
    ] as const) {
      const data = new Uint8Array(16).fill(covered);
      for (let pixel = 0; pixel < 4; pixel++) data.fill(color, 4 * pixel, 4 * pixel + 3);
      const bitmap = bitmapOf({ data, stride: 8, width: 2, height: 2 }, 10, 20);
      const picture = plain(under);
      if (bitmap !== null) blendCaption(bitmap, picture);
      assert.ok(
        Math.abs(picture[0].data[20 * WIDTH + 11] - expected) <= 1,
        `${picture[0].data[20 * WIDTH + 11]}`,
      );
      assert.equal(picture[0].data[20 * WIDTH + 12], under);
      assert.equal(picture[1].data[10 * (WIDTH / 2) + 5], 128);
    }
  });

  for (const [where, x, y] of [
    ['inside', 100, 40],
    ['over the left and upper edges', -4, -2],
    ['over the right and lower edges', WIDTH - 6, HEIGHT - 4],
    ['beyond the right edge', WIDTH + 2, 0],
  ] as const) {
    test(`every pixel of a drawing of many colors, ${where}, by the formulas of BT.709`, () => {
      const drawn = manyColors();
      const bitmap = bitmapOf(drawn, x, y)!;
      const { width, height } = bitmap.planes[0];
      assert.deepEqual([bitmap.x, bitmap.y, width, height], [x + 2, y, 8, 6]);
      const [under, over] = [textured(), textured()];
      blendCaption(bitmap, over);
      for (const [index, plane] of over.entries()) {
        const size = index === 0 ? 1 : 2;
        for (let row = 0; row < plane.height; row++) {
          for (let column = 0; column < plane.width; column++) {
            const at = row * plane.width + column;
            const ink = meanInk(drawn, column * size - x, row * size - y, size);
            const light = luma709(ink[0], ink[1], ink[2]);
            const added = [
              16 * ink[3] + 219 * light,
              128 * ink[3] + (224 / 1.8556) * (ink[2] - light),
              128 * ink[3] + (224 / 1.5748) * (ink[0] - light),
            ][index];
            const wanted = under[index].data[at] * (1 - ink[3]) + added;
            // Levels and coverage of chroma are rounded before they meet the picture.
            const tolerance = ink[3] === 0 ? 0 : index === 0 ? 1 : 1.5;
            const seen = plane.data[at];
            assert.ok(
              Math.abs(seen - wanted) <= tolerance,
              `plane ${index}, (${column}, ${row}): ${seen}, not ${wanted}`,
            );
          }
        }
      }
    });
  }

  /** Premultiplied ink in columns 3 to 8 and rows 1 to 5 of 12 × 8, with holes, in rows that are longer than the drawing. */
  function manyColors() {
    const [width, height, stride] = [12, 8, 4 * 12 + 8];
    const data = new Uint8Array(stride * height);
    const random = noiseSource(3);
    const upTo = (most: number) => Math.floor(((random() + 1) / 2) * (most + 1));
    for (let row = 1; row <= 5; row++) {
      for (let column = 3; column <= 8; column++) {
        const isEdge = column === 3 || column === 8;
        const alpha = isEdge ? 255 : row === 3 ? 0 : upTo(255);
        const at = row * stride + 4 * column;
        data.set([upTo(alpha), upTo(alpha), upTo(alpha), alpha], at);
      }
    }
    return { data, stride, width, height };
  }

  /** Mean red, green, blue and coverage, 0..1, of a square of `size` pixels. */
  function meanInk({ data, stride, width, height }: DrawnText, x: number, y: number, size: number) {
    const sums: [number, number, number, number] = [0, 0, 0, 0];
    for (let row = y; row < y + size; row++) {
      for (let column = x; column < x + size; column++) {
        if (row < 0 || row >= height || column < 0 || column >= width) continue;
        for (const channel of [0, 1, 2, 3] as const)
          sums[channel] += data[row * stride + 4 * column + channel] / 255 / size ** 2;
      }
    }
    return sums;
  }

  function textured(): Yuv {
    const picture = plain(0);
    for (const [index, { data }] of picture.entries())
      for (let at = 0; at < data.length; at++) data[at] = 16 + ((at * 37 + index * 11) % 220);
    return picture;
  }
});

describe('the painter', () => {
  const timeline: Timeline = {
    version: 2,
    frameRate: { numerator: 25, denominator: 1 },
    width: WIDTH,
    height: HEIGHT,
    clips: [timelineClip(0, 4)],
    transitions: [],
    takes: [{ grade: null }],
    audio: null,
    captions: [
      cue(['one'], { startSeconds: 1, endSeconds: 2 }),
      cue(['two'], { startSeconds: 2, endSeconds: 3 }),
    ],
    captionLook: LOOK,
  };

  test('a caption on each frame of its time, the same on all of them; frames that are shared stay clean', () => {
    const painter = CaptionPainter.of(timeline)!;
    using source = frame();
    const pictures = Array.from({ length: 100 }, (_, number) => {
      using shared = handed(source.frame.clone()!);
      painter.paint(number, shared.frame);
      return Buffer.from(planesOf(shared.frame)[0].data).toString('base64');
    });
    const clean = Buffer.from(planesOf(source.frame)[0].data).toString('base64');
    const kinds = pictures.map((picture) =>
      picture === clean ? '-' : picture === pictures[25] ? '1' : picture === pictures[50] ? '2' : '?',
    );
    assert.equal(kinds.join(''), `${'-'.repeat(25)}${'1'.repeat(25)}${'2'.repeat(25)}${'-'.repeat(25)}`);
  });

  /** Bounds of the letters that the painter draws in a frame, and their highest level. */
  function inkAt(captionLook: CaptionLook, number: number) {
    const captions = [cue(['HIH'], { startSeconds: 1, endSeconds: 2 })];
    const painter = CaptionPainter.of({ ...timeline, captions, captionLook })!;
    using shown = frame();
    painter.paint(number, shown.frame);
    const [luma] = planesOf(shown.frame);
    const level = luma.data.reduce((most, one) => Math.max(most, one), 0);
    return { box: bounds(luma, (one) => one > 104)!, level };
  }
  const isWithin = (seen: number, wanted: number, tolerance: number) =>
    assert.ok(Math.abs(seen - wanted) <= tolerance, `${seen}, not ${wanted}`);
  const SHADOWED: CaptionLook = { ...LOOK, ground: 'shadow' };
  const fade: CaptionAnimation = { type: 'fade', seconds: 0.32 };

  // 25 frames a second: .32 s are 8 frames, so that the third has 1/3 of the way.
  for (const [name, look, number, x, y, level] of [
    ['fading in', { ...SHADOWED, animationIn: fade }, 27, 0, 0, 100 + 135 / 3],
    ['after it', { ...SHADOWED, animationIn: fade }, 40, 0, 0, 235],
    ['fading out', { ...SHADOWED, animationOut: fade }, 49, 0, 0, 100 + 135 / 9],
    // (1 - 1/3)³ of 100 pixels: 29.6; it moves by even numbers. It is opaque at half of the way.
    ['from the left', { ...SHADOWED, animationIn: slide('left') }, 27, -30, 0, 100 + (135 * 2) / 3],
    ['from below', { ...SHADOWED, animationIn: slide('bottom') }, 27, 0, 30, 100 + (135 * 2) / 3],
  ] satisfies readonly [string, CaptionLook, number, number, number, number][])
    test(`an animated caption: ${name}`, () => {
      const rest = inkAt(SHADOWED, 40);
      const moved = inkAt(look, number);
      isWithin(moved.level, level, 2);
      isWithin(moved.box.left - rest.box.left, x, 1);
      isWithin(moved.box.bottom - rest.box.bottom, y, 1);
    });

  test('a caption that grows is smaller about its middle', () => {
    const look: CaptionLook = { ...SHADOWED, animationIn: { type: 'pop', seconds: 0.32 } };
    const [small, whole] = [inkAt(look, 27).box, inkAt(look, 40).box];
    // 1 - .7 × (2/3)³
    isWithin((small.right - small.left) / (whole.right - whole.left), 0.79, 0.06);
    isWithin((small.top + small.bottom) / 2, (whole.top + whole.bottom) / 2, 1.5);
  });

  test('a box has the color and opacity of its look', () => {
    const look = { ...LOOK, ground: 'box' as const, box: { color: '#ffffff', opacity: 0.5 } };
    const picture = plain(100);
    blendCaption(drawCaption(cue(['HIH']), { ...look, color: '#000000' }, WIDTH)!, picture);
    isWithin(picture[0].data[(300 - LOOK.sizePixels) * WIDTH + WIDTH / 2]!, 0.5 * 235 + 0.5 * 100, 2);
  });

  test('no captions: no painter', () => {
    assert.equal(CaptionPainter.of({ ...timeline, captions: [] }), null);
  });

  function frame() {
    const made = emptyFrame(WIDTH, HEIGHT);
    for (const { data } of planesOf(made)) data.fill(100);
    return handed(made);
  }
  function handed(made: ReturnType<typeof emptyFrame>) {
    return { frame: made, [Symbol.dispose]: () => made.free() };
  }
});
