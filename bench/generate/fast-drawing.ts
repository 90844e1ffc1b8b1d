/** Changes of shot that hide themselves: blurred, hurled aside, or within a part of the picture. */
import { type Drawing, dissolve } from './edit-drawing.ts';
import type { RgbPicture } from './footage.ts';
import type { Random } from './random.ts';

/** Means over `2 × reach + 1` pixels along a row or a column, edges held. */
function boxBlur(picture: RgbPicture, reach: number, vertical: boolean): RgbPicture {
  const { width, height, data } = picture;
  const out = new Uint8Array(data.length);
  const [lines, length] = vertical ? [width, height] : [height, width];
  const [step, aside] = vertical ? [3 * width, 3] : [3, 3 * width];
  for (let line = 0; line < lines; line++) {
    for (let c = 0; c < 3; c++) {
      const at = (place: number): number =>
        data[line * aside + Math.min(length - 1, Math.max(0, place)) * step + c];
      let sum = 0;
      for (let k = -reach; k <= reach; k++) sum += at(k);
      for (let k = 0; k < length; k++) {
        out[line * aside + k * step + c] = Math.round(sum / (2 * reach + 1));
        sum += at(k + reach + 1) - at(k - reach);
      }
    }
  }
  return { width, height, data: out };
}

function blurred(picture: RgbPicture, reach: number): RgbPicture {
  const pixels = Math.round(reach);
  return pixels < 1 ? picture : boxBlur(boxBlur(picture, pixels, false), pixels, true);
}

/** Both pictures lose focus and regain it while one replaces the other. */
export function blurredDissolve(random: Random): Drawing {
  const most = random.between(0.02, 0.09);
  return (old, fresh, share) => {
    const reach = most * old.width * Math.sin(Math.PI * share);
    return dissolve(blurred(old, reach), blurred(fresh, reach), share);
  };
}

/** The picture moved by a share of its width or height; what enters is the picture again, mirrored. */
function shifted(picture: RgbPicture, share: number, vertical: boolean): RgbPicture {
  const { width, height, data } = picture;
  const out = new Uint8Array(data.length);
  const length = vertical ? height : width;
  const by = Math.round(share * length);
  const folded = (place: number): number => {
    const within = ((place % (2 * length)) + 2 * length) % (2 * length);
    return within < length ? within : 2 * length - 1 - within;
  };
  for (let y = 0, o = 0; y < height; y++) {
    for (let x = 0; x < width; x++, o += 3) {
      const from = 3 * (vertical ? folded(y + by) * width + x : y * width + folded(x + by));
      for (let c = 0; c < 3; c++) out[o + c] = data[from + c];
    }
  }
  return { width, height, data: out };
}

/** The old picture is hurled out of the frame, the new one flies in and stops; both with motion blur. */
export function whip(random: Random): Drawing {
  const vertical = random.chance(0.25);
  const sign = random.chance(0.5) ? 1 : -1;
  const far = random.between(0.5, 1.5);
  const smear = random.between(0.4, 1);
  return (old, fresh, share) => {
    const isOld = share < 0.5;
    const left = isOld ? share : 1 - share;
    const picture = isOld ? old : fresh;
    const moved = shifted(picture, (isOld ? sign : -sign) * far * (2 * left) ** 3, vertical);
    const speed = 6 * far * (2 * left) ** 2 * 0.08 * smear;
    const reach = Math.round(speed * (vertical ? old.height : old.width));
    const observed = reach < 1 ? moved : boxBlur(moved, reach, vertical);
    return observed;
  };
}

/** A part of the picture, in shares of its size, and the brightness of the plain frame around it. */
export interface Pane {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly level: number;
}

/** Half to six sevenths of the picture, as wide or as high as it. */
export function paneOf(random: Random): Pane {
  const share = random.between(0.5, 0.85);
  const [width, height] = random.chance(0.5) ? [1, share] : [share, 1];
  return {
    ...{ width, height },
    left: random.between(0, 1 - width),
    top: random.between(0, 1 - height),
    level: random.between(0, 220),
  };
}

/** The picture shows in a pane alone, as in framed pictures and split screens. */
export function inPane(picture: RgbPicture, { left, top, width: w, height: h, level }: Pane): RgbPicture {
  const { width, height } = picture;
  const data = picture.data.slice();
  for (let y = 0; y < height; y++) {
    const isRow = y >= top * height && y < (top + h) * height;
    for (let x = 0; x < width; x++) {
      if (isRow && x >= left * width && x < (left + w) * width) continue;
      const at = 3 * (y * width + x);
      data[at] = level + (30 * x) / width;
      data[at + 1] = level;
      data[at + 2] = level + (30 * y) / height;
    }
  }
  return { width, height, data };
}
