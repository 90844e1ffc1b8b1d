/**
 * Draws transitions by the arithmetic of common editors, apart from the product's own renderer: what the detectors
 * are measured on must not be written by the authors of the code.
 */
import type { Direction } from '../../src/analysis/facts.ts';
import type { RgbPicture } from './footage.ts';

/** The picture at `share` (0 old .. 1 new) of a transition. */
export type Drawing = (old: RgbPicture, fresh: RgbPicture, share: number) => RgbPicture;

/** What part of a picture is seen: the middle in shares of its size, and a magnification. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

function blank({ width, height }: RgbPicture): RgbPicture {
  return { width, height, data: new Uint8Array(width * height * 3) };
}

/** Mixes old and new picture by a share per place; places are -0.5..0.5 of width and height. */
function mixedBy(
  old: RgbPicture,
  fresh: RgbPicture,
  shareAt: (x: number, y: number, pixel: number) => number,
): RgbPicture {
  const out = blank(old);
  const { width, height, data } = out;
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      const share = Math.min(
        1,
        Math.max(0, shareAt((x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5, pixel)),
      );
      for (let i = 3 * pixel; i < 3 * pixel + 3; i++)
        data[i] = Math.round(old.data[i] + share * (fresh.data[i] - old.data[i]));
    }
  }
  return out;
}

export const dissolve: Drawing = (old, fresh, share) => mixedBy(old, fresh, () => share);

export function plainColor(like: RgbPicture, level: number): RgbPicture {
  const out = blank(like);
  out.data.fill(level);
  return out;
}

/** Through a color, in which it rests for `hold` of the time. */
export function fadeThrough(level: number, hold: number): Drawing {
  const arm = (1 - hold) / 2;
  return (old, fresh, share) => {
    const color = plainColor(old, level);
    if (share < 0.5) return dissolve(old, color, Math.min(1, share / arm));
    return dissolve(fresh, color, Math.min(1, (1 - share) / arm));
  };
}

const smooth = (from: number, to: number, value: number): number => {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return share * share * (3 - 2 * share);
};

/** Progress at which an edge with this direction passes a place. */
function along(direction: Direction): (x: number, y: number) => number {
  if (direction === 'right') return (x) => x + 0.5;
  if (direction === 'left') return (x) => 0.5 - x;
  return direction === 'down' ? (_, y) => y + 0.5 : (_, y) => 0.5 - y;
}

/** An edge moves over the picture; `softness` is its width as a share of the distance. */
export function wipe(direction: Direction, softness: number): Drawing {
  const place = along(direction);
  return (old, fresh, share) => {
    const edge = share * (1 + softness) - softness / 2;
    return mixedBy(old, fresh, (x, y) => (edge - place(x, y)) / Math.max(softness, 1e-3) + 0.5);
  };
}

/** The same, from one corner to the one opposite: `down` and `right` select it. */
export function cornerWipe(down: boolean, right: boolean, softness: number): Drawing {
  const [level, upright] = [along(right ? 'right' : 'left'), along(down ? 'down' : 'up')];
  return (old, fresh, share) => {
    const edge = share * (1 + softness) - softness / 2;
    return mixedBy(old, fresh, (x, y) => {
      const place = (level(x, y) + upright(x, y)) / 2;
      return (edge - place) / Math.max(softness, 1e-3) + 0.5;
    });
  };
}

/** The new picture opens in a circle, or the old one closes in it; `softness` as a share of the radius. */
export function circle(opens: boolean, softness: number): Drawing {
  return (old, fresh, share) => {
    const corner = Math.hypot(old.width, old.height) / 2;
    const edge = (opens ? share : 1 - share) * (1 + softness) - softness / 2;
    return mixedBy(old, fresh, (x, y) => {
      const radius = Math.hypot(x * old.width, y * old.height) / corner;
      const inside = smooth(-0.5, 0.5, (edge - radius) / Math.max(softness, 1e-3));
      return opens ? inside : 1 - inside;
    });
  };
}

