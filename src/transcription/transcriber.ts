import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../domain/errors.ts';
import { type Transcript, type TranscriptionEngine, TranscriptionFailure } from '../domain/transcription.ts';
import { vetTarget } from '../network/address-guard.ts';
import { BadResponse } from '../network/guarded-http.ts';
import { responseHead } from '../network/response-head.ts';
import { vettedAddresses } from '../network/vetted-address.ts';
import { type AnswerLimits, answerLimits, limitReason } from './answer-limits.ts';
import { type AnswerTask, readAnswer, unusable } from './answer-reader.ts';
import { onOneLine } from './answer-text.ts';

const ENDPOINT = '/v1/audio/transcriptions';
/** Of an answer with an error, whose beginning is quoted. */
const MAX_ERROR_BYTES = 16 << 10;
/** Large models without a graphics chip take up to four times as long as the sound. */
const SECONDS_PER_SECOND = 4;
/** For short sounds: an engine may load its model first. */
const LEAST_SECONDS = 60;
/** Delays before each further attempt: an engine that restarts loads its model for up to half a minute. */
const RETRY_SECONDS = [2, 8, 30];
/** A longer `Retry-After` is the job's retry, not this request's. */
const MAX_RETRY_AFTER_SECONDS = 60;

export interface TranscriberSettings {
  /** Root of the engine, or the whole address of its endpoint. */
  readonly url: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
  /** Private networks that may be called, in CIDR notation. */
  readonly networks: () => Promise<readonly string[]>;
  /** Delays before each further attempt. */
  readonly retrySeconds?: readonly number[];
  /** Longest time for an answer, per second of sound. */
  readonly secondsPerSecond?: number;
  /** Added to it. */
  readonly leastSeconds?: number;
}

/**
 * Client of an engine with OpenAI's `POST /v1/audio/transcriptions` and word times: OpenAI, whisper.cpp's server, Speaches and others.
 * The address rule of webhooks applies to it; redirects are not followed.
 */
export class Transcriber implements TranscriptionEngine {
  readonly #settings: TranscriberSettings;
  readonly #url: string;

  constructor(settings: TranscriberSettings) {
    this.#settings = settings;
    this.#url = endpointOf(settings.url);
  }

