import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { UsageError } from '../../src/cli/command.ts';
import { readTakes } from '../../src/cli/takes-options.ts';

const read = (values: Readonly<Record<string, readonly string[]>>) =>
  readTakes({ positionals: ['a.mp4', 'b.mp4'], values } as unknown as Parameters<typeof readTakes>[0])
    .options;
const refused = (values: Readonly<Record<string, readonly string[]>>, words: RegExp) =>
  assert.throws(
    () => read(values),
    (error: unknown) => error instanceof UsageError && words.test(error.message),
  );

describe('lengths and focus of slots', () => {
  test('beats more and less', () => {
    assert.deepEqual(read({ length: ['3=+1', '5=-2', '6=0'] }).lengths, [
      { slot: 3, beats: 1 },
      { slot: 5, beats: -2 },
      { slot: 6, beats: 0 },
    ]);
    assert.equal(read({}).lengths, undefined);
  });

  test('a focus goes to the pin of its slot', () => {
    const { pins } = read({ pin: ['3=b.mp4@1.5', '4=a.mp4'], focus: ['3=0.7,0.5'] });
    assert.deepEqual(
      pins.map(({ slot, focus }) => [slot, focus]),
      [
        [3, { x: 0.7, y: 0.5 }],
        [4, null],
      ],
    );
  });

  test('what is wrong is named', () => {
    refused({ length: ['3=a'] }, /--length must be SLOT=BEATS.*got 3=a/);
    refused({ length: ['3=+17'] }, /at most 16 beats/);
    refused({ length: ['3=+1', '3=-1'] }, /slot 3 twice/);
    refused({ focus: ['3=1.2,0.5'] }, /--focus must be SLOT=X,Y/);
    refused({ focus: ['3=0.2,0.5'] }, /needs --pin 3=FILE/);
  });
});

test('roles of takes in a talk', () => {
  const rolesOf = (values: Readonly<Record<string, readonly string[]>>) =>
    readTakes({ positionals: ['a.mp4', 'b.mp4'], values } as unknown as Parameters<
      typeof readTakes
    >[0]).takes.map(({ role }) => role);
  assert.deepEqual(rolesOf({}), [undefined, undefined]);
  assert.deepEqual(rolesOf({ speaks: ['b.mp4'] }), [undefined, 'talk']);
  assert.deepEqual(rolesOf({ speaks: ['b.mp4'], 'b-roll': ['a.mp4'] }), ['b_roll', 'talk']);
  refused({ speaks: ['c.mp4'] }, /--speaks: "c.mp4" is none of the takes/);
  refused({ speaks: ['a.mp4'], 'b-roll': ['a.mp4'] }, /--speaks and --b-roll both name a.mp4/);
});

test('words of takes in a talk', () => {
  const wordsOf = (captions: readonly string[]) =>
    readTakes({ positionals: ['a.mp4', 'dir/b=1.mp4'], values: { captions } } as unknown as Parameters<
      typeof readTakes
    >[0]).takes.map(({ captions: file }) => file);
  assert.deepEqual(wordsOf(['b=1.mp4=b.srt']), [undefined, 'b.srt']);
  assert.deepEqual(wordsOf(['a.mp4=a.vtt', 'transcribe']), ['a.vtt', undefined]);
  refused(
    { captions: ['a.srt'] },
    /--captions must be TAKE=FILE, such as a.mp4=words.srt, or transcribe; got a.srt/,
  );
  refused({ captions: ['c.mp4=c.srt'] }, /--captions: "c.mp4" is none of the takes/);
  refused({ captions: ['a.mp4=1.srt', 'a.mp4=2.srt'] }, /--captions names a.mp4 twice/);
});

test('the rhythm: on the beat unless another is named', () => {
  const rhythmOf = (rhythm?: string) => read({ ...(rhythm === undefined ? {} : { rhythm }) } as never).rhythm;
  assert.equal(rhythmOf(), 'on_beat');
  assert.equal(rhythmOf('loose'), 'loose');
  assert.throws(() => rhythmOf('free'), /--rhythm must be .*on_beat.*loose.*free/);
});
