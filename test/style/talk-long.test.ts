/** A talk of three hours: pictures, sounds and captions stay together after thousands of cuts, in bounded time and memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Span } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { AudioAssembly } from '../../src/render/sound/audio-assembly.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { planSource } from '../../src/style/plan/source-part.ts';
import { clipFacts } from '../support/clip-facts.ts';

const SECONDS = 3 * 3600;
const FRAME_RATE = { numerator: 30_000, denominator: 1001 };
const FRAME_SECONDS = 1001 / 30_000;
/** Low, because only times matter. */
const SAMPLE_RATE = 8000;
/** Of this process; 1.3 s were seen. */
const MOST_CPU_SECONDS = 10;
const MOST_HEAP_BYTES = 300e6;

test('a talk of three hours stays together', () => {
  const random = seededRandom(3);
  const phrases: Span[] = [];
  for (let at = 0.4; at < SECONDS - 3; at = phrases.at(-1)!.endSeconds + 0.4 + 1.4 * random())
    phrases.push({ startSeconds: at, endSeconds: at + 1 + 2 * random() });
  const talk = { separationDb: 30, certainty: 12, marginSeconds: 0, runs: phrases };
  const speech = { share: 0.7, spans: phrases, confidence: 0.9, talk };
  const source = clipFacts({
    video: { durationSeconds: SECONDS, frameRate: FRAME_RATE },
    audio: { durationSeconds: SECONDS, speech },
  });
  const style = extractStyle(clipFacts({}), { createdAt: new Date(0), fingerprint: null });
  const cues = phrases.map((phrase, at) => ({ ...phrase, text: `Word ${at}` }));
  const config = jobConfigSchema.parse({ talk: 'on', components: { talk: 1, pacing: false } });
  const [cpu, heap] = [process.cpuUsage(), process.memoryUsage().heapUsed];
  const { timeline } = planSource({
    source,
    style,
    template: null,
    config,
    captions: {
      ...{ cues, origin: 'file', signCount: 0, isTelemetry: false, guessedEncoding: null },
      metricsOf: () => ({ capHeightEm: 0.7, advanceEm: () => 0.5 }),
    },
  });
  const { user, system } = process.cpuUsage(cpu);
  assert.ok((user + system) / 1e6 < MOST_CPU_SECONDS, `${(user + system) / 1e6} s`);
  assert.ok(process.memoryUsage().heapUsed - heap < MOST_HEAP_BYTES);
  const { clips, captions } = timeline;
  assert.ok(clips.length > 3000, `${clips.length} clips`);

  // The picture: frames of the clips, one after the other.
  const starts: number[] = [];
  let frame = 0;
  for (const { sourceStartSeconds, sourceEndSeconds } of clips) {
    starts.push(frame * FRAME_SECONDS);
    frame += Math.round((sourceEndSeconds - sourceStartSeconds) / FRAME_SECONDS);
  }
  const seenAt = (seconds: number) => {
    const at = clips.findLastIndex(({ sourceStartSeconds }) => sourceStartSeconds <= seconds + 1e-6);
    return starts[at] + seconds - clips[at].sourceStartSeconds;
  };
  const wanted = phrases.map(({ startSeconds }) => seenAt(startSeconds));
  const furthest = (times: readonly number[]) => {
    assert.equal(times.length, wanted.length);
    return Math.max(...times.map((time, at) => Math.abs(time - wanted[at])));
  };
  const written = furthest(captions.map(({ startSeconds }) => startSeconds));
  assert.ok(written <= FRAME_SECONDS, `captions are ${written} s off`);
  const heard = furthest(clicksHeard(clips, phrases));
  assert.ok(heard <= FRAME_SECONDS, `sounds are ${heard} s off`);
});

/** Where the output's sound has the clicks that the source has at the beginnings of phrases. */
function clicksHeard(
  clips: ConstructorParameters<typeof AudioAssembly>[0],
  phrases: readonly Span[],
): number[] {
  const assembly = new AudioAssembly(clips, SAMPLE_RATE);
  const times: number[] = [];
  let passed = 0;
  const read = (left: Float32Array) => {
    for (let n = left.indexOf(1); n !== -1; n = left.indexOf(1, n + 1))
      times.push((passed + n) / SAMPLE_RATE);
    passed += left.length;
  };
  const clicks = phrases.map(({ startSeconds }) => Math.round(startSeconds * SAMPLE_RATE));
  let next = 0;
  for (let from = 0; from < SECONDS * SAMPLE_RATE; from += 60 * SAMPLE_RATE) {
    const block = new Float32Array(60 * SAMPLE_RATE);
    for (; clicks[next] < from + block.length; next++) block[clicks[next] - from] = 1;
    read(assembly.push([block, block])[0]);
  }
  read(assembly.finish()[0]);
  return times;
}