  get identity(): readonly string[] {
    return [this.#url, this.#settings.model];
  }

  async transcribe(wave: Buffer, durationSeconds: number, signal: AbortSignal): Promise<Transcript> {
    const limits = answerLimits(durationSeconds);
    const delays = this.#settings.retrySeconds ?? RETRY_SECONDS;
    for (let tries = 0; ; tries++) {
      try {
        return await readAnswer(await this.#response(wave, limits, signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof TranscriptionFailure && error.isPassing) || tries >= delays.length)
          throw error;
        const seconds = Math.max(delays[tries], error.retryAfterSeconds);
        if (seconds > MAX_RETRY_AFTER_SECONDS) throw error;
        await sleep(seconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
      }
    }
  }

  async #response(wave: Buffer, limits: AnswerLimits, signal: AbortSignal): Promise<AnswerTask> {
    const { model, apiKey, secondsPerSecond, leastSeconds } = this.#settings;
    const limitSeconds =
      (leastSeconds ?? LEAST_SECONDS) + (secondsPerSecond ?? SECONDS_PER_SECOND) * limits.durationSeconds;
    const late = AbortSignal.timeout(Math.ceil(limitSeconds * 1000));
    const whole = AbortSignal.any([signal, late]);
    const { body, contentType } = formOf(wave, model);
    try {
      const networks = await this.#settings.networks();
      const url = vetTarget(this.#url, networks, forbidden);
      const addresses = await vettedAddresses(url, networks, whole, {
        forbidden: () =>
          forbidden('Its name resolves to an address that WEBHOOK_ALLOWED_NETWORKS does not name.'),
      });
      const headers = {
        'content-type': contentType,
        'content-length': body.length,
        'user-agent': 'StyleDNA-Transcription/1',
        'accept-encoding': 'identity',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      };
      const response = await responseHead({ url, addresses, headers, body }, { head: whole, whole });
      return await answerOf(response, limits);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (late.aborted)
        throw new TranscriptionFailure(`it did not answer within ${Math.ceil(limitSeconds)} s`);
      throw failureOf(error);
    }
  }
}

/** Throws `TranscriptionFailure` for an error status, and for an answer that is compressed, too long, or ends early. */
async function answerOf(response: IncomingMessage, limits: AnswerLimits): Promise<AnswerTask> {
  try {
    const { statusCode = 0, headers } = response;
    if (statusCode !== 200) throw await refusalOf(response, statusCode);
    const coding = codingOf(response);
    if (coding !== null)
      throw new TranscriptionFailure(`its answer is compressed (${coding}); identity was requested`);
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of response as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > limits.bytes)
        throw unusable(
          `its answer is longer than ${Math.ceil(limits.bytes / 1024)} KiB, ${limitReason(limits)}`,
        );
      parts.push(part);
    }
    return { bytes: Buffer.concat(parts), contentType: headers['content-type'] ?? '', limits };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    const message = 'it closed the connection within its answer';
    throw new TranscriptionFailure(message, { isPassing: true });
  } finally {
    response.destroy();
  }
}

/** The name of a compression; null: none. */
function codingOf({ headers }: IncomingMessage): string | null {
  const coding = onOneLine(headers['content-encoding'] ?? '').slice(0, 60);
  return coding === '' || coding.toLowerCase() === 'identity' ? null : coding;
}

async function refusalOf(response: IncomingMessage, statusCode: number): Promise<TranscriptionFailure> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes > MAX_ERROR_BYTES) break;
  }
  const text =
    codingOf(response) === null ? Buffer.concat(parts).subarray(0, MAX_ERROR_BYTES).toString() : '';
  const isPassing = statusCode >= 500 || statusCode === 408 || statusCode === 429;
  const retryAfterSeconds = Number(response.headers['retry-after']) || 0;
  const isRedirect = response.headers.location !== undefined && statusCode >= 300 && statusCode < 400;
  const reason = isRedirect ? ', a redirect: TRANSCRIPTION_URL must be the final address' : quoted(text);
  return new TranscriptionFailure(`it answered ${statusCode}${reason}`, {
    isPassing,
    retryAfterSeconds,
  });
}

/** The beginning of an engine's own error text, on one line. */
function quoted(text: string): string {
  const line = onOneLine(text);
  return line === '' ? '' : `: ${line.slice(0, 200)}`;
}

function failureOf(error: unknown): TranscriptionFailure {
  if (error instanceof TranscriptionFailure) return error;
  if (error instanceof Failure) return new TranscriptionFailure(error.detail);
  if (error instanceof BadResponse) return new TranscriptionFailure(`it ${error.message}`);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code?.startsWith('HPE_')) return new TranscriptionFailure(`it does not answer with HTTP (${code})`);
  return new TranscriptionFailure(`it cannot be reached (${code ?? message})`, { isPassing: true });
}

function forbidden(why: string): Failure {
  return new Failure('TRANSCRIPTION_FAILED', `its address (TRANSCRIPTION_URL) cannot be used. ${why}`);
}

/** An address without a path, or ending in `/v1`, is the engine's root. */
function endpointOf(text: string): string {
  const url = new URL(text);
  if (/^\/(v1\/?)?$/.test(url.pathname)) url.pathname = ENDPOINT;
  return url.href;
}

/** RFC 7578. Segments are requested too, for engines without words. */
function formOf(wave: Buffer, model: string): { readonly body: Buffer; readonly contentType: string } {
  const boundary = `styledna-${randomBytes(16).toString('hex')}`;
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head = [
    field('model', model),
    field('response_format', 'verbose_json'),
    field('timestamp_granularities[]', 'word'),
    field('timestamp_granularities[]', 'segment'),
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="sound.wav"\r\ncontent-type: audio/wav\r\n\r\n`,
  ].join('');
  const body = Buffer.concat([Buffer.from(head), wave, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}
