/** Bands of drawn instruments: no two kits sound alike, from brushes to drum machines. */
import type { Sounds } from './band.ts';
import {
  clap,
  distorted,
  hat,
  type Instrument,
  kick,
  noiseHit,
  plucked,
  snare,
  struck,
  subBass,
  sustained,
  sweptKick,
  synthBass,
} from './instruments.ts';
import type { Random } from './random.ts';

/** Any kit: kicks from a thud to a boom, backbeats from a rim to a clap, cymbals from a shaker to a ride. */
export function drawnKit(random: Random): Sounds {
  return {
    kick: drawnKick(random),
    snare: drawnSnare(random),
    hat: drawnCymbal(random, 0.05),
    open: drawnCymbal(random, 0.2),
    bass: drawnBass(random),
    chords: drawnChords(random),
    lead: random.pick([
      plucked(8, random.between(0.2, 0.6), random.between(0.5, 0.9)),
      sustained(random.between(0.01, 0.06), 6, random.pick([0, 1])),
      struck(random.between(0.3, 1)),
    ]),
  };
}

/** Drums with two distorted guitars. */
export function drawnRockBand(random: Random): Sounds {
  return {
    ...drawnKit(random),
    chords: distorted(random.between(0.1, 0.8)),
    bass: random.pick([synthBass(), distorted(0.4)]),
  };
}

function drawnKick(random: Random): Instrument {
  if (random.chance(0.3))
    return kick(random.between(40, 75), random.between(0.04, 0.3), random.between(0, 1));
  return sweptKick({
    lowHz: random.between(38, 85),
    sweep: random.between(1, 7),
    sweepSeconds: random.between(0.008, 0.05),
    seconds: random.between(0.05, 0.35),
    click: random.pick([0, 0.2, 0.6, 1.2]),
  });
}

function drawnSnare(random: Random): Instrument {
  const body = random.pick([
    snare(random.between(140, 280), random.between(0.03, 0.16), random.between(0, 1)),
    clap(),
    struck(random.between(0.02, 0.06), random.between(350, 1700)),
    noiseHit(random.between(300, 2000), random.between(5000, 14_000), random.between(0.03, 0.2)),
  ]);
  if (random.chance(0.7)) return body;
  const layer = clap();
  return (track, note, own) => {
    body(track, note, own);
    layer(track, { ...note, level: note.level * 0.6 }, own);
  };
}

function drawnCymbal(random: Random, longestSeconds: number): Instrument {
  const seconds = longestSeconds * random.between(0.2, 1);
  if (random.chance(0.4)) return hat(seconds);
  return noiseHit(
    random.between(2500, 9000),
    random.between(9000, 16_000),
    seconds,
    random.pick([0, 0, 0.02]),
  );
}

function drawnBass(random: Random): Instrument {
  return random.pick([
    synthBass(),
    plucked(random.whole(3, 9), random.between(0.3, 0.9), random.between(0.4, 0.7)),
    subBass(random.between(0.004, 0.03), random.between(0, 0.4)),
    sustained(random.between(0.005, 0.04), 5, 0),
  ]);
}

function drawnChords(random: Random): Instrument {
  return random.pick([
    plucked(10, random.between(0.2, 0.9), random.between(0.5, 0.85)),
    sustained(random.between(0.005, 0.15), 8, random.pick([0, 0.4])),
    distorted(random.between(0.15, 0.8)),
    struck(random.between(0.4, 1.2)),
  ]);
}
