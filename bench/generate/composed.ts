/** Whole short pieces: a drawn groove and band, an arrangement with breaks and fills, a mix. */
import { emptyTrack, finishTrack, type Part, playPart, type Sounds } from './band.ts';
import { STYLES, type Style, type StyleName, withFill } from './figures.ts';
import type { Groove } from './grooves.ts';
import { drawnKit, drawnRockBand } from './kits.ts';
import { layBeats, type Metre, steady } from './metre.ts';
import { duck, mixDown } from './mixing.ts';
import { Random } from './random.ts';

type Levels = Part['levels'];
const DRUMS = ['kick', 'snare', 'hat', 'open'] as const;
const OTHERS = ['bass', 'chords', 'lead'] as const;

/** Bars that are played alike. */
interface Section {
  readonly fromBeat: number;
  readonly toBeat: number;
  readonly groove: Groove;
  readonly levels: Levels;
}

export interface Composed {
  readonly samples: Float32Array;
  readonly metre: Metre;
  readonly seconds: number;
}

/** One piece of a style, at one tempo. */
export function compose(name: StyleName, random: Random): Composed {
  const style: Style = STYLES[name];
  const groove = style.draw(random);
  const drawn = style.changing === true ? () => style.draw(random) : () => groove;
  const seconds = random.between(18, 28);
  const metre = layBeats(
    steady(random.between(style.slowestBpm, style.fastestBpm)),
    { from: random.between(0, 0.6), to: seconds },
    swingOf(groove, random),
  );
  const levels = style.wall === true ? wallOf(random) : levelsOf(random);
  const sections = arrange(drawn, levels, metre.beatsSeconds.length, random);
  const sounds = style.wall === true ? drawnRockBand(random) : drawnKit(random);
  const samples = perform(sections, metre, seconds, { sounds, style }, random);
  mixDown(samples, random);
  return { samples: finishTrack(samples, random.between(0.3, 0.98), random), metre, seconds };
}

function swingOf(groove: Groove, random: Random): number {
  const binary = (groove.hat ?? groove.chords ?? '').length % 3 !== 0;
  return binary ? random.pick([0.5, 0.5, 0.5, 0.5, 0.56, 0.62]) : 0.5;
}

function levelsOf(random: Random): Levels {
  const level = (most: number, silent = 0.1) => (random.chance(silent) ? 0 : most * random.between(0.35, 1));
  return {
    kick: level(1.2, 0.05),
    snare: level(1, 0.05),
    hat: level(0.6),
    open: level(0.7),
    bass: 0.08 + level(0.7, 0.15),
    chords: level(0.5, 0.2) + 0.03,
    lead: level(0.4, 0.5),
  };
}

/** Guitars as loud as the drums, or louder. */
function wallOf(random: Random): Levels {
  return {
    ...levelsOf(random),
    kick: random.between(0.3, 1),
    snare: random.between(0.3, 1),
    bass: random.between(0.2, 0.6),
    chords: random.between(0.3, 0.9),
  };
}

/** Now and then a beginning without all voices, a break without drums, a fill before something new. */
function arrange(draw: () => Groove, levels: Levels, beats: number, random: Random): Section[] {
  const sections: Section[] = [];
  const silent = (voices: readonly (keyof Levels)[]) => ({
    ...levels,
    ...Object.fromEntries(voices.map((voice) => [voice, 0])),
  });
  for (let at = 0, part = 0; at < beats; part++) {
    const groove = draw();
    const bar = groove.beats;
    const bars = random.pick([2, 4, 4]);
    const sparse = part === 0 ? random.chance(0.3) : random.chance(0.12);
    const left = sparse
      ? silent(random.pick([DRUMS, ['kick', 'bass'], ['kick', 'snare'], OTHERS] as const))
      : levels;
    const filled = random.chance(0.35) ? 1 : 0;
    const turn = at + bar * (bars - filled);
    sections.push({ fromBeat: at, toBeat: Math.min(turn, beats), groove, levels: left });
    if (filled > 0 && turn < beats)
      sections.push({
        fromBeat: turn,
        toBeat: Math.min(turn + bar, beats),
        groove: withFill(groove, random),
        levels: left,
      });
    at = turn + bar * filled;
  }
  return sections;
}

function perform(
  sections: readonly Section[],
  metre: Metre,
  seconds: number,
  { sounds, style }: { sounds: Sounds; style: Style },
  random: Random,
): Float32Array {
  const drums = emptyTrack(seconds);
  const others = emptyTrack(seconds);
  const looseSeconds = random.pick([0, 0.003, 0.008]);
  const harmony = random.whole(1, 1e6);
  for (const { fromBeat, toBeat, groove, levels } of sections) {
    for (const [track, silent] of [
      [drums, OTHERS],
      [others, DRUMS],
    ] as const) {
      const own = { ...levels, ...Object.fromEntries(silent.map((voice) => [voice, 0])) };
      const part = { groove, sounds, levels: own, looseSeconds, from: fromBeat, to: toBeat };
      // The same seed: one key and one progression through the piece.
      playPart(track, metre, part, new Random(harmony));
    }
  }
  if (style.ducked === true && random.chance(0.6)) {
    const kicks = sections.flatMap((section) => (section.levels.kick > 0 ? hitsOf(section, metre) : []));
    duck(others, kicks, random.between(0.3, 0.95));
  }
  return drums.map((value, n) => value + others[n]);
}

/** When the kick is hit. */
function hitsOf({ groove, fromBeat, toBeat }: Section, metre: Metre): number[] {
  const pattern = groove.kick ?? '';
  const times: number[] = [];
  for (let first = fromBeat; first < toBeat; first += groove.beats) {
    [...pattern].forEach((mark, step) => {
      const beat = first + (step * groove.beats) / pattern.length;
      if (mark !== '.' && beat < toBeat) times.push(metre.at(beat));
    });
  }
  return times;
}
