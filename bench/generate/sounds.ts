/** Sound alone with known beats, tempo, speech and genre: played by a synthetic band, cut from real music, or without a beat. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TruthFile } from '../lib/truth.ts';
import {
  acousticKit,
  deepSounds,
  electronicSounds,
  emptyTrack,
  finishTrack,
  type Part,
  playPart,
  rockBand,
  type Sounds,
} from './band.ts';
import { compose } from './composed.ts';
import { STYLES, type StyleName } from './figures.ts';
import { GROOVES, type Groove, HELD_BACK_GROOVES } from './grooves.ts';
import { SOUND_RATE, sustained } from './instruments.ts';
import { beatTruth, layBeats, type Metre, ramp, rubato, steady, wander } from './metre.ts';
import { Random } from './random.ts';
import { realMusic } from './real-music.ts';
import { ambience, type Made, noise, speakOver, speechAlone } from './sound-scenes.ts';
import { writeWave } from './wave-file.ts';

type Recipe = (random: Random) => Made | Promise<Made>;

const LOUD = { kick: 1, snare: 0.8, hat: 0.35, open: 0.4, bass: 0.5, chords: 0.25, lead: 0.25 };

interface Piece {
  readonly groove: Groove;
  readonly bpm: number;
  readonly sounds: Sounds;
  readonly levels?: Partial<Part['levels']>;
  readonly swing?: number;
  readonly loose?: number;
  readonly seconds?: number;
  readonly genre?: string;
}

/** A groove at one tempo from beginning to end. */
function steadyPiece(random: Random, piece: Piece): Made {
  const seconds = piece.seconds ?? random.between(18, 28);
  const span = { from: random.between(0, 0.6), to: seconds };
  const metre = layBeats(steady(piece.bpm), span, piece.swing);
  const track = playOver(random, metre, seconds, piece);
  const truth = { tempo_steady: true, ...(piece.genre === undefined ? {} : { genre: piece.genre }) };
  return { samples: track, truth: beatTruth(metre, seconds, truth) };
}

function playOver(random: Random, metre: Metre, seconds: number, piece: Omit<Piece, 'bpm'>): Float32Array {
  const track = emptyTrack(seconds);
  const levels = { ...LOUD, ...piece.levels };
  const looseSeconds = piece.loose ?? random.between(0, 0.006);
  playPart(track, metre, { groove: piece.groove, sounds: piece.sounds, levels, looseSeconds }, random);
  return finishTrack(track, random.between(0.3, 0.98), random);
}

/** Levels of chords and melody over the drums, from drums alone to a full band. */
function dressed(random: Random): Partial<Part['levels']> {
  const fullness = random.pick([0, 0.5, 1]);
  return {
    bass: 0.5 * fullness,
    chords: 0.3 * fullness * random.next(),
    lead: 0.35 * fullness * random.next(),
  };
}

