/** The frames of an edit: shots as they run, changes between them, fades at both ends, grain. */
import type { Easing, TransitionType } from '../../src/analysis/facts.ts';
import { type FrameRate, framesPerSecond } from '../../src/domain/time.ts';
import * as draw from './edit-drawing.ts';
import { shownUnder, type Trap } from './edit-traps.ts';
import { openFootage, type RgbPicture } from './footage.ts';
import type { Random } from './random.ts';

/** Footage is this much wider than the picture, for whip pans and shakes. */
const WIDE = 1.8;

export interface Kind {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Frames a second, by a thousand and one parts less for the American rates. */
  readonly rates: readonly FrameRate[];
  readonly gradual: number;
  readonly cuts: number;
  readonly traps: number;
}

/** The next shot is whole `length` frames after the old one was; a hard cut has the length 1. */
export interface Change {
  readonly type: TransitionType;
  readonly length: number;
  readonly easing: Easing | null;
  readonly drawing: draw.Drawing;
  readonly ease: (share: number) => number;
  readonly words: string;
  readonly direction?: string;
}

export interface Shot {
  readonly name: string;
  readonly fromSeconds: number;
  readonly filters: string;
  readonly trap: Trap | null;
  /** The frame from which the shot is magnified, and by how much. */
  readonly punchIn: { readonly frame: number; readonly scale: number } | null;
  /** A framing of its own, so that a cut within the same clip shows. */
  readonly framing: draw.View;
  /** First frame in which it shows, and the last one. */
  readonly first: number;
  readonly last: number;
}

export interface Edit {
  readonly kind: Kind;
  readonly rate: FrameRate;
  readonly shots: readonly Shot[];
  /** Between a shot and the next: the last frame that is all old. */
  readonly changes: readonly (Change & { readonly start: number })[];
  readonly opening: { readonly level: number; readonly length: number } | null;
  readonly closing: { readonly level: number; readonly length: number } | null;
  readonly frameCount: number;
  readonly noise: number;
  readonly crf: number;
}

/** The frames of one shot of the edit, in order. */
class ShotFrames {
  readonly #shot: Shot;
  readonly #size: { width: number; height: number };
  readonly #source: AsyncGenerator<RgbPicture>;
  #held: RgbPicture | null = null;

  constructor(shot: Shot, { width, height }: Kind, rate: number) {
    this.#shot = shot;
    this.#size = { width, height };
    this.#source = openFootage({
      name: shot.name,
      fromSeconds: shot.fromSeconds,
      frameCount: shot.last - shot.first + 1,
      framesPerSecond: rate,
      width: shot.trap?.view === undefined ? width : 2 * Math.round((WIDE * width) / 2),
      height,
      ...(shot.filters === '' ? {} : { filters: shot.filters }),
    });
  }

  async at(frame: number): Promise<RgbPicture> {
    const { trap, punchIn, framing } = this.#shot;
    const isStill = trap?.freezes === true && frame > trap.from && frame <= trap.to;
    if (!isStill || this.#held === null) this.#held = (await this.#source.next()).value as RgbPicture;
    let picture = shownUnder(trap, this.#held, this.#size, frame);
    const scale = framing.scale * (punchIn !== null && frame >= punchIn.frame ? punchIn.scale : 1);
    if (scale !== 1 || framing.x !== 0.5) picture = draw.viewed(picture, picture, { ...framing, scale });
    return trap?.draw === undefined ? picture : trap.draw(picture, frame);
  }

  async end(): Promise<void> {
    await this.#source.return(undefined);
  }
}

/** Grain: normal noise by the sum of uniform numbers, new in each frame. */
function grained(picture: RgbPicture, level: number, random: Random): RgbPicture {
  const data = new Uint8Array(picture.data.length);
  for (let i = 0; i < data.length; i += 3) {
    const grain = level * (random.next() + random.next() + random.next() - 1.5) * 2;
    for (let k = i; k < i + 3; k++) data[k] = Math.min(255, Math.max(0, Math.round(picture.data[k] + grain)));
  }
  return { ...picture, data };
}

/** Hands out the frames of an edit, one after the other. */
export function framesOf(edit: Edit, random: Random): (frame: number) => Promise<RgbPicture> {
  const rate = framesPerSecond(edit.rate);
  const open = new Map<number, ShotFrames>();
  const shot = async (index: number, frame: number) => {
    const frames = open.get(index) ?? new ShotFrames(edit.shots[index], edit.kind, rate);
    open.set(index, frames);
    return frames.at(frame);
  };
  const edged = (picture: RgbPicture, frame: number) => {
    const { opening, closing, frameCount } = edit;
    if (opening !== null && frame < opening.length)
      return draw.dissolve(draw.plainColor(picture, opening.level), picture, frame / opening.length);
    const left = frameCount - 1 - frame;
    if (closing !== null && left < closing.length)
      return draw.dissolve(draw.plainColor(picture, closing.level), picture, left / closing.length);
    return picture;
  };
  return async (frame) => {
    const index = edit.shots.findIndex(
      ({ last }, k) => frame <= (edit.changes[k]?.start ?? last) || frame < last,
    );
    for (const [k, frames] of open) {
      if (k >= index) continue;
      await frames.end();
      open.delete(k);
    }
    let picture = await shot(index, frame);
    const next = edit.changes[index];
    if (next !== undefined && frame > next.start) {
      const share = next.ease((frame - next.start) / next.length);
      picture = next.drawing(picture, await shot(index + 1, frame), share);
    }
    picture = edged(picture, frame);
    return edit.noise > 0 ? grained(picture, edit.noise, random) : picture;
  };
}
