import { Failure } from '../../errors.ts';
import type { CubeGrade } from '../../footage.ts';
import { between, clamp } from '../../signal/interpolation.ts';

/** More than any program writes; a cube of 65 has 275,000 entries and takes 8 MB as text. */
const MAX_SIZE = 129;
/** Entries of a one-dimensional table, by the specification. */
const MAX_CURVE = 65_536;
/** Of what a one-dimensional table or one over another domain is turned into. */
const RESAMPLED_SIZE = 33;
/** Characters of a line that an error quotes. */
const QUOTED = 60;

type Triple = readonly [number, number, number];

interface Table {
  readonly dimensions: 1 | 3;
  readonly size: number;
  readonly domainMin: Triple;
  readonly domainMax: Triple;
  readonly entries: Float32Array;
}

/**
 * Reads a `.cube` file (Adobe, Cube LUT Specification 1.0): a three-dimensional table, or three curves. Throws `Failure`
 * INPUT_UNSUPPORTED, which says what is wrong in which line.
 */
export function parseCubeFile(text: string): CubeGrade {
  const table = readTable(text);
  const isUnit = [0, 1, 2].every((axis) => table.domainMin[axis] === 0 && table.domainMax[axis] === 1);
  if (table.dimensions === 3 && isUnit) return { size: table.size, rgb: table.entries };
  const rgb = new Float32Array(3 * RESAMPLED_SIZE ** 3);
  const last = RESAMPLED_SIZE - 1;
  let at = 0;
  for (let blue = 0; blue <= last; blue++)
    for (let green = 0; green <= last; green++)
      for (let red = 0; red <= last; red++, at += 3)
        rgb.set(tableAt(table, [red / last, green / last, blue / last]), at);
  return { size: RESAMPLED_SIZE, rgb };
}

/** What part `share` (0..1) of the table does, the rest of the way left as it is. */
export function partOfCube({ size, rgb }: CubeGrade, share: number): CubeGrade {
  const last = size - 1;
  const index = (at: number, axis: number) => Math.floor(at / size ** axis) % size;
  return {
    size,
    rgb: rgb.map((value, at) => between(index(Math.floor(at / 3), at % 3) / last, value, share)),
  };
}

function readTable(text: string): Table {
  let [dimensions, size]: [1 | 3 | null, number] = [null, 0];
  let [domainMin, domainMax]: Triple[] = [
    [0, 0, 0],
    [1, 1, 1],
  ];
  const entries: number[] = [];
  for (const [at, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = raw.trim();
    const fail = (what: string) =>
      wrong(`line ${at + 1} ${what}; it reads ${JSON.stringify(line.slice(0, QUOTED))}`);
    if (line === '' || line.startsWith('#')) continue;
    const [keyword, ...values] = line.split(/\s+/) as [string, ...string[]];
    if (keyword === 'TITLE') continue;
    if (keyword === 'LUT_1D_SIZE' || keyword === 'LUT_3D_SIZE') {
      dimensions = keyword === 'LUT_3D_SIZE' ? 3 : 1;
      size = Number(values[0]);
      const most = dimensions === 3 ? MAX_SIZE : MAX_CURVE;
      if (!Number.isInteger(size) || size < 2 || size > most)
        throw fail(`should give a size from 2 to ${most}`);
    } else if (keyword === 'DOMAIN_MIN' || keyword === 'DOMAIN_MAX') {
      const triple = tripleOf(values);
      if (triple === null) throw fail('should give three numbers');
      if (keyword === 'DOMAIN_MIN') domainMin = triple;
      else domainMax = triple;
    } else if (/^[A-Z]/.test(keyword)) {
      throw fail('has a keyword that no .cube file has');
    } else {
      const triple = tripleOf([keyword, ...values]);
      if (triple === null) throw fail('should hold three numbers');
      entries.push(...triple);
      if (entries.length > 3 * MAX_SIZE ** 3) throw wrong(`it has more than ${MAX_SIZE}³ entries`);
    }
  }
  if (dimensions === null) throw wrong('it does not give its size (LUT_3D_SIZE or LUT_1D_SIZE)');
  const wanted = size ** dimensions;
  if (entries.length !== 3 * wanted)
    throw wrong(`it should have ${wanted} entries for its size of ${size}; it has ${entries.length / 3}`);
  if (domainMin.some((value, axis) => value >= domainMax[axis]!))
    throw wrong(`its domain ends before it begins: from ${domainMin.join(' ')} to ${domainMax.join(' ')}`);
  return { dimensions, size, domainMin, domainMax, entries: Float32Array.from(entries) };
}

function tripleOf(values: readonly string[]): Triple | null {
  const numbers = values.map(Number);
  return numbers.length === 3 && numbers.every(Number.isFinite) ? (numbers as unknown as Triple) : null;
}

/** A colour through the table, linear between its entries; beyond its domain it is held. */
function tableAt({ dimensions, size, domainMin, domainMax, entries }: Table, colour: Triple): number[] {
  const places = colour.map((value, axis) =>
    clamp(((value - domainMin[axis]!) / (domainMax[axis]! - domainMin[axis]!)) * (size - 1), 0, size - 1),
  ) as unknown as Triple;
  const cells = places.map((place) => Math.min(size - 2, Math.floor(place))) as unknown as Triple;
  const shares = places.map((place, axis) => place - cells[axis]!) as unknown as Triple;
  if (dimensions === 1)
    return [0, 1, 2].map((axis) =>
      between(entries[3 * cells[axis]! + axis]!, entries[3 * (cells[axis]! + 1) + axis]!, shares[axis]!),
    );
  return [0, 1, 2].map((channel) => {
    let sum = 0;
    for (let corner = 0; corner < 8; corner++) {
      const steps = [corner & 1, (corner >> 1) & 1, corner >> 2] as const;
      const weight = shares.reduce((product, share, axis) => product * (steps[axis] ? share : 1 - share), 1);
      const [red, green, blue] = cells.map((cell, axis) => cell + steps[axis]!) as unknown as Triple;
      sum += weight * entries[3 * (red + size * (green + size * blue)) + channel]!;
    }
    return sum;
  });
}

function wrong(what: string): Failure {
  return new Failure('INPUT_UNSUPPORTED', `The .cube file cannot be used: ${what}`);
}
