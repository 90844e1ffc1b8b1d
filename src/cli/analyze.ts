import { confidentAudio, confidentFacts } from '../analysis/confident-facts.ts';
import type { AudioFacts, ClipFacts } from '../analysis/facts.ts';
import type { FileAnalysis } from '../pipeline/engine/direct-results.ts';
import { progressParts } from '../pipeline/stages/stage-tools.ts';
import { receiveFile } from '../received/received-file.ts';
import { visibleJson } from '../received/visible-text.ts';
import { Studio } from '../studio.ts';
import { isMeasured } from '../style/model/measured-parts.ts';
import type { Style } from '../style/model/schema.ts';
import { styleSentence } from '../style/model/style-sentence.ts';
import { type Command, EXIT, stringOption, takeArguments } from './command.ts';
import { assertOutput, OVERWRITE_OPTION, overwriteHelp, writeWhole } from './output-file.ts';
import { RANGE_HELP, RANGE_OPTION, readPart } from './part-options.ts';
import { ProgressLine } from './progress-line.ts';
import type { Measuring } from './remote-style.ts';
import { readServer, SERVER_HELP, SERVER_OPTION } from './server-option.ts';
import { type Findings, findingsTable } from './style-table.ts';

/** Progress weight of the measurement; the rest is for the report's pictures. */
const MEASURING_WEIGHT = 80;
const PICTURES_WEIGHT = 20;

export const analyze: Command = {
  usage: 'CLIP [--range A-B] [--report page.html] [--server URL] [--json]',
  help: `Measures a video or sound file and prints the findings as a sentence and a table: pace, transitions, camera, color,
captions, tempo, loudness, with units. --json has the times of all cuts and beats. Only --report writes a file.

Options
  -r, --report FILE  write all findings as one HTML page: frames, cuts, beats over the waveform, camera, loudness,
                     palette, grade, with confidences. The page needs no other files and no network
${RANGE_HELP}.
                     Times in the findings count from A
${overwriteHelp('the report')}
${SERVER_HELP}
      --json         one JSON object on standard output: {kind, style, cuts, transitions, tempo_bpm, beats,
                     use_subtitles, zoom_usage, facts, …}; missing findings are left out; with
                     --server {kind, style, duration_seconds}

Examples
  styledna analyze holiday.mp4
  styledna analyze holiday.mp4 --report holiday.html
  styledna analyze show.mp4 --range 60-90
  styledna analyze song.mp3 --json | jq .tempo_bpm`,
  options: {
    json: { type: 'boolean' },
    report: { type: 'string', short: 'r' },
    ...RANGE_OPTION,
    ...OVERWRITE_OPTION,
    ...SERVER_OPTION,
  },
  async run(call) {
    const [path] = takeArguments(call, 'CLIP') as [string];
    const page = stringOption(call, 'report');
    if (page !== undefined) await assertOutput(call, page, 'page', [path]);
    const server = readServer(call);
    const line = new ProgressLine('Measuring');
    const work: Measurement = {
      ...{ path, page, signal: call.signal, partSeconds: readPart(call, 'range') },
      onProgress: (fraction) => line.update(fraction),
    };
    const { found, style, writePage } = await (server === null
      ? measureHere(work)
      : measureThere(server, work)
    ).finally(() => line.end());
    if (page !== undefined && writePage !== null) {
      await writePage(page);
      console.error(`Wrote ${page}`);
    }
    console.log(call.values['json'] === true ? visibleJson(found) : findingsText(found, style));
    return EXIT.done;
  },
};

interface Measurement extends Measuring {
  readonly path: string;
  /** Path of the requested report. */
  readonly page: string | undefined;
}

