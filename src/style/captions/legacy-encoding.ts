/** Guesses the pre-Unicode encoding of a text, from the usual letters and characters of languages. */

interface Alphabet {
  readonly encoding: string;
  /** Frequent letters of its languages; for a Latin alphabet, those beyond ASCII, and punctuation. */
  readonly usual: string;
}

/** By language: in the other encoding of Central Europe the letters of one language are those of another. */
const CENTRAL_EUROPEAN = [
  'ąćęłńóśźżŁŚŻŹĆÓ',
  'áčďéěíňóřšťúůýžôäľĺŕČŠŘŽÁÉÍÚÝŤĽ',
  'áéíóöőúüűÁÉÍÓÖŐÚÜŰ',
  'čćđšžČĆĐŠŽ',
  'ăâîşţĂÂÎŞŢ',
] as const;
/** If two fit equally, the first wins: the more common one. */
const LATIN = [
  {
    encoding: 'windows-1252',
    usual: 'àáâäåæçèéêëìíîïñòóôöøùúûüãßœÀÂÄÅÆÇÈÉÊËÍÎÑÓÔÖØÚÛÜÃ¿¡«»’‘“”„…–—°',
  },
  { encoding: 'windows-1254', usual: 'şğıİŞĞçöüÇÖÜâîû’“”…–' },
  ...CENTRAL_EUROPEAN.map((letters) => ({ encoding: 'windows-1250' as const, usual: `${letters}„”“’…–` })),
  ...CENTRAL_EUROPEAN.map((letters) => ({ encoding: 'iso-8859-2' as const, usual: letters })),
] as const satisfies readonly Alphabet[];
const OTHER_ALPHABETS = [
  { encoding: 'windows-1251', usual: 'оеаинтсрвлкмдпуязыьъіґєї«»—–…’' },
  // Its letters are capitals of KOI8-R, which are all as usual.
  { encoding: 'windows-1255', usual: 'יוהלאמםרשבתנדעקח' },
  { encoding: 'koi8-r', usual: 'оеаинтсрвлкмдпуязыьъ' },
  { encoding: 'windows-1253', usual: 'αοιετσνηυρπκλμδςάέίόήώύ' },
  { encoding: 'windows-1256', usual: 'ايلمنتوره بدعكسقحأ،؟' },
] as const satisfies readonly Alphabet[];

interface Characters {
  readonly encoding: string;
  /** Whether two bytes are a usual character. */
  readonly isUsual: (first: number, second: number) => boolean;
}

const within = (byte: number, from: number, to: number) => byte >= from && byte <= to;
/**
 * Rows of the standards' first levels, with nearly all characters of a text, and rows of kana, hangul and
 * punctuation.
 */
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

/** Bytes that are examined: some hundred captions. */
const SAMPLE_BYTES = 20_000;
/** Least share of a language's frequent letters: right encodings have .8 or more, others at most .6. */
const MIN_LETTERS = 0.7;
/** Least share for a guess. */
const MIN_LETTERS_AT_ALL = 0.5;
/** Least share of usual characters: pairs of bytes of another encoding reach half at most. */
const MIN_CHARACTERS = 0.8;
/**
 * Chinese has a third of its characters outside the rows of hangul; Japanese has all kana outside the rows of
 * hanzi.
 */
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

/**
 * Whether letters beyond ASCII stand next to ASCII letters instead of each other: letters of other alphabets fill
 * words.
 */
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
 * Share of usual letters in the text beyond ASCII. Impossible words count against it: a capital after a small
 * letter, a small letter after two capitals.
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

/** Null: no two-byte encoding fits. */
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

/** Share of usual characters among the two-byte ones; 0 if the bytes are invalid in the encoding. */
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
