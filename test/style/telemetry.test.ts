import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCaptionFile } from '../../src/style/captions/file.ts';
import { isTelemetry } from '../../src/style/captions/telemetry.ts';

/** Cues of these texts, `step` seconds apart. */
const cues = (texts: readonly string[], step = 1) =>
  texts.map((text, index) => ({ startSeconds: index * step, text }));
const twelve = (write: (index: number) => string) => Array.from({ length: 12 }, (_, index) => write(index));
const two = (value: number) => String(value).padStart(2, '0');

/** The formats that makers document, or whose files are public; all values are invented. */
const READINGS: Readonly<Record<string, { readonly texts: readonly string[]; readonly step?: number }>> = {
  'DJI Mini and Air': {
    texts: twelve(
      (i) =>
        `F/2.8, SS ${206 + i}.14, ISO 150, EV 0, GPS (8.1234, 47.56${two(i)}, 15), D 24.35m, H 6.${i}0m, H.S 0.0${i}m/s, V.S -0.10m/s`,
    ),
  },
  'DJI of today, one a frame': {
    texts: twelve(
      (i) =>
        `<font size="28">FrameCnt: ${i}, DiffTime: ${33 + (i % 2)}ms\n2023-05-01 10:30:34.${253 + i}\n[iso: 100] [shutter: 1/320.0] [fnum: 2.8] [ev: 0.7] [color_md: default] [latitude: 47.5${i}] [longitude: 8.12] [rel_alt: 1.300 abs_alt: 132.860] </font>`,
    ),
    step: 1 / 30,
  },
  'DJI Phantom': {
    texts: twelve(
      (i) =>
        `HOME(149.0251,-20.2532) 2017.08.05 14:11:${two(i)}\nGPS(149.0251,-20.2533,16) BAROMETER:1.${i}\nISO:100 Shutter:60 EV: Fnum:2.2`,
    ),
  },
  Autel: {
    texts: twelve(
      (i) => `HOME(W: 80.585442, N: 43.443233) GPS(W: 80.58${i}, N: 43.44${i}, 12.${i}m) ISO:100 F-NUM:2.2`,
    ),
  },
  'a dashcam': {
    texts: twelve((i) => `2020-01-01 12:00:${two(i)} N48.1234 E11.5${i} ${50 + i} km/h`),
  },
  'height and speed': { texts: twelve((i) => `Altitude: 12${i} m | Speed: ${i} km/h`), step: 0.5 },
  'one value': { texts: twelve((i) => `Speed: ${40 + i} km/h`) },
  'a value without a name': { texts: twelve((i) => `${40 + i} km/h`) },
  'date and time': { texts: twelve((i) => `2021-05-01 12:34:${two(i)}`) },
  JSON: { texts: twelve((i) => `{"lat":47.56${two(i)},"lon":8.1234,"alt":12.${i}}`) },
  'a position in the only cue': { texts: ['GPS (8.1234, 47.5678, 15) ISO 100'] },
  'positions at uneven times': { texts: ['[latitude: 47.56781]', '[latitude: 47.56791]'], step: 9 },
  'a search for satellites first': {
    texts: ['GPS (n/a)', 'GPS (n/a)', ...twelve((i) => `GPS (8.1234, 47.56${two(i)}, 15) ISO 100`)],
  },
};

/** Words of people that have numbers, names with numbers, or an even pace. */
const WORDS: Readonly<Record<string, { readonly texts: readonly string[]; readonly step?: number }>> = {
  dialogue: { texts: ['Where were you?', 'I was at home.', 'At home? All night?', 'All night.'] },
  'a speaker before each line': { texts: ['Ann: Where were you?', 'Ben: Home.', 'Ann: All night?'] },
  'a countdown': { texts: ['Ten seconds', '5', '4', '3', '2', '1', 'Go!'] },
  'numbers alone': { texts: twelve((i) => `${12 - i}`) },
  'a timer': { texts: twelve((i) => `00:${two(i)}`) },
  'a recipe': {
    texts: ['Add 200 g of flour, 3 eggs and 1 l of milk', 'Bake it at 180 degrees for 25 minutes', 'Done!'],
  },
  sums: { texts: ['2 + 2 = 4, of course', 'so 4 + 4 = 8, and', '8 times 3 is 24, which is 20 and 4'] },
  lyrics: { texts: ['One, two, three, four', 'tell me that you love me more', 'One, two, three, four'] },
  results: { texts: ['Round 3: 21 to 18', 'Round 4: 19 to 21', 'Round 5: 15 to 11'], step: 40 },
  'a year in a sentence': { texts: ['In 1969, Apollo 11 flew', 'In 1972, Apollo 17 was the last'] },
  'one reading among words': {
    texts: ['Check the sensor:', 'Altitude: 120 m', 'That is too high,', 'come down now'],
  },
  coordinates: { texts: ['The wreck lies there:', 'latitude 41.72532', 'we sail at dawn', 'if it is calm'] },
};

describe('a track of readings', () => {
  for (const [what, { texts, step }] of Object.entries(READINGS))
    test(what, () => assert.equal(isTelemetry(cues(texts, step)), true));
});

describe('a track of words', () => {
  for (const [what, { texts, step }] of Object.entries(WORDS))
    test(what, () => assert.equal(isTelemetry(cues(texts, step)), false));
});

for (const [name, expected] of [
  ['DJI.Subtitle', true],
  ['GoPro MET', true],
  ['Timed Metadata Media Handler', true],
  ['Flight data', true],
  ['SubtitleHandler', false],
  ['English', false],
  ['Djinn, part 2', false],
  [null, false],
] as const)
  test(`words in a track named ${name}: ${expected ? 'readings' : 'words'}`, () =>
    assert.equal(isTelemetry(cues(['Where were you?', 'Home.']), name), expected));

test('a file of readings is read, and marked', () => {
  const blocks = READINGS['DJI of today, one a frame']!.texts.map(
    (text, index) => `${index}\n00:00:00,${100 + 33 * index} --> 00:00:00,${133 + 33 * index}\n${text}\n`,
  );
  const file = parseCaptionFile(new TextEncoder().encode(blocks.join('\n')));
  assert.deepEqual([file.isTelemetry, file.cues.length], [true, 12]);
});
