/** Loudness that nobody hears, or that nobody expects. */
import type { Flag } from './flag.ts';

/** Limits of the design, in LUFS; a calm source is quieter than streaming services play. */
const [QUIET, LOUD, CALM] = [-20, -12, -16];
/** Codecs and meters differ by this. */
const ROUNDING = 0.2;

/** Integrated loudness of both; null: silence. */
export function loudnessFlags(source: number | null, output: number | null): Flag[] {
  if (source === null) return [];
  const after = output ?? Number.NEGATIVE_INFINITY;
  const detail = `${source.toFixed(1)} → ${after.toFixed(1)} LUFS`;
  if (after < QUIET - ROUNDING && source > after + ROUNDING)
    return [{ defect: 'too quiet', atSeconds: null, detail }];
  if (after > LOUD + ROUNDING && source < CALM) return [{ defect: 'too loud', atSeconds: null, detail }];
  return [];
}
