/** Grooves put together from what styles have in common, instead of picked from a list. */
import type { Groove } from './grooves.ts';
import type { Random } from './random.ts';

/** Which grooves are drawn, and how fast they are played. */
export interface Style {
  readonly draw: (random: Random) => Groove;
  readonly slowestBpm: number;
  readonly fastestBpm: number;
  /** Electronic mixes duck the rest under the kick. */
  readonly ducked?: boolean;
  /** Each section has a groove of its own, as riffs have. */
  readonly changing?: boolean;
  /** Guitars are louder than the drums. */
  readonly wall?: boolean;
}

const NONE = '................';
const BACKBEAT = '....x.......x...';
const QUARTERS = 'x...x...x...x...';
const EIGHTHS = 'x.x.x.x.x.x.x.x.';
const ACCENTED = 'x.o.x.o.x.o.x.o.';
const SIXTEENTHS = 'xoxoxoxoxoxoxoxo';
const SIXTEENTH_HITS = 'xxxxxxxxxxxxxxxx';
const OFFBEATS = '..x...x...x...x.';
const GALLOP = 'x.xxx.xxx.xxx.xx';

/** Each step sounds with a probability: a digit in tenths, or `x` for always. */
function roll(random: Random, chances: string): string {
  return [...chances]
    .map((mark) => (mark === 'x' || (mark !== '.' && random.next() * 10 < Number(mark)) ? 'x' : '.'))
    .join('');
}

/** Ghost notes between the written ones. */
function ghosted(random: Random, pattern: string, chance: number): string {
  return [...pattern].map((mark) => (mark === '.' && random.chance(chance) ? 'o' : mark)).join('');
}

const fourToTheFloor: Style = {
  slowestBpm: 108,
  fastestBpm: 150,
  ducked: true,
  draw: (random) => ({
    beats: 4,
    kick: roll(random, random.pick(['x...x...x...x...', 'x...x...x...x.1.', 'x...x...x..1x.2.'])),
    snare: ghosted(
      random,
      random.pick([NONE, BACKBEAT, BACKBEAT, BACKBEAT, QUARTERS]),
      random.pick([0, 0, 0.08]),
    ),
    hat: random.pick([NONE, EIGHTHS, SIXTEENTHS, OFFBEATS, GALLOP, ACCENTED]),
    open: random.pick([NONE, OFFBEATS, OFFBEATS]),
    bass: random.pick([
      OFFBEATS,
      '..xx..xx..xx..xx',
      '.xxx.xxx.xxx.xxx',
      '.oxo.oxo.oxo.oxo',
      EIGHTHS,
      QUARTERS,
      'x.xxx.xxx.xxx.xx',
      roll(random, 'x.3.3.6.4.3.3.6.'),
      roll(random, '3362336233623362'),
    ]),
    chords: random.pick([
      NONE,
      'x...............',
      OFFBEATS,
      'x..x..x.x..x..x.',
      '..x..x....x..x..',
      roll(random, '3.2.4.2.3.2.4.2.'),
    ]),
  }),
};

const backbeat: Style = {
  slowestBpm: 68,
  fastestBpm: 150,
  draw: (random) => {
    const kick = roll(
      random,
      random.pick(['x..1..3.7.3.....', 'x.1...2.x.4...1.', 'x.......x.......', 'x..3..2..25..2..']),
    );
    return {
      beats: 4,
      kick,
      snare: ghosted(random, BACKBEAT, random.pick([0, 0, 0.12])),
      hat: random.pick([EIGHTHS, EIGHTHS, ACCENTED, SIXTEENTHS, QUARTERS, OFFBEATS, NONE]),
      open: random.pick([NONE, NONE, '..............x.', '......x.........']),
      bass: random.pick([kick, EIGHTHS, 'x.......x.......', QUARTERS, roll(random, 'x.2.3.5.6.3.3.4.')]),
      chords: random.pick([
        'x...............',
        'x.......x.......',
        QUARTERS,
        EIGHTHS,
        '....x.......x...',
        roll(random, '6.2.4.3.4.2.4.3.'),
      ]),
    };
  },
};

