import { writeDrawnClip } from '../media/encode/drawn-clip.ts';
import { luma709 } from '../signal/colour-space.ts';

/** A colour, 0..1 each; a scene gives the one at (x, y), 0..1 from the left and the top, at a time in seconds. */
type Colour = readonly [red: number, green: number, blue: number];
type Scene = (x: number, y: number, seconds: number) => Colour;

function mix(a: Colour, b: Colour, share: number): Colour {
  const s = Math.min(1, Math.max(0, share));
  return [a[0] + (b[0] - a[0]) * s, a[1] + (b[1] - a[1]) * s, a[2] + (b[2] - a[2]) * s];
}

/** Sum of waves that looks like terrain or cloud. */
function waves(x: number, y: number): number {
  return (
    0.5 +
    0.22 * Math.sin(7 * x + 3 * Math.sin(4 * y)) +
    0.16 * Math.sin(17 * x - 9 * y) +
    0.12 * Math.sin(41 * x + 23 * y + 2 * Math.sin(13 * x))
  );
}

const sea: Scene = (x, y, t) => {
  const sun = Math.hypot((x - 0.62) * 1.7, y - 0.38);
  const sky = mix([0.98, 0.74, 0.5], [0.42, 0.56, 0.78], (0.5 - y) * 2);
  const glow = mix(sky, [1, 0.93, 0.75], Math.exp(-sun * 9));
  if (y < 0.52)
    return sun < 0.06
      ? [1, 0.97, 0.86]
      : mix(glow, [0.9, 0.86, 0.84], 0.5 * waves(x + t * 0.01, y * 3) - 0.2);
  const depth = (y - 0.52) / 0.48;
  const ripple = Math.sin(90 * depth ** 0.5 + 8 * Math.sin(6 * x + t) + 3 * t) * 0.06;
  const track = Math.exp(-(((x - 0.62) / (0.05 + 0.1 * depth)) ** 2)) * (0.5 + ripple * 4);
  return mix(mix([0.3, 0.42, 0.52], [0.1, 0.2, 0.3], depth + ripple), [1, 0.85, 0.6], track);
};

const hills: Scene = (x, y, t) => {
  const px = x + t * 0.02;
  for (let ridge = 3; ridge >= 0; ridge--) {
    const line =
      0.42 + (3 - ridge) * 0.14 + 0.09 * (waves(px * (0.5 + 0.25 * (3 - ridge)) + ridge, ridge) - 0.5);
    if (ridge === 0 ? y > line : y > line && y < line + 0.16) {
      const texture = 0.12 * (waves(px * 9 + ridge, y * 14) - 0.5);
      return mix([0.28 + texture, 0.5 + texture, 0.24], [0.62, 0.72, 0.78], ridge * 0.25);
    }
  }
  return mix([0.55, 0.75, 0.95], [0.95, 0.95, 0.97], waves(x * 0.8 + t * 0.03, y * 2.5) - 0.25);
};

const lights: Scene = (x, y, t) => {
  let colour: Colour = mix([0.05, 0.06, 0.12], [0.14, 0.1, 0.16], y);
  for (let i = 0; i < 14; i++) {
    const cx = (0.13 * i * i + 0.03 * t * (1 + (i % 3))) % 1.1;
    const cy = (0.37 * i + 0.11 * Math.sin(i + t * 0.6)) % 1;
    const distance = Math.hypot((x - cx) * 1.6, y - cy) / (0.05 + 0.012 * (i % 4));
    const lamp: Colour = i % 3 === 0 ? [1, 0.7, 0.35] : i % 3 === 1 ? [0.4, 0.7, 1] : [0.95, 0.4, 0.45];
    if (distance < 1) colour = mix(colour, lamp, 0.65 - 0.25 * distance);
  }
  return colour;
};

/** A look: teal shadows, orange lights, more contrast, less saturation in between. */
function cinematic([r, g, b]: Colour): Colour {
  const light = luma709(r, g, b);
  const curve = light * light * (3 - 2 * light);
  const tone = mix([-0.05, 0.02, 0.07], [0.08, 0.02, -0.09], light);
  return [0, 1, 2].map((c) => curve + ([r, g, b][c]! - light) * 0.75 + tone[c]!) as unknown as Colour;
}

