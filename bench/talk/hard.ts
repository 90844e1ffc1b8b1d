/** Recordings that a talk's plan must cut without harm to words, or leave: voices with known words in bad conditions. */
import { ComplexFft } from '../../src/signal/fft.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { hannWindow } from '../../src/signal/window.ts';
import {
  dryTalk,
  levels,
  MEAN_DB,
  type PlantedTalk,
  reverberant,
  SPEECH_RANGE_DB,
  VOICE_DB,
  withNoise,
  withRumble,
} from './planted.ts';

const MEAN = VOICE_DB + MEAN_DB;
const QUIET_DB = MEAN - 50;
/** Of telephones (ITU-T G.712), Hz. */
const TELEPHONE = [300, 3400] as const;

export interface HardTalk extends PlantedTalk {
  /** Laughter, typing and other voices in the pauses. */
  readonly content: PlantedTalk['pauses'];
}

type Hardened = (talk: PlantedTalk, random: () => number, other: PlantedTalk) => Partial<HardTalk>;

const clean = (talk: PlantedTalk, random: () => number) => withNoise(talk.samples, QUIET_DB, random);

export const HARD = {
  clean: (talk, random) => ({ samples: clean(talk, random) }),
  '12 dB softer, 16 bits': (talk, random) => ({ samples: stored(clean(talk, random), -12) }),
  '12 dB louder, clipped': (talk, random) => ({ samples: stored(clean(talk, random), 12) }),
  '24 dB louder, clipped': (talk, random) => ({ samples: stored(clean(talk, random), 24) }),
  'rumble 4 dB below': (talk, random) => ({
    samples: withRumble(withNoise(talk.samples, MEAN - 20, random), MEAN - 4, random),
  }),
  'noisy room': (talk, random) => ({
    samples: withRumble(
      withNoise(reverberant(talk.samples, talk.rate, random), MEAN - 20, random),
      MEAN - 4,
      random,
    ),
  }),
  '8 kHz': (talk, random) => {
    const samples = decimated(talk.samples, talk.rate / 8000);
    return {
      ...{ rate: 8000, speechDb: speechOf(samples, 8000) },
      samples: stored(withNoise(samples, QUIET_DB, random), 0),
    };
  },
  'telephone on a street': (talk, random) => {
    const street = withTraffic(talk.samples, talk.rate, MEAN - 10, random);
    const samples = band(street, talk.rate, TELEPHONE);
    const voice = band(talk.samples, talk.rate, TELEPHONE);
    return {
      speechDb: speechOf(voice, talk.rate),
      samples: stored(samples, 0),
    };
  },
  'another voice, as loud': (talk, random, other) => ({
    samples: withNoise(sumOf(talk.samples, other.samples, 0), QUIET_DB, random),
    speechDb: loudest(talk.speechDb, speechOf(repeated(other.samples, talk.samples.length), talk.rate)),
  }),
  'another voice, 12 dB softer': (talk, random, other) => ({
    samples: withNoise(sumOf(talk.samples, other.samples, -12), QUIET_DB, random),
  }),
  whispered: (talk, random) => {
    const samples = whispered(talk.samples, talk.rate, random);
    const loud = levels(samples, talk.rate)
      .toSorted()
      .at(-Math.ceil(samples.length / talk.rate))!;
    return {
      samples: withNoise(samples, QUIET_DB, random),
      speechDb: levels(samples, talk.rate).map((level) => level - loud + SPEECH_RANGE_DB),
    };
  },
  'laughter in the pauses': (talk, random, other) => inPauses(talk, random, laughter(other, random)),
  'applause in the pauses': (talk, random) => inPauses(talk, random, applause(talk.rate, random)),
  'typing in the pauses': (talk, random) => inPauses(talk, random, typing(talk.rate, random)),
  'no pauses': (talk, random) => ({ samples: clean(talk, random) }),
} as const satisfies Record<string, Hardened>;

/** Null: too few clean recordings. */
export function hardTalk(
  folder: string,
  other: string,
  seconds: number,
  kind: keyof typeof HARD,
): HardTalk | null {
  const random = seededRandom(1);
  const pauseOf = kind === 'no pauses' ? (share: number) => 0.03 + 0.05 * share : undefined;
  const talk = dryTalk(folder, seconds, random, pauseOf);
  const second = dryTalk(other, seconds, seededRandom(2), (share) => 0.2 + 0.6 * share);
  if (talk === null || second === null) return null;
  const harden: Hardened = HARD[kind];
  return { ...talk, content: [], ...harden(talk, random, second) };
}

