import type { Frame, Picture, Size } from '../../domain/footage.ts';
import { rounded } from '../../signal/rounding.ts';
import type { Detector } from '../detector.ts';
import { type Box, type Shot, type Transition, WHOLE_PICTURE } from '../facts.ts';
import { type BarEnd, EDGE_REACH, type FrameEdges, findBarEdges, MIN_PICTURE_SHARE } from './bar-edges.ts';

/** Decimals of shares: finer than a pixel of any picture. */
const PLACES = 5;

/** A part of a small picture, in whole pixels of it. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PictureAreas {
  /** The part inside the bars of the whole clip; the whole frame if no bars last throughout. */
  readonly clip: Box;
  /** Inside the bars of each shot. */
  readonly shots: readonly Box[];
}

interface Observation {
  readonly frame: number;
  readonly edges: FrameEdges;
}

/**
 * Finds the black or white bars around a clip's picture; no other module does. It reads about three detailed frames a
 * second. Each gives a few numbers for each of the four sides. From them follow the areas of the clip, of
 * each shot and of the frames up to now. Bars come in pairs, of any two widths. A dark strip on one side only
 * is more often a wall or a night sky, so it is not cut off.
 */
export class PictureAreaDetector
  implements
    Detector<[Pick<Frame, 'index' | 'detail'>], PictureAreas, [readonly Shot[], readonly Transition[]]>
{
  readonly #observations: Observation[] = [];
  readonly #overall = new ObservedArea();
  #run = new ObservedArea();
  #size: Size = { width: 0, height: 0 };
  #box: Box = WHOLE_PICTURE;
  #runBox: Box = WHOLE_PICTURE;

  /** Area inside the bars that all frames up to now have. */
  get box(): Box {
    return this.#box;
  }

  /** Area inside the bars since `startRun`; that of all frames up to now while no other bars are visible. */
  get runBox(): Box {
    return this.#runBox;
  }

  /** Call when the picture changes to something else, which may have other bars. */
  startRun(): void {
    this.#run = new ObservedArea();
    this.#runBox = this.#box;
  }

  /** Frames without detail, and frames of another size than the first, are ignored. */
  push({ index, detail }: Pick<Frame, 'index' | 'detail'>): void {
    if (detail === null) return;
    if (this.#observations.length === 0) this.#size = { width: detail.width, height: detail.height };
    if (detail.width !== this.#size.width || detail.height !== this.#size.height) return;
    const edges = findBarEdges(detail);
    this.#observations.push({ frame: index, edges });
    this.#overall.add(edges);
    this.#run.add(edges);
    this.#box = this.#overall.box(this.#size) ?? WHOLE_PICTURE;
    this.#runBox = this.#run.box(this.#size) ?? this.#box;
  }

  /** Frames inside gradual transitions mix the bars of two shots. */
  finish(shots: readonly Shot[], transitions: readonly Transition[]): PictureAreas {
    const mixed = transitions.filter((one) => one.endFrame - one.startFrame > 1 && one.edge === undefined);
    const plain = this.#observations.filter(
      ({ frame }) => !mixed.some(({ startFrame, endFrame }) => frame > startFrame && frame < endFrame),
    );
    const clip = this.#areaOf(plain) ?? WHOLE_PICTURE;
    let at = 0;
    const ofShots = shots.map(({ startFrame, endFrame }) => {
      const inside: Observation[] = [];
      for (; at < plain.length && plain[at].frame < endFrame; at++)
        if (plain[at].frame >= startFrame) inside.push(plain[at]);
      // A dark shot shows no edge: the area of the whole clip applies.
      return this.#areaOf(inside) ?? clip;
    });
    return { clip, shots: ofShots };
  }

  #areaOf(observations: readonly Observation[]): Box | null {
    const area = new ObservedArea();
    for (const { edges } of observations) area.add(edges);
    return area.box(this.#size);
  }
}

/** Combined evidence of several frames with the same bars. */
class ObservedArea {
  readonly #left = new ObservedEnd();
  readonly #right = new ObservedEnd();
  readonly #top = new ObservedEnd();
  readonly #bottom = new ObservedEnd();

  add({ left, right, top, bottom }: FrameEdges): void {
    this.#left.add(left);
    this.#right.add(right);
    this.#top.add(top);
    this.#bottom.add(bottom);
  }

  /** Null where no bars show. */
  box({ width, height }: Size): Box | null {
    const across = pairOf(this.#left.edge, this.#right.edge, width);
    const down = pairOf(this.#top.edge, this.#bottom.edge, height);
    if (across === null && down === null) return null;
    const [x, wide] = across ?? [0, 1];
    const [y, high] = down ?? [0, 1];
    return { x, y, width: wide, height: high };
  }
}

/** The line at which a picture begins at one of its sides. */
class ObservedEnd {
  /** The least of all frames: something was visible there at least once. */
  #depth = Number.POSITIVE_INFINITY;
  /** Number of frames by the line of their edge. */
  readonly #edges = new Map<number, number>();

  add({ depth, edge }: BarEnd): void {
    if (depth !== null && depth < this.#depth) this.#depth = depth;
    if (edge !== null) this.#edges.set(edge, (this.#edges.get(edge) ?? 0) + 1);
  }

  /** The most frequent line among those that contradict no frame; null without any. */
  get edge(): number | null {
    let [best, most] = [null as number | null, 0];
    for (const [edge, count] of this.#edges) {
      if (edge > this.#depth + EDGE_REACH || count <= most) continue;
      [best, most] = [edge, count];
    }
    return best;
  }
}

/** Start and length, in shares, of the part between two bars; null if one is missing. */
function pairOf(before: number | null, after: number | null, size: number): readonly [number, number] | null {
  if (before === null || after === null) return null;
  const left = size - before - after;
  return left < MIN_PICTURE_SHARE * size
    ? null
    : [rounded(before / size, PLACES), rounded(left / size, PLACES)];
}

/** The pixels of a smaller picture that lie wholly inside the box; null if that is the whole picture. */
export function pixelsWithin(box: Box, { width, height }: Size): PixelBox | null {
  const left = Math.max(0, Math.ceil(box.x * width - 1e-3));
  const top = Math.max(0, Math.ceil(box.y * height - 1e-3));
  const right = Math.floor((box.x + box.width) * width + 1e-3);
  const bottom = Math.floor((box.y + box.height) * height + 1e-3);
  if (left === 0 && top === 0 && right === width && bottom === height) return null;
  return { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
}

/** A copy of a part of a picture; null: the picture itself. */
export function cropped(picture: Picture, area: PixelBox | null): Picture {
  if (area === null) return picture;
  const { width, channels, data } = picture;
  const out = new Uint8Array(area.width * area.height * channels);
  for (let y = 0; y < area.height; y++) {
    const from = ((area.top + y) * width + area.left) * channels;
    out.set(data.subarray(from, from + area.width * channels), y * area.width * channels);
  }
  return { width: area.width, height: area.height, channels, data: out };
}
