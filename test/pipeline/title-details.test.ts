/** Box and animation of a title in an encoded clip. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../../src/media/av/quiet.ts';
import { withTitleDetails } from '../../src/pipeline/engine/title-details.ts';
import { videoFacts } from '../support/clip-facts.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { arriving, drawTitle, SAMPLE, TITLE_PICTURE } from '../support/drawn-title.ts';

const TITLE = {
  ...({ position: 'middle', anchorY: 0.5, lineHeight: SAMPLE.lineHeight, color: '#f0f0f0' } as const),
  ...{ outlined: false, sample: SAMPLE },
};
const FACTS = videoFacts({
  durationSeconds: 4.5,
  captions: { share: 0, spans: [], style: null, titleStyle: TITLE, confidence: 1 },
});
const shown = {
  box: { rgb: [200, 20, 40], opacity: 0.7 },
  stateAt: arriving((done) => ({ x: -60 * (1 - done) })),
};

describe('details of a title in a file', { timeout: 60_000 }, () => {
  const folder = temporaryFolder();
  const draw = (rgb: Uint8Array, seconds: number) => rgb.set(drawTitle(seconds, shown).data);
  const clip = { ...TITLE_PICTURE, frameRate: { numerator: TITLE_PICTURE.rate, denominator: 1 }, draw };

  // A part of a clip has its own clock: here it begins where the title is 4 s later in the file.
  for (const [name, laterSeconds] of [
    ['the whole clip', 0],
    ['a part of a clip', 4],
  ] as const)
    test(name, async () => {
      const path = await makeClip(folder, {
        ...{
          ...clip,
          name: `title-${laterSeconds}`,
          durationSeconds: 4.5 + laterSeconds,
          crf: 26,
          silent: true,
        },
        draw: (rgb: Uint8Array, seconds: number) => draw(rgb, seconds - laterSeconds),
      });
      const { titleStyle } = (await withTitleDetails(path, FACTS, laterSeconds)).captions;
      const { animationIn, animationOut, box } = titleStyle!;
      assert.deepEqual([animationIn?.type, animationIn?.side, animationOut?.type], ['slide', 'left', 'cut']);
      assert.ok(box !== undefined && Math.abs(box.opacity - 0.7) < 0.08, JSON.stringify(box));
      const rgb = [1, 3, 5].map((at) => Number.parseInt(box.color.slice(at, at + 2), 16));
      for (const [c, level] of rgb.entries()) assert.ok(Math.abs(level - shown.box.rgb[c]!) <= 16, box.color);
    });

  test('without a certain title, and where the file cannot be read again, the facts stay as they are', async () => {
    const { titleStyle: _, ...captions } = FACTS.captions;
    const untitled = { ...FACTS, captions };
    assert.equal(await withTitleDetails('/none.mp4', untitled, 0), untitled);
    assert.equal(await withTitleDetails('/none.mp4', FACTS, 0), FACTS);
  });
});
