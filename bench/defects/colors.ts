/** Defects of colors and light: pure functions over the points of moments before and after. */
import type { Box, SubjectTrack, VideoFacts } from '../../src/analysis/facts.ts';
import { isSkinColor } from '../../src/style/look/skin.ts';
import { strongColors } from '../fidelity/strong-colors.ts';
import type { LabPicture } from '../score/look.ts';
import { type Bars, barsOf, isInBars } from './bars.ts';
import type { ComparedMoment } from './compared.ts';
import type { Defect, Flag } from './flag.ts';
import { roughShare } from './smoothness.ts';

/** Neutral and bright: paper, white walls, lamps; the ground of a cartoon; white goods indoors have 60 to 85. */
const WHITE = { lightness: 60, chroma: 5, share: 0.02 } as const;
/** Hair, black clothes and shadows, and their share of a picture. */
const DARK = { lightness: 20, share: 0.1 } as const;
/** Limits of the design; of `haze` by eye: hair and a vignette raised by 9 to 15 were grey. */
const LIMITS = {
  ...{ cast: 4, lightness: 10, grey: 0.6, lifted: 3, haze: 8, darker: 8, redder: 5, turn: 15 },
} as const;
/** A dark shot has no middle grey to lose. */
const MIN_GREY = 12;
/** Fewer points of a face, or of bars, are not judged: shares of the picture. */
const MIN_POINTS = 0.002;
const FACE_SECONDS = 0.3;
/** Head within a box of head and shoulders. */
const HEAD = { x: 0.25, y: 0.1, width: 0.5, height: 0.45 } as const;
/** Share of a picture that shows blocks or bands: a strip of sky has .03. */
const ROUGH_SHARE = 0.03;
/** A flag needs this share of a shot's moments. */
const MIN_SHARE = 0.34;

/** Figures of one moment; left out: there is nothing of the kind in it. */
type Figures = Partial<Record<Defect, { readonly excess: number; readonly detail: string }>>;

export interface JudgedMoment
  extends Pick<ComparedMoment, 'sourceSeconds' | 'before' | 'after' | 'places' | 'output'> {}

/** One flag for each defect and shot in which it lasts. */
export function colorFlags(
  moments: readonly ComparedMoment[],
  video: Pick<VideoFacts, 'shots' | 'faces'>,
): Flag[] {
  const bars = barsOf(moments.map(({ source }) => source as LabPicture));
  const judged = moments.map((moment) => ({
    seconds: moment.sourceSeconds,
    figures: figuresOf(moment, video.faces, bars),
  }));
  return video.shots.flatMap((shot) => {
    const own = judged.filter(({ seconds }) => seconds >= shot.startSeconds && seconds < shot.endSeconds);
    const kinds = new Set(own.flatMap(({ figures }) => Object.keys(figures) as Defect[]));
    return [...kinds].flatMap((defect): Flag[] => {
      const seen = own.filter(({ figures }) => figures[defect] !== undefined);
      const bad = seen.filter(({ figures }) => figures[defect]!.excess > 0);
      if (bad.length < MIN_SHARE * seen.length || bad.length < Math.min(2, own.length)) return [];
      const worst = bad.reduce((most, one) =>
        one.figures[defect]!.excess > most.figures[defect]!.excess ? one : most,
      );
      const detail = `${worst.figures[defect]!.detail}; ${bad.length} of ${seen.length} moments`;
      return [{ defect, atSeconds: worst.seconds, detail }];
    });
  });
}

