import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isFailure } from '../../src/errors.ts';
import { Studio } from '../../src/library.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const source = await makeClip(folder, { name: 'clip', durationSeconds: 1 });
const output = join(folder, 'out.mp4');

for (const { what, name, text, code, detail } of [
  {
    what: 'a broken caption file',
    name: 'broken.srt',
    text: '1\nnow --> then\nHi\n',
    code: 'INVALID_CAPTIONS',
    detail: /line 2: "now --> then" is no timing/,
  },
  {
    what: 'a caption file without captions',
    name: 'empty.vtt',
    text: 'WEBVTT\n',
    code: 'INVALID_CAPTIONS',
    detail: /no cue was found/,
  },
  {
    what: 'no caption file',
    name: 'missing.srt',
    text: null,
    code: 'INPUT_UNSUPPORTED',
    detail: /There is no file/,
  },
] as const) {
  test(`${what} is refused before any work`, async () => {
    const captions = join(folder, name);
    if (text !== null) writeFileSync(captions, text);
    let worked = false;
    await assert.rejects(
      studio.apply(
        { source, output, look: null, captions },
        {
          onProgress: () => {
            worked = true;
          },
        },
      ),
      (error) => isFailure(error, code) && detail.test(error.detail),
    );
    assert.ok(!worked && !existsSync(output));
  });
}
