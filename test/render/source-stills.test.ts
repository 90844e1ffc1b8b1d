/** Thumbnails made during rendering equal those of a separate decoding. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openInput } from '../../src/media/av/open-input.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { SourceStills } from '../../src/render/picture/source-stills.ts';
import { render } from '../../src/render/render.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { timelineClip as clip } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const AREA = 128 * 72;
const ignore = () => {};

const plain = (clips: Timeline['clips']): Timeline => ({
  ...{ version: 2, frameRate: { numerator: 25, denominator: 1 }, width: 64, height: 36 },
  ...{ clips, transitions: [], takes: [{ grade: null }], audio: null, captions: [] },
});

/** The middles of equal parts of the running time, as `readThumbnails` and as rendering gives them. */
async function bothOf(path: string, clips: Timeline['clips'], moments = 6) {
  const { durationSeconds } = await outlineOf(path);
  const timesSeconds = Array.from({ length: moments }, (_, at) => ((at + 0.5) / moments) * durationSeconds!);
  const stills = { timesSeconds, areaPixels: AREA };
  const rendered = await render(
    {
      ...{ takePaths: [path], timeline: plain(clips), preset: 'ultrafast', crf: 40, stills },
      outputPath: join(folder, 'output.mp4'),
      posterPath: join(folder, 'poster.jpg'),
    },
    ignore,
  );
  return { own: await readThumbnails(path, { ...stills, onProgress: ignore }), passing: rendered.stills };
}

describe('the pictures of a source', () => {
  test('for any omitted part, at the beginning, inside and at the end', async () => {
    const path = await makeClip(folder, { name: 'source', durationSeconds: 4 });
    for (const clips of [[clip(0, 4)], [clip(1, 1.4), clip(3, 3.4, { reason: 'trim' })], [clip(0, 0.4)]]) {
      const { own, passing } = await bothOf(path, clips);
      assert.equal(own.length, 6);
      assert.deepEqual(passing, own);
    }
  });

  for (const name of [
    'video/rotated270_h264.mp4',
    'video/vertical_hdr10_av1.mp4',
    'video/screenrec_vfr.mp4',
    'more/video/gull_avi_mpeg4.avi',
  ]) {
    const path = mediaPath(name);
    test(name, { skip: path === null && 'there are no shared clips' }, async () => {
      const { own, passing } = await bothOf(path!, [clip(0, 0.4)]);
      assert.deepEqual(passing, own);
    });
  }

  test('are null if none are requested, and if they cannot be drawn', async () => {
    const path = await makeClip(folder, { name: 'short', durationSeconds: 0.4 });
    using input = await openInput(path);
    using none = new SourceStills(input, undefined);
    assert.equal(await none.finish({ skip: () => assert.fail('nothing is wanted') }, ignore), null);
    const wanted = { timesSeconds: [0.1], areaPixels: Number.NaN };
    const request = { takePaths: [path], preset: 'ultrafast', crf: 40, stills: wanted };
    const paths = { outputPath: join(folder, 'other.mp4'), posterPath: join(folder, 'other.jpg') };
    const rendered = await render({ ...request, ...paths, timeline: plain([clip(0, 0.4)]) }, ignore);
    assert.equal(rendered.stills, null);
    assert.equal(rendered.frameCount, 10);
  });
});
