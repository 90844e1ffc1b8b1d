/**
 * Looks with colorists' operations, in random order and strength, built in RGB: they share no code with the
 * estimated looks.
 */
import { labToRgb, rgbToLab } from '../../src/signal/color-space.ts';
import { clamp } from '../../src/signal/interpolation.ts';
import { GREY_LEVELS } from '../../src/style/model/look.ts';
import type { Random } from '../generate/random.ts';

/** Changes gamma-encoded RGB, 0..1, in place. */
export type RgbLook = (rgb: Float64Array) => void;

type Rgb = readonly [number, number, number];

const CHANNELS = [0, 1, 2] as const;
/** From here on an over-exposed channel rolls off. */
const SHOULDER = 0.8;

const luma = (rgb: Float64Array) => 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
const bounded = (value: number) => clamp(value, 0, 1);

const each =
  (change: (value: number, channel: 0 | 1 | 2) => number): RgbLook =>
  (rgb) => {
    for (const channel of CHANNELS) rgb[channel] = change(rgb[channel], channel);
  };

/** Towards (or beyond) a grey of the same luma. */
const saturation =
  (factorOf: (rgb: Float64Array) => number): RgbLook =>
  (rgb) => {
    const [grey, factor] = [luma(rgb), factorOf(rgb)];
    for (const channel of CHANNELS) rgb[channel] = grey + factor * (rgb[channel] - grey);
  };

const exposure = (stops: number): RgbLook => {
  const factor = 2 ** (stops / 2.2);
  return each((value) => {
    const bright = value * factor;
    const room = 1 - SHOULDER;
    return bright > SHOULDER ? SHOULDER + room * (1 - Math.exp(-(bright - SHOULDER) / room)) : bright;
  });
};
const gains = (factors: Rgb): RgbLook => each((value, channel) => value * factors[channel]);
const gammas = (exponents: Rgb): RgbLook => each((value, channel) => bounded(value) ** exponents[channel]);
const lift = (blacks: Rgb): RgbLook =>
  each((value, channel) => blacks[channel] + value * (1 - blacks[channel]));
const contrast = (amount: number, pivot: number): RgbLook =>
  each((value) => {
    if (amount < 0) return pivot + (value - pivot) * (1 + amount);
    const x = bounded(value);
    return x < pivot
      ? pivot * (x / pivot) ** (1 + amount)
      : 1 - (1 - pivot) * ((1 - x) / (1 - pivot)) ** (1 + amount);
  });
const splitToning =
  (shadows: Rgb, lights: Rgb): RgbLook =>
  (rgb) => {
    const light = bounded(luma(rgb));
    const share = 0.3 + 2.8 * light * (1 - light);
    for (const channel of CHANNELS) {
      const tint = shadows[channel] * (1 - light) ** 2 + lights[channel] * light ** 2;
      rgb[channel] = bounded(rgb[channel] + share * tint);
    }
  };
/** The picture over itself in black and white, by the blend "overlay". */
const bleachBypass =
  (amount: number): RgbLook =>
  (rgb) => {
    const grey = luma(rgb);
    for (const channel of CHANNELS) {
      const value = bounded(rgb[channel]);
      const over = grey < 0.5 ? 2 * value * grey : 1 - 2 * (1 - value) * (1 - grey);
      rgb[channel] = value + amount * (over - value);
    }
  };

function chained(steps: readonly RgbLook[]): RgbLook {
  return (rgb) => {
    for (const step of steps) step(rgb);
    for (const channel of CHANNELS) rgb[channel] = bounded(rgb[channel]);
  };
}

