import type { Box, FigureLook, SubjectTrack, VideoFacts } from '../../analysis/facts.ts';
import { bytesToLab } from '../../signal/color-space.ts';
import { isSkinColor } from './skin.ts';
import { holds, type SmallPicture, smallPictures } from './small-pictures.ts';

/** Figures are detected every 1.5 s: findings at a larger distance in time may belong to another shot. */
const MAX_SECONDS_APART = 1.5;
/**
 * Above both, a figure counts as a person: the share of it that has skin's colors, and this share over that of its
 * surroundings. 58 clips without a face found: people .08–.38 and 2.4–7, toys and stones on wood .3–.8, a flower 1.2, brown
 * rooms with people .9–1.6 (missed).
 */
const [MIN_SKIN, MIN_TIMES] = [0.08, 2];
/**
 * Guard of skin where only figures show people. Paths and walls have skin's colors too: with full guard, 69 and 88 % of the
 * line-up are recognized instead of 72 and 91 (strengths .8 and 1).
 */
const FIGURES_SHARE = 0.5;

/** How far skin is to be guarded, 0..1: wholly where faces are found, in part where figures have skin's colors before another ground. */
export function peopleShare(video: VideoFacts): number {
  if (video.faces.length > 0) return 1;
  const [figure, ground] = [new SkinShare(), new SkinShare()];
  for (const picture of smallPictures(video)) {
    const look = nearestLook(video.figures, picture.seconds);
    if (look !== null) addPicture(picture, look, { figure, ground });
  }
  const isPerson = figure.share >= MIN_SKIN && figure.share >= MIN_TIMES * ground.share;
  return isPerson ? FIGURES_SHARE : 0;
}

/** The least guard of skin in each take of an edit: where one shows a face, others show the same people from behind or in weak light. */
export function peopleShareOfTakes(videos: readonly VideoFacts[]): number {
  return videos.some(({ faces }) => faces.length > 0) ? FIGURES_SHARE : 0;
}

/** The middle of a face in the box around head and shoulders: beside it there are walls of skin's colors. */
const MIDDLE = { x: 0.3, y: 0.12, width: 0.4, height: 0.36 } as const;

/** Median lightness (CIELAB) of skin in the faces found; undefined without any. */
export function faceLightnessOf(video: VideoFacts): number | undefined {
  const lab = new Float64Array(3);
  const found: number[] = [];
  for (const { seconds, rgb, width, height } of smallPictures(video)) {
    const faces = boxesNear(video.faces, seconds).map(middleOf);
    if (faces.length === 0) continue;
    for (let at = 0; at < width * height; at++) {
      const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
      if (!faces.some((face) => holds(face, x, y))) continue;
      bytesToLab(rgb[3 * at], rgb[3 * at + 1], rgb[3 * at + 2], lab);
      if (isSkinColor(lab[0], lab[1], lab[2])) found.push(lab[0]);
    }
  }
  return found.length === 0 ? undefined : found.sort((a, b) => a - b)[found.length >> 1];
}

function middleOf({ x, y, width, height }: Box): Box {
  return {
    x: x + MIDDLE.x * width,
    y: y + MIDDLE.y * height,
    width: MIDDLE.width * width,
    height: MIDDLE.height * height,
  };
}

/** The boxes of tracks that are within `MAX_SECONDS_APART`, one of each track. */
function boxesNear(tracks: readonly SubjectTrack[], seconds: number): Box[] {
  return tracks.flatMap(({ boxes }) => {
    const apart = (one: SubjectTrack['boxes'][number]) => Math.abs(one.timeSeconds - seconds);
    const nearest = boxes.reduce((best, one) => (apart(one) < apart(best) ? one : best), boxes[0]);
    return nearest !== undefined && apart(nearest) <= MAX_SECONDS_APART ? [nearest.box] : [];
  });
}

class SkinShare {
  #skin = 0;
  #all = 0;

  add(isSkin: boolean, weight: number): void {
    this.#all += weight;
    if (isSkin) this.#skin += weight;
  }

  get share(): number {
    return this.#all === 0 ? 0 : this.#skin / this.#all;
  }
}

/** The look that found a figure and is nearest in time. */
function nearestLook(looks: readonly FigureLook[], seconds: number): FigureLook | null {
  let nearest: FigureLook | null = null;
  for (const look of looks) {
    const apart = Math.abs(look.timeSeconds - seconds);
    if (apart > MAX_SECONDS_APART || Math.max(...look.across) === 0) continue;
    if (nearest === null || apart < Math.abs(nearest.timeSeconds - seconds)) nearest = look;
  }
  return nearest;
}

/** A figure is known by columns and rows: it is where both have it. */
function addPicture(
  { rgb, width, height, area, covers }: SmallPicture,
  { across, down }: FigureLook,
  { figure, ground }: { readonly figure: SkinShare; readonly ground: SkinShare },
): void {
  const most = Math.max(...across) * Math.max(...down);
  const lab = new Float64Array(3);
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height];
    if (!holds(area, x, y) || covers.some((box) => holds(box, x, y))) continue;
    bytesToLab(rgb[3 * at], rgb[3 * at + 1], rgb[3 * at + 2], lab);
    const isSkin = isSkinColor(lab[0], lab[1], lab[2]);
    const weight = (across[Math.floor(x * across.length)] * down[Math.floor(y * down.length)]) / most;
    figure.add(isSkin, weight);
    ground.add(isSkin, 1 - weight);
  }
}
