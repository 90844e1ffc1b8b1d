/** Kind of markup: SubRip and WebVTT have tags, ASS has braces and its own line breaks. */
export type CaptionMarkup = 'tags' | 'ass';

/** The tags of SubRip and WebVTT; `<3` and `a < b` are text. */
const TAG =
  /<\/?(?:b|i|u|s|c|v|p|em|strong|span|font|lang|ruby|rt|br)(?:[\s./][^<>]*)?>|<\d{1,6}(?::\d{1,2}){1,2}[.,]\d{1,3}>/gi;
const RUBY_TEXT = /<rt(?:[\s.][^<>]*)?>[^<>]*(?:<\/rt>)?/gi;
const LINE_BREAK_TAG = /<br\s*\/?>/gi;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|lrm|rlm|#\d{1,7}|#x[\da-f]{1,6});/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
};
/** SubRip files may contain ASS overrides, such as `{\an8}`. */
const OVERRIDE = /\{\\[^{}]*\}/g;
/** A capturing group, so that `split` returns the blocks too. */
const ASS_BLOCK = /(\{[^{}]*\})/;
/** In a block: whether drawing commands (1 or more) or text (0) follow. */
const DRAWING = /\\p(\d+)/g;
/**
 * Invisible characters: control characters, and those that reorder or hide text (Unicode's bidirectional
 * controls, zero-width spaces, byte order marks).
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters.
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffd]/g;
const SPACES = /[\s\u00a0]+/g;

/** The words of a caption without markup, as trimmed lines; empty if nothing is left. */
export function plainText(raw: string, markup: CaptionMarkup): string {
  const text = markup === 'ass' ? withoutOverrides(raw) : withoutTags(raw);
  return text
    .toWellFormed()
    .normalize('NFC')
    .split(/\r\n|[\r\n\u0085\u2028\u2029]/)
    .map((line) => line.replaceAll('\t', ' ').replace(INVISIBLE, '').replace(SPACES, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function withoutTags(raw: string): string {
  return raw
    .replace(OVERRIDE, '')
    .replace(LINE_BREAK_TAG, '\n')
    .replace(RUBY_TEXT, '')
    .replace(TAG, '')
    .replace(ENTITY, (entity) => entityText(entity.slice(1, -1).toLowerCase()));
}

function entityText(name: string): string {
  if (!name.startsWith('#')) return ENTITIES[name];
  const code = name[1] === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

function withoutOverrides(raw: string): string {
  let isDrawn = false;
  const text = raw
    .split(ASS_BLOCK)
    .map((part, index) => {
      if (index % 2 === 0) return isDrawn ? '' : part;
      for (const [, scale] of part.matchAll(DRAWING)) isDrawn = Number(scale) > 0;
      return '';
    })
    .join('');
  return text.replace(/\\[Nn]/g, '\n').replace(/\\h/g, ' ');
}
