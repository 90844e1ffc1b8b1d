/**
 * Logarithmic recordings with a known answer: a clip converted by a camera's published curve must be graded
 * like the clip itself. The clip is assumed to be the light of its scene in BT.709, with paper white at 90 %.
 */
import type { VideoFacts } from '../../src/analysis/facts.ts';
import { table } from '../lib/report.ts';
import { CLIPS, difference, ours, type Side, sideOf } from './look-proof.ts';
import type { Looks } from './looks.ts';
import type { RgbLook } from './named-looks.ts';

type Rows = readonly (readonly [number, number, number])[];

const STRENGTH = 0.8;
/** Templates of far apart kinds: a graded edit, roofs, animation, black and white. */
const TEMPLATES = [
  'edits/edit_landscape_a.mp4',
  'video/roof_zoom_17s.mp4',
  'video/bbb_2_cuts_timecode.mp4',
  'video/mdn_friday_speech.mp4',
] as const;
/** BT.709 → the camera's gamut, both D65: from the chromaticities that its maker publishes. */
const S_GAMUT3_CINE: Rows = [
  [0.6456794776, 0.259114547, 0.0952059754],
  [0.0875299915, 0.7596995626, 0.1527704459],
  [0.0369574199, 0.1292809048, 0.8337616753],
];
const V_GAMUT: Rows = [
  [0.5851961465, 0.3226416225, 0.092162231],
  [0.0785885674, 0.8196271147, 0.1017843179],
  [0.0227942379, 0.1142170237, 0.8629887384],
];

const light = (value: number) =>
  0.9 * (value < 0.081 ? value / 4.5 : ((value + 0.099) / 1.099) ** (1 / 0.45));
/** A code value in a file of legal range. */
const shown = (code: number) => (code - 64) / 876;
const sLog3 = (reflected: number) =>
  shown(
    reflected >= 0.01125
      ? 420 + 261.5 * Math.log10((reflected + 0.01) / 0.19)
      : 95 + (reflected * (171.2102946929 - 95)) / 0.01125,
  );
const vLog = (reflected: number) =>
  shown(
    1023 *
      (reflected < 0.01 ? 5.6 * reflected + 0.125 : 0.241514 * Math.log10(reflected + 0.00873) + 0.598206),
  );
const recorded =
  (curve: (reflected: number) => number, gamut: Rows, stops = 0): RgbLook =>
  (rgb) => {
    const scene = Array.from(rgb, (value) => 2 ** stops * light(value));
    for (const [at, row] of gamut.entries())
      rgb[at] = Math.min(1, Math.max(0, curve(row[0] * scene[0] + row[1] * scene[1] + row[2] * scene[2])));
  };

const CURVES = {
  'S-Log3': recorded(sLog3, S_GAMUT3_CINE),
  'S-Log3, 1.5 stops over': recorded(sLog3, S_GAMUT3_CINE, 1.5),
  'V-Log': recorded(vLog, V_GAMUT),
} as const satisfies Record<string, RgbLook>;

export interface LogProof {
  readonly curve: string;
  /** Mean color difference from the graded clip: of the ungraded recording, and graded. */
  readonly untouched: number;
  readonly graded: number;
}

export async function proveLogs(looks: Pick<Looks, 'facts'>): Promise<LogProof[]> {
  const templates: Side[] = [];
  for (const name of TEMPLATES) templates.push(sideOf((await looks.facts(name)).video));
  const clips: VideoFacts[] = [];
  for (const name of CLIPS) clips.push((await looks.facts(name)).video);
  const method = ours(STRENGTH);
  return Object.entries(CURVES).map(([curve, encode]) => {
    let [untouched, graded, count] = [0, 0, 0];
    for (const clip of clips) {
      const [plain, flat] = [sideOf(clip), sideOf(clip, encode)];
      for (const template of templates) {
        const expected = method(plain, template);
        untouched += difference(flat.lab, expected);
        graded += difference(method(flat, template), expected);
        count++;
      }
    }
    return { curve, untouched: untouched / count, graded: graded / count };
  });
}

export function logsTable(proofs: readonly LogProof[]): string {
  return table(
    ['recorded in', 'from the clip graded: as it is', 'graded', 'left'],
    proofs.map(({ curve, untouched, graded }) => [
      curve,
      untouched.toFixed(1),
      graded.toFixed(1),
      (graded / untouched).toFixed(2),
    ]),
  );
}
