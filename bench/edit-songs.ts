/**
 * Bars, phrases and sections of songs: made ones with known structure, and real ones whose truth gives tempo and first beat (their bars of four
 * are assumed to begin with it). Limits were tuned on seeds 1 to 16. `node bench/edit-songs.ts [--seeds 1001-1016]`
 */
import { parseArgs } from 'node:util';
import { type SongScore, type SongTruth, scoreSong } from './edit-material/song-score.ts';
import { madeSong } from './edit-material/songs.ts';
import { MEDIA } from './lib/long-clip.ts';
import { measureAudio } from './lib/measure.ts';
import { conditionsInWords, currentConditions, saveResult, table } from './lib/report.ts';
import { readTruths } from './lib/truth.ts';

const BAR_BEATS = 4;

async function realSongs(): Promise<SongTruth[]> {
  const songs: SongTruth[] = [];
  for (const folder of ['music', 'more/music']) {
    for (const { name, path, beats } of readTruths(`${MEDIA}${folder}`)) {
      if (beats === null || beats.phaseFree) continue;
      const audio = (await measureAudio(path))!;
      const bar = (BAR_BEATS * 60) / beats.bpm;
      const count = Math.floor((audio.durationSeconds - beats.offsetSeconds) / bar) + 1;
      const downbeatsSeconds = Array.from({ length: count }, (_, i) => beats.offsetSeconds + i * bar);
      songs.push({ name, audio, beatsPerBar: BAR_BEATS, downbeatsSeconds, bordersSeconds: null });
    }
  }
  return songs;
}

function summaryOf(scores: readonly SongScore[]) {
  const claimed = scores.filter(({ precision }) => precision !== null);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const share = (part: 'sections' | 'phrases', of: 'found' | 'wanted') => {
    const known = scores.flatMap((score) => (score[part] === null ? [] : [score[part]]));
    const hits = sum(known.map((one) => one.hits));
    return hits / sum(known.map((one) => (one as Record<string, number>)[of]));
  };
  return {
    songs: scores.length,
    claimed: claimed.length,
    precision: sum(claimed.map(({ precision }) => precision!)) / claimed.length,
    recall: sum(scores.map(({ recall }) => recall)) / scores.length,
    'section precision': share('sections', 'found'),
    'section recall': share('sections', 'wanted'),
    'phrase precision': share('phrases', 'found'),
  };
}

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1001-1016' } } });
const conditions = currentConditions();
const [first, last] = values.seeds.split('-').map(Number);
const made = Array.from({ length: last - first + 1 }, (_, i) => scoreSong(madeSong(first + i)));
const real = (await realSongs()).map(scoreSong);
const figures = { made: summaryOf(made), real: summaryOf(real) };
console.log(conditionsInWords(conditions));
const inFigures = (value: number) =>
  Number.isNaN(value) ? '–' : Number.isInteger(value) ? String(value) : value.toFixed(2);
console.log(
  `\n${table(
    ['songs', ...Object.keys(figures.made)],
    Object.entries(figures).map(([name, summary]) => [name, ...Object.values(summary).map(inFigures)]),
  )}`,
);
console.log(
  `\n${table(
    ['song', 'beats of a bar', 'confidence', 'first beats right', 'found'],
    [...made, ...real].map(({ name, beatsPerBar, confidence, precision, recall }) => [
      ...[name, String(beatsPerBar), confidence.toFixed(2)],
      ...[precision === null ? '–' : precision.toFixed(2), recall.toFixed(2)],
    ]),
  )}`,
);
console.log(`\n${saveResult('edit-songs', { conditions, figures, seeds: values.seeds })}`);
