/** What happens within a shot and looks like a cut. */
import { clamp } from '../../src/signal/interpolation.ts';
import { type View, viewed } from './edit-drawing.ts';
import type { RgbPicture } from './footage.ts';
import type { Random } from './random.ts';

/** Overlays occur several times: captions, logos and windows are most frequent in real clips. */
export const RECUT_TRAPS = [
  ...['flash', 'light', 'shake', 'pan', 'fast', 'repeat', 'freeze'],
  ...['overlay', 'overlay', 'overlay', 'overlay', 'overlay'],
] as RecutTrap[];

export type RecutTrap = 'flash' | 'light' | 'shake' | 'pan' | 'fast' | 'repeat' | 'freeze' | 'overlay';

/** Nothing happens at the ends, where it would belong to the cut. */
const END_FRAMES = 4;
/** Margin for shakes and pans. */
const CLOSE_SCALE = 1.25;

/** `length` pictures of a shot's `footage`, of which there may be more, with the trap among them. */
export function trapped(
  trap: RecutTrap,
  footage: readonly RgbPicture[],
  length: number,
  view: View,
  random: Random,
): RgbPicture[] {
  const from = random.whole(END_FRAMES, length - END_FRAMES - 1);
  const frames = trap === 'flash' ? random.whole(1, 4) : random.whole(4, 11);
  const amount = random.next();
  const last = footage.length - 1;
  const observed = (at: number, place = view) => viewed(footage[Math.min(last, at)], footage[0], place);
  const each = (draw: (at: number) => RgbPicture) => Array.from({ length }, (_, at) => draw(at));
  const isOn = (at: number) => at >= from && at < from + frames;
  switch (trap) {
    case 'flash':
      return each((at) => (isOn(at) ? lit(observed(at), 1.4 + 2 * amount, 90 * amount) : observed(at)));
    case 'light':
      return each((at) => (at >= from ? lit(observed(at), 0.5 + amount, 0) : observed(at)));
    case 'shake':
    case 'pan':
      return each((at) =>
        observed(at, isOn(at) ? movedView(trap, (at - from) / frames, amount, random) : close(0.5, 0.5)),
      );
    case 'fast':
      return each((at) => observed(at <= from ? at : from + (at - from) * (2 + Math.floor(3 * amount))));
    case 'repeat':
      return each((at) => observed(at - (at % (2 + Math.floor(2 * amount)))));
    case 'freeze':
      return each((at) => observed(Math.min(at, from)));
    case 'overlay': {
      const overlay = overlayOn(footage[0], random);
      return each((at) => (at >= from && at < from + 3 * frames ? overlay(observed(at)) : observed(at)));
    }
  }
}

const close = (x: number, y: number): View => ({ x, y, scale: CLOSE_SCALE });

function movedView(trap: 'shake' | 'pan', share: number, amount: number, random: Random): View {
  const room = 0.5 - 0.5 / CLOSE_SCALE;
  if (trap === 'pan') return close(0.5 + (amount > 0.5 ? room : -room) * Math.sin(Math.PI * share), 0.5);
  const aside = () => 0.5 + amount * random.between(-room, room);
  return close(aside(), aside());
}

function lit(picture: RgbPicture, gain: number, lift: number): RgbPicture {
  return { ...picture, data: picture.data.map((value) => clamp(value * gain + lift, 0, 255)) };
}

/** A box of one color, or with stripes in it as letters have them, in the lower two thirds. */
function overlayOn({ width, height }: RgbPicture, random: Random): (picture: RgbPicture) => RgbPicture {
  const [wide, high] = [random.between(0.08, 0.58) * width, random.between(0.05, 0.4) * height];
  const [left, top] = [random.next() * (width - wide), random.between(0.3, 1) * (height - high)];
  const color = [0, 1, 2].map(() => random.whole(0, 255));
  const isLettered = random.chance(0.5);
  return (picture) => {
    const data = picture.data.slice();
    for (let y = Math.floor(top); y < top + high && y < height; y++) {
      for (let x = Math.floor(left); x < left + wide && x < width; x++) {
        const isStroke = isLettered && (x * 7 + y * 13) % 17 < 3;
        for (let c = 0; c < 3; c++) data[3 * (y * width + x) + c] = isStroke ? 255 - color[c] : color[c];
      }
    }
    return { ...picture, data };
  };
}
