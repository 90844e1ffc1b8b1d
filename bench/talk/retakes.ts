/** Talks in which phrases are said again right away, and talks in which they are not. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../src/signal/seeded-random.ts';
import { readWave, trimmed, withNoise } from './planted.ts';
import { varied } from './stretched.ts';

/** Changes of the first attempt: pitch, speed, level. `read`: two recordings of one text; `alike`: of texts with the same first three words. */
export const RETAKES = {
  'near, whole': { pitch: 0.02, speed: 0.04 },
  'near, broken off': { pitch: 0.02, speed: 0.04, isBroken: true },
  'near, whole, noise 15 dB': { pitch: 0.02, speed: 0.04, noiseDb: -15 },
  'far, whole': { pitch: 0.06, speed: 0.2 },
  'far, broken off': { pitch: 0.06, speed: 0.2, isBroken: true },
  'read twice': { texts: 'same' },
  'alike beginnings': { texts: 'alike' },
  none: { texts: 'none' },
  'none, noise 15 dB': { texts: 'none', noiseDb: -15 },
} as const satisfies Record<string, RetakeKind>;

interface RetakeKind {
  readonly pitch?: number;
  readonly speed?: number;
  readonly isBroken?: boolean;
  readonly noiseDb?: number;
  readonly texts?: 'same' | 'alike' | 'none';
}

export interface RetakenTalk {
  readonly samples: Float32Array;
  readonly rate: number;
  /** Beginnings of the first and of the second attempt, in seconds. */
  readonly again: readonly (readonly [first: number, second: number])[];
}

/** Level of the voices without noise, dB below them. */
const CLEAN_DB = -50;
const VOICE_DB = -26;
const GAIN_DB = 3;
const SECONDS = { least: 1.4, most: 6 } as const;
/** At least so much stays of a phrase that is broken off, in seconds and as a share. */
const BROKEN = { seconds: 0.95, least: 0.4, most: 0.7 } as const;
const EVENTS = 14;
const PHRASES_WITHOUT = 30;
const BETWEEN = 2;

/** Null: too few recordings, or no texts. `folder.txt` has the texts, one `name: text` a line. */
export function retakenTalk(folder: string, kind: RetakeKind, seed: number): RetakenTalk | null {
  const random = seededRandom(seed);
  const waves = new Map<string, Float32Array>();
  let rate = 0;
  for (const name of readdirSync(folder).sort()) {
    const wave = readWave(join(folder, name));
    const voice = trimmed(wave);
    rate = wave.rate;
    if (voice !== null && voice.length > SECONDS.least * rate && voice.length < SECONDS.most * rate)
      waves.set(name.replace(/\.wav$/, ''), voice);
  }
  const texts = textsOf(`${folder}.txt`, new Set(waves.keys()));
  const pairs = kind.texts === undefined || kind.texts === 'none' ? [] : pairsOf(texts, kind.texts);
  if (waves.size < EVENTS || (pairs.length === 0 && (kind.texts === 'same' || kind.texts === 'alike')))
    return null;
  const paired = new Set(pairs.flat());
  const names = [...waves.keys()].filter((name) => !paired.has(name));
  const next = (): Float32Array =>
    waves.get(names.splice(Math.floor(random() * names.length), 1)[0] ?? '') ?? new Float32Array(0);
  const parts: { readonly voice: Float32Array; readonly role?: 'first' | 'second' }[] = [];
  const plant = (first: Float32Array, second: Float32Array) => {
    for (let k = 0; k < BETWEEN; k++) parts.push({ voice: next() });
    const gain = 10 ** ((GAIN_DB * (2 * random() - 1)) / 20);
    parts.push(
      { voice: first.map((sample) => sample * gain), role: 'first' },
      { voice: second, role: 'second' },
    );
  };
  if (kind.texts === 'none') for (let k = 0; k < PHRASES_WITHOUT; k++) parts.push({ voice: next() });
  else if (kind.texts !== undefined)
    for (const [one, other] of pairs.slice(0, EVENTS)) plant(waves.get(one)!, waves.get(other)!);
  else
    for (let k = 0; k < EVENTS; k++) {
      const voice = next();
      const change = (share: number) => 1 + share * (random() < 0.5 ? -1 : 1);
      const first = varied(voice, rate, { pitch: change(kind.pitch ?? 0), speed: change(kind.speed ?? 0) });
      plant(kind.isBroken === true ? brokenOff(first, rate, random) : first, voice);
    }
  const talk = joined(
    parts.filter(({ voice }) => voice.length > 0),
    rate,
    random,
    kind.noiseDb ?? CLEAN_DB,
  );
  return kind.texts === 'alike' ? { ...talk, again: [] } : talk;
}

function brokenOff(voice: Float32Array, rate: number, random: () => number): Float32Array {
  const share = BROKEN.least + (BROKEN.most - BROKEN.least) * random();
  const part = voice.slice(0, Math.max(BROKEN.seconds * rate, share * voice.length));
  const fade = Math.round(0.02 * rate);
  for (let n = 1; n <= fade; n++) part[part.length - n] *= n / fade;
  return part;
}

function joined(
  parts: readonly { readonly voice: Float32Array; readonly role?: 'first' | 'second' }[],
  rate: number,
  random: () => number,
  noiseDb: number,
): RetakenTalk {
  const pauses = parts.map(() => Math.round((0.35 + 0.9 * random()) * rate));
  const samples = new Float32Array(
    parts.reduce((sum, { voice }, at) => sum + voice.length + pauses[at], rate),
  );
  const again: [number, number][] = [];
  let [at, first] = [Math.round(rate / 2), 0];
  for (const [index, { voice, role }] of parts.entries()) {
    if (role === 'first') first = at / rate;
    if (role === 'second') again.push([first, at / rate]);
    samples.set(voice, at);
    at += voice.length + pauses[index];
  }
  return { samples: withNoise(samples, VOICE_DB + noiseDb, random), rate, again };
}

function textsOf(
  path: string,
  names: ReadonlySet<string>,
): (readonly [name: string, words: readonly string[]])[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [name, text] = line.split(/:\s+/, 2);
      if (text === undefined || !names.has(name)) return [];
      return [
        [
          name,
          text
            .toLowerCase()
            .replace(/[^\p{L}\s]/gu, '')
            .split(/\s+/),
        ] as const,
      ];
    });
}

/** Two recordings of each text of four words, or two texts with the same first three words. */
function pairsOf(texts: ReturnType<typeof textsOf>, kind: 'same' | 'alike'): [string, string][] {
  const groups = Map.groupBy(
    texts.filter(([, words]) => words.length >= (kind === 'same' ? 4 : 5)),
    ([, words]) => (kind === 'same' ? words : words.slice(0, 3)).join(' '),
  );
  return [...groups.values()].flatMap(([one, ...others]): [string, string][] => {
    const other = others.find(([, words]) => (words.join(' ') === one[1].join(' ')) === (kind === 'same'));
    return other === undefined ? [] : [[one[0], other[0]]];
  });
}
