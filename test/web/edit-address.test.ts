import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addressOfParts, partsInAddress } from '../../web/src/state/edit-address.ts';
import { type Make, NO_EDIT } from '../../web/src/state/edit-parts.ts';
import { DEFAULT_SETTINGS } from '../../web/src/state/settings.ts';

const idOf = (n: number) => `019aa3f1-0d52-7c3b-8f42-${n.toString(16).padStart(12, '0')}`;
const videoOf = (n: number) => ({ kind: 'video', videoId: idOf(n) }) as const;

const MAKE: Make = {
  ...NO_EDIT,
  takes: [
    { id: 1, source: videoOf(1), exclude: [], mustUse: false },
    {
      id: 2,
      source: videoOf(255),
      exclude: [
        [0, 1.5],
        [7.25, 9],
      ],
      mustUse: true,
    },
  ],
  song: { source: videoOf(3), startSeconds: 12.5 },
  look: { ...videoOf(4), range: [1.033, 9.5] },
  pins: [
    { slot: 0, videoId: idOf(255), startSeconds: 3.04 },
    { slot: 12, videoId: idOf(1), startSeconds: null },
    { slot: 13, videoId: idOf(1), startSeconds: null, focus: { x: 0.7, y: 0 } },
    { slot: 14, videoId: idOf(1), startSeconds: 2.5, focus: { x: 0.25, y: 1 } },
  ],
  lengths: [
    { slot: 3, beats: 1 },
    { slot: 4, beats: -2 },
    { slot: 5, beats: 0 },
  ],
  bans: [{ videoId: idOf(1), range: [0, 2.5] }],
  titles: [
    { at: 'start', text: 'Lisbon, May & June: 50 %' },
    { at: 4.5, text: '~#=' },
    { at: 'end', text: 'Two\nlines: 1', style: 'bold' },
    { at: 7, text: 'There', place: { x: 0.25, y: 0.8 } },
    { at: 8, text: 'On a box', box: true },
    { at: 8.5, text: 'Fades', place: { x: 0.5, y: 0.5 }, box: false, animation: 'fade' },
    { at: 9, text: 'Small', style: 'small', place: { x: 0.5, y: 0 } },
  ],
  ...{ sound: 'mix', order: 'free', rhythm: 'loose', duration: 30, seed: 2 },
  settings: { ...DEFAULT_SETTINGS, strength: 0.5, quality: 'high' },
  revises: idOf(9),
};

describe('the address of an edit', () => {
  test('holds all of it', () => {
    assert.deepEqual(partsInAddress(`#${addressOfParts(MAKE)}`), MAKE);
  });

  for (const role of ['talk', 'b_roll'] as const)
    test(`holds the role ${role} of takes`, () => {
      const make: Make = { ...MAKE, takes: MAKE.takes.map((take) => ({ ...take, role })) };
      assert.deepEqual(partsInAddress(`#${addressOfParts(make)}`), make);
    });

  test('holds a saved look', () => {
    const make: Make = { ...MAKE, look: { kind: 'saved', styleId: idOf(77) } };
    assert.deepEqual(partsInAddress(`#${addressOfParts(make)}`), make);
  });

  test('of a preset, without a song, holds what is not as by default', () => {
    const make: Make = {
      ...NO_EDIT,
      takes: MAKE.takes.slice(0, 1),
      look: { kind: 'preset', presetId: 'noir' },
      settings: DEFAULT_SETTINGS,
      revises: null,
    };
    const address = addressOfParts(make);
    assert.match(address, /^v1&t=[\w-]{22}&l=pnoir$/);
    assert.deepEqual(partsInAddress(address), make);
  });

  test('of fifty takes with thirty pins is short enough for a link', () => {
    const takes = Array.from({ length: 50 }, (_, n) => ({
      ...MAKE.takes[0]!,
      id: n + 1,
      source: videoOf(n),
    }));
    const pins = Array.from({ length: 30 }, (_, slot) => ({
      slot,
      videoId: idOf(slot),
      startSeconds: 12.34,
    }));
    const address = addressOfParts({ ...MAKE, takes, pins, bans: [] });
    assert.ok(address.length < 2000, `${address.length}`);
  });

  test('of a look that is a file holds its name, and opens without it', () => {
    const look = { kind: 'style', name: 'my look & more.json', style: {} } as unknown as Make['look'];
    const opened = partsInAddress(addressOfParts({ ...MAKE, look }));
    assert.deepEqual([opened?.look, opened?.lostLook], [undefined, 'my look & more.json']);
    const { look: _, ...rest } = MAKE;
    const again = addressOfParts({ ...rest, look: null, lostLook: 'my look & more.json' });
    assert.equal(partsInAddress(again)?.lostLook, 'my look & more.json', 'until a look is chosen');
  });

  test('a file that is being uploaded is left out', () => {
    const upload = { id: 3, source: { kind: 'upload', uploadId: 1 }, exclude: [], mustUse: false } as const;
    assert.deepEqual(
      partsInAddress(addressOfParts({ ...MAKE, takes: [upload, ...MAKE.takes] }))?.takes,
      MAKE.takes,
    );
    assert.equal(addressOfParts({ ...MAKE, takes: [upload] }), '');
  });

  for (const fragment of [
    '',
    '#main',
    '#v2&t=AaIdAKhvdv-KP2zHsISONQ',
    '#v1',
    '#v1&t=short',
    '#v1&t=AaIdAKhvdv-KP2zHsISONQ&p=0:7@1',
    '#v1&t=AaIdAKhvdv-KP2zHsISONQ~1',
    '#v1&t=AaIdAKhvdv-KP2zHsISONQ&duration=x',
    '#v1&t=AaIdAKhvdv-KP2zHsISONQ&n=end:%',
    '#v1&t=AaIdAKhvdv-KP2zHsISONQ&c=%7B',
  ])
    test(`${fragment || 'none'} is not accepted`, () => assert.equal(partsInAddress(fragment), null));
});
