/**
 * The headers of tus 1.0 (tus.io/protocols/resumable-upload): parses those of clients, sends those of the
 * service.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../domain/errors.ts';
import type { Config } from '../../settings/config.ts';
import { invalid } from '../contract/operation.ts';
import { displayName } from './file-name.ts';

export const UPLOADS_PATH = '/api/v1/uploads';
const VERSION = '1.0.0';
const CHECKSUMS = ['sha1', 'sha256', 'sha512'];

/** Sent with every answer under the uploads' path; an OPTIONS request gets the supported features. */
export function addTusHeaders(config: Config, request: FastifyRequest, reply: FastifyReply): void {
  const path = request.url.split('?', 1)[0];
  if (path !== UPLOADS_PATH && !path.startsWith(`${UPLOADS_PATH}/`)) return;
  void reply.header('tus-resumable', VERSION);
  if (request.method !== 'OPTIONS') return;
  void reply.headers({
    'tus-version': VERSION,
    'tus-extension': 'creation,termination,expiration,checksum',
    'tus-max-size': String(config.MAX_UPLOAD_BYTES),
    'tus-checksum-algorithm': CHECKSUMS.join(','),
  });
}

/** Throws TUS_VERSION_UNSUPPORTED, which the protocol requires before any other check. */
export function requireTusVersion(request: FastifyRequest, reply: FastifyReply): void {
  const version = request.headers['tus-resumable'];
  if (version === VERSION) return;
  void reply.header('tus-version', VERSION);
  const found = version === undefined ? 'is missing' : `is ${JSON.stringify(String(version).slice(0, 50))}`;
  throw new Failure('TUS_VERSION_UNSUPPORTED', `The header Tus-Resumable ${found}; send ${VERSION}`);
}

/** Throws VALIDATION_ERROR when the header is missing or not a count of bytes. */
export function byteCount(request: FastifyRequest, header: 'Upload-Length' | 'Upload-Offset'): number {
  const value = String(request.headers[header.toLowerCase()] ?? '');
  const count = /^\d{1,15}$/.test(value) ? Number(value) : null;
  if (count === null) throw invalid([{ path: header, message: 'must be a number of bytes' }]);
  return count;
}

/** What a client must do in place of an extension that is not supported. */
const UNSUPPORTED_HEADERS = {
  'Upload-Concat': 'is not supported: send the file as one upload (`parallelUploads: 1` of tus-js-client)',
  'Upload-Defer-Length': 'is not supported: send Upload-Length (no `uploadLengthDeferred` of tus-js-client)',
};

/** Throws VALIDATION_ERROR: otherwise the parts of a file would arrive, and then be refused as videos. */
export function assertSupported(request: FastifyRequest): void {
  const fields = Object.entries(UNSUPPORTED_HEADERS)
    .filter(([header]) => request.headers[header.toLowerCase()] !== undefined)
    .map(([path, message]) => ({ path, message }));
  if (fields.length > 0) throw invalid(fields);
}

/**
 * `Upload-Metadata` in its received form, and the file's name in it for display. Clients without metadata send an empty header
 * (tus-py-client). Throws VALIDATION_ERROR.
 */
export function uploadMetadata(request: FastifyRequest): { text: string | null; fileName: string } {
  const text = String(request.headers['upload-metadata'] ?? '');
  if (text.trim() === '') return { text: null, fileName: displayName(undefined) };
  const pairs = new Map<string, string>();
  for (const pair of text.split(',').filter((one) => one.trim() !== '')) {
    const match = /^\s*([\x21-\x2b\x2d-\x7e]+)(?: ([A-Za-z0-9+/]*={0,2}))?\s*$/.exec(pair);
    if (match === null) {
      throw invalid([{ path: 'Upload-Metadata', message: 'must be pairs of a key and a value in base64' }]);
    }
    pairs.set(match[1], Buffer.from(match[2] ?? '', 'base64').toString('utf8'));
  }
  return { text, fileName: displayName(pairs.get('filename') ?? pairs.get('name')) };
}

/** The checksum of one piece of the file; null when the client sent none. Throws VALIDATION_ERROR. */
export function pieceChecksum(request: FastifyRequest): { algorithm: string; digest: string } | null {
  const header = request.headers['upload-checksum'];
  if (header === undefined) return null;
  const [algorithm = '', digest = ''] = String(header).split(' ');
  if (!CHECKSUMS.includes(algorithm)) {
    throw invalid([{ path: 'Upload-Checksum', message: `must begin with one of ${CHECKSUMS.join(', ')}` }]);
  }
  return { algorithm, digest };
}