/** 16 bits. */
function stored(samples: Float32Array, gainDb: number): Float32Array {
  const gain = 10 ** (gainDb / 20) * 32768;
  return samples.map((one) => Math.max(-32768, Math.min(32767, Math.round(one * gain))) / 32768);
}

function sumOf(one: Float32Array, other: Float32Array, otherDb: number): Float32Array {
  const gain = 10 ** (otherDb / 20);
  const under = repeated(other, one.length);
  return one.map((sample, n) => sample + gain * under[n]);
}

function repeated(samples: Float32Array, length: number): Float32Array {
  return Float32Array.from({ length }, (_, n) => samples[n % samples.length]);
}

function loudest(one: Float32Array, other: Float32Array): Float32Array {
  return one.map((level, n) => Math.max(level, other[n]));
}

/** Level of a voice, dB above the least that counts as speech. */
function speechOf(voice: Float32Array, rate: number): Float32Array {
  return levels(voice, rate).map((level) => level - VOICE_DB + SPEECH_RANGE_DB);
}

/** Windowed sinc of 12 crossings on each side. */
export function resampled(samples: Float32Array, from: number, to: number): Float32Array {
  const step = from / to;
  const cutoff = Math.min(1, 1 / step);
  const reach = Math.ceil(12 / cutoff);
  return Float32Array.from({ length: Math.floor(samples.length / step) }, (_, n) => {
    const at = n * step;
    let sum = 0;
    for (let k = Math.ceil(at - reach); k <= at + reach; k++) {
      const x = (k - at) * cutoff;
      const sinc = x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
      sum += (samples[k] ?? 0) * sinc * (0.5 + 0.5 * Math.cos((Math.PI * (k - at)) / reach));
    }
    return sum * cutoff;
  });
}

function decimated(samples: Float32Array, factor: number): Float32Array {
  return resampled(samples, factor, 1);
}

/** Spectra of half overlapping windows, changed by `change` and added again. */
function bySpectra(
  samples: Float32Array,
  size: number,
  change: (re: Float64Array, im: Float64Array) => void,
): Float32Array {
  const fft = new ComplexFft(size);
  const window = hannWindow(size);
  const out = new Float32Array(samples.length);
  for (let at = 0; at < samples.length; at += size / 2) {
    for (let n = 0; n < size; n++) {
      fft.re[n] = (samples[at + n] ?? 0) * Math.sqrt(window[n]);
      fft.im[n] = 0;
    }
    fft.transform();
    change(fft.re, fft.im);
    // The inverse: with real and imaginary part exchanged.
    const re = fft.re.slice();
    fft.re.set(fft.im);
    fft.im.set(re);
    fft.transform();
    for (let n = 0; n < size && at + n < out.length; n++)
      out[at + n] += (fft.im[n] / size) * Math.sqrt(window[n]);
  }
  return out;
}

function band(samples: Float32Array, rate: number, [low, high]: readonly [number, number]): Float32Array {
  const size = 1024;
  return bySpectra(samples, size, (re, im) => {
    for (let k = 0; k < size; k++) {
      const hz = (Math.min(k, size - k) * rate) / size;
      if (hz >= low && hz <= high) continue;
      re[k] = 0;
      im[k] = 0;
    }
  });
}

/** The envelope of the spectrum, over 250 Hz, with noise for the voice; vowels are weak below 500 Hz. */
function whispered(samples: Float32Array, rate: number, random: () => number): Float32Array {
  const size = 512;
  const reach = Math.round((125 * size) / rate);
  const soft = bySpectra(samples, size, (re, im) => {
    const power = re.map((one, k) => one ** 2 + im[k] ** 2);
    for (let k = 0; k <= size / 2; k++) {
      let [sum, count] = [0, 0];
      for (let at = Math.max(0, k - reach); at <= Math.min(size / 2, k + reach); at++) {
        sum += power[at];
        count += 1;
      }
      const weight = Math.min(1, (k * rate) / size / 500);
      const magnitude = weight * Math.sqrt(sum / count);
      const phase = 2 * Math.PI * random();
      const isEdge = k === 0 || k === size / 2;
      re[k] = magnitude * (isEdge ? 1 : Math.cos(phase));
      im[k] = isEdge ? 0 : magnitude * Math.sin(phase);
      if (isEdge) continue;
      re[size - k] = re[k];
      im[size - k] = -im[k];
    }
  });
  return soft.map((one) => one * 0.25);
}

