/** Guesses which encoding of before Unicode a text has, by which letters and characters are usual in which language. */

interface Alphabet {
  readonly encoding: string;
  /** Frequent letters of its languages; of a Latin alphabet those that it adds to ASCII, with the signs of texts. */
  readonly usual: string;
}

/** The first of two that fit equally is taken: the more common one. */
const LATIN = [
  {
    encoding: 'windows-1252',
    usual: 'àáâäåæçèéêëìíîïñòóôöøùúûüãßœÀÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÛÜÃ¿¡«»’‘“”„…–—°',
  },
  {
    encoding: 'windows-1250',
    usual: 'ąćęłńóśźżáčďéěíňřšťúůýžőűüöäôľĺŁŚŻŹČŠŘŽÁÉÍÓÚÝŐŰÖÜ„”“’…–',
  },
  { encoding: 'windows-1254', usual: 'şğıİŞĞçöüÇÖÜâîû’“”…–' },
] as const satisfies readonly Alphabet[];
const OTHER_ALPHABETS = [
  { encoding: 'windows-1251', usual: 'оеаинтсрвлкмдпуязыьъіґєї«»—–…’' },
  { encoding: 'koi8-r', usual: 'оеаинтсрвлкмдпуязыьъ' },
  { encoding: 'windows-1253', usual: 'αοιετσνηυρπκλμδςάέίόήώύ' },
  { encoding: 'windows-1255', usual: 'יוהלאמרשבתנדעקח' },
  { encoding: 'windows-1256', usual: 'ايلمنتوره بدعكسقحأ،؟' },
] as const satisfies readonly Alphabet[];

interface Characters {
  readonly encoding: string;
  /** Whether two bytes are a character that is usual in texts. */
  readonly isUsual: (first: number, second: number) => boolean;
}

const within = (byte: number, from: number, to: number) => byte >= from && byte <= to;
/** Rows of the standards' first levels, which hold nearly all of a text, and of kana, hangul and punctuation. */
const CHARACTERS = [
  {
    encoding: 'euc-kr',
    isUsual: (first, second) => (within(first, 0xb0, 0xc8) || within(first, 0xa1, 0xa3)) && second >= 0xa1,
  },
  {
    encoding: 'euc-jp',
    isUsual: (first, second) =>
      (within(first, 0xa4, 0xa5) || first === 0xa1 || within(first, 0xb0, 0xcf)) && second >= 0xa1,
  },
  {
    encoding: 'gb18030',
    isUsual: (first, second) =>
      (within(first, 0xb0, 0xd7) || first === 0xa1 || first === 0xa3) && second >= 0xa1,
  },
  {
    encoding: 'big5',
    isUsual: (first, second) => within(first, 0xa4, 0xc6) || (first === 0xa1 && second >= 0x40),
  },
  {
    encoding: 'shift_jis',
    isUsual: (first, second) => within(first, 0x81, 0x83) || (within(first, 0x88, 0x97) && second >= 0x40),
  },
] as const satisfies readonly Characters[];

export type LegacyEncoding =
  | (typeof LATIN)[number]['encoding']
  | (typeof OTHER_ALPHABETS)[number]['encoding']
  | (typeof CHARACTERS)[number]['encoding'];

/** Bytes that are looked at: some hundred captions. */
const SAMPLE_BYTES = 20_000;
/** Of a text .8 and more are the frequent letters of its language, of a text in another encoding .6 at most. */
const MIN_LETTERS = 0.7;
/** What is left to guess at. */
const MIN_LETTERS_AT_ALL = 0.5;
/** Pairs of bytes of another encoding are usual characters in half of the cases at most. */
const MIN_CHARACTERS = 0.8;
/** Chinese has a third of its characters outside of the rows of hangul, Japanese all kana outside of those of hanzi. */
const MIN_KOREAN = 0.97;
const MIN_KANA = 0.2;

export function guessEncoding(bytes: Uint8Array): LegacyEncoding {
  const sample = bytes.subarray(0, lineEnd(bytes, SAMPLE_BYTES));
  const characters = charactersOf(sample);
  if (isBesideLatin(sample) && characters === null) return bestOf(LATIN, sample).encoding;
  const { encoding, score } = bestOf(OTHER_ALPHABETS, sample);
  if (score >= MIN_LETTERS) return encoding;
  if (characters !== null) return characters;
  return score >= MIN_LETTERS_AT_ALL ? encoding : bestOf(LATIN, sample).encoding;
}

