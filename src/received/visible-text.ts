/** Control characters except line ends and tabs: a terminal would execute escape sequences (ECMA-48). */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** A text from a service, safe to show in a terminal. */
export function visibleText(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}
