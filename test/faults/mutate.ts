/** Files that were good, damaged as transfers, disks and attackers do it. Pure: the same seed damages alike. */
import { seededRandom } from '../../src/signal/seeded-random.ts';

export const MUTATIONS = ['flip', 'truncate', 'splice', 'number', 'size', 'zero', 'swap'] as const;
export type Mutation = (typeof MUTATIONS)[number];
/** A whole number from 0 on, less than `below`. */
type Below = (below: number) => number;

/** Headers and indexes lie at a file's ends. */
const END_BYTES = 8192;
const MAX_FLIPS = 64;
const LONGEST_SPLICE = 65_536;
const LONGEST_ZEROS = 2048;
/** Entries of MP4's tables, a packet of MPEG-TS, a block. */
const SWAPPED = [4, 8, 12, 188, 1024];
/** Where counts, sizes and offsets overflow. */
const NUMBERS = [
  0n,
  1n,
  7n,
  8n,
  0x7fn,
  0x80n,
  0xffn,
  0x7fffn,
  0xffffn,
  0x7fffffffn,
  0x80000000n,
  0xffffffffn,
  2n ** 63n - 1n,
  2n ** 64n - 1n,
];
const WIDTHS = [1, 2, 4, 8];

const APPLY: { readonly [M in Mutation]: (data: Buffer, random: Below) => Buffer } = {
  flip(data, random) {
    for (let left = 1 + random(MAX_FLIPS); left > 0; left--) data[place(data, random)] ^= 1 << random(8);
    return data;
  },
  truncate: (data, random) => data.subarray(0, random(data.length)),
  /** A piece from another place: inserted, overwritten, or removed. */
  splice(data, random) {
    const length = 1 + random(Math.min(LONGEST_SPLICE, data.length - 1));
    const from = random(data.length - length);
    const piece = Buffer.from(data.subarray(from, from + length));
    const at = place(data, random);
    const skip = random(2) === 0 ? 0 : length;
    return Buffer.concat([
      data.subarray(0, at),
      ...(random(3) === 0 ? [] : [piece]),
      data.subarray(at + skip),
    ]);
  },
  number(data, random) {
    for (let left = 1 + random(4); left > 0; left--) write(data, place(data, random), random);
    return data;
  },
  /** In front of what looks like a box's or chunk's name. */
  size(data, random) {
    const names = namesOf(data);
    if (names.length === 0) return APPLY.number(data, random);
    const at = names[random(names.length)] + (random(2) === 0 ? -4 : 4);
    write(data, Math.max(0, at), random);
    return data;
  },
  /** A box or chunk from its name on, as a disk that lost a block. */
  zero(data, random) {
    const names = namesOf(data);
    const at = names.length === 0 ? place(data, random) : names[random(names.length)];
    return data.fill(0, at, Math.min(data.length, at + 1 + random(LONGEST_ZEROS)));
  },
  /** Two pieces of one length change places: time stamps of an index, packets of a stream. */
  swap(data, random) {
    const length = SWAPPED[random(SWAPPED.length)];
    const [one, other] = [place(data, random), place(data, random)].sort((a, b) => a - b) as [number, number];
    if (other - one < length || other + length > data.length) return APPLY.flip(data, random);
    const piece = Buffer.from(data.subarray(one, one + length));
    data.copyWithin(one, other, other + length);
    piece.copy(data, other);
    return data;
  },
};

/** Damages a copy of `good`, which must not be empty. */
export function mutate(good: Buffer, seed: number): { readonly mutation: Mutation; readonly data: Buffer } {
  const uniform = seededRandom(seed);
  const random = (below: number) => Math.floor(uniform() * below);
  const mutation = MUTATIONS[random(MUTATIONS.length)];
  return { mutation, data: APPLY[mutation](Buffer.from(good), random) };
}

function place(data: Buffer, random: Below): number {
  const end = Math.min(END_BYTES, data.length);
  const where = random(4);
  if (where === 0) return random(data.length);
  return where === 1 ? data.length - 1 - random(end) : random(end);
}

function write(data: Buffer, at: number, random: Below): void {
  const width = WIDTHS[random(WIDTHS.length)];
  const number = NUMBERS[random(NUMBERS.length)] & (2n ** BigInt(8 * width) - 1n);
  const bytes = Buffer.alloc(8);
  if (random(2) === 0) bytes.writeBigUInt64BE(number << BigInt(64 - 8 * width));
  else bytes.writeBigUInt64LE(number);
  bytes.copy(data, at, 0, width);
}

/** At which bytes of the two ends. */
function namesOf(data: Buffer): number[] {
  const tail = Math.max(END_BYTES, data.length - END_BYTES);
  const find = (from: number, to: number) =>
    [...data.toString('latin1', from, to).matchAll(/[A-Za-z][A-Za-z0-9]{3}/g)].map(
      ({ index }) => from + index,
    );
  return [...find(0, END_BYTES), ...find(tail, data.length)];
}
