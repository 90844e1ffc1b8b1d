/** Errors at the start of a service about storage that it cannot use. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { assertBucketUsable } from '../../src/storage/bucket-check.ts';
import { makeFolder } from '../../src/storage/make-folder.ts';
import { openS3Store } from '../../src/storage/s3-store.ts';
import { assertDataDirUsable } from '../../src/storage/start-check.ts';
import { temporaryFolder } from '../support/clips.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

const folder = temporaryFolder();
const SECRET = 'the-secret-of-the-bucket';

describe('folders', () => {
  test('all that are missing are made, by many at once', async () => {
    const deep = join(folder, 'a/b/c/d');
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(deep)));
    assert.ok(statSync(deep).isDirectory());
  });

  for (const [path, code] of [
    ['/proc/none/deep', 'ENOENT'],
    [join(folder, 'file/deep'), 'ENOTDIR'],
    [join(folder, 'file'), 'ENOTDIR'],
    [join(folder, 'x'.repeat(300)), 'ENAMETOOLONG'],
  ] as const) {
    test(`${path.slice(-20)}: ${code}, at once`, async () => {
      writeFileSync(join(folder, 'file'), '');
      await assert.rejects(makeFolder(path), { code });
    });
  }
});

describe('a data directory', () => {
  test('that can be written is made and left clean', async () => {
    const path = join(folder, 'data/new');
    await assertDataDirUsable(path);
    assert.deepEqual(readdirSync(path), []);
    assert.equal(statSync(path).mode & 0o777, 0o700);
  });

  for (const [path, reason] of [
    ['/proc/none', /it cannot be created there \(ENOENT\)/],
    ['/sys/none', /this user has no permission to write there \(E(PERM|ACCES)\)|read-only/],
    [join(folder, 'file/data'), /a part of the path is not a folder \(ENOTDIR\)/],
  ] as const) {
    test(`${path.slice(-12)} is refused with its name and the reason`, async () => {
      writeFileSync(join(folder, 'file'), '');
      await assert.rejects(assertDataDirUsable(path), (error: Error) => {
        assert.equal(error.name, 'ConfigError');
        assert.ok(error.message.startsWith(`DATA_DIR ${path} cannot be used: `), error.message);
        assert.match(error.message, reason);
        return true;
      });
    });
  }

  test('on a full disk', async (t) => {
    using disk = mountSmallDisk(1 << 20);
    if (disk === null) return t.skip('needs the right to mount a small tmpfs');
    mkdirSync(join(disk.folder, 'data'));
    disk.fill(0);
    await assert.rejects(assertDataDirUsable(join(disk.folder, 'data')), /its disk is full \(ENOSPC\)/);
    rmSync(join(disk.folder, 'filler'));
    await assertDataDirUsable(join(disk.folder, 'data'));
  });
});

const settings = (endpoint: string, changes = {}) => ({
  endpoint,
  bucket: 'videos',
  region: 'us-east-1',
  accessKeyId: 'key',
  secretAccessKey: SECRET,
  ...changes,
});

async function refusal(input: ReturnType<typeof settings>): Promise<string> {
  const store = await openS3Store(input, join(folder, 'scratch'));
  const error = await assertBucketUsable(store, input).then(
    () => assert.fail('it was accepted'),
    (thrown: Error) => thrown,
  );
  assert.equal(error.name, 'ConfigError');
  assert.ok(error.message.startsWith(`The bucket "${input.bucket}" at ${input.endpoint} cannot be used: `));
  assert.doesNotMatch(error.message, new RegExp(SECRET));
  return error.message;
}

/** A server that answers everything with one S3 error (Amazon S3 API Reference, "Error Responses"). */
async function answering(status: number, code: string) {
  const server = createServer((_request, answer) => {
    answer.writeHead(status, { 'content-type': 'application/xml' });
    answer.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a bucket is refused with endpoint, bucket, reason and remedy when', () => {
  for (const [status, code, want] of [
    [404, 'NoSuchBucket', /the bucket does not exist \(NoSuchBucket, 404\)\. Create it, or set S3_BUCKET/],
    [403, 'InvalidAccessKeyId', /the credentials are not accepted .* Set S3_ACCESS_KEY_ID/],
    [403, 'SignatureDoesNotMatch', /the credentials are not accepted .* S3_SECRET_ACCESS_KEY/],
    [403, 'AccessDenied', /the credentials do not permit writing .* Give the key the right/],
    [301, 'PermanentRedirect', /it is not in the region us-east-1 .* Set S3_REGION/],
    [400, 'AuthorizationHeaderMalformed', /it is not in the region/],
  ] as const) {
    test(`the server answers ${code}`, async () => {
      using server = await answering(status, code);
      assert.match(await refusal(settings(server.endpoint)), want);
    });
  }

  test('nothing listens there', async () => {
    const text = await refusal(settings('http://127.0.0.1:9'));
    assert.match(
      text,
      /no S3 server answers at this address \(ECONNREFUSED\)\. S3_ENDPOINT must be the address/,
    );
  });

  test('there is no such host', async () => {
    assert.match(await refusal(settings('http://none.invalid:9000')), /\((ENOTFOUND|EAI_AGAIN)\)/);
  });
});

const real = {
  endpoint: process.env['TEST_S3_ENDPOINT'],
  accessKeyId: process.env['TEST_S3_ACCESS_KEY_ID'],
  secretAccessKey: process.env['TEST_S3_SECRET_ACCESS_KEY'],
};

describe('a real server', {
  skip: Object.values(real).includes(undefined) ? 'needs TEST_S3_ENDPOINT and its credentials' : false,
}, () => {
  const input = (changes = {}) =>
    settings(real.endpoint!, {
      accessKeyId: real.accessKeyId,
      secretAccessKey: real.secretAccessKey,
      ...changes,
    });

  test('a bucket that is there is accepted and left clean', async () => {
    const bucket = `start-${randomUUID()}`;
    const { region, endpoint } = input();
    const credentials = { accessKeyId: real.accessKeyId!, secretAccessKey: real.secretAccessKey! };
    const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
    const store = await openS3Store(input({ bucket }), join(folder, 'scratch'));
    await assertBucketUsable(store, input({ bucket }));
    assert.deepEqual(await Array.fromAsync(store.list('check/')), []);
  });

  test('a missing bucket and a wrong secret have different errors', async () => {
    assert.match(await refusal(input({ bucket: `none-${randomUUID()}` })), /the bucket does not exist/);
    assert.match(await refusal(input({ secretAccessKey: SECRET })), /credentials/);
  });
});
