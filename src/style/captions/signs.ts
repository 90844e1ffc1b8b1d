/** A cue before markup is removed. */
interface StoredCue {
  readonly text: string;
  /** Name of its ASS style, if any. */
  readonly styleName?: string | null;
}

/** ASS overrides that place a text in the picture. `\an` alone only chooses the edge for dialogue. */
const PLACED = /\{[^{}]*\\(?:pos|move)\s*\(/;
const SIGN_STYLE = /(?<![A-Za-z])[Ss]igns?(?![a-z])|(?<![A-Z])SIGNS?(?![A-Z])/;

/**
 * The cues without signs, which translate text seen in the picture. If all cues of a track are placed, as in
 * converted teletext, they are the dialogue.
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
