/** Requests with a JSON body, valid, odd and broken, each decided by its seed. */

export interface FuzzedRequest {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A random number from 0 to 1, the same ones for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = (seed * 0x9e3779b9) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const pick = <T>(random: Random, from: readonly T[]): T => from[Math.floor(random() * from.length)];

const STRINGS = [
  '',
  ' ',
  '0',
  'null',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202etxet',
  '👩‍👩‍👧‍👦'.repeat(30),
  'é'.normalize('NFD'),
  'x'.repeat(70_000),
  '__proto__',
  'constructor',
  "'; drop table jobs; --",
  '../../../../etc/passwd',
  'file:///etc/passwd',
  'http://[::1',
  'http://127.0.0.1:1/x',
  'https://example.com/'.padEnd(5_000, 'x'),
  '00000000-0000-0000-0000-000000000000',
  '{{7*7}}',
  '%00%ff',
  '\r\nx: y',
  '-1e999',
  '9999999999-01-01T00:00:00Z',
] as const;
const NUMBERS = [
  0,
  -0,
  -1,
  0.5,
  1,
  1.0000001,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 63),
  1e-320,
  1e308,
  1e21,
] as const;
const KEYS = [
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  '\u0000',
  '__defineGetter__',
  'é',
  '0',
] as const;
/** Texts that no serializer makes. */
const RAW = [
  ...[
    '1e999',
    '-1e400',
    `1${'0'.repeat(400)}`,
    '0.1e',
    '01',
    'NaN',
    'Infinity',
    '"\\ud800"',
    '"\\u0000"',
    '"\t"',
    'undefined',
  ],
  ...[
    '{"__proto__":{"admin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    `${'['.repeat(63)}${']'.repeat(63)}`,
  ],
  ...[
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    '{"a":'.repeat(200),
    '{"a":1,"a":2}',
    `[${'0,'.repeat(120_000)}0]`,
    '"',
    '}',
    '\ufeff{}',
    '',
  ],
] as const;

function oddValue(random: Random, depth = 0): Json {
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
  if (kind === 0) return pick(random, STRINGS);
  if (kind === 1) return pick(random, NUMBERS);
  if (kind === 2) return random() < 0.5;
  if (kind === 3) return null;
  const items = Array.from({ length: Math.floor(random() * 5) }, () => oddValue(random, depth + 1));
  if (kind === 4) return items;
  return Object.fromEntries(
    items.map((item, index) => [random() < 0.5 ? pick(random, KEYS) : `k${index}`, item]),
  );
}

type Place = readonly [holder: Json[] | { [key: string]: Json }, key: string];

function placesOf(value: Json): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries = Object.entries(value);
  return entries.flatMap(([key, item]) => [[value, key] as const, ...placesOf(item)]);
}

/** Changes one to four places of a value. */
function changed(random: Random, example: Json): Json {
  const value = structuredClone(example);
  for (let count = 1 + Math.floor(random() * 4); count > 0; count--) {
    const places = placesOf(value);
    if (places.length === 0) return oddValue(random);
    const [holder, key] = pick(random, places);
    const record = holder as { [key: string]: Json };
    const choice = random();
    if (choice < 0.5) record[key] = oddValue(random);
    else if (choice < 0.6 && !Array.isArray(holder)) delete record[key];
    else if (choice < 0.7) record[key] = [record[key]];
    else if (choice < 0.8) record[key] = JSON.stringify(record[key]);
    else if (choice < 0.9 && !Array.isArray(holder)) record[pick(random, KEYS)] = oddValue(random);
    else if (typeof record[key] === 'number')
      record[key] = (record[key] as number) * pick(random, [-1, 1e3, 1e300, 0]);
  }
  return value;
}

function changedText(random: Random, text: string): string {
  const at = Math.floor(random() * text.length);
  const choice = random();
  if (choice < 0.3) return text.slice(0, at);
  if (choice < 0.6) return text.slice(0, at) + pick(random, RAW) + text.slice(at + 1);
  // One value of the text becomes one that no serializer makes.
  if (choice < 0.9) return text.replace(/:("[^"]*"|[\d.]+|true|false|null)/, () => `:${pick(random, RAW)}`);
  return pick(random, RAW);
}

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'application/json;charset="UTF-8"' },
  { 'content-type': 'application/problem+json' },
  { 'content-type': ';;;' },
  { 'content-encoding': 'gzip' },
  { accept: 'text/html' },
  { 'accept-language': 'x'.repeat(4_000) },
  { 'idempotency-key': '' },
  { 'idempotency-key': 'é'.repeat(200) },
  { 'idempotency-key': 'x'.repeat(300) },
  { 'idempotency-key': 'the same for all' },
  { 'x-request-id': '\x80\xff' },
  { 'x-request-id': 'x'.repeat(2_000) },
  { traceparent: '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-ff' },
  { traceparent: 'garbage' },
  { range: 'bytes=0-' },
  { 'x-http-method-override': 'BREW' },
  { 'x-forwarded-for': "1.1.1.1, ::1, '" },
];
const QUERIES = [
  '?',
  '?x',
  '?x=%',
  '?%00=%ff',
  '?a[b]=c&a=1',
  '?__proto__=1',
  `?${'a=1&'.repeat(1_000)}`,
  '?dry_run=true',
] as const;

/** The request of a seed; `examples` are valid ones by path. */
export function fuzzedRequest(
  seed: number,
  examples: readonly (readonly [path: string, body: object])[],
): FuzzedRequest {
  const random = randomOf(seed);
  const [path, example] = pick(random, examples);
  const choice = random();
  const value =
    choice < 0.1 ? oddValue(random) : choice < 0.15 ? (example as Json) : changed(random, example as Json);
  const text = JSON.stringify(value);
  return {
    path: random() < 0.15 ? path + pick(random, QUERIES) : path,
    body: choice > 0.8 ? changedText(random, text) : text,
    headers: { 'content-type': 'application/json', ...(random() < 0.2 ? pick(random, HEADERS) : {}) },
  };
}