const halfTime: Style = {
  slowestBpm: 120,
  fastestBpm: 165,
  draw: (random) => ({
    beats: 4,
    kick: roll(random, random.pick(['x.....3...3.....', 'x..2..2..23..2..', 'x.........x.....'])),
    snare: '........x.......',
    hat: random.pick([EIGHTHS, ACCENTED, QUARTERS, 'x.x.xxx.x.x.x.xx', SIXTEENTHS]),
    bass: roll(random, random.pick(['x.....3...3.....', 'x...............'])),
    chords: random.pick([NONE, 'x...............', OFFBEATS, EIGHTHS]),
  }),
};

const broken: Style = {
  slowestBpm: 118,
  fastestBpm: 178,
  draw: (random) => ({
    beats: 4,
    kick: roll(random, random.pick(['x.2.......x..2..', 'x..3..1...x..1..', 'x.5.......65....'])),
    snare: ghosted(random, BACKBEAT, random.pick([0, 0.1, 0.2])),
    hat: random.pick([EIGHTHS, ACCENTED, OFFBEATS, SIXTEENTHS]),
    bass: roll(random, random.pick(['x.......3.3.....', 'x..4..4.2..4..2.', 'x...............'])),
    chords: random.pick([NONE, 'x...............', 'x..x..x.........']),
  }),
};

const afterbeats: Style = {
  slowestBpm: 64,
  fastestBpm: 170,
  draw: (random) => ({
    beats: 4,
    kick: random.pick([NONE, 'x.......x.......', QUARTERS, '........x.......']),
    snare: random.pick([NONE, BACKBEAT, BACKBEAT, '........x.......']),
    hat: random.pick([NONE, OFFBEATS, EIGHTHS]),
    open: random.pick([NONE, NONE, OFFBEATS]),
    bass: random.pick([QUARTERS, 'x.......x.......', roll(random, 'x.2.6.3.7.2.6.3.'), 'x..x....x.x.x...']),
    chords: random.pick([OFFBEATS, OFFBEATS, '..xx..xx..xx..xx']),
  }),
};

const clave: Style = {
  slowestBpm: 84,
  fastestBpm: 132,
  draw: (random) => {
    const figure = random.pick([
      'x..x..x...x.x...',
      '..x.x...x..x..x.',
      'x..x...x..x.x...',
      'x..x..x.x..x..x.',
    ]);
    return {
      beats: 4,
      kick: random.pick([QUARTERS, 'x..xx..xx..xx..x', 'x.....x.x.....x.', 'x.......x.......']),
      snare: random.pick([figure, figure, '....x.......x...']),
      hat: random.pick([EIGHTHS, SIXTEENTHS, 'x.xxx.xxx.xxx.xx', QUARTERS]),
      bass: random.pick(['x.....x.x.....x.', 'x..x..x.x..x..x.', '...x..x....x..x.', QUARTERS]),
      chords: random.pick([figure, NONE, 'x..x..x.x..x..x.', OFFBEATS]),
    };
  },
};

const ternary: Style = {
  slowestBpm: 58,
  fastestBpm: 190,
  draw: (random) => ({
    beats: 4,
    kick: random.pick(['x.....x.....', 'x.....x.x...', 'x..x..x..x..', '............']),
    snare: random.pick(['...x.....x..', '...x.o...x.o', '............']),
    hat: random.pick(['x.ox.ox.ox.o', 'xooxooxooxoo', 'x..x.xx..x.x', '..x..x..x..x', 'x..x..x..x..']),
    bass: random.pick(['x..x..x..x..', 'x.....x.....', 'x.xx.xx.xx.x', roll(random, 'x.2x.3x.2x.4')]),
    chords: random.pick(['x...........', 'x.xx.xx.xx.x', '..x..x..x..x', '...x.....x..', '............']),
  }),
};

const threes: Style = {
  slowestBpm: 85,
  fastestBpm: 185,
  draw: (random) => ({
    beats: 3,
    kick: random.pick(['x.....', 'x.....', '......']),
    snare: random.pick(['..x.x.', '....x.', '..o.o.', '......']),
    hat: random.pick(['x.x.x.', 'xoxoxo', 'x.o.o.', '......']),
    bass: random.pick(['x.....', 'x...x.', 'x.x.x.']),
    chords: random.pick(['..x.x.', 'x.x.x.', 'xxxxxx', 'x.....']),
  }),
};

