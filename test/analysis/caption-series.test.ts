import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InkColor } from '../../src/analysis/captions/color.ts';
import { joinPieces } from '../../src/analysis/captions/join.ts';
import type { TextPiece } from '../../src/analysis/captions/judge.ts';
import { PieceFilter } from '../../src/analysis/captions/piece-filter.ts';
import { summariseCaptions } from '../../src/analysis/captions/series.ts';
import { seriesEvidence } from '../../src/analysis/captions/series-evidence.ts';
import { detectionsOf } from '../../src/analysis/captions/words.ts';

const LINE = 0.05;

/** A line of type around a point of the picture. */
function lineAt(
  startSeconds: number,
  endSeconds: number,
  more: Partial<TextPiece> & { x?: number; y?: number } = {},
) {
  const { x = 0.5, y = 0.88, ...rest } = more;
  const piece: TextPiece = {
    ...{
      startSeconds,
      endSeconds,
      lineHeight: LINE,
      em: LINE,
      columns: Uint16Array.of(3, 1, 4, 1, 5),
      inkLevel: 250,
      color: new InkColor(),
      ground: 'outline',
    },
    ...{ likeness: 0.85, strokeWidth: 0.12, bright: true, hasMoved: false, isOverlay: true },
    box: { x: x - 0.2, y: y - 0.02, width: 0.4, height: 0.04 },
    ...rest,
  };
  return piece;
}

test('a text moves if its words are found again slightly to the side, for any width of others', () => {
  const [one, other] = [Uint16Array.of(9, 0, 7, 0, 3, 9, 0, 8), Uint16Array.of(1, 8, 0, 9, 9, 0, 6, 1)];
  // Seen a little larger: the same columns, some of them twice.
  const larger = Uint16Array.of(9, 0, 7, 7, 0, 3, 9, 0, 8);
  for (const [what, columns, x, expected] of [
    ['the same words to the side', one, 0.52, true],
    ['the same words, larger, to the side', larger, 0.52, true],
    ['the same words in the same place', one, 0.5, false],
    ['other words, as wide, to the side', other, 0.52, false],
  ] as const) {
    const pieces = new PieceFilter();
    pieces.push(lineAt(1, 1.3, { columns: one }));
    pieces.push(lineAt(1.3, 1.6, { columns, x }));
    pieces.push(lineAt(1.6, 5, { columns: Uint16Array.of(5, 5, 5) }));
    for (let i = 0; i < 4; i++) pieces.push(lineAt(1 + i / 10, 3, { columns: Uint16Array.of(5, 5, 5) }));
    const found = pieces.finish().filter((piece) => piece.columns.length > 3);
    assert.deepEqual([what, found.map(({ hasMoved }) => hasMoved)], [what, [expected, expected]]);
  }
});

test('a text that is partly covered but stays in place does not move', () => {
  const columns = Uint16Array.of(9, 0, 7, 0, 3, 9, 0, 8);
  const first = { x: 0.8, y: 0.8, width: 0.08, height: 0.04 };
  for (const [what, box, expected] of [
    ['with the line over it', { ...first, y: 0.77, height: 0.07 }, false],
    ['with a letter more at its end', { ...first, width: 0.1 }, false],
    ['without its outline', { x: 0.802, y: 0.805, width: 0.076, height: 0.03 }, false],
    ['with the line over it, to the side', { ...first, x: 0.81, y: 0.77, height: 0.07 }, true],
    ['higher', { ...first, y: 0.79 }, true],
    ['a little higher', { ...first, y: 0.797 }, false],
  ] as const) {
    const pieces = new PieceFilter();
    pieces.push(lineAt(1, 3, { columns, box: first }));
    pieces.push(lineAt(2, 4, { columns, box }));
    const found = pieces.finish().map(({ hasMoved }) => hasMoved);
    assert.deepEqual([what, found], [what, [expected, expected]]);
  }
});

test('words of one line are joined over a word that is lit by itself', () => {
  const part = (x: number, width: number) => ({
    ...lineAt(1, 4),
    box: { x, y: 0.86, width, height: 0.04 },
  });
  const joined = (gap: number) => joinPieces([part(0.2, 0.2), part(0.4 + gap, 0.2)], 10).length === 1;
  assert.equal(joined(2 * LINE), true);
  assert.equal(joined(3 * LINE), false);
});

/** The ink of three sentences. */
const SENTENCES = [
  [9, 0, 7, 0, 3, 9, 0, 8],
  [1, 8, 0, 9, 9, 0, 6, 1],
  [9, 9, 0, 0, 9, 0, 0, 9],
].map((ink) => Uint16Array.from(ink));
const three = (more: Parameters<typeof lineAt>[2]) => [
  lineAt(1, 4, { columns: SENTENCES[0], ...more }),
  lineAt(4, 7, { columns: SENTENCES[1], ...more }),
  lineAt(8, 11, { columns: SENTENCES[2], ...more }),
];
const clip = (seconds: number) => ({ startSeconds: 0, endSeconds: seconds });

