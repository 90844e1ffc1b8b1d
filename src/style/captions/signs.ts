/** A cue as it is stored, markup included. */
interface StoredCue {
  readonly text: string;
  /** Name of its ASS style; null or left out: none. */
  readonly styleName?: string | null;
}

/** ASS overrides that put a text somewhere in the picture. `\an` alone only says at which edge dialogue stands. */
const PLACED = /\{[^{}]*\\(?:pos|move)\s*\(/;
const SIGN_STYLE = /(?<![A-Za-z])[Ss]igns?(?![a-z])|(?<![A-Z])SIGNS?(?![A-Z])/;

/**
 * The cues without signs, which translate what is seen at a place of the picture. In a track whose cues are all placed, as
 * converted teletext is, they are the dialogue.
 */
export function withoutSigns<Cue extends StoredCue>(
  cues: readonly Cue[],
): { readonly dialogue: readonly Cue[]; readonly signCount: number } {
  const dialogue = cues.filter(
    ({ text, styleName }) => !PLACED.test(text) && !SIGN_STYLE.test(styleName ?? ''),
  );
  return dialogue.length === 0
    ? { dialogue: cues, signCount: 0 }
    : { dialogue, signCount: cues.length - dialogue.length };
}

export function signsLeftOutMessage(count: number): string {
  const texts = count === 1 ? '1 text that is' : `${count} texts that are`;
  return `${texts} placed in the picture (ASS signs) ${count === 1 ? 'is' : 'are'} not shown; dialogue is`;
}
