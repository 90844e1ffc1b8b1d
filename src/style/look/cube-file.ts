import { Failure } from '../../domain/errors.ts';
import type { CubeGrade } from '../../domain/footage.ts';
import { between } from '../../signal/interpolation.ts';
import { axes, curveAt, curvesAlone, isCurvesAlone, type Triple } from '../model/cube-color.ts';

/** More than any program writes; a cube of 65 has 275,000 entries and takes 8 MB as text. */
const MAX_SIZE = 129;
/** Entries of a one-dimensional table, by the specification. */
const MAX_CURVE = 65_536;
/** Of curves that are brought to 0..1: a corner of theirs is missed by less than a tenth of a level of 255. */
const RESAMPLED_CURVE = 4097;
/** All entries, and some thousand comments and blank lines. */
const MAX_LINES = MAX_SIZE ** 3 + MAX_CURVE + 10_000;
/** Titles have some hundred characters. */
const MAX_LINE_CHARACTERS = 10_000;
/** Characters of a line that an error quotes. */
const QUOTED = 60;
/** Black and white of video range as shares of ten bits (ITU-R BT.709-6, section 4). */
const [VIDEO_BLACK, VIDEO_WHITE] = [64 / 1023, 940 / 1023];

/** One table of a file: curves or a cube. */
interface Table {
  readonly size: number;
  /** What of its input lies at its first and its last entry. */
  readonly from: Triple;
  readonly to: Triple;
  readonly entries: Float32Array;
}

interface CubeTables {
  /** Goes before the cube; null: none. */
  readonly curves: Table | null;
  readonly cube: Table | null;
  /** The input is expected, or the output written, in video range: DaVinci Resolve's keywords. */
  readonly isVideoIn: boolean;
  readonly isVideoOut: boolean;
}

/**
 * Reads a `.cube` file (Adobe, Cube LUT Specification 1.0; DaVinci Resolve's keywords): a three-dimensional table, three curves,
 * or both, the curves first. Throws `Failure` INPUT_UNSUPPORTED, which names the error and its line.
 */
export function parseCubeFile(text: string): CubeGrade {
  const { curves, cube, isVideoIn, isVideoOut } = readTables(text);
  const read = (value: number) => (isVideoIn ? between(VIDEO_BLACK, VIDEO_WHITE, value) : value);
  const shown = (value: number) => (isVideoOut ? (value - VIDEO_BLACK) / (VIDEO_WHITE - VIDEO_BLACK) : value);
  if (cube === null) {
    if (curves === null) throw wrong('it does not give its size (LUT_3D_SIZE or LUT_1D_SIZE)');
    if (isUnit(curves) && !isVideoIn) return curvesAlone(curves.entries.map(shown));
    return curvesAlone(
      sampled(curves.size, (axis, value) => shown(throughCurves(curves, axis, read(value)))),
    );
  }
  const table = { size: cube.size, rgb: isVideoOut ? cube.entries.map(shown) : cube.entries };
  if (curves === null && isUnit(cube) && !isVideoIn) return table;
  const coordinate = (axis: number, value: number) =>
    (value - cube.from[axis]) / (cube.to[axis] - cube.from[axis]);
  if (curves !== null && isUnit(curves) && !isVideoIn)
    return { ...table, curves: curves.entries.map((value, at) => coordinate(at % 3, value)) };
  const entries = sampled(curves?.size ?? 0, (axis, value) =>
    coordinate(axis, curves === null ? read(value) : throughCurves(curves, axis, read(value))),
  );
  return { ...table, curves: entries };
}

function isUnit({ from, to }: Table): boolean {
  return from.every((value) => value === 0) && to.every((value) => value === 1);
}

function throughCurves({ entries, from, to }: Table, axis: number, value: number): number {
  return curveAt(entries, axis, (value - from[axis]) / (to[axis] - from[axis]));
}

/** Curves over 0..1, by at least `RESAMPLED_CURVE` and `count` entries. */
function sampled(count: number, at: (axis: number, value: number) => number): Float32Array {
  const last = Math.max(count, RESAMPLED_CURVE) - 1;
  return Float32Array.from({ length: 3 * (last + 1) }, (_, index) =>
    at(index % 3, Math.floor(index / 3) / last),
  );
}

/** The text of a `.cube` file of a grade: of a table, of curves, or of both as DaVinci Resolve writes them. */
export function writeCube(grade: CubeGrade, title = 'StyleDNA grade'): string {
  const { size, rgb, curves } = grade;
  const lines = [`TITLE "${title.replaceAll(/["\r\n]/g, ' ')}"`];
  const tables: Float32Array[] = [];
  const isAlone = isCurvesAlone(grade);
  if (curves !== undefined) {
    lines.push(`LUT_1D_SIZE ${curves.length / 3}`);
    if (!isAlone) lines.push('LUT_1D_INPUT_RANGE 0.0 1.0');
    tables.push(curves);
  }
  if (!isAlone) {
    lines.push(`LUT_3D_SIZE ${size}`);
    if (curves !== undefined) lines.push('LUT_3D_INPUT_RANGE 0.0 1.0');
    tables.push(rgb);
  }
  if (tables.length === 1) lines.push('DOMAIN_MIN 0.0 0.0 0.0', 'DOMAIN_MAX 1.0 1.0 1.0');
  for (const table of tables)
    for (let at = 0; at < table.length; at += 3)
      lines.push(`${table[at].toFixed(6)} ${table[at + 1].toFixed(6)} ${table[at + 2].toFixed(6)}`);
  return `${lines.join('\n')}\n`;
}

