/** A worker of the player: decodes pictures, or mixes sound and computes the tables of grades. */
import { cubeOf } from '../../../src/style/look/grade.ts';
import type { FromWorker, ToWorker } from './messages.ts';
import { PictureFeed } from './picture-feed.ts';
import { SoundMixer } from './sound-mixer.ts';

interface WorkerScope {
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
  postMessage(message: FromWorker, transfer: Transferable[]): void;
}

const scope = globalThis as unknown as WorkerScope;
const feed = new PictureFeed((message, transfer) => scope.postMessage(message, transfer));
const mixer = new SoundMixer();
/** Blocks are mixed one after another. */
let mixing: Promise<void> = Promise.resolve();
/** Blocks of earlier runs are left out. */
let soundRun = -1;

scope.onmessage = ({ data: message }) => {
  switch (message.type) {
    case 'files':
      feed.setFiles(message.files, message.asImages);
      mixing = mixing.then(() => mixer.setFiles(message.files));
      break;
    case 'arrived':
      feed.replaceFiles(message.files);
      mixing = mixing.then(() => mixer.setFiles(message.files));
      break;
    case 'show':
      feed.show(message.run, message.number);
      break;
    case 'play':
      feed.play(message.run, message.number);
      break;
    case 'shown':
      feed.shown(message.run, message.number);
      break;
    case 'stop':
      feed.stop();
      break;
    case 'cube':
      scope.postMessage({ type: 'cube', key: message.key, cube: cubeOf(message.grade) }, []);
      break;
    case 'sound':
      soundRun = Math.max(soundRun, message.run);
      mixing = mixing.then(() => mix(message.run, message.from, message.count));
      break;
  }
};

async function mix(run: number, from: number, count: number): Promise<void> {
  if (run < soundRun) return;
  try {
    const [left, right] = await mixer.mix(from, count);
    scope.postMessage({ type: 'sound', run, from, left, right }, [left.buffer, right.buffer]);
  } catch {
    // The picture is played without it.
    const silence = () => new Float32Array(count);
    scope.postMessage({ type: 'sound', run, from, left: silence(), right: silence() }, []);
  }
}
