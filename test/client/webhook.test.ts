import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verifyWebhook } from '../../src/client/client.ts';
import { newSecret, signedHeaders } from '../../src/webhooks/sign.ts';

const BODY = '{"success":true,"message":"Job completed — ✓","type":"job.completed","data":{"job_id":"1"}}';
const [OLD, NEW, OTHER] = [newSecret(), newSecret(), newSecret()] as const;
const headersAt = (seconds: number) =>
  signedHeaders('msg_1', BODY, [OLD, NEW], new Date(Date.now() + seconds * 1000));
const good = headersAt(0);

test('a signature by any secret is valid, for any form of body and headers', async () => {
  const bytes = new TextEncoder().encode(BODY);
  for (const [body, headers, secrets] of [
    [BODY, good, NEW],
    [BODY, good, [OTHER, OLD]],
    [bytes, new Headers(good), [NEW]],
    [
      bytes,
      {
        'Webhook-Id': 'msg_1',
        'WEBHOOK-TIMESTAMP': [good['webhook-timestamp']],
        'webhook-signature': good['webhook-signature'],
      },
      [NEW],
    ],
    [BODY, headersAt(-295), NEW],
    [BODY, headersAt(295), NEW],
  ] as const) {
    assert.equal((await verifyWebhook(body, headers, secrets)).data.job_id, '1');
  }
});

test('anything else is refused', async () => {
  const { 'webhook-id': _, ...nameless } = good;
  for (const [body, headers, secrets, why] of [
    [`${BODY} `, good, NEW, /byte for byte/],
    [BODY, good, OTHER, /no signature matches/],
    [BODY, good, [], /no signature matches/],
    [BODY, { ...good, 'webhook-id': 'msg_2' }, NEW, /no signature matches/],
    [BODY, { ...good, 'webhook-signature': `v2,${good['webhook-signature'].slice(3)}` }, OLD, /no signature/],
    [BODY, { ...good, 'webhook-signature': 'v1,!' }, NEW, /no signature matches/],
    [BODY, nameless, NEW, /header webhook-id is missing/],
    [BODY, headersAt(-305), NEW, /within 300 s/],
    [BODY, headersAt(305), NEW, /within 300 s/],
    [BODY, { ...good, 'webhook-timestamp': 'now' }, NEW, /"now"/],
  ] as const) {
    await assert.rejects(verifyWebhook(body, headers, secrets), (error: Error) => {
      assert.equal((error as Error & { code: string }).code, 'WEBHOOK_REFUSED');
      assert.match(error.message, why);
      return true;
    });
  }
  await assert.rejects(verifyWebhook(BODY, good, 'not-a-secret'), /whsec_/);
});

test('the tolerance of age can be chosen', async () => {
  await verifyWebhook(BODY, headersAt(-1000), NEW, { toleranceSeconds: 2000 });
  await assert.rejects(verifyWebhook(BODY, headersAt(-20), NEW, { toleranceSeconds: 10 }));
});
