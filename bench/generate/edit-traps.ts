/** Changes that resemble a change of shot: of light, of framing and of objects before the camera. */
import { dissolve, plainColor, type View, viewed } from './edit-drawing.ts';
import type { RgbPicture } from './footage.ts';
import type { Random } from './random.ts';

export const TRAP_KINDS = [
  'flash',
  'exposure_flash',
  'whip_pan',
  'shake',
  'exposure_jump',
  'exposure_ramp',
  'strobe',
  'object',
  'still',
  'fast_zoom',
  'title',
] as const;
export type TrapKind = (typeof TRAP_KINDS)[number];

export interface Trap {
  readonly kind: TrapKind;
  /** First and last frame in which the picture is not as before and after; of a jump the frame of the change. */
  readonly from: number;
  readonly to: number;
  /** Part of the wide picture that a frame shows; the middle otherwise. */
  readonly view?: (frame: number) => View;
  readonly draw?: (picture: RgbPicture, frame: number) => RgbPicture;
  /** From `from` to `to` the footage is frozen. */
  readonly freezes?: boolean;
  /** Frames over which views are averaged as an open shutter does, in parts of a frame. */
  readonly shutter?: number;
}

const MIDDLE: View = { x: 0.5, y: 0.5, scale: 1 };

function exposed(picture: RgbPicture, gain: number, offset = 0): RgbPicture {
  const data = picture.data.map((value) => Math.min(255, Math.max(0, Math.round(gain * value + offset))));
  return { ...picture, data };
}

const ramp = (frame: number, from: number, to: number) =>
  Math.min(1, Math.max(0, (frame - from) / Math.max(1, to - from)));
const eased = (share: number) => share * share * (3 - 2 * share);

/** A trap that begins at a frame, at this frame rate. */
export function makeTrap(kind: TrapKind, random: Random, from: number, rate: number): Trap {
  const lasting = (least: number, most: number) =>
    from + Math.max(2, Math.round(rate * random.between(least, most)));
  switch (kind) {
    case 'flash':
    case 'exposure_flash':
      return flash(kind, random, from);
    case 'whip_pan':
    case 'fast_zoom':
    case 'shake':
      return movement(kind, random, from, lasting);
    case 'exposure_jump':
    case 'exposure_ramp': {
      const to = kind === 'exposure_jump' ? from + 1 : lasting(0.3, 1.2);
      const gain = random.chance(0.5) ? random.between(1.25, 1.7) : random.between(0.5, 0.8);
      const offset = random.between(-12, 12);
      const draw = (picture: RgbPicture, frame: number) => {
        const share = ramp(frame, from, to);
        return share === 0 ? picture : exposed(picture, 1 + share * (gain - 1), share * offset);
      };
      return { kind, from, to, draw };
    }
    case 'strobe': {
      const to = lasting(0.6, 1.5);
      const period = rate / random.between(5, 12);
      const dark = random.between(0.1, 0.45);
      const draw = (picture: RgbPicture, frame: number) => {
        const on = frame < from || frame > to || ((frame - from) / period) % 1 >= 0.5;
        return on ? picture : exposed(picture, dark);
      };
      return { kind, from, to, draw };
    }
    case 'object':
      return passingObject(random, from, lasting(0.35, 0.9));
    case 'still':
      return { kind, from, to: lasting(0.8, 1.6), freezes: true };
    case 'title':
      return title(random, from, lasting(1.2, 2));
  }
}

function flash(kind: 'flash' | 'exposure_flash', random: Random, from: number): Trap {
  const to = from + random.whole(1, 4) - 1;
  const strength = random.between(0.6, 1);
  const fades = random.chance(0.5);
  const draw = (picture: RgbPicture, frame: number) => {
    if (frame < from || frame > to) return picture;
    const amount = strength * (fades ? 1 - (frame - from) / (to - from + 1) : 1);
    if (kind === 'flash') return dissolve(picture, plainColor(picture, 255), amount);
    return exposed(picture, 1 + 2.5 * amount, 20 * amount);
  };
  return { kind, from, to, draw };
}

