import { randomUUID } from 'node:crypto';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { S3Settings } from '../../src/settings/config.ts';
import { newS3Client } from '../../src/storage/s3-client.ts';

const setting = (name: string) => process.env[`TEST_S3_${name}`];

/** Why there is no S3 server to test with, or null when there is one. */
export function s3Missing(): string | null {
  const names = ['ENDPOINT', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'];
  return names.every((name) => setting(name) !== undefined)
    ? null
    : `needs ${names.map((name) => `TEST_S3_${name}`).join(', ')}`;
}

/** An empty bucket of its own. */
export async function newBucket(): Promise<S3Settings> {
  const settings = {
    endpoint: setting('ENDPOINT')!,
    bucket: `test-${randomUUID()}`,
    region: setting('REGION') ?? 'us-east-1',
    accessKeyId: setting('ACCESS_KEY_ID')!,
    secretAccessKey: setting('SECRET_ACCESS_KEY')!,
  };
  const client = newS3Client(settings);
  await client.send(new CreateBucketCommand({ Bucket: settings.bucket }));
  client.destroy();
  return settings;
}

/** The same for a service. */
export function s3Environment(settings: S3Settings): Record<string, string> {
  return {
    S3_ENDPOINT: settings.endpoint!,
    S3_BUCKET: settings.bucket,
    S3_REGION: settings.region,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
  };
}