export function figuresOf(
  { sourceSeconds, before, after, places, output }: JudgedMoment,
  faces: readonly SubjectTrack[],
  bars: Bars,
): Figures {
  const boxes = faces.flatMap((track) => headAt(track, sourceSeconds));
  const [white, skin, bar, dark, all] = Array.from({ length: 5 }, () => new Change()) as Changes;
  for (let at = 0, point = 0; at < before.length; at += 3, point += 2) {
    const [l, a, b] = [before[at]!, before[at + 1]!, before[at + 2]!];
    const [x, y] = [places[point]!, places[point + 1]!];
    const to = [after[at]!, after[at + 1]!, after[at + 2]!] as const;
    if (isInBars(bars, x, y)) {
      bar.add([l, a, b], to);
      continue;
    }
    all.add([l, a, b], to);
    if (l <= DARK.lightness) dark.add([l, a, b], to);
    if (l >= WHITE.lightness && Math.hypot(a, b) <= WHITE.chroma) white.add([l, a, b], to);
    if (isSkinColor(l, a, b) && boxes.some((box) => holds(box, x, y))) skin.add([l, a, b], to);
  }
  const points = before.length / 3;
  const figures: Figures = {};
  const note = (defect: Defect, excess: number, detail: string) => {
    figures[defect] = { excess, detail };
  };
  if (white.count >= WHITE.share * points) {
    const cast = Math.max(Math.abs(white.a), Math.abs(white.b));
    note('cast on white', cast - LIMITS.cast, `${white.share(points)} white, by ${white.words}`);
    note(
      'dull white',
      -white.lightness - LIMITS.lightness,
      `${white.share(points)} white, by ${white.words}`,
    );
  }
  if (skin.count >= MIN_POINTS * points) {
    note('skin darker', -skin.lightness - LIMITS.darker, `by ${skin.words}`);
    note('skin redder', skin.a - LIMITS.redder, `by ${skin.words}`);
  }
  if (bar.count >= MIN_POINTS * points)
    note(
      'lifted bars',
      bar.lightness - LIMITS.lifted,
      `${bar.share(points)} of the picture, by ${bar.words}`,
    );
  if (dark.count >= DARK.share * points)
    note('haze', dark.lightness - LIMITS.haze, `${dark.share(points)} of the picture, by ${dark.words}`);
  if (all.from >= MIN_GREY)
    note('dark shot', LIMITS.grey - all.greyRatio, `grey times ${all.greyRatio.toFixed(2)}`);
  const { largestTurn, share } = strongColors(before, after);
  if (largestTurn !== null)
    note(
      'hue of a strong color',
      largestTurn - LIMITS.turn,
      `${largestTurn.toFixed(0)} degrees, ${(100 * share).toFixed(0)} % of the picture`,
    );
  const rough = roughShare({ before, after, output });
  if (rough > 0) note('blocks or bands', rough - ROUGH_SHARE, `${(100 * rough).toFixed(0)} % of the picture`);
  return figures;
}

type Changes = [Change, Change, Change, Change, Change];

/** Mean change of points. */
class Change {
  count = 0;
  #lightness = 0;
  #a = 0;
  #b = 0;
  #from = 0;
  #greys = [0, 0] as [number, number];

  add(from: readonly [number, number, number], to: readonly [number, number, number]): void {
    this.count++;
    this.#from += from[0];
    this.#lightness += to[0] - from[0];
    this.#a += to[1] - from[1];
    this.#b += to[2] - from[2];
    this.#greys[0] += levelOf(from[0]);
    this.#greys[1] += levelOf(to[0]);
  }

  get from(): number {
    return this.#from / Math.max(1, this.count);
  }
  get lightness(): number {
    return this.#lightness / Math.max(1, this.count);
  }
  get a(): number {
    return this.#a / Math.max(1, this.count);
  }
  get b(): number {
    return this.#b / Math.max(1, this.count);
  }
  /** Mean level of grey after over before. */
  get greyRatio(): number {
    return this.#greys[1] / Math.max(1e-9, this.#greys[0]);
  }
  share(points: number): string {
    return `${((100 * this.count) / points).toFixed(0)} %`;
  }
  get words(): string {
    return [this.lightness, this.a, this.b].map((value) => value.toFixed(1)).join(' ');
  }
}

/** A grey's level, 0..1, of BT.709's curve: linear in lightness within 3 % above 8. */
function levelOf(lightness: number): number {
  return Math.max(0, lightness / 100);
}

function headAt({ boxes }: SubjectTrack, seconds: number): Box[] {
  const near = boxes.filter(({ timeSeconds }) => Math.abs(timeSeconds - seconds) < FACE_SECONDS);
  return near.slice(0, 1).map(({ box: { x, y, width, height } }) => ({
    ...{ x: x + HEAD.x * width, y: y + HEAD.y * height },
    ...{ width: HEAD.width * width, height: HEAD.height * height },
  }));
}

function holds(box: Box, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.width && y >= box.y && y < box.y + box.height;
}
