/** Sound without a beat: speech, places, noise. */
import type { TruthFile } from '../lib/truth.ts';
import { acousticKit, emptyTrack, finishTrack } from './band.ts';
import { atSpeed, mixIn, readSound } from './found-sound.ts';
import { SOUND_RATE } from './instruments.ts';
import type { Random } from './random.ts';
import { speakLike } from './speech-like.ts';

export interface Made {
  readonly samples: Float32Array;
  readonly truth: Omit<TruthFile, 'file'>;
}

/** The newsroom of `mdn_friday_speech`, a little faster or slower: speech from end to end. */
async function recordedSpeech(random: Random) {
  const samples = atSpeed(await readSound('video/mdn_friday_speech.mp4'), random.between(0.9, 1.12), 0, 8);
  return { samples, spans: [[0, samples.length / SOUND_RATE] as const] };
}

export async function speechAlone(random: Random): Promise<Made> {
  const { samples, spans } = random.chance(0.3)
    ? await recordedSpeech(random)
    : speakLike(random, random.between(12, 20));
  if (random.chance(0.5))
    mixIn(samples, rumble(random, samples.length / SOUND_RATE), random.between(-30, -15));
  const truth = { no_beat: true, speech_spans_s: spans, genre: 'speech' };
  return { samples: finishTrack(samples, random.between(0.2, 0.9), random), truth };
}

/** Wind, sea or traffic: noise that swells slowly. */
export function rumble(random: Random, seconds: number): Float32Array {
  const track = emptyTrack(seconds);
  const corner = random.between(0.01, 0.3);
  const periods = [random.between(2.3, 5), random.between(5, 11)];
  let smooth = 0;
  return track.map((_, n) => {
    smooth += corner * (random.next() * 2 - 1 - smooth);
    const t = n / SOUND_RATE;
    const swell = periods.reduce((sum, period) => sum + Math.sin((2 * Math.PI * t) / period), 0);
    return smooth * (1 + 0.35 * swell);
  });
}

/** Room tones, wind, sparse steps and knocks at irregular times, birds. */
export function ambience(random: Random): Made {
  const seconds = random.between(14, 22);
  const track = rumble(random, seconds);
  const events = random.pick([0, 6, 20]);
  for (let e = 0; e < events; e++) {
    const hit = random.pick([acousticKit(random).kick, acousticKit(random).snare]);
    hit(track, { atSeconds: random.between(0, seconds), level: random.between(0.05, 0.5) }, random);
  }
  return { samples: finishTrack(track, random.between(0.05, 0.8), random), truth: { no_beat: true } };
}

/** White noise, a tone, a sustained chord, applause, a glide. */
export function noise(random: Random): Made {
  const seconds = random.between(10, 18);
  const track = emptyTrack(seconds);
  const kind = random.pick(['white', 'tone', 'chord', 'applause', 'glide'] as const);
  const hz = random.between(90, 2000);
  for (let n = 0; n < track.length; n++) {
    const t = n / SOUND_RATE;
    if (kind === 'white') track[n] = random.next() * 2 - 1;
    else if (kind === 'tone') track[n] = Math.sin(2 * Math.PI * hz * t);
    else if (kind === 'chord')
      track[n] = [1, 1.26, 1.5].reduce((sum, r) => sum + Math.sin(2 * Math.PI * hz * r * t), 0);
    else if (kind === 'glide') track[n] = Math.sin(2 * Math.PI * (hz * t + 20 * t * t));
  }
  // A hall of people: hundreds of claps a second, each at its own time.
  const { snare } = acousticKit(random);
  const claps = kind === 'applause' ? seconds * random.pick([15, 60]) : 0;
  for (let c = 0; c < claps; c++)
    snare(track, { atSeconds: random.between(0, seconds), level: random.next() }, random);
  return { samples: finishTrack(track, random.between(0.1, 0.9), random), truth: { no_beat: true } };
}

/** Voices over a part of the music, `aboveDb` louder than it. */
export async function speakOver(random: Random, music: Made, aboveDb: number): Promise<Made> {
  const { samples } = music;
  const seconds = samples.length / SOUND_RATE;
  const real = random.chance(0.4);
  const spoken = real ? await recordedSpeech(random) : speakLike(random, Math.min(12, seconds - 2));
  const at = random.between(0, Math.max(0, seconds - spoken.samples.length / SOUND_RATE));
  const voice = new Float32Array(samples.length);
  voice.set(
    spoken.samples.subarray(0, samples.length - Math.round(at * SOUND_RATE)),
    Math.round(at * SOUND_RATE),
  );
  mixIn(samples, voice, aboveDb);
  const spans = spoken.spans.map(([from, to]) => [from + at, Math.min(seconds, to + at)] as const);
  const truth = { ...music.truth, speech_spans_s: spans };
  return { samples: finishTrack(samples, 0.9, random), truth };
}