export const RECIPES: Readonly<Record<string, Recipe>> = {
  rock: (random) =>
    steadyPiece(random, {
      groove: GROOVES.rock,
      bpm: random.between(90, 170),
      sounds: rockBand(random),
      genre: 'rock',
    }),
  pop: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['pop', 'ballad', 'breakbeat'] as const)],
      bpm: random.between(62, 140),
      sounds: acousticKit(random),
      levels: dressed(random),
    }),
  dance: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['house', 'techno'] as const)],
      bpm: random.between(118, 145),
      sounds: electronicSounds(random),
      genre: 'electronic',
    }),
  hip_hop: (random) =>
    steadyPiece(random, {
      groove: GROOVES.hipHop,
      bpm: random.between(72, 105),
      sounds: deepSounds(random),
      swing: random.between(0.5, 0.6),
      genre: 'hip_hop',
    }),
  // Half and double time: the perceived tempo is half or double the written one.
  feel: (random) => {
    const [groove, low, high] = random.pick([
      ['trap', 130, 160],
      ['halfTime', 70, 150],
      ['drumAndBass', 160, 180],
      ['doubleTime', 65, 95],
    ] as const);
    const sounds = groove === 'trap' ? deepSounds(random) : acousticKit(random);
    return steadyPiece(random, {
      groove: GROOVES[groove],
      bpm: random.between(low, high),
      sounds,
      levels: dressed(random),
    });
  },
  swing: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['pop', 'rock', 'funk', 'breakbeat'] as const)],
      bpm: random.between(80, 160),
      sounds: acousticKit(random),
      levels: dressed(random),
      swing: random.between(0.54, 0.67),
    }),
  triplets: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['shuffle', 'jazz'] as const)],
      bpm: random.between(75, 200),
      sounds: acousticKit(random),
      levels: { lead: 0.2 },
    }),
  off_beat: (random) => {
    const groove = random.pick(['reggae', 'ska', 'offBass'] as const);
    const [low, high] = groove === 'reggae' ? [62, 95] : groove === 'ska' ? [110, 170] : [115, 145];
    const sounds = groove === 'offBass' ? electronicSounds(random) : acousticKit(random);
    const levels = { chords: random.between(0.3, 0.6), hat: 0.25, open: random.between(0.4, 0.9) };
    return steadyPiece(random, { groove: GROOVES[groove], bpm: random.between(low, high), sounds, levels });
  },
  syncopated: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['funk', 'latin', 'tresillo', 'breakbeat'] as const)],
      bpm: random.between(80, 135),
      sounds: acousticKit(random),
      levels: dressed(random),
    }),
  waltz: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['waltz', 'slowWaltz'] as const)],
      bpm: random.between(80, 190),
      sounds: acousticKit(random),
      levels: { kick: random.pick([0, 1]), chords: 0.4, bass: 0.6 },
    }),
  drift: (random) => {
    const bpm = random.between(75, 160);
    const seconds = random.between(24, 32);
    const share = random.pick([-0.05, -0.03, 0.03, 0.05]);
    const law = random.chance(0.5) ? ramp(bpm, bpm * (1 + share), seconds) : wander(bpm, 0.04, random);
    const metre = layBeats(law, { from: random.between(0, 0.5), to: seconds });
    const groove = random.pick(['rock', 'pop', 'ballad', 'funk'] as const);
    const samples = playOver(random, metre, seconds, {
      groove: GROOVES[groove],
      sounds: acousticKit(random),
      levels: dressed(random),
      loose: 0.008,
    });
    return { samples, truth: beatTruth(metre, seconds, { tempo_tolerance: 0.04 }) };
  },
  rubato: (random) => {
    const seconds = random.between(24, 32);
    const metre = layBeats(rubato(random.between(65, 120), random.between(0.06, 0.14)), {
      from: 0.3,
      to: seconds,
    });
    const samples = playOver(random, metre, seconds, {
      groove: GROOVES[random.pick(['ballad', 'slowWaltz', 'pop'] as const)],
      sounds: acousticKit(random),
      levels: { kick: 0, snare: 0, hat: 0, chords: 0.6, bass: 0.6, lead: 0.6 },
    });
    return { samples, truth: beatTruth(metre, seconds, { tempo_tolerance: 0.08 }) };
  },
  tempo_change: (random) => {
    const first = random.between(80, 130);
    const second = first * random.pick([0.75, 0.86, 1.12, 1.2, 1.33]);
    const seconds = random.between(30, 36);
    const turn = seconds / 2;
    const metre = layBeats((t) => 60 / (t < turn ? first : second), {
      from: random.between(0, 0.4),
      to: seconds,
    });
    const sounds = acousticKit(random);
    const samples = playOver(random, metre, seconds, {
      groove: GROOVES[random.pick(['rock', 'pop'] as const)],
      sounds,
    });
    return { samples, truth: beatTruth(metre, seconds, { tempi_bpm: [first, second] }) };
  },
  pads: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['ballad', 'pop', 'slowWaltz'] as const)],
      bpm: random.between(65, 120),
      sounds: {
        ...acousticKit(random),
        bass: sustained(0.08, 5, 0),
        chords: sustained(random.between(0.05, 0.15), 8, 0.4),
        lead: sustained(0.06, 6, 0.8),
      },
      levels: { kick: 0, snare: 0, hat: 0, chords: 0.6, bass: 0.5, lead: 0.5 },
    }),
  no_drums: (random) =>
    steadyPiece(random, {
      groove: GROOVES[random.pick(['pop', 'rock', 'waltz', 'house'] as const)],
      bpm: random.between(70, 150),
      sounds: acousticKit(random),
      levels: { kick: 0, snare: 0, hat: 0, open: 0, chords: 0.6, bass: 0.6, lead: random.pick([0, 0.5]) },
      genre: 'acoustic',
    }),
  // Strings without a pulse, then the band: beats count from its entry on.
  intro: (random) => {
    const entry = random.between(10, 14);
    const seconds = entry + random.between(16, 20);
    const metre = layBeats(steady(random.between(85, 150)), { from: entry, to: seconds });
    const track = emptyTrack(seconds);
    const sounds = acousticKit(random);
    playPart(track, metre, { groove: GROOVES.rock, sounds, levels: LOUD, looseSeconds: 0.003 }, random);
    const strings = sustained(1.5, 8, 0.5);
    for (let t = 0; t < entry; t += random.between(2.5, 4.5)) {
      const hz = 110 * 2 ** (random.pick([0, 3, 5, 7, 10]) / 12);
      for (const ratio of [1, 1.5, 2.52])
        strings(track, { atSeconds: t, level: 0.3, hz: hz * ratio, lengthSeconds: 3 }, random);
    }
    const truth = beatTruth(metre, seconds, { tempo_steady: true });
    return { samples: finishTrack(track, 0.8, random), truth };
  },
  real: (random) => realMusic(random, 'none'),
  real_in_noise: (random) => realMusic(random, 'noise'),
  speech_over_music: async (random) => {
    const made = random.chance(0.5)
      ? await realMusic(random, 'none')
      : steadyPiece(random, {
          groove: GROOVES[random.pick(['pop', 'ballad', 'hipHop', 'house'] as const)],
          bpm: random.between(75, 130),
          sounds: acousticKit(random),
        });
    return speakOver(random, made, random.pick([3, 6, 10, 14]));
  },
  speech: async (random) => speechAlone(random),
  ambience: (random) => ambience(random),
  noise: (random) => noise(random),
  varied_a: (random) => varied(random),
  varied_b: (random) => varied(random),
  sparse_a: (random) => sparse(random),
  sparse_b: (random) => sparse(random),
};

