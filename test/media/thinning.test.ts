import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type PacketNote, THINNING, Thinning } from '../../src/media/decode/thinning.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

/** A frame as it is shown: `I` decoded by itself, `P` after those before it, `B` between two and referred to, `b` between and not. */
type Shown = 'I' | 'P' | 'B' | 'b';
const USUAL = { I: 9000, P: 4000, B: 2000, b: 500 } as const;

/** The decoding order: a frame between two follows both. */
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

/** Which frames are decoded, in presentation order, decided as soon as enough later packets are known. */
function wantedOf(notes: readonly PacketNote[], order: readonly number[]): boolean[] {
  const thinning = new Thinning();
  const expected: boolean[] = [];
  let decided = 0;
  const decide = () => {
    expected[order[decided]] = thinning.next();
    decided++;
  };
  for (const [count, at] of order.entries()) {
    thinning.push(notes[at]);
    if (count >= THINNING.AHEAD) decide();
  }
  while (decided < order.length) decide();
  return expected;
}

function notesOf(shown: string, rate: number, bytes: Readonly<Record<number, number>> = {}): PacketNote[] {
  return [...shown].map((kind, at) => ({
    seconds: at / rate,
    bytes: bytes[at] ?? USUAL[kind as Shown],
    isKey: kind === 'I',
    isDisposable: kind === 'b',
  }));
}

/** `x` for decoded frames, `.` for skipped ones. */
const marks = (expected: readonly boolean[]) => expected.map((one) => (one ? 'x' : '.')).join('');

const CASES: readonly {
  readonly name: string;
  readonly shown: string;
  readonly rate: number;
  readonly bytes?: Readonly<Record<number, number>>;
  readonly observed: string;
}[] = [
  {
    name: 'of frames between two every other one is not decoded',
    shown: 'IbBbPbBbPbBbP',
    rate: 30,
    observed: 'xxx.x.x.x.x.x',
  },
  {
    name: 'of three to which none refers the middle one is measured',
    shown: 'IbbbPbbbPbbbP',
    rate: 30,
    observed: 'xx.xx.x.x.x.x',
  },
  { name: 'frames that refer to each other are seen', shown: 'IPPPBPPPP', rate: 25, observed: 'xxxxxxxxx' },
  { name: 'a slow clip is seen whole', shown: 'IbBbPbBbP', rate: 10, observed: 'xxxxxxxxx' },
  {
    name: 'of a fast one more are skipped where none refers to them',
    shown: 'IPbbbbbPbbbbbbP',
    rate: 60,
    observed: 'xx....xx....x.x',
  },
  {
    name: 'new content of a frame increases its size',
    shown: 'IPbBbPbBbPbBbPbBbP',
    rate: 30,
    bytes: { 9: 9000 },
    observed: 'xx.x.x.xxxxx.x.x.x',
  },
  {
    name: 'a busy shot is followed by a calm one',
    shown: 'IPbPbPbPbPbPbPbPbPbPbPbPbP',
    rate: 25,
    bytes: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [at, 40_000])),
    observed: 'xx.x.xxxxxxxxx.x.x.x.x.x.x',
  },
  {
    name: 'about a key frame all are measured',
    shown: 'IPbBbPbBbIbBbPbBbP',
    rate: 30,
    observed: 'xx.x.x.xxxxx.x.x.x',
  },
];

describe('decoded frames', () => {
  for (const { name, shown, rate, bytes, observed } of CASES) {
    test(name, () => {
      const found = wantedOf(notesOf(shown, rate, bytes), decodingOrder(shown));
      assert.equal(marks(found), observed, `of ${shown}`);
    });
  }

  test('always include the first and the last, one in each step, and those that others refer to', () => {
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
      const rate = [10, 24, 30, 60][Math.floor(random() * 4)];
      const bytes = Object.fromEntries(Array.from({ length }, (_, at) => [at, 100 + random() * 900]));
      const notes = notesOf(shown, rate, bytes);
      const expected = wantedOf(notes, decodingOrder(shown));
      const observed = expected.flatMap((isWanted, at) => (isWanted ? [at] : []));
      assert.equal(expected.length, length);
      assert.deepEqual([observed[0], observed.at(-1)], [0, length - 1]);
      for (const [i, at] of observed.entries()) {
        const gap = at - (observed[i - 1] ?? at);
        assert.ok(gap <= 1 || gap / rate <= THINNING.REACH_SECONDS, `${gap} frames at ${rate} a second`);
      }
      for (const [at, isWanted] of expected.entries())
        if (!isWanted) assert.ok(notes[at].isDisposable, `${shown[at]} is not decoded`);
    }
  });
});
