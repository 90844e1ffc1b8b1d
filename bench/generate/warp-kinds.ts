/** The camera moves that the family `warps` makes, and what each must be called. */
import type { CameraLabel } from '../../src/analysis/facts.ts';
import { type CameraMove, easedBump, handShake, handSway, inTurn, sumOf } from './camera-path.ts';
import type { Random } from './random.ts';

export interface Recipe {
  readonly label: CameraLabel;
  readonly also?: readonly CameraLabel[];
  readonly move: CameraMove;
  /** From footage with moving objects under a static camera; else from one still. */
  readonly footage?: boolean;
  /** A thing with texture that moves by itself; a near one fills half of the picture. */
  readonly object?: boolean | 'near';
  /** The scene is cut to a closer framing halfway. */
  readonly punchIn?: boolean;
  readonly look?: 'dark' | 'soft';
}

type Sketch = (random: Random, seconds: number) => Recipe;

const still: CameraMove = () => ({});
const sign = (random: Random) => (random.chance(0.5) ? 1 : -1);
/** Fast and slow alike: even on a logarithmic scale. */
const speedBetween = (random: Random, least: number, most: number) =>
  Math.exp(random.between(Math.log(least), Math.log(most)));

function pan(random: Random, least = 0.03, most = 0.3): CameraMove {
  const x = sign(random) * speedBetween(random, least, most);
  const y = x * random.between(-0.2, 0.2);
  return () => ({ x, y });
}

function tilt(random: Random): CameraMove {
  const y = sign(random) * speedBetween(random, 0.03, 0.2);
  const x = y * random.between(-0.2, 0.2);
  return () => ({ x, y });
}

function zoom(random: Random, sign: 1 | -1, least = 0.035, most = 0.3): CameraMove {
  const logScale = sign * speedBetween(random, least, most);
  return () => ({ logScale });
}

function eased(random: Random, seconds: number, move: CameraMove): CameraMove {
  const from = random.between(0.1, 0.25) * seconds;
  const to = random.between(0.75, 0.9) * seconds;
  return (time) => {
    const now = easedBump(time, from, to);
    const { x = 0, y = 0, logScale = 0, rotation = 0 } = move(time);
    return { x: now * x, y: now * y, logScale: now * logScale, rotation: now * rotation };
  };
}

function diagonal(random: Random): CameraMove {
  const speed = speedBetween(random, 0.05, 0.2);
  const angle = random.between(0.6, 0.95);
  const x = sign(random) * speed * Math.cos(angle);
  const y = sign(random) * speed * Math.sin(angle);
  return () => ({ x, y });
}

function roll(random: Random): CameraMove {
  const rotation = sign(random) * speedBetween(random, 0.08, 0.3);
  return () => ({ rotation });
}

