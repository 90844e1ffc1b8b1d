/** Control characters except line ends and tabs: a terminal would execute escape sequences (ECMA-48). */
const CONTROLS = /[^\P{Cc}\n\t]/gu;
/** Characters that end a line or indent one: a text with them can look like a line of this program. */
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;
/** Characters that change the order in which a line is shown (Unicode UAX #9, 2). */
const REORDERING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Characters that JSON leaves as they are, and that a terminal executes or shows in another order. */
const UNESCAPED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

const REPLACEMENT = '\ufffd';

/** A text of several lines by this program, safe to show in a terminal. */
export function visibleText(text: string): string {
  return text.replace(CONTROLS, REPLACEMENT);
}

/** A text by somebody else, safe to show within one line of a terminal. */
export function visibleLine(text: string): string {
  return text.replace(LINE_BREAKS, ' ').replace(CONTROLS, REPLACEMENT).replace(REORDERING, REPLACEMENT);
}

/** JSON that a terminal can show: equal to `value` when it is parsed. */
export function visibleJson(value: unknown, indent?: number): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(UNESCAPED, escaped);
}

/** Data with each of its texts as `visibleLine`. */
export function withVisibleLines<Data>(data: Data): Data {
  const line = (_name: string, value: unknown) => (typeof value === 'string' ? visibleLine(value) : value);
  return JSON.parse(JSON.stringify(data), line) as Data;
}