function movement(
  kind: 'whip_pan' | 'fast_zoom' | 'shake',
  random: Random,
  from: number,
  lasting: (least: number, most: number) => number,
): Trap {
  const shutter = random.between(0.3, 1);
  if (kind === 'whip_pan') {
    const to = lasting(0.15, 0.6);
    const distance = (random.chance(0.5) ? 1 : -1) * random.between(0.2, 0.4);
    const view = (frame: number) => ({
      ...MIDDLE,
      x: 0.5 - distance / 2 + distance * eased(ramp(frame, from, to)),
    });
    return { kind, from, to, view, shutter };
  }
  if (kind === 'fast_zoom') {
    const to = lasting(0.3, 0.8);
    const most = random.between(1.25, 1.7);
    const back = random.chance(0.5);
    const view = (frame: number) => {
      const share = eased(ramp(frame, from, to));
      return { ...MIDDLE, scale: most ** (back ? 1 - share : share) };
    };
    return { kind, from, to, view, shutter };
  }
  const to = lasting(0.6, 1.5);
  const [a, b, c, d] = [
    random.between(0.5, 1.3),
    random.between(1.5, 2.9),
    random.next() * 6,
    random.next() * 6,
  ];
  const most = random.between(0.01, 0.035);
  const view = (frame: number): View => {
    const share = Math.sin(Math.PI * ramp(frame, from, to));
    const jerk = (phase: number) =>
      (most * share * (Math.sin(a * frame + phase) + Math.sin(b * frame + 2 * phase))) / 2;
    return { x: 0.5 + jerk(c), y: 0.5 + 2 * jerk(d), scale: 1 };
  };
  return { kind, from, to, view, shutter };
}

/** Somebody walks past near the lens: a large soft-edged shape of slow texture. */
function passingObject(random: Random, from: number, to: number): Trap {
  const width = random.between(0.35, 1.1);
  const backwards = random.chance(0.5);
  const color = [random.whole(15, 200), random.whole(15, 200), random.whole(15, 200)];
  const blur = random.between(0.02, 0.08);
  const draw = (picture: RgbPicture, frame: number) => {
    if (frame < from || frame > to) return picture;
    const share = ramp(frame, from, to);
    const middle = -width / 2 + (1 + width) * (backwards ? 1 - share : share);
    const out = { ...picture, data: picture.data.slice() };
    for (let y = 0, i = 0; y < out.height; y++) {
      const half = (width / 2) * (0.8 + 0.2 * Math.sin(0.3 + (2.5 * y) / out.height));
      for (let x = 0; x < out.width; x++) {
        const inside = (half - Math.abs(x / out.width - middle)) / blur + 0.5;
        const cover = Math.min(1, Math.max(0, inside));
        const cloth = 1 + 0.25 * Math.sin(9 * (x / out.width - middle) + 5 * (y / out.height));
        for (let c = 0; c < 3; c++, i++)
          out.data[i] = out.data[i] + cover * (Math.min(255, color[c] * cloth) - out.data[i]);
      }
    }
    return out;
  };
  return { kind: 'object', from, to, draw };
}

/** A card with lines of writing fades in and out again. */
function title(random: Random, from: number, to: number): Trap {
  const height = random.between(0.12, 0.3);
  const top = random.between(0.05, 0.9 - height);
  const card = random.chance(0.5) ? 30 : 225;
  const draw = (picture: RgbPicture, frame: number) => {
    const share = Math.min(
      ramp(frame, from, from + (to - from) / 4),
      1 - ramp(frame, to - (to - from) / 4, to),
    );
    if (share === 0) return picture;
    const out = { ...picture, data: picture.data.slice() };
    const first = Math.round(top * out.height);
    const last = Math.round((top + height) * out.height);
    for (let y = first; y < last; y++) {
      for (let x = Math.round(0.15 * out.width); x < 0.85 * out.width; x++) {
        const isStroke = (y - first) % 18 > 7 && (x * 7 + 3 * Math.floor((y - first) / 18)) % 23 < 9;
        const level = isStroke ? 255 - card : card;
        const i = 3 * (y * out.width + x);
        for (let k = i; k < i + 3; k++) out.data[k] = out.data[k] + 0.85 * share * (level - out.data[k]);
      }
    }
    return out;
  };
  return { kind: 'title', from, to, draw };
}

/** A frame of the wide footage under a trap. */
export function shownUnder(
  trap: Trap | null,
  wide: RgbPicture,
  size: { width: number; height: number },
  frame: number,
): RgbPicture {
  const { view, shutter = 0 } = trap ?? {};
  if (view === undefined) return viewed(wide, size, MIDDLE);
  const now = view(frame);
  const later = view(frame + shutter);
  const shift =
    Math.hypot((later.x - now.x) * wide.width, (later.y - now.y) * wide.height) +
    60 * Math.abs(later.scale - now.scale);
  const count = Math.min(8, 1 + Math.floor(shift / 3));
  if (count === 1) return viewed(wide, size, now);
  const sums = new Float32Array(size.width * size.height * 3);
  for (let k = 0; k < count; k++) {
    const { data } = viewed(wide, size, view(frame + (shutter * k) / count));
    for (let i = 0; i < sums.length; i++) sums[i] += data[i];
  }
  return { ...size, data: Uint8Array.from(sums, (sum) => Math.round(sum / count)) };
}
