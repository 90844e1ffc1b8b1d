import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FaceTracker } from '../../src/analysis/subjects/face.ts';
import {
  SidewaysMeter,
  sidewaysConfidence,
  type TurnedScores,
} from '../../src/analysis/subjects/sideways.ts';
import type { Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { mediaPath } from '../support/media.ts';

const left = (...scores: readonly number[]) => scores.map((score): TurnedScores => [0, score]);

describe('scores of faces in turned pictures', () => {
  for (const [what, samples, expected] of [
    ['a selfie on its side', left(0.33, 0.98, 0.87, 0.96, 0.8, 0.97), 0.916],
    ['two people who move', left(0.76, 0.51, 0.89, 0.79, 0.56, 0.32), 0.813],
    ['the other direction', left(0.7, 0.7).map(([one, other]): TurnedScores => [other, one]), 0.7],
    ['the least share', left(0.6, 0.6, 0, 0, 0, 0), 0.6],
    ['less', left(0.6, 0.6, 0, 0, 0, 0, 0), null],
    ['a weaker score', left(0.6, 0.59, 0, 0), null],
    [
      'a label, once in each direction',
      [
        [0.62, 0],
        [0, 0.74],
      ] satisfies TurnedScores[],
      null,
    ],
    ['one sample', left(0.98), null],
    ['no sample', [], null],
  ] as const) {
    test(what, () => assert.equal(sidewaysConfidence(samples), expected));
  }
});

describe('real clips, upright and turned', () => {
  type Turn = 'upright' | 'right' | 'left';
  /** `right`: the picture is turned clockwise. */
  const shown = (picture: Picture, turn: Turn): Picture => {
    const { data, width, height } = picture;
    if (turn === 'upright') return picture;
    const turned = Uint8Array.from(data, (_, at) => {
      const [x, y] = [at % height, Math.floor(at / height)];
      return turn === 'right' ? data[(height - 1 - x) * width + y]! : data[x * width + (width - 1 - y)]!;
    });
    return { ...picture, data: turned, width: height, height: width };
  };
  const longAlone = process.env['TEST_LONG'] === '1' ? false : 'takes some seconds: npm run test:long';
  for (const [file, turn, expected, skip] of [
    ['video/mdn_friday_speech.mp4', 'upright', false, longAlone],
    ['video/mdn_friday_speech.mp4', 'right', true, false],
    ['video/mdn_friday_speech.mp4', 'left', true, longAlone],
    ['video/mdn_crystal.mp4', 'upright', false, longAlone],
    ['video/mdn_crystal.mp4', 'left', false, false],
    ['video/mdn_flower.mp4', 'upright', false, longAlone],
  ] as const) {
    test(`${file}, ${turn}`, { skip }, async (t) => {
      const path = mediaPath(file);
      if (path === null) return t.skip(`needs ../shared/media/${file}`);
      const [faces, meter] = [new FaceTracker(), new SidewaysMeter()];
      for await (const frame of openFrames(path)) {
        const detail = frame.detail === null ? null : shown(frame.detail, turn);
        faces.push({ ...frame, detail }, null);
        meter.push({ ...frame, detail }, faces.hasFace);
      }
      const confidence = meter.finish();
      assert.equal(confidence !== null, expected, String(confidence));
    });
  }
});
