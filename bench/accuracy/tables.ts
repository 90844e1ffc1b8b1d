/** The scores as Markdown: against the targets, beside the peers, by confidence, and clip by clip. */
import { table } from '../lib/report.ts';
import { confidenceThirds, type Third } from '../score/calibration.ts';
import { fMeasure, type Hits, type Named } from '../score/transitions.ts';
import { type ClipScore, judgedBy } from './clip-score.ts';
import { costTotals, cutPeers, type Figure, figuresOf, gradesOf, mean } from './totals.ts';

export interface Groups {
  readonly real: readonly ClipScore[];
  readonly made: readonly ClipScore[];
}

export function targetTable({ real, made }: Groups): string {
  const [ofReal, ofMade] = [figuresOf(real), figuresOf(made)];
  const names = [...new Set([...ofMade, ...ofReal].map(({ name }) => name))];
  const order = (name: string) => {
    const at = ofMade.findIndex((one) => one.name === name);
    return at < 0 ? names.length : at;
  };
  const cell = (figure: Figure | undefined) => {
    if (figure === undefined || figure.value === null) return '';
    const text = rounded(figure.value);
    return `${figure.meets === false ? `**${text}**` : text} (${figure.count})`;
  };
  const rows = names
    .toSorted((a, b) => order(a) - order(b))
    .map((name) => {
      const [one, other] = [ofReal, ofMade].map((all) => all.find((figure) => figure.name === name));
      return [name, (one ?? other)!.must, cell(one), cell(other)];
    });
  return table(['what (how many)', 'must', 'real clips', 'generated'], rows);
}

export function peerTable({ real, made }: Groups): string {
  const rows = [
    ['real clips', real],
    ['generated', made],
  ] as const;
  const cuts = rows.flatMap(([name, scores]) => {
    const { clips, ours, theirs, ourCpuSeconds, theirCpuSeconds } = cutPeers(scores);
    if (clips === 0) return [];
    return [
      [`hard cuts F, ${name} (${clips})`, rounded(fMeasure(ours)), `scdet ${rounded(fMeasure(theirs))}`],
      [
        `CPU seconds, ${name}: all analyses, and scdet alone`,
        ourCpuSeconds.toFixed(1),
        `scdet ${theirCpuSeconds.toFixed(1)}`,
      ],
    ];
  });
  const beats = rows.flatMap(([name, scores]) => {
    const heard = scores.filter(({ peers }) => peers.aubio !== null);
    const ours = heard.map(({ beats: real, madeAudio }) => real?.beatF ?? madeAudio?.beats?.f ?? 0);
    const theirs = heard.map(({ peers }) => peers.aubio!);
    if (heard.length === 0) return [];
    return [
      [
        `beats F, ${name} (${heard.length})`,
        rounded(mean(ours)),
        `aubio ${rounded(mean(theirs.map(({ f }) => f)))}`,
      ],
      [
        `tempo within 4 %, halves and doubles allowed, ${name}`,
        rounded(
          shareWithin(
            heard.map(
              ({ beats: real, madeAudio }) => real?.octaveError ?? madeAudio?.beats?.octaveError ?? 1,
            ),
          ),
        ),
        `aubio ${rounded(shareWithin(theirs.map(({ octaveError }) => octaveError)))}`,
      ],
    ];
  });
  return table(['what', 'StyleDNA', 'peer'], [...cuts, ...beats]);
}

const shareWithin = (errors: readonly number[]) => mean(errors.map((error) => (error <= 0.04 ? 1 : 0)));

/** Share of right findings by their confidence. */
export function calibrationTable({ real, made }: Groups): string {
  const kinds = Object.entries(judgedBy([...real, ...made]));
  const thirds: (readonly [string, readonly Third[]])[] = [
    ...kinds.map(([name, judged]) => [name, confidenceThirds(judged)] as const),
    ['temperature and tint within 15 units', gradesOf(made)?.thirds ?? []],
  ];
  const rows = thirds
    .filter(([, parts]) => parts.length === 3)
    .map(([name, parts]) => [
      `${name} (${parts.reduce((sum, { count }) => sum + count, 0)})`,
      ...parts.map(
        ({ from, to, meanRight }) => `${rounded(meanRight)} (${from.toFixed(2)}–${to.toFixed(2)})`,
      ),
    ]);
  return table(['right, by third of confidence', 'least sure', 'middle', 'surest'], rows);
}

/** Confusion matrix of types. */
export function confusionTable(scores: readonly ClipScore[]): string {
  const pairs = scores.flatMap(({ transitions }) => transitions?.confusions ?? []);
  const found = [...new Set(pairs.map((pair) => pair.found))].toSorted(noneLast);
  const wanted = [...new Set(pairs.map((pair) => pair.wanted))].toSorted(noneLast);
  const rows = wanted.map((name) => [
    name,
    ...found.map((other) => {
      const count = pairs.filter((pair) => pair.wanted === name && pair.found === other).length;
      return count === 0 ? '' : String(count);
    }),
  ]);
  return table(['made ↓ found →', ...found], rows);
}

const noneLast = (a: Named, b: Named) => (a === 'none' ? 1 : b === 'none' ? -1 : a.localeCompare(b));