/** Pink noise whose level passes by like cars: 12 dB up and down within 2 to 6 s. */
function withTraffic(
  samples: Float32Array,
  rate: number,
  levelDb: number,
  random: () => number,
): Float32Array {
  const noise = withNoise(new Float32Array(samples.length), levelDb, random);
  const cars = Array.from({ length: Math.ceil(samples.length / rate / 5) }, () => ({
    at: (random() * samples.length) / rate,
    width: 1 + 2 * random(),
  }));
  return samples.map((sample, n) => {
    const seconds = n / rate;
    const nearest = cars.reduce(
      (most, { at, width }) => Math.max(most, 1 - ((seconds - at) / width) ** 2),
      0,
    );
    return sample + noise[n] * 10 ** ((12 * nearest - 6) / 20);
  });
}

/** Content in the middle of each pause that is long enough, .2 s from its ends. */
function inPauses(
  { samples, rate, pauses }: PlantedTalk,
  random: () => number,
  content: (seconds: number) => Float32Array,
): Partial<HardTalk> {
  const out = withNoise(samples, QUIET_DB, random);
  const filled = pauses.filter(([start, end]) => end - start > 0.8);
  const spans = filled.map(([start, end]) => [start + 0.2, end - 0.2] as const);
  for (const [start, end] of spans) {
    const part = content(end - start);
    for (let n = 0; n < part.length; n++) out[Math.round(start * rate) + n] += part[n];
  }
  return { samples: out, content: spans, pauses: pauses.filter((pause) => !filled.includes(pause)) };
}

/** Five people who laugh: a voice's loud 80 ms, five times a second, softer with each. */
function laughter({ samples, rate }: PlantedTalk, random: () => number): (seconds: number) => Float32Array {
  const grain = Math.round(0.08 * rate);
  const loud = Array.from({ length: Math.floor(samples.length / grain) }, (_, at) =>
    samples.slice(at * grain, (at + 1) * grain),
  )
    .toSorted((one, other) => energy(other) - energy(one))
    .slice(0, 20);
  return (seconds) => {
    const out = new Float32Array(Math.round(seconds * rate));
    for (let person = 0; person < 5; person++) {
      const ha = loud[Math.floor(random() * loud.length)];
      const pitch = 0.8 + 0.6 * random();
      for (let at = 0.2 * random(), beat = 0; at < seconds; at += 0.17 + 0.05 * random(), beat++) {
        const gain = 0.5 * Math.exp(-beat / 12);
        for (let n = 0; n * pitch + 1 < ha.length; n++) {
          const edge = Math.sin((Math.PI * n * pitch) / ha.length);
          const to = Math.round(at * rate) + n;
          if (to < out.length) out[to] += gain * edge * ha[Math.floor(n * pitch)];
        }
      }
    }
    return out;
  };
}

const energy = (part: Float32Array) => part.reduce((sum, one) => sum + one ** 2, 0);

/** Some 150 claps a second, each 8 ms of decaying noise. */
function applause(rate: number, random: () => number): (seconds: number) => Float32Array {
  return (seconds) => {
    const out = new Float32Array(Math.round(seconds * rate));
    for (let clap = 0; clap < 150 * seconds; clap++) {
      const from = Math.floor(random() * out.length);
      const gain = 0.1 * (0.3 + random());
      for (let n = 0; n < 0.03 * rate && from + n < out.length; n++)
        out[from + n] += gain * (2 * random() - 1) * Math.exp(-n / (0.008 * rate));
    }
    return out;
  };
}

/** Six keys a second, each 10 ms of decaying noise, the release softer. */
function typing(rate: number, random: () => number): (seconds: number) => Float32Array {
  return (seconds) => {
    const out = new Float32Array(Math.round(seconds * rate));
    const strike = (at: number, gain: number) => {
      for (let n = 0; n < 0.05 * rate && at + n < out.length; n++)
        out[at + n] += gain * (2 * random() - 1) * Math.exp(-n / (0.01 * rate));
    };
    for (let at = 0; at < seconds; at += 0.1 + 0.13 * random()) {
      strike(Math.round(at * rate), 0.05 + 0.05 * random());
      strike(Math.round((at + 0.07) * rate), 0.02);
    }
    return out;
  };
}