/** Any groove with some of its hits moved, played by any band at any balance. */
function varied(random: Random): Made {
  const name = random.pick(Object.keys(GROOVES) as (keyof typeof GROOVES)[]);
  const groove: Groove = GROOVES[name];
  const change = (pattern: string | undefined) =>
    [...(pattern ?? '')]
      .map((mark, step) => (step > 0 && random.chance(0.08) ? (mark === '.' ? 'o' : '.') : mark))
      .join('');
  const mutated: Groove = {
    beats: groove.beats,
    kick: change(groove.kick),
    snare: change(groove.snare),
    hat: change(groove.hat),
    open: change(groove.open),
    bass: change(groove.bass),
    chords: change(groove.chords),
  };
  const level = (most: number) => (random.chance(0.25) ? 0 : most * random.between(0.3, 1));
  const slow =
    name === 'drumAndBass' || name === 'trap' ? 1.4 : name === 'doubleTime' || name === 'reggae' ? 0.7 : 1;
  return steadyPiece(random, {
    groove: mutated,
    bpm: slow * random.between(75, 140),
    sounds: random.pick([acousticKit, electronicSounds, rockBand, deepSounds])(random),
    levels: {
      kick: level(1.2),
      snare: level(1),
      hat: level(0.5),
      open: level(0.5),
      bass: 0.1 + level(0.7),
      chords: level(0.5),
      lead: level(0.4),
    },
    swing: random.pick([0.5, 0.5, 0.5, 0.57, 0.64]),
  });
}