async function measureHere({ path, page, partSeconds, signal, onProgress }: Measurement) {
  const studio = new Studio();
  const [forMeasuring, forPictures] = progressParts(onProgress, [
    MEASURING_WEIGHT,
    page === undefined ? 0 : PICTURES_WEIGHT,
  ]);
  const analysis = await studio.analyze(path, { signal, partSeconds, onProgress: forMeasuring });
  const style = analysis.kind === 'audio' ? null : await studio.styleOf(analysis, { signal });
  const found = findingsOf(analysis, style);
  if (page === undefined) return { found, style, writePage: null };
  const measured = { path, analysis, style, page, partSeconds };
  const html = await studio.reportOf(measured, { signal, onProgress: forPictures });
  return { found, style, writePage: (file: string) => writeWhole(file, html) };
}

/** A service returns the Style DNA and draws the report; it does not return single cuts and beats. */
async function measureThere(server: string, { path, page, ...options }: Measurement) {
  const { clientOf } = await import('./server-client.ts');
  const { styleThere } = await import('./remote-style.ts');
  const client = clientOf(server);
  const { signal, partSeconds } = options;
  const { videoId, style } = await styleThere(client, path, options);
  const found = { kind: 'clip', style, duration_seconds: style.source_duration_seconds };
  if (page === undefined) return { found, style, writePage: null };
  const report = await client.getAnalysisReport(videoId, { signal, partSeconds });
  return { found, style, writePage: (file: string) => receiveFile(report, file, { signal }) };
}

/** The sentence, then the table. */
function findingsText(found: object, style: Style | null): string {
  const all = { ...style, ...found } as Findings;
  return `${styleSentence(all)}\n\n${findingsTable(all)}`;
}

function findingsOf(analysis: FileAnalysis, style: Style | null) {
  if (analysis.kind === 'clip') return clipReport(confidentFacts(analysis.facts), style!);
  const audio = confidentAudio(analysis.audio);
  return {
    kind: 'sound',
    ...audioReport(audio),
    fingerprint: analysis.fingerprint,
    facts: { sound: audio },
  };
}

/** Flat fields for benchmarks and scripts; times in seconds. Findings of low confidence are left out. */
function clipReport(facts: ClipFacts, style: Style) {
  const { video, audio, motion } = facts;
  const cuts = video.transitions.filter(({ type }) => type === 'cut');
  const gradual = video.transitions.filter(({ type }) => type !== 'cut');
  return {
    kind: 'clip',
    style,
    duration_seconds: video.durationSeconds,
    frame_count: video.frameCount,
    cuts: cuts.map(({ endSeconds }) => endSeconds),
    transitions: gradual.map(({ type, startSeconds, endSeconds, easing, direction, edge, confidence }) => ({
      type,
      start: startSeconds,
      end: endSeconds,
      easing,
      ...(direction === undefined ? {} : { direction }),
      ...(edge === undefined ? {} : { edge }),
      confidence,
    })),
    ...(audio === null ? {} : audioReport(audio)),
    ...(isMeasured(style, 'subtitles') ? { use_subtitles: style.use_subtitles } : {}),
    captions: video.captions.spans,
    ...(isMeasured(style, 'motion') ? { zoom_usage: style.zoom_usage } : {}),
    camera: motion.shots.flatMap(({ label, confidence }, index) => {
      const { startSeconds: start, endSeconds: end } = video.shots[index];
      return confidence === 0 ? [] : [{ start, end, label, confidence }];
    }),
    // Scripts depend on these names.
    facts: { picture: video, sound: audio, motion },
  };
}

function audioReport(audio: AudioFacts) {
  const { tempo } = audio;
  return {
    ...(tempo === null ? {} : { tempo_bpm: tempo.bpm, tempo_confidence: tempo.confidence }),
    beats: audio.beats.map(({ timeSeconds }) => timeSeconds),
    speech_share: audio.speech.share,
    ...(audio.confidence === 0
      ? {}
      : {
          integrated_lufs: audio.loudness.integratedLufs,
          loudness_range_lu: audio.loudness.rangeLu,
          true_peak_dbtp: audio.loudness.truePeakDbtp,
        }),
    music_genre: audio.genre.name,
  };
}
