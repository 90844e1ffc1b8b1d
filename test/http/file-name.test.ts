import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { displayName, downloadName, jobFileName } from '../../src/http/server/file-name.ts';
import { contentDisposition } from '../../src/storage/content-disposition.ts';

for (const [input, shown] of [
  ['holiday.mp4', 'holiday.mp4'],
  ['Ferien – Tag 1 👨‍👩‍👧.mp4', 'Ferien – Tag 1 👨‍👩‍👧.mp4'],
  ['../../../etc/passwd', 'passwd'],
  ['..\\..\\evil.mp4', 'evil.mp4'],
  ['C:\\Users\\me\\clip.mp4', 'clip.mp4'],
  ['-rf.mp4', '-rf.mp4'],
  ['a\u202egpj.mp4', 'agpj.mp4'],
  ['a\0b\r\nc\u0085.mp4', 'abc.mp4'],
  ['\ud800.mp4', '\ufffd.mp4'],
  ['e\u0301.mp4', 'é.mp4'],
  ['folder/', 'video'],
  ['..', 'video'],
  ['  ', 'video'],
  [undefined, 'video'],
  ['n'.repeat(10_000), 'n'.repeat(255)],
  ['😀'.repeat(300), '😀'.repeat(255)],
] as const) {
  test(JSON.stringify(input?.slice(0, 40) ?? null), () => assert.equal(displayName(input), shown));
}

describe('a download is named after the source', () => {
  for (const [source, file, saved] of [
    ['holiday.mp4', 'output.mp4', 'holiday-styled.mp4'],
    ['holiday.MOV', 'captions.srt', 'holiday-styled.srt'],
    ['holiday.m2ts', 'grade.cube', 'holiday-grade.cube'],
    ['holiday.3gp', 'report.html', 'holiday-report.html'],
    ['holiday v1.2', 'style.json', 'holiday v1.2-style.json'],
    ['holiday.final.mp4', 'poster.jpg', 'holiday.final-poster.jpg'],
    ['.mp4', 'timeline.otio', '.mp4-timeline.otio'],
    ['旅行.mp4', 'output.mp4', '旅行-styled.mp4'],
    [null, 'output.mp4', '0123-styled.mp4'],
    ['../../etc/passwd', 'output.mp4', 'passwd-styled.mp4'],
    [`${'n'.repeat(251)}.mp4`, 'output.mp4', `${'n'.repeat(180)}-styled.mp4`],
    [`${'😀'.repeat(251)}.mp4`, 'output.mp4', `${'😀'.repeat(45)}-styled.mp4`],
  ] as const)
    test(saved.slice(0, 40), () => assert.equal(downloadName(source, file, '0123'), saved));
});

describe('a file of a reel is named after its title', () => {
  const takes = [{}, {}];
  const reel = (titles: readonly string[]) => ({ takes, titles: titles.map((text) => ({ text })) });
  for (const [edit, file, saved] of [
    [reel([]), 'output.mp4', 'reel.mp4'],
    [reel([]), 'captions.srt', 'reel.srt'],
    [reel([]), 'timeline.otio', 'reel-timeline.otio'],
    [reel(['Lisbon,\nMay', 'The end']), 'output.mp4', 'Lisbon, May.mp4'],
    [reel(['../1/2']), 'output.mp4', '.. 1 2.mp4'],
    [{ takes: [{}], titles: [] }, 'output.mp4', 'beach-styled.mp4'],
    [null, 'output.mp4', 'beach-styled.mp4'],
  ] as const)
    test(saved, () =>
      assert.equal(jobFileName({ jobId: '0123', sourceFilename: 'beach.mp4', edit }, file), saved),
    );
});

describe('Content-Disposition (RFC 6266, RFC 8187)', () => {
  for (const [name, values] of [
    ['holiday-styled.mp4', 'filename="holiday-styled.mp4"'],
    ['a b.mp4', `filename="a_b.mp4"; filename*=UTF-8''a%20b.mp4`],
    ['Café (1).mp4', `filename="Cafe__1_.mp4"; filename*=UTF-8''Caf%C3%A9%20%281%29.mp4`],
    ['旅行.mp4', `filename="__.mp4"; filename*=UTF-8''%E6%97%85%E8%A1%8C.mp4`],
    [
      `x"; filename='y'*.mp4`,
      `filename="x___filename__y__.mp4"; filename*=UTF-8''x%22%3B%20filename%3D%27y%27%2A.mp4`,
    ],
    ['\ud800.mp4', `filename="_.mp4"; filename*=UTF-8''%EF%BF%BD.mp4`],
  ] as const) {
    test(name, () => {
      assert.equal(contentDisposition(name, false), `inline; ${values}`);
      assert.equal(contentDisposition(name, true), `attachment; ${values}`);
      new Headers({ 'content-disposition': contentDisposition(name, true) });
    });
  }
});