const heldBack: Recipe = (random) =>
  steadyPiece(random, {
    groove:
      HELD_BACK_GROOVES[random.pick(Object.keys(HELD_BACK_GROOVES) as (keyof typeof HELD_BACK_GROOVES)[])],
    bpm: random.between(72, 150),
    sounds: random.pick([acousticKit, electronicSounds, rockBand])(random),
    levels: dressed(random),
    swing: random.pick([0.5, 0.5, 0.58]),
  });

/** Next to nothing plays: a click, a kick, kick and hat, a slow backbeat in sixteenths. */
function sparse(random: Random): Made {
  const [groove, low, high] = random.pick([
    [{ beats: 4, kick: 'x...x...x...x...' }, 58, 180],
    [{ beats: 4, snare: 'x...x...x...x...' }, 58, 180],
    [{ beats: 4, chords: 'x...x...x...x...' }, 58, 180],
    [{ beats: 4, kick: 'x...x...x...x...', hat: '..x...x...x...x.' }, 75, 150],
    [{ beats: 4, kick: 'x...x...x...x...', snare: '....x.......x...', hat: '..x...x...x...x.' }, 75, 150],
    [{ beats: 4, kick: 'x...x...x...x...', hat: 'x.x.x.x.x.x.x.x.' }, 75, 150],
    [{ beats: 4, kick: 'x.......x.......', snare: '....x.......x...' }, 70, 170],
    [{ beats: 4, kick: 'x......xx.......', snare: '....x.......x...', hat: 'xxxxxxxxxxxxxxxx' }, 58, 95],
    [{ beats: 4, kick: 'x.......x.x.....', snare: '....x.......x...', hat: 'x.x.x.x.x.x.x.x.' }, 66, 160],
  ] as const satisfies readonly (readonly [Groove, number, number])[]);
  return steadyPiece(random, {
    groove,
    bpm: random.between(low, high),
    sounds: random.pick([acousticKit, electronicSounds, deepSounds])(random),
    levels: { hat: random.between(0.1, 0.8), bass: 0, lead: 0 },
    seconds: 18,
    loose: 0,
  });
}

/** What only reporting seeds hold. */
const HELD_BACK_RECIPES: typeof RECIPES = { unseen_a: heldBack, unseen_b: heldBack, unseen_c: heldBack };
const FIRST_REPORTING_SEED = 1000;

/** A piece of each style, drawn whole: in this or that combination nobody has heard it before. */
const COMPOSED_RECIPES: typeof RECIPES = Object.fromEntries(
  (Object.keys(STYLES) as StyleName[]).map((style): [string, Recipe] => [
    `composed_${style}`,
    (random) => {
      const { samples, metre, seconds } = compose(style, random);
      return { samples, truth: beatTruth(metre, seconds, { tempo_steady: true }) };
    },
  ]),
);

/** The pieces of a seed, in the order of their files. */
export function recipesOf(seed: number): typeof RECIPES {
  const heldBack = seed > FIRST_REPORTING_SEED ? HELD_BACK_RECIPES : {};
  return { ...RECIPES, ...heldBack, ...COMPOSED_RECIPES };
}

/** One file of each kind; seeds beyond 1000 add grooves that no tuning seed has. */
export async function generateSounds(folder: string, seed: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const recipes = recipesOf(seed);
  for (const [place, [kind, recipe]] of Object.entries(recipes).entries()) {
    const random = new Random(seed * 100 + place);
    const { samples, truth } = await recipe(random);
    const file = `${kind}.wav`;
    writeWave(join(folder, file), [samples], SOUND_RATE);
    const written: TruthFile = { file, family: 'sounds', ...truth };
    writeFileSync(join(folder, `${kind}.truth.json`), `${JSON.stringify(written)}\n`);
  }
}
