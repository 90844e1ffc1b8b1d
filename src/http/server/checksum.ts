import { createHash, type Hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Failure } from '../../domain/errors.ts';
import { invalid } from '../contract/operation.ts';

/** A digest that a request claims, in lower-case hexadecimal. */
interface Claim {
  readonly header: string;
  readonly algorithm: 'sha256' | 'sha512';
  readonly digest: string;
  /** Whether the digest may be the digest of the whole body instead of the file. */
  readonly mayBeBody: boolean;
}

const ALGORITHMS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;
const BYTES = { sha256: 32, sha512: 64 };

/**
 * Hashes an upload while it is received and compares it with the client's claims. `Content-Digest` (RFC 9530)
 * is strictly the digest of the multipart body; many clients send the file's instead, so both are accepted.
 */
export class UploadChecksum {
  readonly #claims: readonly Claim[];
  readonly #sha256 = createHash('sha256');
  readonly #file = new Map<string, Hash>();
  readonly #body = new Map<string, Hash>();
  sizeBytes = 0;

  /** Throws VALIDATION_ERROR for a malformed claim. */
  constructor(headers: IncomingHttpHeaders) {
    this.#claims = [...checksumClaims(headers), ...digestClaims(headers)];
    for (const { algorithm, mayBeBody } of this.#claims) {
      if (algorithm !== 'sha256') this.#file.set(algorithm, createHash(algorithm));
      if (mayBeBody) this.#body.set(algorithm, createHash(algorithm));
    }
  }

  async *body(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      for (const hash of this.#body.values()) hash.update(chunk);
      yield chunk;
    }
  }

  async *file(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.sizeBytes += chunk.length;
      this.#sha256.update(chunk);
      for (const hash of this.#file.values()) hash.update(chunk);
      yield chunk;
    }
  }

  /** Ends the hashing and returns the file's SHA-256 in hexadecimal. Throws CHECKSUM_MISMATCH. */
  finish(): string {
    const sha256 = this.#sha256.digest('hex');
    const file = new Map([['sha256', sha256]]);
    for (const [algorithm, hash] of this.#file) file.set(algorithm, hash.digest('hex'));
    const body = new Map([...this.#body].map(([algorithm, hash]) => [algorithm, hash.digest('hex')]));
    for (const { header, algorithm, digest, mayBeBody } of this.#claims) {
      if (digest === file.get(algorithm) || (mayBeBody && digest === body.get(algorithm))) continue;
      throw new Failure(
        'CHECKSUM_MISMATCH',
        `${header} is ${digest}, but the received file has ${file.get(algorithm)}`,
      );
    }
    return sha256;
  }
}

function checksumClaims(headers: IncomingHttpHeaders): Claim[] {
  const header = 'X-Checksum-Sha256';
  const value = headers['x-checksum-sha256'];
  if (value === undefined) return [];
  const text = String(value).trim();
  const digest = /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : fromBase64(text, 'sha256');
  if (digest === null) {
    throw invalid([{ path: header, message: 'must be a SHA-256 in hexadecimal or base64' }]);
  }
  return [{ header, algorithm: 'sha256', digest, mayBeBody: false }];
}

/** A dictionary of RFC 8941: `sha-256=:base64:, …`. Unknown algorithms are ignored, as RFC 9530 requires. */
function digestClaims(headers: IncomingHttpHeaders): Claim[] {
  const header = 'Content-Digest';
  const value = headers['content-digest'];
  if (value === undefined) return [];
  const claims: Claim[] = [];
  for (const member of String(value).split(',')) {
    const match = /^\s*([a-z0-9*_.-]+)=:([A-Za-z0-9+/=]*):\s*$/.exec(member);
    if (match === null) throw invalid([{ path: header, message: 'must be like sha-256=:base64:' }]);
    const algorithm = ALGORITHMS[match[1] as keyof typeof ALGORITHMS];
    if (algorithm === undefined) continue;
    const digest = fromBase64(match[2], algorithm);
    if (digest === null) {
      throw invalid([{ path: header, message: `${match[1]} must have ${BYTES[algorithm]} bytes` }]);
    }
    claims.push({ header, algorithm, digest, mayBeBody: true });
  }
  return claims;
}

function fromBase64(text: string, algorithm: keyof typeof BYTES): string | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === BYTES[algorithm] ? bytes.toString('hex') : null;
}