/** About one in fourteen is the identity; one in twelve is black and white or nearly. */
export function randomLook(random: Random): RgbLook {
  if (random.chance(0.07)) return chained([]);
  const strength = random.between(0.35, 1.3);
  const normal = (deviation: number) =>
    strength *
    deviation *
    Math.sqrt(-2 * Math.log(1 - random.next())) *
    Math.cos(2 * Math.PI * random.next());
  const rgbOf = (value: (channel: number) => number): Rgb => [value(0), value(1), value(2)];
  const tint = (): Rgb => {
    const [hue, amount] = [random.between(0, 2 * Math.PI), Math.abs(normal(0.13))];
    return [amount * Math.cos(hue), 0.6 * amount * Math.cos(hue - 2.1), amount * Math.cos(hue + 2.1)];
  };
  const steps: RgbLook[] = [];
  const maybe = (share: number, step: () => RgbLook) => {
    if (random.chance(share)) steps.push(step());
  };
  maybe(0.5, () => exposure(normal(0.7)));
  maybe(0.6, () => {
    const [warm, magenta] = [normal(0.14), normal(0.05)];
    return gains([1 + warm + magenta, 1 - magenta, 1 - warm + magenta]);
  });
  maybe(0.35, () => {
    const all = normal(0.18);
    return gammas(rgbOf((channel) => Math.exp(all + normal(channel === 1 ? 0.07 : 0.12))));
  });
  maybe(0.6, () => contrast(Math.max(-0.6, normal(0.35) + 0.1 * strength), random.between(0.35, 0.6)));
  maybe(0.4, () => {
    const all = Math.abs(normal(0.08));
    return lift(rgbOf((channel) => bounded(all + normal(channel === 1 ? 0.025 : 0.04))));
  });
  maybe(0.3, () => {
    const all = 1 - Math.abs(normal(0.08));
    return gains(rgbOf((channel) => all + normal(channel === 1 ? 0.03 : 0.05)));
  });
  maybe(0.5, () => splitToning(tint(), tint()));
  maybe(0.15, () => bleachBypass(strength * random.between(0.2, 0.9)));
  maybe(0.15, () => {
    const vibrance = strength * random.between(-0.4, 0.6);
    return saturation((rgb) => 1 + vibrance * (1 - (Math.max(...rgb) - Math.min(...rgb))));
  });
  maybe(0.6, () => {
    const factor = Math.exp(normal(0.4));
    return saturation(() => factor);
  });
  if (random.chance(0.08)) {
    const rest = random.chance(0.8) ? 0 : random.between(0, 0.3);
    steps.push(saturation(() => rest));
    maybe(0.4, () => {
      const warm = normal(0.08);
      return gains([1 + warm, 1, 1 - warm]);
    });
  }
  return chained(steps);
}

/** Chroma and lightness of the patches that determine a look's factor of chroma. */
const PATCH_CHROMA = 18;
const PATCH_LIGHTNESS = [35, 50, 65, 80] as const;
const PATCH_HUES = 12;
/** Below, black and white; the logarithm stays finite. */
const MIN_CHROMA_FACTOR = 0.05;

/** What `lookOfEvidence` is to find: of seven greys the change in lightness and the cast; ten times the logarithm of chroma's factor. */
export function figuresOf(look: RgbLook): Float64Array {
  const lab = new Float64Array(3);
  const through = (lightness: number, a: number, b: number): readonly number[] | null => {
    const rgb = new Float64Array(3);
    labToRgb(lightness, a, b, rgb);
    if (Math.min(...rgb) < 0 || Math.max(...rgb) > 1) return null;
    look(rgb);
    rgbToLab(rgb[0], rgb[1], rgb[2], lab);
    return [...lab];
  };
  const greys = GREY_LEVELS.flatMap((level) => {
    const [lightness, a, b] = through(level, 0, 0)!;
    return [lightness! - level, a!, b!];
  });
  let [along, square] = [0, 0];
  for (const lightness of PATCH_LIGHTNESS) {
    const grey = through(lightness, 0, 0)!;
    for (let step = 0; step < PATCH_HUES; step++) {
      const hue = (2 * Math.PI * step) / PATCH_HUES;
      const [a, b] = [PATCH_CHROMA * Math.cos(hue), PATCH_CHROMA * Math.sin(hue)];
      const patch = through(lightness, a, b);
      if (patch === null) continue;
      along += a * (patch[1] - grey[1]) + b * (patch[2] - grey[2]);
      square += a * a + b * b;
    }
  }
  return Float64Array.from([...greys, 10 * Math.log(Math.max(MIN_CHROMA_FACTOR, along / square))]);
}