/** The header of a file, up to the line being parsed. */
interface Head {
  sizes: { curves: number | null; cube: number | null };
  domain: { from: Triple; to: Triple } | null;
  ranges: { curves: readonly [number, number] | null; cube: readonly [number, number] | null };
  isVideoIn: boolean;
  isVideoOut: boolean;
}

function readTables(text: string): CubeTables {
  const head: Head = {
    ...{ sizes: { curves: null, cube: null }, ranges: { curves: null, cube: null } },
    ...{ domain: null, isVideoIn: false, isVideoOut: false },
  };
  const entries: number[] = [];
  let at = -1;
  for (const raw of linesOf(text)) {
    if (++at > MAX_LINES) throw wrong(`it has more than ${MAX_LINES} lines`);
    const line = raw.trim();
    const fail = (what: string) =>
      wrong(`line ${at + 1} ${what}; it reads ${JSON.stringify(line.slice(0, QUOTED))}`);
    if (line.length > MAX_LINE_CHARACTERS) throw fail(`has more than ${MAX_LINE_CHARACTERS} characters`);
    const words = line.replace(/#.*$/, '').trim().split(/\s+/) as [string, ...string[]];
    if (words[0] === '' || line.startsWith('TITLE')) continue;
    if (/^[A-Z]/.test(words[0])) readKeyword(head, words, fail);
    else {
      const numbers = numbersOf(words, 3);
      if (numbers === null) throw fail('should hold three numbers');
      entries.push(...numbers);
      if (entries.length > 3 * (MAX_SIZE ** 3 + MAX_CURVE))
        throw wrong(`it has more than ${MAX_SIZE}³ entries`);
    }
  }
  return tablesOf(head, entries);
}

/** One after the other: a file of line ends would fill the memory as a list. */
function* linesOf(text: string): Generator<string> {
  let from = text.startsWith('\ufeff') ? 1 : 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    yield text.slice(from, index);
    from = index + end.length;
  }
  yield text.slice(from);
}

function readKeyword(
  head: Head,
  [keyword, ...values]: readonly [string, ...string[]],
  fail: (what: string) => Failure,
): void {
  const kind = keyword.startsWith('LUT_1D_') ? 'curves' : 'cube';
  switch (keyword) {
    case 'LUT_1D_SIZE':
    case 'LUT_3D_SIZE': {
      const size = Number(values[0]);
      const most = kind === 'cube' ? MAX_SIZE : MAX_CURVE;
      if (!Number.isInteger(size) || size < 2 || size > most)
        throw fail(`should give a size from 2 to ${most}`);
      head.sizes[kind] = size;
      return;
    }
    case 'LUT_1D_INPUT_RANGE':
    case 'LUT_3D_INPUT_RANGE': {
      const range = numbersOf(values, 2);
      if (range === null) throw fail('should give two numbers');
      head.ranges[kind] = range as unknown as readonly [number, number];
      return;
    }
    case 'DOMAIN_MIN':
    case 'DOMAIN_MAX': {
      const triple = numbersOf(values, 3);
      if (triple === null) throw fail('should give three numbers');
      const { from, to } = head.domain ?? { from: axes(() => 0), to: axes(() => 1) };
      const [red, green, blue] = triple as unknown as Triple;
      const bound: Triple = [red, green, blue];
      head.domain = keyword === 'DOMAIN_MIN' ? { from: bound, to } : { from, to: bound };
      return;
    }
    case 'LUT_IN_VIDEO_RANGE':
      head.isVideoIn = true;
      return;
    case 'LUT_OUT_VIDEO_RANGE':
      head.isVideoOut = true;
      return;
    default:
      throw fail('has a keyword that no .cube file has');
  }
}

function tablesOf(
  { sizes, domain, ranges, isVideoIn, isVideoOut }: Head,
  entries: readonly number[],
): CubeTables {
  const [ofCurves, ofCube] = [sizes.curves ?? 0, (sizes.cube ?? 0) ** 3];
  if (ofCurves + ofCube === 0) throw wrong('it does not give its size (LUT_3D_SIZE or LUT_1D_SIZE)');
  if (entries.length !== 3 * (ofCurves + ofCube)) {
    const size = [sizes.curves, sizes.cube].filter((one) => one !== null).join(' and ');
    throw wrong(
      `it should have ${ofCurves + ofCube} entries for its size of ${size}; it has ${entries.length / 3}`,
    );
  }
  // The specification's domain is of the first table: its files have one.
  const table = (kind: 'curves' | 'cube', isFirst: boolean, start: number, end: number): Table | null => {
    const size = sizes[kind];
    if (size === null) return null;
    const range = ranges[kind];
    const [from, to] =
      range !== null
        ? range.map((end) => axes(() => end))
        : isFirst && domain !== null
          ? [domain.from, domain.to]
          : [axes(() => 0), axes(() => 1)];
    if (from!.some((value, axis) => value >= to![axis]))
      throw wrong(`its domain ends before it begins: from ${from!.join(' ')} to ${to!.join(' ')}`);
    return { size, from: from!, to: to!, entries: Float32Array.from(entries.slice(3 * start, 3 * end)) };
  };
  return {
    curves: table('curves', true, 0, ofCurves),
    cube: table('cube', sizes.curves === null, ofCurves, ofCurves + ofCube),
    ...{ isVideoIn, isVideoOut },
  };
}

function numbersOf(values: readonly string[], count: number): readonly number[] | null {
  const numbers = values.map(Number);
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : null;
}

function wrong(what: string): Failure {
  return new Failure('INPUT_UNSUPPORTED', `The .cube file cannot be used: ${what}`);
}
