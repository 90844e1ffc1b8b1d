/** Light that changes without a cut. */
import type { RgbPicture } from './footage.ts';
import type { Random } from './random.ts';

type Trap = (picture: RgbPicture, frame: number) => RgbPicture;

function mapped(picture: RgbPicture, of: (value: number, channel: number) => number): RgbPicture {
  const data = new Uint8Array(picture.data.length);
  for (let i = 0; i < data.length; i++) data[i] = Math.min(255, Math.max(0, of(picture.data[i], i % 3)));
  return { ...picture, data };
}

interface Burst {
  readonly from: number;
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  readonly lasts: number;
  readonly color: readonly [number, number, number];
  readonly sparks: readonly (readonly [number, number])[];
  readonly lightsSky: number;
}

/** Bursts of sparks that grow and go out over a night sky: the picture turns from black to bright and back. */
export function fireworks(random: Random, rate: number, seconds = 4): Trap {
  const bursts: Burst[] = [];
  for (let at = 0; at < seconds * rate; at += rate * random.between(0.15, 0.8)) {
    bursts.push({
      from: Math.round(at),
      x: random.between(0.15, 0.85),
      y: random.between(0.1, 0.6),
      reach: random.between(0.15, 0.6),
      lasts: rate * random.between(0.5, 1.6),
      color: [random.whole(90, 255), random.whole(60, 255), random.whole(40, 255)],
      sparks: Array.from({ length: random.whole(40, 140) }, () => {
        const angle = random.between(0, 2 * Math.PI);
        const length = Math.sqrt(random.next());
        return [Math.cos(angle) * length, Math.sin(angle) * length] as const;
      }),
      lightsSky: random.chance(0.4) ? random.between(20, 110) : random.between(0, 12),
    });
  }
  const ground = random.between(0, 0.12);
  return (picture, frame) => {
    const out = mapped(picture, (value) => ground * value);
    const { width, height, data } = out;
    const lit = new Float32Array(3);
    for (const burst of bursts) {
      const age = (frame - burst.from) / burst.lasts;
      if (age < 0 || age > 1) continue;
      const light = (1 - age) ** 2;
      const spread = burst.reach * (1 - (1 - age) ** 3) * height;
      for (let c = 0; c < 3; c++) lit[c] += burst.lightsSky * (1 - age) ** 6 * (burst.color[c] / 255);
      for (const [dx, dy] of burst.sparks) {
        const x = Math.round(burst.x * width + dx * spread);
        const y = Math.round(burst.y * height + dy * spread + 0.1 * age * age * height);
        for (let v = -2; v <= 2; v++) {
          for (let u = -2; u <= 2; u++) {
            if (x + u < 0 || x + u >= width || y + v < 0 || y + v >= height) continue;
            const at = 3 * ((y + v) * width + x + u);
            for (let c = 0; c < 3; c++)
              data[at + c] = Math.min(255, data[at + c] + (light * burst.color[c]) / (1 + u * u + v * v));
          }
        }
      }
    }
    return mapped(out, (value, channel) => value + lit[channel]);
  };
}

/** Light that is cut off again and again: the same scene, black in between. */
export function strobeOverBlack(random: Random, rate: number): Trap {
  const period = rate / random.between(2, 9);
  const share = random.between(0.3, 0.7);
  const decays = random.chance(0.5);
  const dark = random.between(0, 0.15);
  return (picture, frame) => {
    const phase = (frame / period) % 1;
    const level = phase >= share ? dark : decays ? Math.max(dark, (1 - phase / share) ** 1.5) : 1;
    return mapped(picture, (value) => level * value);
  };
}

/** A sign that glows up and down over a dark ground: its light fills the picture, and nothing else changes. */
export function glow(random: Random, rate: number): Trap {
  const color = [random.whole(60, 255), random.whole(60, 255), random.whole(60, 255)];
  const [x0, y0] = [random.between(0.35, 0.65), random.between(0.35, 0.65)];
  const reach = random.between(0.2, 0.7);
  const period = rate * random.between(0.6, 2);
  const ground = random.between(0.05, 0.35);
  return (picture, frame) => {
    const light = (1 - Math.cos((2 * Math.PI * frame) / period)) / 2;
    const out = mapped(picture, (value) => ground * value);
    const { width, height, data } = out;
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const dx = x / width - x0;
        const dy = ((y / height - y0) * height) / width;
        const away = Math.hypot(dx, 2 * dy);
        const isSign = Math.abs(dx) < 0.18 && Math.abs(dy) < 0.05;
        const strength = light * (isSign ? 1 : Math.exp(-((away / reach) ** 2)) * 0.8);
        for (let c = 0; c < 3; c++, at++) data[at] = Math.min(255, data[at] + strength * color[c]);
      }
    }
    return out;
  };
}
