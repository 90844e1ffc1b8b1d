import assert from 'node:assert/strict';
import { test } from 'node:test';
import { displayName } from '../../src/http/server/file-name.ts';

for (const [given, shown] of [
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
  test(JSON.stringify(given?.slice(0, 40) ?? null), () => assert.equal(displayName(given), shown));
}
