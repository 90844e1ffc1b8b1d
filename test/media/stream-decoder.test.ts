import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Packet } from 'node-av/lib';
import { DecodeLosses } from '../../src/media/av/decode-losses.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { type PacketSource, StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';

test('empty packets, which repeat a picture, are neither the end nor a loss', async () => {
  const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1, silent: true });
  using input = await openInput(clip);
  const [packet, empty] = [new Packet(), new Packet()];
  packet.alloc();
  empty.alloc();
  let count = 0;
  const packets: PacketSource = {
    next() {
      if (count++ % 2 === 1) {
        empty.pts = packet.pts;
        return empty;
      }
      packet.unref();
      return input.read(packet) ? packet : null;
    },
    [Symbol.dispose]() {
      packet.free();
      empty.free();
    },
  };
  const losses = new DecodeLosses();
  using decoder = await StreamDecoder.open(input, input.video!, { packets, losses });
  while (decoder.next() !== null);
  losses.finish();
  assert.deepEqual([decoder.frameCount, decoder.errorCount, losses.spans], [25, 0, []]);
});
