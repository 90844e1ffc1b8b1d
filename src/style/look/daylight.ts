/** The line of daylight and incandescent light: colors that light has without a fault. */
import { smoothstep } from '../../signal/interpolation.ts';

/**
 * Hue in CIELAB and its half-width in degrees, warm and blue. Incandescent light (CIE illuminant A) has a hue of 68 degrees, blue sky
 * (15,000 K) of 280.
 */
const LINE = [
  { hue: 66, width: 18 },
  { hue: 275, width: 12 },
] as const;
/** Degrees beyond that width over which a hue stops to count. */
const FADE = 30;

/** A limit at a hue in degrees: `across` the line, or along it in its warm and in its blue half. */
export function byDaylight(
  hue: number,
  across: number,
  [warm, blue]: readonly [warm: number, blue: number],
): number {
  const [nearWarm, nearBlue] = LINE.map(({ hue: to, width }) => {
    const apart = Math.abs(((hue - to + 540) % 360) - 180);
    return smoothstep(width + FADE, width, apart);
  });
  return across + (warm - across) * nearWarm! + (blue - across) * nearBlue!;
}
