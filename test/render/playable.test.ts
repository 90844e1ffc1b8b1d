/** Requirements of players for an MP4, read from its boxes, and in a real browser if there is one. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { render } from '../../src/render/render.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { playInBrowser } from '../support/browser.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { boxAt, boxesAt, boxesIn } from '../support/mp4-boxes.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const [SECONDS, RATE] = [2, 30];
const outputPath = join(folder, 'out.mp4');
const TIMELINE: Timeline = {
  version: 2,
  frameRate: { numerator: RATE * 1000, denominator: 1001 },
  width: 202,
  height: 360,
  clips: [timelineClip(0, 1), timelineClip(1, SECONDS, { reason: 'source_cut' })],
  transitions: [{ clipIndex: 1, type: 'dissolve', durationSeconds: 0.3, easing: 'linear' }],
  takes: [{ grade: null }],
  audio: { equalizer: [], compressor: null, targetLufs: -20, truePeakDbtp: -1 },
  captions: [],
};

describe('the output', () => {
  let file = Buffer.alloc(0);
  before(async () => {
    const sourcePath = await makeClip(folder, { name: 'source', durationSeconds: SECONDS });
    const paths = { takePaths: [sourcePath], outputPath, posterPath: join(folder, 'poster.jpg') };
    await render({ ...paths, timeline: TIMELINE, preset: 'veryfast', crf: 22 }, () => {});
    file = readFileSync(outputPath);
  });
  const tracks = () => {
    const [picture, audio] = boxesAt(file, 'moov/trak').map(({ body }) => body);
    return { picture: picture!, audio: audio! };
  };
  /** The first entry of `stsd`, whose own boxes begin after its fixed fields. */
  const sample = (track: Buffer, fixed: number) => {
    const entry = boxesIn(boxAt(track, 'mdia/minf/stbl/stsd').subarray(8))[0];
    return { type: entry.type, boxes: entry.body.subarray(fixed) };
  };

  test('has its index in front, and two tracks', () => {
    const order = boxesIn(file).map(({ type }) => type);
    assert.ok(order.indexOf('moov') < order.indexOf('mdat'), order.join(' '));
    assert.equal(order[0], 'ftyp');
    assert.equal(boxesAt(file, 'moov/trak').length, 2);
    assert.ok(!order.includes('moof'));
  });

  test('is H.264 High, 4:2:0, 8 bits, of a level that fits', () => {
    const { type, boxes } = sample(tracks().picture, 78);
    assert.equal(type, 'avc1');
    const avcc = boxAt(boxes, 'avcC');
    assert.deepEqual([avcc[0], avcc[1]], [1, 100]);
    assert.ok(avcc[3] >= 12 && avcc[3] <= 30, `level ${avcc[3] / 10}`);
    // ISO/IEC 14496-15: after the parameter sets High names its chroma format and depths, with reserved ones before.
    assert.deepEqual(
      [...avcc.subarray(-4)].map((byte, at) => byte & [3, 7, 7, 255][at]),
      [1, 0, 0, 0],
    );
  });

  test('is tagged as BT.709, limited range, with square pixels', () => {
    const { boxes } = sample(tracks().picture, 78);
    const colr = boxAt(boxes, 'colr');
    assert.equal(colr.toString('latin1', 0, 4), 'nclx');
    assert.deepEqual(
      [colr.readUInt16BE(4), colr.readUInt16BE(6), colr.readUInt16BE(8), colr[10] >> 7],
      [1, 1, 1, 0],
    );
    const pasp = boxAt(boxes, 'pasp');
    assert.equal(pasp.readUInt32BE(0), pasp.readUInt32BE(4));
  });

  test('has a constant frame rate, and starts with its first frame', () => {
    const { picture } = tracks();
    const stts = boxAt(picture, 'mdia/minf/stbl/stts');
    assert.equal(stts.readUInt32BE(4), 1, 'one length for all frames');
    assert.equal(stts.readUInt32BE(8), Math.round((SECONDS * RATE * 1000) / 1001));
    const timescale = boxAt(picture, 'mdia/mdhd').readUInt32BE(12);
    assert.equal((timescale / stts.readUInt32BE(12)) * 1001, RATE * 1000);
    // B-frames are delayed by as much as the edit list skips.
    const elst = boxAt(picture, 'edts/elst');
    assert.equal(elst.readUInt32BE(4), 1);
    assert.equal(elst.readInt32BE(12), boxAt(picture, 'mdia/minf/stbl/ctts').readUInt32BE(12));
  });

  test('has AAC-LC stereo at 48 kHz, whose run-up is skipped', () => {
    const { audio } = tracks();
    const entry = boxesIn(boxAt(audio, 'mdia/minf/stbl/stsd').subarray(8))[0];
    assert.equal(entry.type, 'mp4a');
    assert.equal(entry.body.readUInt16BE(16), 2);
    assert.equal(entry.body.readUInt32BE(24) >>> 16, 48_000);
    // ISO/IEC 14496-3, 1.6.2.1: object type 2 is AAC-LC, frequency index 3 is 48 kHz, in the descriptor with tag 5.
    const esds = boxAt(entry.body.subarray(28), 'esds');
    const config = esds.subarray(esds.indexOf(Buffer.from([5, 0x80, 0x80, 0x80])) + 5);
    assert.equal(config[0] >> 3, 2);
    assert.equal(((config[0] & 7) << 1) | (config[1] >> 7), 3);
    assert.equal(boxAt(audio, 'edts/elst').readInt32BE(12), 1024);
  });

  test('plays to its end in a browser', async () => {
    const played = await playInBrowser(outputPath);
    assert.equal(played.error, null);
    assert.deepEqual([played.width, played.height], [TIMELINE.width, TIMELINE.height]);
    assert.ok(Math.abs(played.durationSeconds - SECONDS) < 0.05, `${played.durationSeconds} s`);
    assert.ok(Math.abs(played.endedAtSeconds - SECONDS) < 0.1, `ended at ${played.endedAtSeconds} s`);
    assert.ok(played.frames >= 55, `${played.frames} frames`);
  });
});
