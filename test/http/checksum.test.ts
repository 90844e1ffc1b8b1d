import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { UploadChecksum } from '../../src/http/server/checksum.ts';

const file = Buffer.from('the file');
const body = Buffer.from('--b\r\n…the file…--b--');
const digest = (data: Buffer, algorithm: string, encoding: 'hex' | 'base64') =>
  createHash(algorithm).update(data).digest(encoding);

const file256 = digest(file, 'sha256', 'base64');
const file512 = digest(file, 'sha512', 'base64');
const body256 = digest(body, 'sha256', 'base64');
const zeros = Buffer.alloc(32).toString('base64');

for (const [name, value, code] of [
  ['x-checksum-sha256', digest(file, 'sha256', 'hex'), null],
  ['x-checksum-sha256', digest(file, 'sha256', 'hex').toUpperCase(), null],
  ['x-checksum-sha256', file256, null],
  ['x-checksum-sha256', body256, 'CHECKSUM_MISMATCH'],
  ['x-checksum-sha256', zeros, 'CHECKSUM_MISMATCH'],
  ['x-checksum-sha256', '', 'VALIDATION_ERROR'],
  ['x-checksum-sha256', 'abc', 'VALIDATION_ERROR'],
  ['content-digest', `sha-256=:${file256}:`, null],
  ['content-digest', `sha-256=:${body256}:`, null],
  ['content-digest', `sha-512=:${file512}:`, null],
  ['content-digest', `md5=:AAAA:, sha-512=:${file512}:`, null],
  ['content-digest', 'md5=:AAAA:', null],
  ['content-digest', `sha-256=:${zeros}:`, 'CHECKSUM_MISMATCH'],
  ['content-digest', `sha-512=:${file512}:, sha-256=:${zeros}:`, 'CHECKSUM_MISMATCH'],
  ['content-digest', `sha-512=:${file256}:`, 'VALIDATION_ERROR'],
  ['content-digest', `sha-256=${file256}`, 'VALIDATION_ERROR'],
] as const) {
  test(`${name}: ${value.slice(0, 40)} → ${code ?? 'accepted'}`, async () => {
    const check = async () => {
      const checksum = new UploadChecksum({ [name]: value });
      for await (const _ of checksum.body(Readable.from([body.subarray(0, 5), body.subarray(5)])));
      for await (const _ of checksum.file(Readable.from([file.subarray(0, 3), file.subarray(3)])));
      return [checksum.sizeBytes, checksum.finish()];
    };
    if (code === null) assert.deepEqual(await check(), [file.length, digest(file, 'sha256', 'hex')]);
    else await assert.rejects(check, { code });
  });
}
