/** Scripts with no spaces between words, with their punctuation and full-width forms: Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
export const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\uff01-\uff65]/u;
/** A space before one of these divides no words. */
export const CLOSING = /^[.,;:!?…%。、！？，．：；」』）)\]】〕〉》”’»]+$/u;

/** The first letter of such a script, in Unicode: a Thai one. */
const FIRST_UNSPACED = 0x0e00;

/** Whether two texts in a row are written without a space: both ends are of such a script. */
export function isJoined(before: string, after: string): boolean {
  if (!(before.charCodeAt(before.length - 1) >= FIRST_UNSPACED && after.charCodeAt(0) >= FIRST_UNSPACED))
    return false;
  const [last, first] = [Array.from(before.slice(-2)).at(-1) ?? '', Array.from(after.slice(0, 2))[0] ?? ''];
  return UNSPACED.test(last) && UNSPACED.test(first);
}
