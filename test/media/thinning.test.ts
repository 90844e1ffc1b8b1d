import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Fate, type PacketNote, THINNING, Thinning } from '../../src/media/decode/thinning.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

/** A frame as it is shown: `I` decoded by itself, `P` after those before it, `B` between two and referred to, `b` between and not. */
type Shown = 'I' | 'P' | 'B' | 'b';
const USUAL = { I: 9000, P: 4000, B: 2000, b: 500 } as const;
const LETTERS = { measured: 'm', passed: 'p', dropped: 'd' } as const;

/** The order of decoding: a frame between two comes after both. */
function decodingOrder(shown: string): number[] {
  const order: number[] = [];
  let between: number[] = [];
  for (const [at, kind] of [...shown].entries()) {
    if (kind === 'B' || kind === 'b') between.push(at);
    else {
      const referred = between.filter((one) => shown[one] === 'B');
      order.push(at, ...referred, ...between.filter((one) => shown[one] === 'b'));
      between = [];
    }
  }
  return [...order, ...between];
}

/** Fates in the order of showing, told as soon as enough packets are known beyond each. */
function fatesOf(notes: readonly PacketNote[], order: readonly number[]): Fate[] {
  const thinning = new Thinning();
  const fates: Fate[] = [];
  let asked = 0;
  const ask = () => {
    fates[order[asked]!] = thinning.next();
    asked++;
  };
  for (const [count, at] of order.entries()) {
    thinning.push(notes[at]!);
    if (count >= THINNING.AHEAD) ask();
  }
  while (asked < order.length) ask();
  return fates;
}

function notesOf(shown: string, rate: number, bytes: Readonly<Record<number, number>> = {}): PacketNote[] {
  return [...shown].map((kind, at) => ({
    seconds: at / rate,
    bytes: bytes[at] ?? USUAL[kind as Shown],
    isKey: kind === 'I',
    isDisposable: kind === 'b',
  }));
}

const letters = (fates: readonly Fate[]) => fates.map((fate) => LETTERS[fate]).join('');

const CASES: readonly {
  readonly name: string;
  readonly shown: string;
  readonly rate: number;
  readonly bytes?: Readonly<Record<number, number>>;
  readonly fates: string;
}[] = [
  {
    name: 'of frames between two every other one is not decoded',
    shown: 'IbBbPbBbPbBbP',
    rate: 30,
    fates: 'mmmdmdmdmdmdm',
  },
  {
    name: 'of three to which none refers the middle one is measured',
    shown: 'IbbbPbbbPbbbP',
    rate: 30,
    fates: 'mmdmmdmdmdmdm',
  },
  { name: 'frames that refer to each other are passed', shown: 'IPPPPPPPP', rate: 25, fates: 'mmpmpmpmm' },
  { name: 'a slow clip is seen whole', shown: 'IbBbPbBbP', rate: 10, fates: 'mmmmmmmmm' },
  { name: 'of a fast one more is skipped', shown: 'IPbBbPbBbPbBbP', rate: 60, fates: 'mmdpdmdpdmdpdm' },
  {
    name: 'what is new in a frame shows in its size',
    shown: 'IPbBbPbBbPbBbPbBbP',
    rate: 30,
    bytes: { 9: 9000 },
    fates: 'mmdmdmdmmmmmdmdmdm',
  },
  {
    name: 'a busy shot gives way to a calm one',
    shown: 'IPPPPPPPPPPPPPPPPPPPP',
    rate: 25,
    bytes: Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, 40_000])),
    fates: 'mmpmpmmmmmmpmpmpmpmpm',
  },
  {
    name: 'about a key frame all are measured',
    shown: 'IPbBbPbBbIbBbPbBbP',
    rate: 30,
    fates: 'mmdmdmdmmmmmdmdmdm',
  },
];

describe('which frames are looked at', () => {
  for (const { name, shown, rate, bytes, fates } of CASES) {
    test(name, () => {
      const found = fatesOf(notesOf(shown, rate, bytes), decodingOrder(shown));
      assert.equal(letters(found), fates, `of ${shown}`);
    });
  }

  test('whatever comes, the first and the last are, none for longer than a step, and what others need is decoded', () => {
    const random = seededRandom(4711);
    for (let round = 0; round < 300; round++) {
      const kinds = 'IPPBbbb';
      const drawn = Array.from(
        { length: Math.floor(random() * 200) },
        () => kinds[Math.floor(random() * kinds.length)],
      );
      // Standards allow 16 pictures between.
      const shown = `I${drawn.join('')}`.replace(/[Bb]{16}/g, (run) => `${run.slice(1)}P`);
      const { length } = shown;
      const rate = [10, 24, 30, 60][Math.floor(random() * 4)]!;
      const bytes = Object.fromEntries(Array.from({ length }, (_, at) => [at, 100 + random() * 900]));
      const notes = notesOf(shown, rate, bytes);
      const fates = fatesOf(notes, decodingOrder(shown));
      const seen = fates.flatMap((fate, at) => (fate === 'measured' ? [at] : []));
      assert.equal(fates.length, length);
      assert.deepEqual([seen[0], seen.at(-1)], [0, length - 1]);
      for (const [i, at] of seen.entries()) {
        const gap = at - (seen[i - 1] ?? at);
        assert.ok(gap <= 1 || gap / rate <= THINNING.REACH_SECONDS, `${gap} frames at ${rate} a second`);
      }
      for (const [at, fate] of fates.entries())
        if (fate === 'dropped') assert.ok(notes[at]!.isDisposable, `${shown[at]} is not decoded`);
    }
  });
});
