import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cuesAt, parseCaptionFile, writeSubRip } from '../../src/style/captions/file.ts';
import { captionFileOf, captionsOf, captionTextOf, startOf, subRipOf } from '../../web/src/words/sub-rip.ts';

const FILE = writeSubRip([
  { startSeconds: 1, endSeconds: 2.5, lines: ['I counted on that'] },
  { startSeconds: 3725, endSeconds: 3726, lines: ['12', '13'] },
]);

test('the page reads the captions that the service writes', () => {
  const captions = captionsOf(FILE);
  assert.deepEqual(captions.map(startOf), ['0:01', '62:05']);
  assert.deepEqual(
    captions.map(({ text }) => text),
    ['I counted on that', '12 13'],
  );
});

test('captions of other programs are read: line ends, WebVTT, settings, notes, hours left out', () => {
  const captions = captionsOf(
    'WEBVTT - words\r\n\r\nNOTE made by hand\r\n\r\n1\r\n00:01.000 --> 00:02.500 align:start line:90%\r\nHello\r\nyou\r\n\r\n' +
      '1:00:00.040 --> 1:00:01.000\r\nLater\r\n',
  );
  assert.deepEqual(captions, [
    { times: '00:00:01,000 --> 00:00:02,500', text: 'Hello you' },
    { times: '01:00:00,040 --> 01:00:01,000', text: 'Later' },
  ]);
});

for (const [name, file] of [
  ['no empty lines', '1\n00:00:01,000 --> 00:00:02,500\nOne\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n'],
  ['blanks in empty lines', '00:00:01,000 --> 00:00:02,500\nOne\n \n00:00:03,000 --> 00:00:04,000\nTwo'],
  ['short times', '0:1.0 --> 0:2:500\nOne\n\n0:0:3 --> 0:0:4\n\nTwo'],
  ['a time before zero', '-00:00:01,000 --> 00:00:02,500\nOne\n\n00:00:03,000 --> 00:00:04,000\nTwo'],
] as const)
  test(`${name}: the page keeps each caption that the service reads`, () => {
    const { cues } = parseCaptionFile(Buffer.from(file));
    assert.equal(cues.length, 2);
    assert.deepEqual(parseCaptionFile(Buffer.from(subRipOf(captionsOf(file)))).cues, cues);
  });

test('the service reads the captions that the page writes, without those that were emptied', () => {
  const [one, two] = captionsOf(FILE);
  const edited = [
    { ...one, text: ' Latin \n\n now ' },
    { ...two, text: ' ' },
  ];
  const { cues } = parseCaptionFile(Buffer.from(subRipOf(edited)));
  assert.deepEqual(cues, [{ startSeconds: 1, endSeconds: 2.5, text: 'Latin now' }]);
});

const MAP = 'X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000';
const CUES = '00:00:01.000 --> 00:00:02.500\nOne\n';

for (const [name, file] of [
  ['one segment', `WEBVTT\n${MAP}\n\n${CUES}`],
  ['the clock before the file', `WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:05.000,MPEGTS:900000\n\n${CUES}`],
  ['segments joined', `WEBVTT\n${MAP}\n\n${CUES}\nWEBVTT\n${MAP.replace('900000', '1440000')}\n\n${CUES}`],
  ['no clock', `WEBVTT\n\n${CUES}`],
] as const)
  test(`edited words keep the clock of a WebVTT file: ${name}`, () => {
    const { captions, timestampMap } = captionTextOf(file);
    const edited = captions.map((one) => ({ ...one, text: 'New' }));
    const written = parseCaptionFile(Buffer.from(captionFileOf({ captions: edited, timestampMap })));
    const original = parseCaptionFile(Buffer.from(file));
    const expected = cuesAt(original, 8).map((cue) => ({ ...cue, text: 'New' }));
    assert.deepEqual(cuesAt(written, 8), expected);
    assert.equal(written.mpegSeconds, original.mpegSeconds);
  });

test('no caption with words makes no file, with a clock too', () => {
  assert.equal(
    captionFileOf({ captions: captionsOf(FILE).map((one) => ({ ...one, text: '' })), timestampMap: MAP }),
    '',
  );
});
