/** Rules of line breaking. */
export interface LineRules {
  readonly widthOf: (text: string) => number;
  /** In the unit of `widthOf`. */
  readonly lineWidth: number;
  readonly maxLines: 1 | 2;
}

/** A piece of text that is never divided. */
interface Unit {
  readonly text: string;
  readonly width: number;
  /** Whether a space separates it from the unit before. */
  readonly isSpaced: boolean;
}

/** Created with the first caption: loading the rules takes 10 ms. */
let segmenters: Readonly<Record<'words' | 'graphemes', Intl.Segmenter>> | null = null;

function segmenter(of: 'words' | 'graphemes'): Intl.Segmenter {
  segmenters ??= {
    words: new Intl.Segmenter(undefined, { granularity: 'word' }),
    graphemes: new Intl.Segmenter(undefined, { granularity: 'grapheme' }),
  };
  return segmenters[of];
}

/** Scripts that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Neither a line nor a screen may begin with these, nor end with those (JIS X 4051, kinsoku). */
const NO_START = /^[\p{Pe}\p{Pf}\p{Po}ー々〜]/u;
const NO_END = /[\p{Ps}\p{Pi}]$/u;
const PAUSE = /[.,;:!?…。、！？،؛؟۔।]["'”’»)]*$/u;
/** Articles and prepositions belong to the next word, in most languages. */
const SHORT_WORD = /^\p{L}{1,3}$/u;
/** Gain of a break after a pause, and costs of one after a short word and of an upper line longer than the lower. */
const PAUSE_WORTH = 0.15;
const SHORT_COST = 0.25;
const PYRAMID_COST = 0.02;
/** Weight of the longer line's share of both. */
const UNEVEN_COST = 1.5;

/**
 * Breaks a text into screens of one or two lines that fit. The author's lines are used if they fit. Otherwise
 * there are as few screens as possible, similar in length. Their lines are balanced and broken after a pause
 * instead of within a phrase.
 */
export function breakText(text: string, rules: LineRules): string[][] {
  const own = text.split('\n');
  if (own.length <= rules.maxLines && own.every((line) => rules.widthOf(line) <= rules.lineWidth))
    return [own];
  const units = unitsOf(own.join(' '), rules);
  return screensOf(units, rules).map((screen) => linesOf(screen, rules));
}

/** A text as single words; in a script without spaces, as a dictionary divides it. */
export function breakWords(text: string, rules: LineRules): string[] {
  return unitsOf(text.replaceAll('\n', ' '), rules).map((unit) => unit.text);
}

function unitsOf(text: string, rules: LineRules): Unit[] {
  const units: Unit[] = [];
  for (const word of text.split(' ')) {
    let isSpaced = units.length > 0;
    for (const part of UNSPACED.test(word) ? unspacedParts(word) : [word]) {
      for (const piece of fittingPieces(part, rules)) {
        units.push({ text: piece, width: rules.widthOf(piece), isSpaced });
        isSpaced = false;
      }
    }
  }
  return units;
}

function unspacedParts(text: string): string[] {
  const parts: string[] = [];
  for (const { segment } of segmenter('words').segment(text)) {
    const last = parts.at(-1);
    if (last !== undefined && (NO_START.test(segment) || NO_END.test(last))) {
      parts[parts.length - 1] = last + segment;
    } else parts.push(segment);
  }
  return parts;
}

/** Divides a word that is wider than a line. */
function fittingPieces(word: string, { widthOf, lineWidth }: LineRules): string[] {
  if (widthOf(word) <= lineWidth) return [word];
  const pieces = [''];
  let width = 0;
  for (const { segment } of segmenter('graphemes').segment(word)) {
    const more = widthOf(segment);
    if (width > 0 && width + more > lineWidth) {
      pieces.push('');
      width = 0;
    }
    pieces[pieces.length - 1] += segment;
    width += more;
  }
  return pieces;
}

function joined(units: readonly Unit[]): string {
  return units.map(({ text, isSpaced }, index) => (isSpaced && index > 0 ? ` ${text}` : text)).join('');
}

/** Width up to the end of each unit, including spaces between them. */
function endsOf(units: readonly Unit[], { widthOf }: LineRules): number[] {
  const space = widthOf(' ');
  let width = 0;
  return units.map((unit, index) => {
    width += unit.width + (unit.isSpaced && index > 0 ? space : 0);
    return width;
  });
}

function screensOf(units: readonly Unit[], rules: LineRules): Unit[][] {
  const ends = endsOf(units, rules);
  const total = ends.at(-1) ?? 0;
  const least = filledGreedily(units, rules).length;
  for (let count = least; count <= least + 2; count++) {
    const screens = splitEvenly(units, ends, total, count);
    if (screens.every((screen) => filledGreedily(screen, rules).length <= 1)) return screens;
  }
  return filledGreedily(units, rules);
}

/** Divides units into `count` screens of similar length, each ending after a pause if one is near. */
function splitEvenly(
  units: readonly Unit[],
  ends: readonly number[],
  total: number,
  count: number,
): Unit[][] {
  const screens: Unit[][] = [];
  let from = 0;
  for (let screen = 1; screen < count; screen++) {
    const aim = (total * screen) / count;
    const cost = (index: number) =>
      (Math.abs(ends[index] - aim) * count) / total + breakCost(units[index].text);
    let best = from;
    for (let index = from; index < units.length - 1 && ends[index] < aim + (0.5 * total) / count; index++) {
      if (cost(index) < cost(best)) best = index;
    }
    screens.push(units.slice(from, best + 1));
    from = best + 1;
  }
  screens.push(units.slice(from));
  return screens.filter((screen) => screen.length > 0);
}

function breakCost(before: string): number {
  if (PAUSE.test(before)) return -PAUSE_WORTH;
  return SHORT_WORD.test(before) ? SHORT_COST : 0;
}

/** Fills each screen with as many units as fit. */
function filledGreedily(units: readonly Unit[], { widthOf, lineWidth, maxLines }: LineRules): Unit[][] {
  const space = widthOf(' ');
  const screens: Unit[][] = [];
  let lines = maxLines as number;
  let width = Number.POSITIVE_INFINITY;
  for (const unit of units) {
    const more = unit.width + (unit.isSpaced ? space : 0);
    if (width + more <= lineWidth) {
      width += more;
    } else {
      width = unit.width;
      if (lines === maxLines) {
        screens.push([]);
        lines = 0;
      }
      lines++;
    }
    screens.at(-1)!.push(unit);
  }
  return screens;
}

function linesOf(units: readonly Unit[], rules: LineRules): string[] {
  const { lineWidth, widthOf } = rules;
  const space = widthOf(' ');
  const ends = endsOf(units, rules);
  const total = ends.at(-1) ?? 0;
  if (total <= lineWidth) return [joined(units)];
  let best = 0;
  let bestCost = Number.POSITIVE_INFINITY;
  for (let index = 0; index < units.length - 1; index++) {
    const upper = ends[index];
    const lower = total - upper - (units[index + 1].isSpaced ? space : 0);
    if (upper > lineWidth || lower > lineWidth) continue;
    const cost =
      (UNEVEN_COST * Math.max(upper, lower)) / total +
      breakCost(units[index].text) +
      (upper > lower ? PYRAMID_COST : 0);
    if (cost < bestCost) {
      best = index;
      bestCost = cost;
    }
  }
  return [joined(units.slice(0, best + 1)), joined(units.slice(best + 1))];
}
