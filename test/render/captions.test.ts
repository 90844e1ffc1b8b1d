import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { describe, test } from 'node:test';
import { emptyFrame } from '../../src/media/av/empty-frame.ts';
import { bitmapOf, blendCaption, type CaptionBitmap } from '../../src/render/caption-blend.ts';
import { drawCaption } from '../../src/render/caption-drawing.ts';
import { captionFontPath, faceMetrics } from '../../src/render/caption-fonts.ts';
import { CaptionPainter } from '../../src/render/caption-painter.ts';
import type { Yuv } from '../../src/render/composite.ts';
import { planesOf } from '../../src/render/planes.ts';
import { widthEm } from '../../src/style/model/caption-face.ts';
import type { CaptionCue, CaptionLook, Timeline } from '../../src/style/model/timeline.ts';
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

/** An even picture of one colour. */
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
      if (!counts(data[y * width + x]!)) continue;
      found ??= { left: x, right: x, top: y, bottom: y };
      found = { ...found, left: Math.min(found.left, x), right: Math.max(found.right, x), bottom: y };
    }
  }
  return found;
}

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
    // Neither letters nor outline have a colour: the chroma planes stay.
    assert.ok(picture[1].data.every((level) => Math.abs(level - 128) <= 1));
  });

  test('letters stand on one baseline with and without descenders, lines a pitch apart', () => {
    const tops = ['xxx', 'xxg'].map((text) => drawCaption(cue([text]), LOOK, WIDTH)!.y);
    assert.equal(tops[0], tops[1]);
    const picture = plain(120);
    blendCaption(drawCaption(cue(['HIH', 'HIH']), LOOK, WIDTH)!, picture);
    assert.ok(Math.abs(bounds(picture[0], (level) => level > 225)!.bottom - (299 + LOOK.pitchPixels)) <= 1);
  });

  test('in the style’s colour', () => {
    const picture = plain(40);
    blendCaption(drawCaption(cue(['HHHH']), { ...LOOK, color: '#ffe200' }, WIDTH)!, picture);
    // BT.709: #ffe200 is (201, 26, 150) in limited range.
    const [luma, blue, red] = picture.map(({ data }) => data.toSorted());
    assert.ok(Math.abs(luma!.at(-1)! - 201) <= 2, `luma ${luma!.at(-1)}`);
    assert.ok(Math.abs(blue![0]! - 26) <= 3, `blue ${blue![0]}`);
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

describe('text is text, whatever it holds', () => {
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

describe('measures of the typefaces', () => {
  for (const face of ['inter-medium', 'inter-semibold', 'inter-extrabold', 'dela-gothic'] as const) {
    test(face, () => {
      assert.ok(existsSync(captionFontPath(face)));
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
    for (const [covered, colour, under, expected] of [
      [0, 0, 77, 77],
      [255, 255, 77, 235],
      [255, 0, 77, 16],
      [128, 128, 100, 168],
    ] as const) {
      const data = new Uint8Array(16).fill(covered);
      for (let pixel = 0; pixel < 4; pixel++) data.fill(colour, 4 * pixel, 4 * pixel + 3);
      const bitmap = bitmapOf({ data, stride: 8, width: 2, height: 2 }, 10, 20);
      const picture = plain(under);
      if (bitmap !== null) blendCaption(bitmap, picture);
      assert.ok(
        Math.abs(picture[0].data[20 * WIDTH + 11]! - expected) <= 1,
        `${picture[0].data[20 * WIDTH + 11]}`,
      );
      assert.equal(picture[0].data[20 * WIDTH + 12], under);
      assert.equal(picture[1].data[10 * (WIDTH / 2) + 5], 128);
    }
  });

  test('beyond the picture’s edges: cut off', () => {
    const data = new Uint8Array(4 * 8 * 8).fill(255);
    for (const [x, y] of [
      [-4, -4],
      [WIDTH - 4, HEIGHT - 4],
      [WIDTH + 4, 0],
    ] as const) {
      const picture = plain(50);
      blendCaption(bitmapOf({ data, stride: 32, width: 8, height: 8 }, x, y)!, picture);
      const white = picture[0].data.reduce((sum, level) => sum + (level === 235 ? 1 : 0), 0);
      assert.equal(white, x > WIDTH ? 0 : 16);
    }
  });
});

describe('the painter', () => {
  const timeline: Timeline = {
    version: 1,
    frameRate: { numerator: 25, denominator: 1 },
    width: WIDTH,
    height: HEIGHT,
    clips: [timelineClip(0, 4)],
    transitions: [],
    grade: null,
    sound: null,
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
