/** Camera moves as the step of the picture from each frame to the next, and where a view then lies in its scene. */
import type { Random } from './random.ts';

/** Of the picture's content: shifts in diagonals, log scale, radians; all about the picture's middle. */
export interface CameraStep {
  readonly x: number;
  readonly y: number;
  readonly logScale: number;
  readonly rotation: number;
}

/** Speeds per second at a time since the shot's start. */
export type CameraMove = (seconds: number) => Partial<CameraStep>;

/** Maps a scene's pixel to a view's: (a·X − b·Y + x, b·X + a·Y + y), both counted from the middle. */
export interface Placing {
  readonly a: number;
  readonly b: number;
  readonly x: number;
  readonly y: number;
}

/** Substeps of the integration: a shake of 8 Hz at 12.5 frames a second turns round within a frame. */
const SUBSTEPS = 16;

/** Moves as they are integrated over each frame; the first frame has no step. */
export function stepsOf(move: CameraMove, frameCount: number, rate: number): CameraStep[] {
  return Array.from({ length: frameCount }, (_, index) => {
    const sum = { x: 0, y: 0, logScale: 0, rotation: 0 };
    if (index === 0) return sum;
    for (let part = 0; part < SUBSTEPS; part++) {
      const speed = move((index - 1 + (part + 0.5) / SUBSTEPS) / rate);
      sum.x += (speed.x ?? 0) / rate / SUBSTEPS;
      sum.y += (speed.y ?? 0) / rate / SUBSTEPS;
      sum.logScale += (speed.logScale ?? 0) / rate / SUBSTEPS;
      sum.rotation += (speed.rotation ?? 0) / rate / SUBSTEPS;
    }
    return sum;
  });
}

/** The placing of each frame, one step after the other, and the part of the scene that they see. */
export function placingsOf(steps: readonly CameraStep[], width: number, height: number) {
  const diagonal = Math.hypot(width, height);
  const placings: Placing[] = [];
  let at: Placing = { a: 1, b: 0, x: 0, y: 0 };
  const seen = { left: 0, right: 0, top: 0, bottom: 0 };
  for (const step of steps) {
    const a = Math.exp(step.logScale) * Math.cos(step.rotation);
    const b = Math.exp(step.logScale) * Math.sin(step.rotation);
    at = {
      a: a * at.a - b * at.b,
      b: b * at.a + a * at.b,
      x: a * at.x - b * at.y + step.x * diagonal,
      y: b * at.x + a * at.y + step.y * diagonal,
    };
    placings.push(at);
    for (const [x, y] of [
      [-width / 2, -height / 2],
      [width / 2, -height / 2],
      [-width / 2, height / 2],
      [width / 2, height / 2],
    ] as const) {
      const [sceneX, sceneY] = toScene(at, x, y);
      seen.left = Math.min(seen.left, sceneX);
      seen.right = Math.max(seen.right, sceneX);
      seen.top = Math.min(seen.top, sceneY);
      seen.bottom = Math.max(seen.bottom, sceneY);
    }
  }
  return { placings, seen };
}

export function toScene({ a, b, x, y }: Placing, viewX: number, viewY: number): [number, number] {
  const squared = a * a + b * b;
  const dx = viewX - x;
  const dy = viewY - y;
  return [(a * dx + b * dy) / squared, (a * dy - b * dx) / squared];
}

/** Rises from 0 to 1 and falls back, resting before and after: a move with eased start and stop. */
export function easedBump(seconds: number, from: number, to: number): number {
  if (seconds <= from || seconds >= to) return 0;
  const ramp = Math.min(0.5, (to - from) / 3);
  const edge = Math.min(seconds - from, to - seconds) / ramp;
  return edge >= 1 ? 1 : 0.5 - 0.5 * Math.cos(Math.PI * edge);
}

/**
 * How a hand shakes: sines of 1 to 8 Hz whose speed falls with the frequency above 3 Hz, with a little roll and
 * next to no change of scale. `speed`: root mean square, diagonals a second.
 */
export function handShake(random: Random, speed: number): CameraMove {
  const axis = () =>
    Array.from({ length: 7 }, (_, index) => {
      const hertz = Math.min(8, 1 + index * random.between(0.8, 1.2));
      return {
        omega: 2 * Math.PI * hertz,
        phase: random.between(0, 2 * Math.PI),
        weight: random.between(0.6, 1) / Math.max(1, hertz / 3),
      };
    });
  const wave = (sines: ReturnType<typeof axis>) => {
    const power = sines.reduce((sum, { weight }) => sum + (weight * weight) / 2, 0);
    return (seconds: number) =>
      sines.reduce((sum, one) => sum + one.weight * Math.sin(one.omega * seconds + one.phase), 0) /
      Math.sqrt(power);
  };
  const [x, y, roll, depth] = [wave(axis()), wave(axis()), wave(axis()), wave(axis())] as const;
  const each = speed / Math.SQRT2;
  return (seconds) => ({
    x: each * x(seconds),
    y: each * y(seconds),
    rotation: 0.4 * speed * roll(seconds),
    logScale: 0.1 * speed * depth(seconds),
  });
}

/** How a hand wanders between its shakes: sines of .2 to .9 Hz. `speed` as in `handShake`. */
export function handSway(random: Random, speed: number): CameraMove {
  const axis = () => {
    const sines = Array.from({ length: 3 }, () => ({
      omega: 2 * Math.PI * random.between(0.2, 0.9),
      phase: random.between(0, 2 * Math.PI),
    }));
    // Three sines of one weight on each of two axes.
    return (seconds: number) =>
      (speed / Math.sqrt(3)) *
      sines.reduce((sum, { omega, phase }) => sum + Math.sin(omega * seconds + phase), 0);
  };
  const [x, y] = [axis(), axis()] as const;
  return (seconds) => ({ x: x(seconds), y: y(seconds) });
}

/** One move after the other, each for its share of the time and with an eased start and stop. */
export function inTurn(seconds: number, moves: readonly CameraMove[]): CameraMove {
  const share = seconds / moves.length;
  return (time) => {
    const index = Math.min(moves.length - 1, Math.floor(time / share));
    const now = easedBump(time, index * share, (index + 1) * share);
    const { x = 0, y = 0, logScale = 0, rotation = 0 } = moves[index]!(time);
    return { x: now * x, y: now * y, logScale: now * logScale, rotation: now * rotation };
  };
}

export function sumOf(...moves: readonly CameraMove[]): CameraMove {
  return (seconds) => {
    const sum = { x: 0, y: 0, logScale: 0, rotation: 0 };
    for (const move of moves) {
      const speed = move(seconds);
      sum.x += speed.x ?? 0;
      sum.y += speed.y ?? 0;
      sum.logScale += speed.logScale ?? 0;
      sum.rotation += speed.rotation ?? 0;
    }
    return sum;
  };
}