/** A guitar or a piano by itself: strummed, picked, broken chords, hymns. */
const alone: Style = {
  slowestBpm: 62,
  fastestBpm: 138,
  draw: (random) => ({
    beats: 4,
    bass: random.pick([
      NONE,
      'x...............',
      'x.......x.......',
      QUARTERS,
      roll(random, 'x.1.3.2.7.1.3.2.'),
    ]),
    chords: random.pick([
      'x...x.xo..xox.xo',
      'x.o.x.o.x.o.x.o.',
      'x...x.x...x.x.x.',
      QUARTERS,
      'x.......x.......',
      'xooxooxoxooxooxo',
      'xoooxoooxoooxooo',
      roll(random, 'x.4.7.5.6.4.7.5.'),
    ]),
    hat: random.pick([NONE, NONE, NONE, EIGHTHS]),
  }),
};

/** Thrash, death and black metal: blast beats, double bass drum, guitars in sixteenths or with the kick. */
const extremeMetal: Style = {
  slowestBpm: 155,
  fastestBpm: 212,
  changing: true,
  wall: true,
  draw: (random) => {
    const drums = random.pick([
      { kick: EIGHTHS, snare: '.x.x.x.x.x.x.x.x', hat: EIGHTHS },
      { kick: SIXTEENTH_HITS, snare: EIGHTHS, hat: EIGHTHS },
      { kick: EIGHTHS, snare: EIGHTHS, hat: EIGHTHS },
      { kick: QUARTERS, snare: OFFBEATS, hat: random.pick([EIGHTHS, QUARTERS]) },
      { kick: SIXTEENTH_HITS, snare: BACKBEAT, hat: random.pick([QUARTERS, EIGHTHS]) },
      { kick: GALLOP, snare: BACKBEAT, hat: QUARTERS },
      { kick: roll(random, 'x.3.2.4.x.5.2.4.'), snare: BACKBEAT, hat: random.pick([QUARTERS, EIGHTHS]) },
      { kick: roll(random, 'x.553.55x.553.55'), snare: '........x.......', hat: QUARTERS },
    ]);
    const riff = random.pick([SIXTEENTH_HITS, EIGHTHS, GALLOP, drums.kick, roll(random, 'x.4.4.6.5.4.4.6.')]);
    return { beats: 4, ...drums, bass: random.pick([riff, EIGHTHS]), chords: riff };
  },
};

/** Hardcore, happy or not: figures of house music at a higher tempo. */
const hardcore: Style = { ...fourToTheFloor, slowestBpm: 150, fastestBpm: 212 };

/** Punk and its kin: a backbeat that is counted in its own quarters. */
const punk: Style = {
  slowestBpm: 150,
  fastestBpm: 212,
  changing: true,
  wall: true,
  draw: (random) => {
    const kick = roll(random, random.pick(['x.....2.x.7.....', 'x...3...x.4.2...', 'x.....x.x.x.....']));
    return {
      beats: 4,
      kick,
      snare: random.pick([BACKBEAT, BACKBEAT, BACKBEAT, OFFBEATS]),
      hat: random.pick([QUARTERS, EIGHTHS, ACCENTED]),
      bass: random.pick([EIGHTHS, kick, QUARTERS]),
      chords: random.pick([EIGHTHS, EIGHTHS, QUARTERS, 'x...............', roll(random, 'x.4.4.6.5.4.4.6.')]),
    };
  },
};

export const STYLES = {
  fourToTheFloor,
  backbeat,
  halfTime,
  broken,
  afterbeats,
  clave,
  ternary,
  threes,
  alone,
  extremeMetal,
  hardcore,
  punk,
} as const satisfies Record<string, Style>;
export type StyleName = keyof typeof STYLES;

/** The same bar with its last beat filled: drums roll, the rest holds. */
export function withFill(groove: Groove, random: Random): Groove {
  const steps = (groove.snare ?? groove.chords ?? NONE).length;
  const last = steps - steps / groove.beats;
  const rolled = Array.from({ length: steps - last }, () => (random.chance(0.7) ? 'x' : 'o')).join('');
  const ended = (voice: 'snare' | 'hat' | 'open', end: string) => {
    const pattern = groove[voice];
    return pattern === undefined ? {} : { [voice]: pattern.slice(0, last) + end };
  };
  const rest = '.'.repeat(steps - last);
  return { ...groove, ...ended('snare', rolled), ...ended('hat', rest), ...ended('open', rest) };
}