/** `push`: both pictures move; `cover`: the new one moves over the old; `reveal`: the old one leaves. */
export function slide(direction: Direction, kind: 'push' | 'cover' | 'reveal'): Drawing {
  const vertical = direction === 'up' || direction === 'down';
  const sign = direction === 'left' || direction === 'up' ? -1 : 1;
  return (old, fresh, share) => {
    const out = blank(old);
    const { width, height } = out;
    const length = vertical ? height : width;
    const shift = sign * Math.round(share * length);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const place = vertical ? y : x;
        const before = place - shift;
        const isOld = before >= 0 && before < length;
        const still = isOld ? kind === 'cover' : kind === 'reveal';
        const from = still ? place : isOld ? before : before + sign * length;
        const source = vertical ? from * width + x : y * width + from;
        const picture = isOld ? old : fresh;
        out.data.set(picture.data.subarray(3 * source, 3 * source + 3), 3 * (y * width + x));
      }
    }
    return out;
  };
}

/**
 * Zooms as editors draw them. `mix`: the old picture grows while the new one is mixed in (SimpleZoom of
 * gl-transitions); `settle`: the new picture is mixed in magnified and settles; `through`: the old one grows and the
 * new one continues growing into place from a smaller part, changing over in the middle; `dive`: the old picture grows
 * into a single point, from which the new one is mixed in (FFmpeg's `zoomin`).
 */
export const ZOOMS = ['mix', 'settle', 'through', 'dive'] as const;

export function zoom(kind: (typeof ZOOMS)[number], factor: number): Drawing {
  const grown = (picture: RgbPicture, scale: number) => viewed(picture, picture, { x: 0.5, y: 0.5, scale });
  return (old, fresh, share) => {
    if (kind === 'mix') return dissolve(grown(old, factor ** share), fresh, smooth(0.3, 0.9, share));
    if (kind === 'settle') return dissolve(old, grown(fresh, factor ** (1 - share)), smooth(0.1, 0.7, share));
    if (kind === 'through') {
      const later = grown(fresh, factor ** (1 - share));
      return dissolve(grown(old, factor ** share), later, smooth(0.35, 0.65, share));
    }
    const left = Math.max(1e-3, 1 - smooth(0, 0.5, share));
    return dissolve(grown(old, 1 / left), fresh, smooth(0.5, 1, share));
  };
}

/** The part of a picture that a view shows, at the size of `like`, bilinear; outside its edge it is mirrored. */
export function viewed(
  picture: RgbPicture,
  like: RgbPicture | { width: number; height: number },
  view: View,
): RgbPicture {
  const { width, height } = like;
  const { data } = picture;
  if (
    width === picture.width &&
    height === picture.height &&
    view.x === 0.5 &&
    view.y === 0.5 &&
    view.scale === 1
  )
    return picture;
  const out = { width, height, data: new Uint8Array(width * height * 3) };
  const columns = mirrored(width, view.x * picture.width, view.scale, picture.width);
  const rows = mirrored(height, view.y * picture.height, view.scale, picture.height);
  for (let y = 0, o = 0; y < height; y++) {
    const { near: y0, far: y1, share: v } = rows[y];
    for (let x = 0; x < width; x++) {
      const { near: x0, far: x1, share: u } = columns[x];
      const a = 3 * (y0 * picture.width + x0);
      const b = 3 * (y0 * picture.width + x1);
      const c = 3 * (y1 * picture.width + x0);
      const d = 3 * (y1 * picture.width + x1);
      for (let k = 0; k < 3; k++, o++) {
        const top = data[a + k] * (1 - u) + data[b + k] * u;
        const low = data[c + k] * (1 - u) + data[d + k] * u;
        out.data[o] = Math.round(top * (1 - v) + low * v);
      }
    }
  }
  return out;
}

function mirrored(count: number, middle: number, scale: number, length: number) {
  const inside = (place: number) => {
    const folded = ((place % (2 * length)) + 2 * length) % (2 * length);
    return Math.min(length - 1, folded < length ? folded : 2 * length - 1 - folded);
  };
  return Array.from({ length: count }, (_, i) => {
    const place = middle + (i + 0.5 - count / 2) / scale - 0.5;
    const floor = Math.floor(place);
    return { near: inside(floor), far: inside(floor + 1), share: place - floor };
  });
}
