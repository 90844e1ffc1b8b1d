/** The player's clock by the system's time, as Node has no sound device, and by a device of the test. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Clock } from '../../../web/src/player/clock.ts';

test('it runs from its start, rests while it is held or stopped, and never goes back', async (t) => {
  let systemSeconds = 1000;
  t.mock.method(performance, 'now', () => systemSeconds * 1000);
  const clock = new Clock();
  assert.equal(clock.seconds, 0);
  // [command, seconds of the system that pass after it, position then]
  const rows: readonly (readonly [string, () => void | Promise<void>, number, number])[] = [
    ['before its start', () => clock.open(), 5, 0],
    ['started', () => clock.start(3), 2, 5],
    ['released without a hold', () => clock.release(), 1, 6],
    ['the system’s time goes back', () => {}, -2, 6],
    ['and continues', () => {}, 3, 7],
    ['held', () => clock.hold(), 4, 7],
    ['held twice', () => clock.hold(), 4, 7],
    ['released', () => clock.release(), 1, 8],
    ['stopped', () => clock.stop(), 9, 8],
    ['held while stopped', () => clock.hold(), 1, 8],
    ['started earlier', () => clock.start(2), 0.5, 2.5],
    ['sound has no device', () => clock.schedule(2, new Float32Array(9), new Float32Array(9)), 1, 3.5],
    ['closed', () => clock.close(), 0.5, 4],
  ];
  for (const [name, command, passed, expected] of rows) {
    await command();
    systemSeconds += passed;
    assert.ok(Math.abs(clock.seconds - expected) < 1e-9, `${name}: ${clock.seconds}`);
  }
});

interface PlayedNode {
  buffer: { readonly data: readonly Float32Array[] } | null;
  output: unknown;
  stops: number;
  onended: () => void;
}

/** A sound device as of Web Audio, whose time the test sets. */
function withDevice(t: TestContext, startsAfterMs: number) {
  const device = {
    currentTime: 10,
    state: 'suspended',
    timestamp: {} as { readonly contextTime?: number; readonly performanceTime?: number },
    calls: [] as string[],
    options: [] as unknown[],
    gains: [] as { readonly value: number; readonly output: unknown }[],
    played: [] as { readonly node: PlayedNode; readonly at: number; readonly from: number }[],
  };
  class AudioContext {
    readonly destination = 'loudspeaker';
    constructor(options: unknown) {
      device.options.push(options);
    }
    get currentTime() {
      return device.currentTime;
    }
    get state() {
      return device.state;
    }
    async resume() {
      device.calls.push('resume');
      if (startsAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, startsAfterMs));
      device.state = 'running';
    }
    async suspend() {
      device.calls.push('suspend');
    }
    async close() {
      device.calls.push('close');
    }
    getOutputTimestamp() {
      return device.timestamp;
    }
    createGain() {
      const made = { value: 1, output: null as unknown };
      device.gains.push(made);
      return Object.assign(connectable(made), { gain: made });
    }
    createBuffer(channels: number, length: number, rate: number) {
      const data: Float32Array[] = Array.from({ length: channels });
      const copyToChannel = (from: Float32Array, channel: number) => {
        data[channel] = from;
      };
      return { data, duration: length / rate, copyToChannel };
    }
    createBufferSource() {
      const node = connectable({ buffer: null, output: null, stops: 0, onended: () => {} } as PlayedNode);
      return Object.assign(node, {
        start: (at: number, from: number) => device.played.push({ node, at, from }),
        stop: () => node.stops++,
      });
    }
  }
  Object.assign(globalThis, { AudioContext });
  t.after(() => Reflect.deleteProperty(globalThis, 'AudioContext'));
  return device;
}

function connectable<Node extends { output: unknown }>(node: Node) {
  const connect = (to: unknown) => {
    node.output = to;
  };
  return Object.assign(node, { connect });
}

const near = (value: number, expected: number) =>
  assert.ok(Math.abs(value - expected) < 1e-9, `${value} instead of ${expected}`);

test('with a device it is the time of the sample that leaves the device, from .06 s after its start', async (t) => {
  let now = 500;
  t.mock.method(performance, 'now', () => now * 1000);
  const device = withDevice(t, 0);
  const clock = new Clock();
  clock.volume = 0.4;
  await clock.open();
  assert.deepEqual(device.options, [{ sampleRate: 48_000, latencyHint: 'interactive' }]);
  assert.deepEqual([device.gains[0]!.value, device.gains[0]!.output], [0.4, 'loudspeaker']);
  clock.volume = 0.7;
  assert.equal(device.gains[0]!.value, 0.7);
  // .1 s of latency.
  device.timestamp = { contextTime: 9.9, performanceTime: 500_000 };
  clock.start(3);
  near(clock.seconds, 3);
  [now, device.currentTime] = [501, 11];
  near(clock.seconds, 3.94);
  // A device that is suspended reports an old time.
  [now, device.currentTime] = [506, 11.2];
  near(clock.seconds, 4.24);
  // Without a timestamp it is the device's own time.
  device.currentTime = 12;
  for (const timestamp of [
    {},
    { contextTime: 0, performanceTime: 1 },
    { contextTime: 5 },
    { performanceTime: 5 },
  ]) {
    device.timestamp = timestamp;
    device.currentTime += 1;
    near(clock.seconds, device.currentTime - 6.96);
  }
  clock.hold();
  assert.equal(device.calls.at(-1), 'suspend');
  await clock.release();
  assert.equal(device.calls.at(-1), 'resume');
  clock.close();
  assert.equal(device.calls.at(-1), 'close');
});

test('plays blocks at their positions, and leaves out what is past', async (t) => {
  const device = withDevice(t, 0);
  const clock = new Clock();
  await clock.open();
  clock.start(3);
  // Position 3 is heard at second 10.06 of the device.
  const [left, right] = [new Float32Array(24_000), new Float32Array(24_000)];
  for (const currentTime of [10, 10.66, 11.05, 11.07]) {
    device.currentTime = currentTime;
    clock.schedule(3.5, left, right);
  }
  const found = device.played.map(({ at, from }) => [Number(at.toFixed(6)), Number(from.toFixed(6))]);
  assert.deepEqual(found, [
    [10.56, 0],
    [10.66, 0.1],
    [11.05, 0.49],
  ]);
  const [first, ...later] = device.played.map(({ node }) => node);
  assert.equal(first!.buffer!.data.length, 2);
  assert.ok(first!.buffer!.data[0] === left && first!.buffer!.data[1] === right);
  assert.ok(first!.output !== null && (first!.output as { output: unknown }).output === 'loudspeaker');
  first!.onended();
  clock.stop();
  clock.stop();
  assert.deepEqual([first!.stops, ...later.map(({ stops }) => stops)], [0, 1, 1]);
});

test('a device that does not begin within .4 s is replaced by the system’s time', async (t) => {
  for (const [startsAfterMs, hasDevice] of [
    [399, true],
    [401, false],
  ] as const) {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const device = withDevice(t, startsAfterMs);
    const clock = new Clock();
    const opened = clock.open();
    t.mock.timers.tick(399);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    t.mock.timers.tick(1);
    await opened;
    clock.start(0);
    clock.schedule(1, new Float32Array(9), new Float32Array(9));
    assert.equal(device.played.length, hasDevice ? 1 : 0, `${startsAfterMs} ms`);
    t.mock.timers.reset();
  }
});
