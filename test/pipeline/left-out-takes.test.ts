/** Takes that cannot be used cost themselves, not the edit. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { isFailure } from '../../src/domain/errors.ts';
import { Studio, type TakesEdit } from '../../src/library.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { numberedTake } from '../support/edit-material.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });

describe('takes that cannot be used', () => {
  let good = '';
  let tap = '';
  let document = '';
  let cutOff = '';
  /** Of a photo that was moved, as folders of some programs have. */
  const link = join(folder, 'moved.jpg');
  const inner = join(folder, 'older takes');
  before(async () => {
    good = await numberedTake(folder, 'good', 0);
    tap = await makeClip(folder, { name: 'tap', durationSeconds: 0.28, silent: true });
    document = join(folder, 'notes.pdf');
    writeFileSync(document, '%PDF-1.7\nno film\n');
    cutOff = join(folder, 'cut-off.mp4');
    const bytes = readFileSync(good);
    // A recording that was interrupted: its first box alone, without an index.
    writeFileSync(cutOff, bytes.subarray(0, bytes.readUInt32BE(0)));
    symlinkSync(join(folder, 'nowhere'), link);
    mkdirSync(inner);
  });
  const plan = (takes: TakesEdit['takes'], options: NonNullable<TakesEdit['options']> = {}) =>
    studio.planEdit({ takes, look: { preset: 'blockbuster' }, options: { duration: 3, ...options } });
  const leftOutOf = ({ plan: { warnings } }: Awaited<ReturnType<typeof plan>>) =>
    warnings.filter(({ code }) => code === 'TAKE_LEFT_OUT').map(({ message }) => message);

  test('are left out, each with its name and its reason', async () => {
    const made = await plan([tap, good, document, cutOff, link, inner], {
      bans: [{ file: tap, range: [0, 0.1] }],
    });
    const messages = leftOutOf(made);
    assert.equal(messages.length, 5);
    for (const [index, [file, reason]] of [
      [tap, /lasts 0\.28\d s; at least 0\.5 s/],
      [document, /not a video/],
      [cutOff, /damaged or cut off/],
      [link, /is a link to nothing/],
      [inner, /is a folder/],
    ].entries() as IterableIterator<[number, [string, RegExp]]>) {
      assert.ok(messages[index]!.includes(`"${file}"`), messages[index]);
      assert.match(messages[index]!, reason);
    }
    const used = new Set(made.edit.slots.map(({ video_id }) => made.files[video_id]));
    assert.deepEqual(used, new Set([good]));
  });

  test('fail the edit if they must be used or are pinned', async () => {
    for (const wanted of [
      () => plan([good, { file: tap, mustUse: true }]),
      () => plan([good, tap], { pins: [{ slot: 0, file: tap }] }),
    ])
      await assert.rejects(wanted, (error) => {
        assert.ok(isFailure(error, 'VIDEO_LIMIT_EXCEEDED'));
        return error.detail.includes(`"${tap}"`);
      });
  });

  test('fail the edit if there is no other, with the reason of each', async () => {
    await assert.rejects(plan([tap, document]), (error) => {
      assert.ok(isFailure(error, 'VIDEO_LIMIT_EXCEEDED'));
      return [tap, document].every((file) => error.detail.includes(`"${file}"`));
    });
    await assert.rejects(plan([document]), (error) => isFailure(error, 'INPUT_UNSUPPORTED'));
  });

  test('a file that does not exist is a mistake in its name: nothing is made', async () => {
    await assert.rejects(plan([good, join(folder, 'absent.mp4')]), /There is no file/);
  });
});
