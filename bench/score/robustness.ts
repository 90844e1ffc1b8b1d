/** How far apart two Style DNAs of what should be the same clip are, and whether that is within tolerance. */
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { bytesToLab } from '../../src/signal/color-space.ts';
import type { Style } from '../../src/style/model/schema.ts';

export interface Measured {
  readonly style: Style;
  readonly facts: ClipFacts;
}

export interface Difference {
  readonly field: string;
  readonly text: string;
  readonly within: boolean;
}

/** Largest allowed differences: absolute, in the field's unit. */
const TOLERANCES = {
  /** Largest of the six dials. */
  dial: 4,
  /** Of 0..1. */
  motionIntensity: 0.03,
  zoomUsage: 0.08,
  /** CIELAB units between the palettes, each color to its nearest, by weight. */
  palette: 6,
  /** Relative. */
  tempo: 0.002,
  loudnessLu: 0.3,
  /** Between times of the same cut, in frames of the lower rate. */
  cutFrames: 1.05,
} as const;

/** One entry per compared field, the same fields in the same order for every clip. */
export function differences(one: Measured, other: Measured): Difference[] {
  return [
    cuts(one, other),
    gradual(one, other),
    number('dials', dialGap(one.style, other.style), TOLERANCES.dial, 1),
    number('palette ΔE', paletteGap(one.style, other.style), TOLERANCES.palette, 1),
    number('motion', gap(one, other, 'motion_intensity'), TOLERANCES.motionIntensity, 3),
    number('zoom', gap(one, other, 'zoom_usage'), TOLERANCES.zoomUsage, 3),
    tempo(one.style, other.style),
    number('LUFS', loudnessGap(one.style, other.style), TOLERANCES.loudnessLu, 2),
    same('captions', one.style.use_subtitles, other.style.use_subtitles),
    same('ratio', one.style.aspect_ratio, other.style.aspect_ratio),
  ];
}

function number(field: string, value: number | null, tolerance: number, digits: number): Difference {
  if (value === null) return { field, text: '', within: true };
  return { field, text: value.toFixed(digits), within: value <= tolerance };
}

function same(field: string, one: unknown, other: unknown): Difference {
  return { field, text: one === other ? 'same' : `${one} → ${other}`, within: one === other };
}

function gap(one: Measured, other: Measured, field: 'motion_intensity' | 'zoom_usage'): number {
  return Math.abs(one.style[field] - other.style[field]);
}

function cuts(one: Measured, other: Measured): Difference {
  const rate = Math.min(...[one, other].map(({ facts }) => framesPerSecond(facts.video.frameRate)));
  const times = ({ facts }: Measured) =>
    facts.video.transitions.filter(({ type }) => type === 'cut').map(({ endSeconds }) => endSeconds);
  const matched = times(one).filter((time) =>
    times(other).some((found) => Math.abs(found - time) * rate <= TOLERANCES.cutFrames),
  );
  const text = `${matched.length}/${times(one).length}/${times(other).length}`;
  const within = matched.length === times(one).length && matched.length === times(other).length;
  return { field: 'cuts', text: within ? `${matched.length}` : text, within };
}

function gradual(one: Measured, other: Measured): Difference {
  const kinds = ({ facts }: Measured) =>
    facts.video.transitions.filter(({ type }) => type !== 'cut').map(({ type }) => type);
  const [before, after] = [kinds(one), kinds(other)];
  const within = before.join() === after.join();
  return { field: 'gradual', text: within ? `${before.length}` : `${before} → ${after}`, within };
}

function dialGap(one: Style, other: Style): number {
  const dials = ['temperature', 'tint', 'saturation', 'contrast', 'highlights', 'shadows'] as const;
  return Math.max(...dials.map((dial) => Math.abs(one.color_grade[dial] - other.color_grade[dial])));
}

function tempo(one: Style, other: Style): Difference {
  const [before, after] = [one.tempo_bpm, other.tempo_bpm];
  if (before === undefined || after === undefined) return same('tempo', before, after);
  const relative = Math.abs(after / before - 1);
  return { field: 'tempo', text: `${(100 * relative).toFixed(2)} %`, within: relative <= TOLERANCES.tempo };
}

function loudnessGap(one: Style, other: Style): number | null {
  const [before, after] = [one.audio_style?.normalization_level, other.audio_style?.normalization_level];
  return before === undefined || after === undefined ? null : Math.abs(before - after);
}

/** Each color of either palette to the nearest of the other, by weight: the mean of both directions. */
function paletteGap(one: Style, other: Style): number {
  const oneWayDistance = (from: Style, to: Style) => {
    const targets = (to.palette ?? []).map(({ hex }) => labOf(hex));
    const total = (from.palette ?? []).reduce((sum, { weight }) => sum + weight, 0);
    if (targets.length === 0 || total === 0) return 0;
    return (from.palette ?? []).reduce((sum, { hex, weight }) => {
      const color = labOf(hex);
      const nearest = Math.min(...targets.map((target) => Math.hypot(...target.map((v, i) => v - color[i]))));
      return sum + (weight / total) * nearest;
    }, 0);
  };
  return (oneWayDistance(one, other) + oneWayDistance(other, one)) / 2;
}

function labOf(hex: string): number[] {
  const lab = new Float64Array(3);
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  bytesToLab(red!, green!, blue!, lab);
  return [...lab];
}
