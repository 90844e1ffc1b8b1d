/** A real browser, where the machine has one: plays a file to its end and says what it saw. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Null: there is none. */
export function findBrowser(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(existsSync) ?? null;
}

export interface Played {
  readonly error: string | null;
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly endedAtSeconds: number;
  readonly frames: number;
}

const PAGE = `<!doctype html><video muted></video><script>
const video = document.querySelector('video');
const answer = (error) => fetch('/answer', { method: 'POST', body: JSON.stringify({ error, width: video.videoWidth,
  height: video.videoHeight, durationSeconds: video.duration, endedAtSeconds: video.currentTime,
  frames: video.getVideoPlaybackQuality().totalVideoFrames }) });
video.onended = () => answer(null);
video.onerror = () => answer(video.error.message);
video.src = '/video.mp4';
video.play().catch((error) => answer(String(error)));
</script>`;

/** Plays a local MP4 muted. Throws when the browser does not answer in time. */
export async function playInBrowser(browser: string, path: string): Promise<Played> {
  const answer = Promise.withResolvers<Played>();
  const server = createServer((request, response) => {
    if (request.url === '/') response.setHeader('Content-Type', 'text/html').end(PAGE);
    else if (request.url === '/video.mp4')
      response.setHeader('Content-Type', 'video/mp4').end(readFileSync(path));
    else if (request.url === '/answer') {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        response.end();
        answer.resolve(JSON.parse(text));
      });
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const profile = await mkdtemp(join(tmpdir(), 'styledna-browser-'));
  const child = spawn(
    browser,
    [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--autoplay-policy=no-user-gesture-required',
      `--user-data-dir=${profile}`,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    ],
    { stdio: 'ignore', detached: true },
  );
  const late = setTimeout(() => answer.reject(new Error('The browser gave no answer')), 60_000);
  child.once('error', answer.reject);
  try {
    return await answer.promise;
  } finally {
    clearTimeout(late);
    const gone = new Promise((resolve) => child.once('exit', resolve));
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    await gone;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}
