import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

/** A request of a client of OpenAI's `POST /v1/audio/transcriptions`. */
export interface SpeechRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly wave: Buffer;
}

export interface Word {
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

export interface SpeechEngine extends AsyncDisposable {
  /** Root, without a slash at its end. */
  readonly url: string;
  readonly requests: readonly SpeechRequest[];
}

type Answer = (reply: ServerResponse, request: SpeechRequest) => unknown;

export function answerWords(reply: ServerResponse, words: readonly Word[]): void {
  reply.setHeader('content-type', 'application/json');
  reply.end(JSON.stringify({ task: 'transcribe', text: words.map(({ word }) => word).join(' '), words }));
}

/** An engine with answers of the test; the last answer repeats. */
export async function startSpeechEngine(...answers: readonly Answer[]): Promise<SpeechEngine> {
  const requests: SpeechRequest[] = [];
  const server = createServer(async (incoming, reply) => {
    const request = await readRequest(incoming);
    requests.push(request);
    await answers[Math.min(requests.length, answers.length) - 1](reply, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(incoming: IncomingMessage): Promise<SpeechRequest> {
  const { headers } = incoming;
  const body = await buffer(incoming);
  const form = await new Response(body, { headers: { 'content-type': headers['content-type']! } }).formData();
  const names = [...new Set(form.keys())].filter((name) => name !== 'file');
  const file = form.get('file') as File;
  return {
    path: incoming.url!,
    authorization: headers.authorization,
    fields: Object.fromEntries(names.map((name) => [name, form.getAll(name).map(String)])),
    wave: Buffer.from(await file.arrayBuffer()),
  };
}

const POCKETSPHINX = 'pocketsphinx_continuous';

/** Why there is no real engine here; null: there is one. */
export function noPocketsphinx(): string | null {
  try {
    execFileSync('sh', ['-c', `command -v ${POCKETSPHINX} && ls /usr/share/pocketsphinx/model/en-us`]);
    return null;
  } catch {
    return 'pocketsphinx and pocketsphinx-en-us (Debian packages) are not installed';
  }
}

const heard = new Map<string, Promise<Word[]>>();

/** The words that pocketsphinx hears in a WAV file of 16 kHz; the same sound is heard once. */
export function heardByPocketsphinx(wave: Buffer): Promise<Word[]> {
  const sound = createHash('sha256').update(wave).digest('hex');
  const words = heard.get(sound) ?? listen(wave);
  heard.set(sound, words);
  return words;
}

async function listen(wave: Buffer): Promise<Word[]> {
  const folder = mkdtempSync(join(tmpdir(), 'styledna-speech-'));
  try {
    const path = join(folder, 'sound.wav');
    writeFileSync(path, wave);
    const options = ['-infile', path, '-time', 'yes', '-logfn', '/dev/null'];
    const { stdout } = await promisify(execFile)(POCKETSPHINX, options);
    // A line of a word: `counted(3) 1.310 1.730 0.096330`; others are sentences, silence and noise.
    return stdout.split('\n').flatMap((line) => {
      const [, word, start, end] = /^([a-z][a-z']*)(?:\(\d+\))? (\d+\.\d+) (\d+\.\d+) \S+$/.exec(line) ?? [];
      return word === undefined ? [] : [{ word, start: Number(start), end: Number(end) }];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Pocketsphinx behind OpenAI's interface. */
export function startPocketsphinx(): Promise<SpeechEngine> {
  return startSpeechEngine(async (reply, { wave }) => answerWords(reply, await heardByPocketsphinx(wave)));
}