/** Evaluates the scene at half the size, and doubles it between the points: four times as fast, and soft like film. */
function painter(width: number, height: number, colourAt: Scene) {
  const columns = width / 2 + 1;
  const rows = height / 2 + 1;
  const coarse = new Float32Array(columns * rows * 3);
  return (rgb: Uint8Array, seconds: number) => {
    for (let row = 0, at = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++, at += 3) {
        const colour = colourAt((2 * column) / width, (2 * row) / height, seconds);
        for (let c = 0; c < 3; c++) coarse[at + c] = Math.min(255, Math.max(0, colour[c]! * 255));
      }
    }
    for (let y = 0, to = 0; y < height; y++) {
      const below = (y & 1) * columns * 3;
      for (let x = 0; x < width; x++) {
        const from = ((y >> 1) * columns + (x >> 1)) * 3;
        const right = (x & 1) * 3;
        for (let c = from; c < from + 3; c++) {
          rgb[to++] = (coarse[c]! + coarse[c + right]! + coarse[c + below]! + coarse[c + below + right]!) / 4;
        }
      }
    }
  };
}

const BEAT_SECONDS = 0.5;

/** A kick on every beat, a hat between them, a bass note under both: 120 beats a minute. */
function drums(seconds: number): number {
  const beat = seconds % BEAT_SECONDS;
  const hat = (seconds + BEAT_SECONDS / 2) % BEAT_SECONDS;
  const kick = Math.sin(2 * Math.PI * (52 * beat + 8 * (1 - Math.exp(-beat * 30)))) * Math.exp(-beat * 14);
  const noise = Math.sin(seconds * 91_733.7) * Math.sin(seconds * 57_911.3);
  const bass = 0.25 * Math.sin(2 * Math.PI * (seconds % 4 < 2 ? 55 : 65.4) * seconds);
  return 0.6 * kick + 0.22 * noise * Math.exp(-hat * 60) + 0.5 * bass;
}

/** A soft chord, as of a holiday film nobody has mixed yet. */
function chord(seconds: number): number {
  const swell = 0.6 + 0.4 * Math.sin(2 * Math.PI * 0.2 * seconds);
  return (
    0.05 * swell * [220, 277.2, 329.6, 440].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * seconds), 0)
  );
}

/** Landscape, 12 s, two long calm shots. */
export async function makeDemoSource(path: string): Promise<void> {
  const size = { width: 640, height: 360 };
  await writeDrawnClip(path, {
    ...size,
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: 12,
    draw: painter(size.width, size.height, (x, y, t) => (t < 6 ? sea(x, y, t) : hills(x, y, t))),
    audio: chord,
  });
}

/** Scenes are drawn for 16:9; a 9:16 window shows this part of their width. */
const NARROW = (16 / 9) ** 2;

/** Vertical, 12 s, cut on the beat with a dissolve on every fourth change, graded. */
export async function makeDemoTemplate(path: string): Promise<void> {
  const size = { width: 270, height: 480 };
  const scenes = [lights, sea, hills];
  const shot = (index: number): Scene => {
    const scene = scenes[index % scenes.length]!;
    const closer = 1 + 0.3 * (index % 2);
    return (x, y, t) =>
      scene(
        (x - 0.5) / (NARROW * closer) + 0.55 + 0.04 * (index % 3),
        (y - 0.5) / closer + 0.5,
        t + 3 * index,
      );
  };
  const cinema: Scene = (x, y, t) => {
    const index = Math.floor(t / 1.5);
    const into = t - 1.5 * index;
    const dissolving = index % 4 === 3 && into > 1.1;
    const now = shot(index)(x, y, t);
    return cinematic(dissolving ? mix(now, shot(index + 1)(x, y, t), (into - 1.1) / 0.4) : now);
  };
  await writeDrawnClip(path, {
    ...size,
    frameRate: { numerator: 30, denominator: 1 },
    durationSeconds: 12,
    draw: painter(size.width, size.height, cinema),
    audio: drums,
  });
}
