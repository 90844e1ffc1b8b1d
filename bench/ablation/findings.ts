/** Prints a line of JSON for each clip of the arguments: its findings by field, as short texts that are equal where the findings are. */
import { measureClip } from '../lib/measure.ts';

const hundredths = (value: number) => Number(value.toFixed(2));

for (const path of process.argv.slice(2)) {
  const { seen, audio } = await measureClip(path);
  const fields = {
    shots: seen?.video.shots.map(({ startSeconds }) => hundredths(startSeconds)),
    transitions: seen?.video.transitions
      .filter(({ type }) => type !== 'cut')
      .map(({ type, startSeconds }) => [type, hundredths(startSeconds)]),
    captions: seen?.video.captions.spans.map(({ startSeconds, endSeconds }) =>
      [startSeconds, endSeconds].map(hundredths),
    ),
    color:
      seen &&
      JSON.stringify(seen.video.color, (_, value) => (typeof value === 'number' ? hundredths(value) : value)),
    camera: seen?.motion.shots.map(({ label }) => label),
    tempo: audio?.tempo && [hundredths(audio.tempo.bpm), hundredths(audio.tempo.confidence)],
    beats: audio?.beats.map(({ timeSeconds }) => hundredths(timeSeconds)),
  };
  const texts = Object.entries(fields).map(([field, value]) => [field, JSON.stringify(value ?? null)]);
  console.log(JSON.stringify({ path, ...Object.fromEntries(texts) }));
}