test('alternating texts are captions by their position and surroundings', () => {
  const crowd = Array.from({ length: 5 }, (_, line) => lineAt(1, 11, { y: 0.1 + 0.12 * line }));
  for (const [what, pieces, seconds, expected] of [
    ['three sentences at the bottom', three({}), 12, true],
    ['in the middle', three({ y: 0.6 }), 12, true],
    ['in a corner', three({ x: 0.78, y: 0.1 }), 12, false],
    ['the same words again and again', three({ columns: SENTENCES[0] }), 30, false],
    ['other words each time', three({}), 30, true],
    ['that moved', three({ hasMoved: true }), 12, false],
    ['among the lines of a screen', [...three({}), ...crowd], 12, false],
    ['without evidence of an overlay', three({ isOverlay: false, y: 0.3 }), 12, false],
    ['one at the bottom of a short clip', [lineAt(1, 5)], 6, true],
    ['one at the bottom of a long clip', [lineAt(1, 5)], 60, false],
  ] as const) {
    const { style, confidence } = summariseCaptions(pieces, clip(seconds));
    assert.equal(style !== null, expected, `${what}: ${confidence}`);
    assert.ok(confidence >= 0.5 && confidence <= 1, `${what}: ${confidence}`);
  }
});

test('lettering that is no caption is found for framings', () => {
  const page = Array.from({ length: 6 }, (_, line) => lineAt(1, 11, { y: 0.1 + 0.14 * line }));
  const banner = { isOverlay: false, y: 0.3, likeness: 0.9 };
  for (const [what, pieces, expected] of [
    ['the lines of a page', page, 6],
    ['a banner in a still picture', [lineAt(1, 3, banner)], 1],
    ['one that is shown briefly', [lineAt(1, 2, banner)], 0],
    ['a texture', [lineAt(1, 9, { ...banner, likeness: 0.8 })], 0],
    ['captions of little likeness among lines', [...page, lineAt(1, 2, { likeness: 0.6, y: 0.93 })], 7],
    ['a house front', [lineAt(1, 9, { likeness: 0.62, lineHeight: 0.26, y: 0.15, x: 0.3 })], 0],
    ['a sign of the scene that moves', [lineAt(1, 9, { ...banner, hasMoved: true })], 0],
    ['captions are not counted twice', three({}), 0],
    ['nor a title', [lineAt(1, 5)], 0],
    ['nor a mark', [lineAt(0, 12, { y: 0.1 })], 0],
  ] as const) {
    const { lettering = [] } = summariseCaptions(pieces, clip(12));
    assert.equal(lettering.length, expected, what);
  }
});

test('detections belong to one text if their ink is in the same columns of the picture', () => {
  const columns = SENTENCES[0];
  const box = { x: 0.4, y: 0.86, width: 0.2, height: 0.04 };
  const part = 0.2 / columns.length;
  for (const [what, other, expected] of [
    ['the same words', {}, 1],
    [
      'the same without the first letters',
      { columns: columns.slice(2), box: { ...box, x: 0.4 + 2 * part, width: 6 * part } },
      1,
    ],
    ['the same with a line over them', { box: { ...box, y: 0.8, height: 0.1 } }, 1],
    ['the same to the side', { box: { ...box, x: 0.4 + part } }, 2],
    ['the same above', { box: { ...box, y: 0.8 } }, 2],
    ['the same in the other tone', { bright: false }, 2],
    ['other words', { columns: SENTENCES[1] }, 2],
  ] as const) {
    const observed = [lineAt(1, 2, { columns, box }), lineAt(8, 9, { columns, box, ...other })];
    const texts = detectionsOf(observed.map((piece) => ({ piece })));
    assert.deepEqual([what, texts.length], [what, expected]);
    const turned = detectionsOf(observed.toReversed().map((piece) => ({ piece })));
    assert.deepEqual([what, turned.length], [what, expected]);
  }
});

