import type { ClipFacts, SoundFacts } from '../analysis/facts.ts';
import { Studio } from '../library.ts';
import type { Style } from '../style/schema.ts';
import { type Command, EXIT, takeArguments } from './command.ts';
import { findingsText } from './findings-text.ts';
import { ProgressLine } from './progress-line.ts';

export const analyze: Command = {
  summary: 'Measure a clip or a piece of music',
  usage: 'CLIP [--json]',
  help: `Measures a video or sound file and prints what was found: cuts, transitions, tempo, beats, colour,
camera, captions, loudness. Nothing is written.

Options
  --json   one JSON object on standard output: {kind, style, cuts, transitions, tempo_bpm, beats,
           use_subtitles, zoom_usage, facts, …}; what was not found is left out

Examples
  styledna analyze holiday.mp4
  styledna analyze song.mp3 --json | jq .tempo_bpm`,
  options: { json: { type: 'boolean' } },
  async run(call) {
    const [path] = takeArguments(call, 'CLIP') as [string];
    const studio = new Studio();
    const line = new ProgressLine('Measuring');
    const analysis = await studio
      .analyze(path, { signal: call.signal, onProgress: line.update })
      .finally(() => line.end());
    const report =
      analysis.kind === 'sound'
        ? {
            kind: 'sound',
            ...soundReport(analysis.sound),
            fingerprint: analysis.fingerprint,
            facts: { sound: analysis.sound },
          }
        : clipReport(analysis.facts, await studio.styleOf(analysis, { signal: call.signal }));
    const style = 'style' in report ? report.style : {};
    console.log(
      call.values['json'] === true ? JSON.stringify(report) : findingsText({ ...style, ...report }),
    );
    return EXIT.done;
  },
};

/** The flat fields that benchmarks and scripts read; times in seconds. */
function clipReport(facts: ClipFacts, style: Style) {
  const { picture, sound, motion } = facts;
  const cuts = picture.transitions.filter(({ type }) => type === 'cut');
  const gradual = picture.transitions.filter(({ type }) => type !== 'cut');
  return {
    kind: 'clip',
    style,
    duration_seconds: picture.durationSeconds,
    frame_count: picture.frameCount,
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
    ...(sound === null ? {} : soundReport(sound)),
    use_subtitles: style.use_subtitles,
    captions: picture.captions.spans,
    zoom_usage: style.zoom_usage,
    camera: motion.shots.map(({ label, confidence }, index) => ({
      start: picture.shots[index]!.startSeconds,
      end: picture.shots[index]!.endSeconds,
      label,
      confidence,
    })),
    facts,
  };
}

function soundReport(sound: SoundFacts) {
  const { tempo } = sound;
  return {
    ...(tempo === null ? {} : { tempo_bpm: tempo.bpm, tempo_confidence: tempo.confidence }),
    beats: sound.beats.map(({ timeSeconds }) => timeSeconds),
    speech_share: sound.speech.share,
    integrated_lufs: sound.loudness.integratedLufs,
    loudness_range_lu: sound.loudness.rangeLu,
    true_peak_dbtp: sound.loudness.truePeakDbtp,
    music_genre: sound.genre.name,
  };
}
