/** Tables of the fidelity bench; a value in bold misses its target. */
import { mean, median } from '../../src/signal/statistics.ts';
import { table } from '../lib/report.ts';
import type { AudioChange } from '../score/audio-change.ts';
import { AUDIO_FIELDS } from '../score/closure.ts';
import type { AudioResult } from './audio.ts';
import { type Change, type ColorResult, METHODS } from './color.ts';
import { FLAT, MUSIC, type Pair } from './pairs.ts';
import type { WholeResult } from './whole.ts';

/** Targets of the grade, pair by pair. */
const COLOR = { left: 0.45, structure: 0.98, edgeGain: 1.5, clipping: 0.02, skin: 12, flicker: 1 } as const;
const FLICKER_SLACK = 0.1;
/** Above this a job warns that its sound is too quiet. */
const WARNED_LU = 0.5;

export function nameOf({ source, template }: Pair): string {
  const short = (path: string) =>
    path
      .replace(/^.*\//, '')
      .replace(/\.\w+$/, '')
      .replace(/_(\d+s|vp8|vp9|h264|av1|timecode|speech).*$/, '');
  const [clip, music] = source.replace(FLAT, '').split(MUSIC);
  const flat = source.startsWith(FLAT) ? 'flat ' : '';
  return `${flat}${short(clip!)}${music === undefined ? '' : ` + ${short(music)}`} → ${short(template)}`;
}

/** Pair by pair: ours, and the half-and-half mix behind the stroke. */
export function colorTable(results: readonly ColorResult[]): string {
  const head = [
    'source → template',
    'untouched',
    'left %',
    'structure',
    'edges',
    'chroma noise',
    'clipping %',
    'banding %',
    'flicker',
    'skin °',
  ];
  const rows = results.map(({ pair, untouched, changes: { ours, mix } }) => {
    const both = (read: (change: Change) => string) => `${read(ours)} / ${read(mix)}`;
    return [
      nameOf(pair),
      untouched.toFixed(1),
      both(({ distanceLeft }) => percent(distanceLeft)),
      both(({ structure }) => structure.toFixed(3)),
      both(({ edgeGain }) => edgeGain.toFixed(2)),
      both(({ noiseGain }) => noiseGain.toFixed(2)),
      both(({ clipping }) => percent(clipping, 1)),
      both(({ banding }) => percent(banding, 1)),
      both(({ flicker }) => flicker.toFixed(2)),
      ours.skin === null ? '' : both(({ skin }) => (skin?.degrees ?? 0).toFixed(1)),
    ];
  });
  return table(head, rows);
}

/** Means and worst of all methods against the targets. */
export function methodTable(results: readonly ColorResult[]): string {
  const row = (
    what: string,
    must: string,
    read: (change: Change) => number | null,
    show: (value: number) => string,
    worst: (values: readonly number[]) => number,
    holds: ((value: number) => boolean) | null,
  ) => [
    what,
    must,
    ...METHODS.map((method) => {
      const values = results.map(({ changes }) => read(changes[method])).filter((value) => value !== null);
      if (values.length === 0) return '';
      const [average, extreme] = [mean(values), worst(values)];
      const text = `${show(average)}, worst ${show(extreme)}`;
      return method === 'ours' && holds !== null && !holds(what.startsWith('color') ? average : extreme)
        ? `**${text}**`
        : text;
    }),
  ];
  const most = (values: readonly number[]) => Math.max(...values);
  const least = (values: readonly number[]) => Math.min(...values);
  return table(
    ['mean and worst of the pairs', 'must', 'ours', 'half MK', 'MK', 'Reinhard'],
    [
      row(
        'color distance left, % (mean)',
        '≤ 45',
        ({ distanceLeft }) => distanceLeft,
        percent,
        most,
        (value) => value <= COLOR.left,
      ),
      row(
        'structure of lightness',
        '≥ .98',
        ({ structure }) => structure,
        (value) => value.toFixed(3),
        least,
        (value) => value >= COLOR.structure,
      ),
      row(
        'edge gain, 95th percentile',
        '≤ 1.5',
        ({ edgeGain }) => edgeGain,
        (value) => value.toFixed(2),
        most,
        (value) => value <= COLOR.edgeGain,
      ),
      row(
        'chroma noise of smooth areas, gain',
        '',
        ({ noiseGain }) => noiseGain,
        (value) => value.toFixed(2),
        most,
        null,
      ),
      row(
        'new clipping, %',
        '≤ 2',
        ({ clipping }) => clipping,
        (value) => percent(value, 1),
        most,
        (value) => value <= COLOR.clipping,
      ),
      row(
        'banding, %',
        '',
        ({ banding }) => banding,
        (value) => percent(value, 1),
        most,
        null,
      ),
      row(
        "flicker, source's = 1",
        '≤ 1',
        ({ flicker }) => flicker,
        (value) => value.toFixed(2),
        most,
        (value) => value <= COLOR.flicker + FLICKER_SLACK,
      ),
      row(
        'skin hue turned, °',
        '≤ 12',
        ({ skin }) => skin?.degrees ?? null,
        (value) => value.toFixed(1),
        most,
        (value) => value <= COLOR.skin,
      ),
    ],
  );
}

/** Number of pairs in which ours is more similar than the mix, preserves more, and both. */
export function duel(results: readonly ColorResult[]): string {
  const nearer = results.filter(({ changes: { ours, mix } }) => ours.distanceLeft <= mix.distanceLeft);
  const keeps = results.filter(({ changes }) => keepsMore(changes.ours, changes.mix));
  const both = nearer.filter((result) => keeps.includes(result));
  return `Of ${results.length} pairs ours is nearer than the half-and-half mix in ${nearer.length}, keeps more of the picture in ${keeps.length} (more of structure, edge gain, chroma noise, clipping, banding and skin better than worse), both in ${both.length}.`;
}

function keepsMore(ours: Change, mix: Change): boolean {
  // Positive: ours is better. Invisible differences count as zero.
  const sides = [
    [ours.structure - mix.structure, 0.002],
    [Math.abs(Math.log(mix.edgeGain)) - Math.abs(Math.log(ours.edgeGain)), 0.05],
    [Math.max(1, mix.noiseGain) - Math.max(1, ours.noiseGain), 0.1],
    [mix.clipping - ours.clipping, 0.002],
    [mix.banding - ours.banding, 0.002],
    [(mix.skin?.degrees ?? 0) - (ours.skin?.degrees ?? 0), 1],
  ] as const;
  return (
    sides.reduce((sum, [side, observed]) => sum + (Math.abs(side) < observed ? 0 : Math.sign(side)), 0) > 0
  );
}

export function wholeTable(results: readonly WholeResult[]): string {
  const head = [
    'source → template',
    'color left %',
    'ratio, rate',
    'Δ LUFS',
    'Δ LU',
    'dBTP',
    'spectrum dB',
    'cuts/min',
    'Δ shot lengths',
    'on beat',
    'sound late, frames',
    'closure',
  ];
  return table(head, results.map(wholeRow));
}

function wholeRow(result: WholeResult): string[] {
  const { audio } = result;
  const closures = Object.values(result.closure);
  const [, expected, cuts] = result.cutsPerMinute;
  return [
    nameOf(result.pair),
    percent(result.colorLeft),
    `${result.sameRatio ? 'yes' : '**no**'}, ${result.sameRate ? 'yes' : '**no**'}`,
    ...(audio === null ? ['', '', '', ''] : audioCells(audio)),
    `${cuts.toFixed(0)} of ${expected.toFixed(0)}`,
    result.shotLengths === null ? '' : result.shotLengths.map((value) => value.toFixed(2)).join(' → '),
    result.onBeat === null ? '' : `${percent(result.onBeat.share)} % of ${result.onBeat.cuts}`,
    lateCell(result),
    closures.length === 0 ? '' : mean(closures).toFixed(2),
  ];
}

/** The largest delay of sound against picture, in frames, and the number of measured moments. */
function lateCell({ lateness, frameRate }: WholeResult): string {
  const reported = lateness.filter(({ audio }) => audio !== null);
  if (reported.length === 0) return '';
  // Frames of a still picture cannot be distinguished: then only the sound is compared with the timeline.
  const late = reported.map(({ audio, video }) => (audio! - (video ?? 0)) * frameRate);
  const worst = late.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
  const both = reported.filter(({ video }) => video !== null).length;
  return `${missed(worst, 1, 2)} (${both}+${reported.length - both} of ${lateness.length})`;
}

/** Of the sound alone, as it is encoded. */
export function audioTable(results: readonly AudioResult[]): string {
  const head = [
    'source → template',
    'Δ LUFS',
    'Δ LU',
    'dBTP',
    'spectrum dB',
    'left %',
    'reachable dB (bands)',
    'crest dB',
    'floor LU',
    'pumping dB',
    'start dB',
    'brighter dB',
    'wall %',
  ];
  const rows = results.map(({ pair, change, missingLu, objections }) => {
    const [loudness, ...others] = audioCells(change);
    return [
      nameOf(pair),
      missingLu > WARNED_LU && !change.heldBack ? `${loudness} warned` : loudness!,
      ...others,
      change.spectrum === null ? '' : percent(change.spectrum[1] / change.spectrum[0]),
      reachableCell(change),
      change.crestDb.map((value) => value?.toFixed(0) ?? '').join(' / '),
      change.floorLu.map((value) => value?.toFixed(0) ?? '').join(' → '),
      missed(objections.pumpingDb, 3, 1),
      missed(objections.startDb, 3, 1),
      objections.brightnessDb.toFixed(1),
      percent(objections.wall),
    ];
  });
  const blank = Array.from({ length: head.length - 7 }, () => '');
  const reachableMean = (of: readonly AudioResult[]) => {
    const parts = of.map(({ change }) => change.reachable).filter((part) => part !== null);
    return `${percent(mean(parts.map(({ left: [before, after] }) => after / before)))} %`;
  };
  const meanRow = (name: string, of: readonly AudioResult[]) => {
    const spectra = of.map(({ change }) => change.spectrum).filter((spectrum) => spectrum !== null);
    const left = mean(spectra.map(([before, after]) => after / before));
    return [
      name,
      '',
      '',
      '',
      '',
      left <= 0.35 ? percent(left) : `**${percent(left)}**`,
      reachableMean(of),
      ...blank,
    ];
  };
  const followed = results.filter(({ change }) => !change.heldBack);
  return table(head, [
    ...rows,
    meanRow('mean of all', results),
    meanRow('mean of those not held back', followed),
  ]);
}

function reachableCell({ reachable }: AudioChange): string {
  if (reachable === null) return '';
  const { left, bands, of } = reachable;
  return `${left.map((value) => value.toFixed(1)).join(' → ')} (${bands} of ${of})`;
}

function audioCells({ heldBack, loudness, range, peakDbtp, spectrum }: AudioChange): string[] {
  return [
    heldBack ? 'held back' : loudness === null ? '' : missed(loudness, 0.5, 1),
    range === null ? '' : `${range[0].toFixed(1)} → ${missed(range[1], 1.5, 1)}`,
    peakDbtp === null ? '' : peakDbtp <= -1 ? peakDbtp.toFixed(1) : `**${peakDbtp.toFixed(1)}**`,
    spectrum === null ? '' : spectrum.map((value) => value.toFixed(1)).join(' → '),
  ];
}

/**
 * Median over pairs of each field's closure, and on how many it rests. Sound that is held back on purpose is counted, and left
 * out of the figures.
 */
export function closureTable(results: readonly WholeResult[]): string {
  const names = [...new Set(results.flatMap(({ closure }) => Object.keys(closure)))];
  const rows = names.map((name) => {
    const reported = results.filter(({ closure }) => closure[name] !== undefined);
    const compared = reported.filter(({ audio }) => !AUDIO_FIELDS.includes(name) || audio?.heldBack !== true);
    const values = compared.map(({ closure }) => closure[name]);
    if (values.length === 0) return [name, '', '', '0', String(reported.length)];
    const middle = median(values);
    const text = middle.toFixed(2);
    return [
      name,
      middle >= 0.8 ? text : `**${text}**`,
      Math.min(...values).toFixed(2),
      String(values.length),
      AUDIO_FIELDS.includes(name) ? String(reported.length - values.length) : '',
    ];
  });
  return table(['closure of', 'median', 'least', 'pairs', 'held back'], rows);
}

function missed(value: number, most: number, digits: number): string {
  const text = value.toFixed(digits);
  return Math.abs(value) <= most ? text : `**${text}**`;
}

function percent(value: number, digits = 0): string {
  return (100 * value).toFixed(digits);
}