test('repeated detections of a title in one place are one text, those of captions are not', () => {
  const textsOf = (pieces: readonly TextPiece[]) =>
    summariseCaptions(pieces, clip(40)).spans.map(({ text }) => text);
  const corner = (from: number, to: number, columns = SENTENCES[0]) =>
    lineAt(from, to, { x: 0.78, y: 0.1, columns });
  assert.deepEqual(textsOf([corner(5, 9), corner(14, 17), corner(20, 22, SENTENCES[1]), corner(30, 33)]), [
    0,
    0,
    undefined,
    0,
  ]);
  assert.deepEqual(textsOf([...three({}), lineAt(13, 16, { columns: SENTENCES[0] })]), [
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('confidence in their absence is lower if some are possible, and in a short clip', () => {
  const none = (seconds: number, pieces: readonly TextPiece[] = []) =>
    summariseCaptions(pieces, clip(seconds)).confidence;
  assert.equal(none(10), 1);
  assert.equal(none(5), 1);
  assert.equal(none(2.5), 0.5);
  assert.ok(none(60, [lineAt(1, 5)]) < none(60, [lineAt(1, 5, { isOverlay: false })]));
  assert.ok(none(60, [lineAt(1, 5, { isOverlay: false })]) < 1);
});

test('a title counts, unless it is a page, moves, lasts from beginning to end, or is brief and hardly readable', () => {
  const title = (more: Parameters<typeof lineAt>[2]) => lineAt(5, 9, { y: 0.4, x: 0.3, ...more });
  const tall = (lines: number) => ({ box: { x: 0.1, y: 0.1, width: 0.4, height: 1.25 * LINE * lines } });
  for (const [what, piece, expected] of [
    ['one line', title({}), 1],
    ['of four lines', title(tall(4)), 1],
    ['of five lines', title(tall(5)), 0],
    ['that moves', title({ hasMoved: true }), 0],
    ['without evidence', title({ isOverlay: false }), 0],
    ['from the first to the last moment', { ...title({}), startSeconds: 0, endSeconds: null }, 0],
    ['to the last moment', { ...title({}), endSeconds: null }, 1],
    ['that is brief', { ...title({}), endSeconds: 6.3 }, 0],
    ['that is brief and readable', { ...title({ likeness: 0.9 }), endSeconds: 6.3 }, 1],
  ] as const) {
    const { spans, style } = summariseCaptions([piece], clip(40));
    assert.deepEqual([what, spans.length, style], [what, expected, null]);
  }
});

test('a word that was missed is bridged for up to half a second, if the end of the word before is uncertain', () => {
  const ends = (pause: number, isOverlay: boolean) =>
    summariseCaptions([lineAt(1, 4, { isOverlay }), lineAt(4 + pause, 9), lineAt(9, 11)], clip(12)).spans[0]
      .endSeconds;
  assert.equal(ends(0.45, false), 4.45);
  assert.equal(ends(0.55, false), 4);
  assert.equal(ends(0.45, true), 4);
});

test('the evidence has the documented values', () => {
  const texts = [lineAt(1, 4), lineAt(3, 7, { y: 0.5, x: 0.4, isOverlay: false, hasMoved: true })].map(
    (piece) => ({
      ...piece,
      endSeconds: piece.endSeconds!,
      piece,
      other: null,
    }),
  );
  const { offCentre, height, likeness, ...rest } = seriesEvidence(texts, [0, 3], 12);
  const near = (found: number, expected: number) => assert.ok(Math.abs(found - expected) < 1e-12, `${found}`);
  near(offCentre, 0.05);
  near(height, 0.69);
  near(likeness, 0.85);
  assert.deepEqual(rest, {
    ...{
      bias: 1,
      texts: Math.log(2),
      isOverlay: Math.log1p(1),
      lone: 0,
      hasMoved: 0.5,
      crowd: Math.log(4) / 2,
      lines: 0,
    },
    ...{ lineHeight: Math.log(LINE), ofClip: 0.5, clip: Math.log(12) },
  });
});

test('the look of titles is that of the largest among those that are certain', () => {
  const large = { likeness: 0.95, lineHeight: 0.1, strokeWidth: 0.19 };
  const title = (more: Parameters<typeof lineAt>[2] = {}) => lineAt(5, 9, { ...large, y: 0.5, ...more });
  const small = lineAt(5, 9, { likeness: 0.95, lineHeight: 0.05, y: 0.8, x: 0.3 });
  const styleOf = (...pieces: TextPiece[]) =>
    summariseCaptions(pieces, { startSeconds: 0, endSeconds: 40 }).titleStyle;
  const found = styleOf(title(), small);
  assert.ok(found !== undefined);
  const { position, anchorY, lineHeight, outlined, strokeWidth } = found;
  assert.deepEqual([position, lineHeight, outlined, strokeWidth], ['middle', 0.1, true, 0.19]);
  assert.ok(Math.abs(anchorY - 0.5) < 1e-9);
  for (const [what, piece, isSure] of [
    ['bright ink on the picture', title({ ground: 'open' }), true],
    ['dark ink on a box', title({ ground: 'box', bright: false }), true],
    ['dark ink on the picture, perhaps within an outline', title({ ground: 'open', bright: false }), false],
    ['less likely a text', title({ likeness: 0.91 }), false],
    ['for 1.4 s', { ...title(), endSeconds: 6.4 }, false],
    ['that moves', title({ hasMoved: true }), false],
  ] as const)
    assert.deepEqual([what, styleOf(piece) !== undefined], [what, isSure]);
});
