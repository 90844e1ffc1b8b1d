/** Controls but for line ends and tabs: a terminal obeys escape sequences in what it shows (ECMA-48). */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** A text of a service as a terminal can safely show it. */
export function visibleText(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}