export function cameraConfusionTable(scores: readonly ClipScore[]): string {
  const wrong = scores.flatMap(({ camera }) => camera.filter(({ right }) => !right));
  const kinds = new Map<string, number>();
  for (const { allowed, found, kind } of wrong) {
    const key = `${kind ?? allowed.join('/')} → ${found}`;
    kinds.set(key, (kinds.get(key) ?? 0) + 1);
  }
  const rows = [...kinds].sort(([, a], [, b]) => b - a).map(([key, count]) => [key, String(count)]);
  return table(['camera label wanted → found', ''], rows);
}

/** Generated sound by its kind: where beats are lost, and how sure the analysis was of them. */
export function audioKindTable(scores: readonly ClipScore[]): string {
  const kinds = new Map<string, NonNullable<ClipScore['madeAudio']>[]>();
  for (const { name, madeAudio } of scores) {
    if (madeAudio?.beats == null) continue;
    const kind = name.replace(/(_[a-z])?\.\w+$/, '');
    kinds.set(kind, [...(kinds.get(kind) ?? []), madeAudio]);
  }
  const rows = [...kinds].map(([kind, all]) => ({
    kind: `${kind} (${all.length})`,
    f: mean(all.map(({ beats }) => beats!.f))!,
    right: mean(all.map(({ beats }) => (beats!.tempoRight ? 1 : 0)))!,
    confidence: mean(all.map(({ confidence }) => confidence.tempo))!,
  }));
  return table(
    ['kind of sound', 'beats F', 'tempo right', 'confidence of the tempo'],
    rows
      .toSorted((a, b) => a.f - b.f)
      .map(({ kind, f, right, confidence }) => [kind, f.toFixed(2), rounded(right), confidence.toFixed(2)]),
  );
}

export function dialTable(scores: readonly ClipScore[]): string {
  const grades = gradesOf(scores);
  const rows = (grades?.dials ?? []).map((dial) => [
    `${dial.dial} (${dial.bases} contents)`,
    rounded(dial.rankMean),
    rounded(dial.rankLeast),
    `${dial.signsRight}/${dial.signs}`,
    dial.move.toFixed(0),
    rounded(dial.orderAcross),
  ]);
  return table(
    ['dial', 'rank correlation', 'least', 'sign right', 'move at ±1', 'order across contents'],
    rows,
  );
}

export function costTable({ real }: Groups): string {
  const { clipsCpuSeconds, decodingCpuSeconds, musicCpuSecondsPerMinute } = costTotals(real);
  return table(
    ['cost, real clips in one process', ''],
    [
      ['clips: CPU seconds of the analysis, decoding included', clipsCpuSeconds.toFixed(1)],
      ['clips: CPU seconds of decoding alone', decodingCpuSeconds.toFixed(1)],
      ['clips: analysis / decoding alone', rounded(clipsCpuSeconds / decodingCpuSeconds)],
      ['music: CPU seconds of the analysis for three minutes', rounded(3 * (musicCpuSecondsPerMinute ?? 0))],
    ],
  );
}

/** One row for each clip. */
export function clipTable(scores: readonly ClipScore[]): string {
  const head = [
    'clip',
    'cuts',
    'gradual',
    'types',
    'Δ frames',
    'beats F',
    'BPM',
    'captions',
    'camera',
    '× decoding',
  ];
  const rows = scores.map(({ name, transitions, beats, captions, camera, cost }) => [
    name,
    transitions === null ? '' : hitsInWords(transitions.cuts),
    transitions === null ? '' : hitsInWords(transitions.gradual),
    transitions === null ? '' : typesInWords(transitions.types),
    transitions === null ? '' : transitions.durationErrorsFrames.map((error) => error.toFixed(0)).join(' '),
    beats === null ? '' : beats.beatF.toFixed(2),
    beats === null ? '' : (beats.bpm?.toFixed(1) ?? 'none'),
    captions === null
      ? ''
      : `${captions.found === captions.wanted ? 'right' : 'WRONG'} ${captions.share.toFixed(2)}`,
    cameraInWords(camera),
    cost === null ? '' : (cost.analysis.cpuSeconds / cost.decoding.cpuSeconds).toFixed(1),
  ]);
  return table(head, rows);
}

/** `right/expected`, and the number of false ones. */
function hitsInWords({ right, wrong, missed }: Hits): string {
  const found = right + missed === 0 ? '' : `${right}/${right + missed}`;
  return `${found}${wrong === 0 ? '' : ` +${wrong}`}`.trim();
}

function typesInWords(types: NonNullable<ClipScore['transitions']>['types']): string {
  const wrong = Object.entries(types).flatMap(([type, hits]) => [
    ...(hits.wrong > 0 ? [`+${type}`] : []),
    ...(hits.missed > 0 ? [`−${type}`] : []),
  ]);
  return wrong.join(' ');
}

/** Right of all, and the labels of the wrong ones. */
function cameraInWords(verdicts: ClipScore['camera']): string {
  if (verdicts.length === 0) return '';
  const wrong = verdicts.filter(({ right }) => !right).map(({ found }) => found);
  return [`${verdicts.length - wrong.length}/${verdicts.length}`, ...wrong].join(' ');
}

function rounded(value: number | null): string {
  return value === null ? '–' : String(Number(value.toFixed(3)));
}