export const KINDS: Readonly<Record<string, Sketch>> = {
  'static still': () => ({ label: 'static', move: still }),
  'static footage': () => ({ label: 'static', move: still, footage: true }),
  'static dark': () => ({ label: 'static', move: still, footage: true, look: 'dark' }),
  tremor: (random) => ({ label: 'static', move: handShake(random, random.between(0.002, 0.008)) }),
  pan: (random) => ({ label: 'pan', move: pan(random) }),
  'pan over footage': (random) => ({ label: 'pan', move: pan(random, 0.03, 0.15), footage: true }),
  'eased pan': (random, seconds) => ({ label: 'pan', move: eased(random, seconds, pan(random, 0.06, 0.3)) }),
  'soft pan': (random) => ({ label: 'pan', move: pan(random, 0.04, 0.2), look: 'soft' }),
  'dark pan': (random) => ({ label: 'pan', move: pan(random, 0.04, 0.2), look: 'dark' }),
  tilt: (random) => ({ label: 'tilt', move: tilt(random) }),
  'handheld tilt': (random) => ({
    label: 'tilt',
    also: ['moving', 'handheld'],
    move: sumOf(tilt(random), handShake(random, 0.05)),
  }),
  'zoom in': (random) => ({ label: 'zoom_in', move: zoom(random, 1) }),
  'zoom out': (random) => ({ label: 'zoom_out', move: zoom(random, -1) }),
  'slow zoom': (random) => ({ label: 'zoom_in', also: ['static'], move: zoom(random, 1, 0.02, 0.035) }),
  'zoom over footage': (random) => ({ label: 'zoom_in', move: zoom(random, 1, 0.035, 0.2), footage: true }),
  'eased zoom': (random, seconds) => ({
    label: 'zoom_out',
    move: eased(random, seconds, zoom(random, -1, 0.06, 0.3)),
  }),
  'handheld zoom': (random) => ({
    label: 'zoom_in',
    also: ['handheld', 'moving'],
    move: sumOf(zoom(random, 1, 0.06, 0.25), handShake(random, random.between(0.03, 0.08))),
  }),
  'small handheld': (random) => ({ label: 'handheld', move: handShake(random, random.between(0.04, 0.07)) }),
  'large handheld': (random) => ({ label: 'handheld', move: handShake(random, random.between(0.1, 0.3)) }),
  'handheld over footage': (random) => ({
    label: 'handheld',
    move: handShake(random, random.between(0.05, 0.15)),
    footage: true,
  }),
  diagonal: (random) => ({ label: 'moving', move: diagonal(random) }),
  roll: (random) => ({ label: 'moving', move: roll(random) }),
  'pan and zoom': (random) => ({
    label: 'moving',
    also: ['pan', 'zoom_in'],
    move: sumOf(pan(random, 0.06, 0.12), zoom(random, 1, 0.15, 0.3)),
  }),
  'object, static': () => ({ label: 'static', move: still, object: true }),
  'object, pan': (random) => ({ label: 'pan', move: pan(random, 0.05, 0.15), object: true }),
  'object, handheld': (random) => ({
    label: 'handheld',
    move: handShake(random, random.between(0.05, 0.1)),
    object: true,
  }),
  'punch-in': () => ({ label: 'static', move: still, punchIn: true }),
  'punch-in, footage': () => ({ label: 'static', move: still, punchIn: true, footage: true }),
};

/** Hand-held shots: moves of more than one kind, and moves that return. */
export const HAND_KINDS: Readonly<Record<string, Sketch>> = {
  'swaying hand': (random) => ({
    label: 'handheld',
    also: ['moving'],
    move: sumOf(handSway(random, random.between(0.01, 0.03)), handShake(random, random.between(0.025, 0.05))),
  }),
  'breathing hand': (random) => ({
    label: 'handheld',
    also: ['moving'],
    move: sumOf(breathing(random), handShake(random, random.between(0.04, 0.1))),
  }),
  'shaken pan': (random) => ({
    label: 'pan',
    also: ['moving', 'handheld'],
    move: sumOf(pan(random, 0.05, 0.12), handShake(random, random.between(0.015, 0.04))),
  }),
  'slow pan': (random) => ({ label: 'pan', move: pan(random, 0.02, 0.035) }),
  'shaken slow pan': (random) => ({
    label: 'pan',
    also: ['moving', 'handheld'],
    move: sumOf(pan(random, 0.025, 0.05), handShake(random, random.between(0.006, 0.02))),
  }),
  'tilt, pan, pan back': (random, seconds) => ({
    label: 'moving',
    move: sumOf(
      inTurn(seconds, [tilt(random), ...thereAndBack(random)]),
      handShake(random, random.between(0.01, 0.04)),
    ),
  }),
  'near subject, static': () => ({ label: 'static', move: still, object: 'near' }),
  'near subject, handheld': (random) => ({
    label: 'handheld',
    also: ['moving'],
    move: handShake(random, random.between(0.04, 0.08)),
    object: 'near',
  }),
};

/** A step forward and back again. */
function breathing(random: Random): CameraMove {
  const omega = 2 * Math.PI * random.between(0.25, 0.6);
  const phase = random.between(0, 2 * Math.PI);
  const speed = random.between(0.04, 0.1);
  return (seconds) => ({ logScale: speed * Math.sin(omega * seconds + phase) });
}

function thereAndBack(random: Random): readonly CameraMove[] {
  const there = pan(random, 0.12, 0.3);
  return [
    there,
    (seconds) => {
      const { x = 0, y = 0 } = there(seconds);
      return { x: -x, y: -y };
    },
  ];
}
