/** Rules of the analyses, each switched off by a change of one place in the source. */
export interface Rule {
  readonly name: string;
  /** Within `src`. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly text: string;
  readonly without: string;
}

const ANALYSIS = 'analysis';

export const RULES: readonly Rule[] = [
  {
    name: 'beats: grid extended to both sides',
    file: `${ANALYSIS}/beats/extend-grid.ts`,
    text: 'pulse.grid.isConstant ?',
    without: 'Number.isNaN(pulse.from) ?',
  },
  {
    name: 'beats: octaves joined',
    file: `${ANALYSIS}/beats/section.ts`,
    text: 'joinOctaves(pulses, activation)',
    without: 'pulses',
  },
  {
    name: 'beats: silent start left out',
    file: `${ANALYSIS}/beats/section.ts`,
    text: 'withoutSilentStart(beats, sound.curve.full)',
    without: 'beats',
  },
  {
    name: 'beats: doubt',
    file: `${ANALYSIS}/beats/level.ts`,
    text: 'isDoubtful: isDoubtful(chosen, evidence[chosenIndex], curve)',
    without: 'isDoubtful: false',
  },
  {
    name: 'beats: fast beats may be notes',
    file: `${ANALYSIS}/beats/level.ts`,
    text: 'lacksSubdivision(chosen, curve)',
    without: 'false',
  },
  {
    name: 'beats: silent hypotheses left out',
    file: `${ANALYSIS}/beats/metrical-hypothesis.ts`,
    text: 'hypotheses.filter((_, i) => levels[i] >= least)',
    without: 'hypotheses',
  },
  {
    name: 'captions: brief texts',
    file: `${ANALYSIS}/captions/captions.ts`,
    text: 'this.#briefTexts?.push(sample, last, color, this.#tracks, this.#pieces);',
    without: '',
  },
  {
    name: 'colors: flat cards',
    file: `${ANALYSIS}/color/color.ts`,
    text: 'isFlatCard(frame, area)',
    without: 'false',
  },
  {
    name: 'shots: bursts',
    file: `${ANALYSIS}/shots/burst.ts`,
    text: 'const [old, fresh] = [window[at - 1].sketch, window[at].sketch];',
    without: 'if (at >= 0) return false;\n  const [old, fresh] = [window[at - 1].sketch, window[at].sketch];',
  },
  {
    name: 'transitions: fades through a color',
    file: `${ANALYSIS}/transitions/gradual.ts`,
    text: 'findColorFades(samples, jumps, segment)',
    without: '[...findColorFades(samples, jumps, segment)].slice(0, 0)',
  },
  {
    name: 'transitions: flashes that return',
    file: `${ANALYSIS}/transitions/gradual.ts`,
    text: ' || returnsAfterwards(samples, one)',
    without: '',
  },
  {
    name: 'transitions: dissolves as fades',
    file: `${ANALYSIS}/transitions/gradual.ts`,
    text: "if (one.type !== 'dissolve') return one;",
    without: "if (one.type !== 'dissolve' || segment !== null) return one;",
  },
  {
    name: 'transitions: arms of a fade joined',
    file: `${ANALYSIS}/transitions/gradual.ts`,
    text: 'joinFades(samples, all)',
    without: 'all',
  },
  {
    name: 'transitions: not one after all',
    file: `${ANALYSIS}/transitions/classify.ts`,
    text: ' || isNoTransition(samples, candidate)',
    without: '',
  },
  {
    name: 'transitions: a wipe that is a slide',
    file: `${ANALYSIS}/transitions/classify.ts`,
    text: 'of edgesNamed(rated)',
    without: 'of rated',
  },
  {
    name: 'transitions: the old picture was whole',
    file: `${ANALYSIS}/transitions/classify.ts`,
    text: 'if (best === null || !isAfterWhole(samples, best, segment)) return null;',
    without: 'if (best === null) return null;',
  },
];

/** A file's text without the rule. Throws if the rule is not found exactly once. */
export function withoutRule({ name, file, text, without }: Rule, source: string): string {
  const parts = source.split(text);
  if (parts.length !== 2) throw new Error(`${name}: ${file} has ${parts.length - 1} times ${text}, not once`);
  return parts.join(without);
}
