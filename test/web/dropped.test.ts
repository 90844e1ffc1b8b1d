import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileKind, type Present, sortDropped, type WellName } from '../../web/src/state/dropped.ts';

const FILES = {
  clip: { name: 'clip.mp4', type: 'video/mp4' },
  other: { name: 'other.mov', type: 'video/quicktime' },
  third: { name: 'third.mkv', type: '' },
  still: { name: 'still.avif', type: 'image/avif' },
  photo: { name: 'photo.heic', type: '' },
  song: { name: 'song.mp3', type: 'audio/mpeg' },
  loop: { name: 'loop.flac', type: '' },
  style: { name: 'style.json', type: 'application/json' },
  notes: { name: 'notes.txt', type: 'text/plain' },
} as const;
type Name = keyof typeof FILES;

const NOTHING: Present = { takes: 0, hasSong: false, hasLook: false };
const ALL: Present = { takes: 2, hasSong: true, hasLook: true };

/** Takes; song; look; what is left out, and why. */
const CASES: readonly (readonly [readonly Name[], WellName, Present, string])[] = [
  [[], 'source', NOTHING, '; -; -; '],
  [['clip'], 'source', NOTHING, 'clip; -; -; '],
  [['clip'], 'look', NOTHING, '; -; clip; '],
  [['clip', 'other', 'still', 'song'], 'source', NOTHING, 'clip other still; song; -; '],
  [['third', 'photo', 'loop'], 'source', ALL, 'third photo; -; -; loop (song)'],
  [['song', 'loop'], 'source', NOTHING, '; song; -; loop (song)'],
  [['clip', 'notes'], 'source', NOTHING, 'clip; -; -; notes (other)'],
  [['style', 'clip'], 'source', NOTHING, 'clip; -; style; '],
  [['style', 'clip'], 'source', ALL, 'clip; -; -; style (look)'],
  [['clip', 'other'], 'source', { ...ALL, takes: 49 }, 'clip; -; -; other (full)'],
  [['clip', 'other'], 'look', NOTHING, 'other; -; clip; '],
  [['clip', 'other'], 'look', ALL, '; -; clip; other (look)'],
  [['clip', 'still'], 'look', NOTHING, 'clip; -; still; '],
  [['clip', 'style'], 'look', NOTHING, 'clip; -; style; '],
  [['clip', 'song'], 'look', { ...ALL, hasSong: false }, '; song; clip; '],
];

describe('files that are dropped together', () => {
  for (const [names, on, present, expected] of CASES) {
    test(`${names.join(' and ') || 'none'} on the ${on}, where ${JSON.stringify(present)}`, () => {
      const { takes, song, look, leftOut } = sortDropped(
        names.map((name) => FILES[name]),
        on,
        present,
      );
      const nameOf = (file: { readonly name: string } | null) => file?.name.split('.')[0] ?? '-';
      const out = leftOut.map(({ file, reason }) => `${nameOf(file)} (${reason})`);
      assert.equal(
        [takes.map(nameOf).join(' '), nameOf(song), nameOf(look), out.join(' ')].join('; '),
        expected,
      );
    });
  }

  test('files without a known name or type are left to the service', () => {
    assert.equal(fileKind({ name: 'GX010042', type: '' }), 'video');
    assert.equal(fileKind({ name: 'voice.webm', type: 'audio/webm' }), 'video');
  });
});