function bestOf<Encoding extends string>(
  alphabets: readonly { readonly encoding: Encoding; readonly usual: string }[],
  sample: Uint8Array,
): { readonly encoding: Encoding; readonly score: number } {
  const scores = alphabets.map(({ encoding, usual }) => ({
    encoding,
    score: usualLetters(sample, encoding, usual),
  }));
  return scores.reduce((best, one) => (one.score > best.score ? one : best));
}

/** Whether letters beyond ASCII stand beside those of ASCII, rather than beside each other: those of other alphabets fill words. */
function isBesideLatin(sample: Uint8Array): boolean {
  const isLetter = (byte = 0) => within(byte | 0x20, 0x61, 0x7a);
  const isHigh = (byte = 0) => byte >= 0xc0;
  let [latin, other] = [0, 0];
  for (const [at, byte] of sample.entries()) {
    if (!isHigh(byte)) continue;
    for (const neighbour of [sample[at - 1], sample[at + 1]]) {
      if (isLetter(neighbour)) latin++;
      else if (isHigh(neighbour)) other++;
    }
  }
  return latin >= other;
}

/** The end of the last whole line within a number of bytes. */
function lineEnd(bytes: Uint8Array, most: number): number {
  if (bytes.length <= most) return bytes.length;
  const end = bytes.lastIndexOf(0x0a, most);
  return end > 0 ? end : most;
}

/**
 * Share of usual letters in what is not ASCII; what no word has, a capital behind a small letter and a small one behind two
 * capitals, counts against it.
 */
function usualLetters(sample: Uint8Array, encoding: string, usual: string): number {
  const letters = new Set(usual);
  const isBicameral = /[а-яα-ω]/.test(usual);
  let [all, found, cases] = [0, 0, ''];
  for (const letter of new TextDecoder(encoding).decode(sample)) {
    cases = cases.slice(-2) + caseOf(letter);
    if (letter <= '\u007f') continue;
    all++;
    if (isBicameral && (cases.endsWith('sC') || cases === 'CCs')) found--;
    else if (letters.has(letter) || (isBicameral && letters.has(letter.toLowerCase()))) found++;
  }
  return all === 0 ? 0 : found / all;
}

/** C: a capital letter, s: a small one, both beyond ASCII. */
function caseOf(letter: string): string {
  if (letter <= '\u007f' || letter.toLowerCase() === letter.toUpperCase()) return '-';
  return letter === letter.toUpperCase() ? 'C' : 's';
}

/** Null: none of the encodings of two bytes fits. */
function charactersOf(sample: Uint8Array): LegacyEncoding | null {
  const scores = new Map(
    CHARACTERS.map(({ encoding, isUsual }) => [encoding, usualPairs(sample, encoding, isUsual)]),
  );
  const kana = usualPairs(sample, 'euc-jp', (first) => within(first, 0xa4, 0xa5));
  if (scores.get('euc-kr')! >= MIN_KOREAN) return 'euc-kr';
  if (scores.get('euc-jp')! >= MIN_CHARACTERS && kana >= MIN_KANA) return 'euc-jp';
  const [best] = CHARACTERS.filter(({ encoding }) => encoding !== 'euc-kr' && encoding !== 'euc-jp').toSorted(
    (one, other) => scores.get(other.encoding)! - scores.get(one.encoding)!,
  );
  return scores.get(best!.encoding)! >= MIN_CHARACTERS ? best!.encoding : null;
}

/** Share of usual characters in those of two bytes; 0 where the bytes are none of the encoding. */
function usualPairs(sample: Uint8Array, encoding: string, isUsual: Characters['isUsual']): number {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(sample);
  } catch {
    return 0;
  }
  let [all, found] = [0, 0];
  for (let at = 0; at < sample.length; at++) {
    if (sample[at] < 0x80) continue;
    all++;
    // Half-width kana are single bytes; no caption consists of them.
    if (encoding === 'shift_jis' && within(sample[at], 0xa1, 0xdf)) continue;
    if (isUsual(sample[at], sample[at + 1] ?? 0)) found++;
    at++;
  }
  return all === 0 ? 0 : found / all;
}
