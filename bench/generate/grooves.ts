/** Patterns of a bar for the synthetic band. */

/** One bar in equal steps: `x` loud, `o` half as loud. Twelve steps to four beats are triplets. */
export interface Groove {
  readonly beats: number;
  readonly kick?: string;
  readonly snare?: string;
  readonly hat?: string;
  readonly open?: string;
  readonly bass?: string;
  readonly chords?: string;
}

export const GROOVES = {
  rock: {
    beats: 4,
    kick: 'x.......x.x.....',
    snare: '....x.......x...',
    hat: 'x.o.x.o.x.o.x.o.',
    bass: 'x.x.x.x.x.x.x.x.',
    chords: 'x.x.x.x.x.x.x.x.',
  },
  ballad: {
    beats: 4,
    kick: 'x.......x.......',
    snare: '....x.......x...',
    hat: 'x.o.x.o.x.o.x.o.',
    bass: 'x.......x.......',
    chords: 'x...............',
  },
  pop: {
    beats: 4,
    kick: 'x.....x.x.......',
    snare: '....x.......x...',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x.....x.x.......',
    chords: 'x.......x.......',
  },
  house: {
    beats: 4,
    kick: 'x...x...x...x...',
    snare: '....x.......x...',
    hat: 'o.o.o.o.o.o.o.o.',
    open: '..x...x...x...x.',
    bass: '..x...x...x...x.',
    chords: 'x..x..x.x..x..x.',
  },
  techno: {
    beats: 4,
    kick: 'x...x...x...x...',
    hat: 'xoxoxoxoxoxoxoxo',
    open: '..x...x...x...x.',
    bass: '.xxx.xxx.xxx.xxx',
  },
  hipHop: {
    beats: 4,
    kick: 'x..x..x...x.....',
    snare: '....x.......x...',
    hat: 'x.x.x.x.x.x.x.xx',
    bass: 'x..x......x.....',
    chords: 'x...............',
  },
  trap: {
    beats: 4,
    kick: 'x......x..x.....',
    snare: '........x.......',
    hat: 'x.x.x.xxx.x.xxxx',
    bass: 'x......x..x.....',
  },
  breakbeat: {
    beats: 4,
    kick: 'x.x.......xx....',
    snare: '....x..o.o..x..o',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x.......x.......',
  },
  drumAndBass: {
    beats: 4,
    kick: 'x.........x.....',
    snare: '....x.......x...',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x.......x..x....',
    chords: 'x...............',
  },
  halfTime: {
    beats: 4,
    kick: 'x.........x.....',
    snare: '........x.......',
    hat: 'x...o...x...o...',
    bass: 'x.........x.....',
    chords: 'x...............',
  },
  doubleTime: {
    beats: 4,
    kick: 'x...x...x...x...',
    snare: '..x...x...x...x.',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x.x.x.x.x.x.x.x.',
  },
  reggae: {
    beats: 4,
    kick: '........x.......',
    snare: '........x.......',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x..x....x.x.x...',
    chords: '..x...x...x...x.',
  },
  ska: {
    beats: 4,
    kick: 'x.......x.......',
    snare: '....x.......x...',
    hat: '..x...x...x...x.',
    bass: 'x...x...x...x...',
    chords: '..x...x...x...x.',
  },
  offBass: {
    beats: 4,
    kick: 'x...x...x...x...',
    snare: '....x.......x...',
    open: '..x...x...x...x.',
    bass: '..x...x...x...x.',
    chords: '..x...x...x...x.',
  },
  jazz: {
    beats: 4,
    hat: 'x..x.ox..x.o',
    snare: '......o.....',
    bass: 'x..x..x..x..',
    chords: '...o....x...',
  },
  shuffle: {
    beats: 4,
    kick: 'x.....x.....',
    snare: '...x.....x..',
    hat: 'x.ox.ox.ox.o',
    bass: 'x.ox.ox.ox.o',
    chords: 'x...........',
  },
  funk: {
    beats: 4,
    kick: 'x..x..x...x..x..',
    snare: '....x..o.o..x..o',
    hat: 'xoxoxoxoxoxoxoxo',
    bass: 'x..x..x.o.x..x..',
    chords: '...x..x....x..x.',
  },
  latin: {
    beats: 4,
    kick: 'x..xx..xx..xx..x',
    snare: 'x..x..x...x..x..',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x..xx..xx..xx..x',
    chords: 'x..x..x...x..x..',
  },
  tresillo: {
    beats: 4,
    kick: 'x...x...x...x...',
    snare: '...x..x....x..x.',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x..x..x.x..x..x.',
  },
  waltz: { beats: 3, kick: 'x.....', snare: '..o.o.', hat: 'x.x.x.', bass: 'x.....', chords: '..x.x.' },
  slowWaltz: { beats: 3, hat: 'x.o.o.', kick: 'x.....', snare: '....x.', bass: 'x...x.', chords: 'x.x.x.' },
} as const satisfies Record<string, Groove>;

/** Grooves that only the reporting seeds play: nothing was ever tuned on them. */
export const HELD_BACK_GROOVES = {
  motown: {
    beats: 4,
    kick: 'x.....x.x.......',
    snare: 'x...x...x...x...',
    hat: 'x.o.x.o.x.o.x.o.',
    bass: 'x..x..x.x..xx.x.',
    chords: '....x.......x...',
  },
  dBeat: {
    beats: 4,
    kick: 'x.....x.x.x.....',
    snare: '....x.......x...',
    hat: 'x...x...x...x...',
    bass: 'x.x.x.x.x.x.x.x.',
    chords: 'x.x.x.x.x.x.x.x.',
  },
  samba: {
    beats: 4,
    kick: 'x..xx..xx..xx..x',
    snare: 'o.xo.xo.o.xo.xox',
    hat: 'xoxxxoxxxoxxxoxx',
    bass: 'x...x...x...x...',
  },
  twoStep: {
    beats: 4,
    kick: 'x.........x.....',
    snare: '....x.......x...',
    hat: '..x...x...x...x.',
    open: '..x.......x.....',
    bass: 'x..x......x..x..',
  },
  disco: {
    beats: 4,
    kick: 'x...x...x...x...',
    snare: '....x.......x...',
    hat: 'xox.xox.xox.xox.',
    open: '..x...x...x...x.',
    bass: 'x.x.x.x.x.x.x.x.',
    chords: '..xx..xx..xx..xx',
  },
  march: {
    beats: 4,
    kick: 'x.......x.......',
    snare: 'x.ooxooox.ooxxxx',
    bass: 'x...x...x...x...',
    chords: '..x...x...x...x.',
  },
  dembow: {
    beats: 4,
    kick: 'x...x...x...x...',
    snare: '...x..x....x..x.',
    hat: 'x.x.x.x.x.x.x.x.',
    bass: 'x.....x.x.....x.',
  },
  sixEight: {
    beats: 4,
    kick: 'x.....x..x..',
    snare: '...x.....x..',
    hat: 'xooxooxooxoo',
    bass: 'x..x..x..x..',
    chords: 'x.xx.xx.xx.x',
  },
  train: {
    beats: 4,
    kick: 'x.......x.......',
    snare: 'ooxoooxoooxoooxo',
    bass: 'x.......x.......',
    chords: '....x.......x...',
  },
} as const satisfies Record<string, Groove>;
