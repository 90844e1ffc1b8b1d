/** Which pages may show the service's answers: `Cross-Origin-Resource-Policy` by the page that a browser reports. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { upload } from '../support/client.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { openHttp } from '../support/http.ts';
import { openShared } from '../support/jobs.ts';

const place = await openShared();
after(() => place[Symbol.asyncDispose]());
const clip = await makeClip(temporaryFolder(), { name: 'clip', durationSeconds: 1 });

const APP = 'https://app.example.com';
const EVIL = 'https://evil.test';
const SETTINGS = { none: '', app: `${APP},http://localhost:3000`, any: '*' } as const;

const ROWS: readonly {
  readonly page: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The settings under which the page may show the answer. */
  readonly allowedBy: readonly (keyof typeof SETTINGS)[];
}[] = [
  { page: 'a program', headers: {}, allowedBy: ['any'] },
  { page: 'an allowed page', headers: { referer: `${APP}/` }, allowedBy: ['app', 'any'] },
  { page: 'its whole address', headers: { referer: `${APP}/a?b#c` }, allowedBy: ['app', 'any'] },
  { page: 'an allowed page in CORS mode', headers: { origin: APP }, allowedBy: ['app', 'any'] },
  { page: 'another page', headers: { referer: `${EVIL}/` }, allowedBy: ['any'] },
  { page: 'a page that hides itself', headers: { 'sec-fetch-site': 'cross-site' }, allowedBy: ['any'] },
  { page: 'the name as a path', headers: { referer: `${EVIL}/${APP}/` }, allowedBy: ['any'] },
  {
    page: 'the name as a user',
    headers: { referer: `https://app.example.com@evil.test/` },
    allowedBy: ['any'],
  },
  { page: 'the name as a beginning', headers: { referer: `${APP}.evil.test/` }, allowedBy: ['any'] },
  { page: 'another scheme', headers: { referer: 'http://app.example.com/' }, allowedBy: ['any'] },
  { page: 'another port', headers: { referer: `${APP}:8443/` }, allowedBy: ['any'] },
  { page: 'no address', headers: { referer: 'app.example.com' }, allowedBy: ['any'] },
  { page: 'an opaque origin', headers: { origin: 'null' }, allowedBy: ['any'] },
  {
    page: 'another origin than its referrer',
    headers: { origin: EVIL, referer: `${APP}/` },
    allowedBy: ['any'],
  },
];

for (const [setting, CORS_ORIGINS] of Object.entries(SETTINGS)) {
  describe(`CORS_ORIGINS=${CORS_ORIGINS}`, async () => {
    const service = await openHttp({ CORS_ORIGINS }, { shared: place.shared });
    after(() => service[Symbol.asyncDispose]());
    const { data } = (await upload(service.baseUrl, clip)).body;
    const file = `/api/v1/videos/${data.video_id}/file`;
    for (const { page, headers, allowedBy } of ROWS) {
      test(page, async () => {
        const isAllowed = allowedBy.some((name) => name === setting);
        for (const path of [file, '/api/v1/jobs', '/api/v1/nothing', `${file}?sha256=${'0'.repeat(64)}`]) {
          const answer = await fetch(service.baseUrl + path, { headers });
          await answer.arrayBuffer();
          const policy = answer.headers.get('cross-origin-resource-policy');
          assert.equal(policy, isAllowed ? 'cross-origin' : 'same-origin', path);
          const vary = { none: 'Origin', app: 'Origin, Referer', any: null }[setting];
          assert.equal(answer.headers.get('vary'), vary, 'a cache asks again for another page');
        }
      });
    }

    test('an address with the hash of the file, as in reports', async () => {
      for (const [method, headers, status] of [
        ['GET', {}, 200],
        ['HEAD', {}, 200],
        ['GET', { range: 'bytes=0-9' }, 206],
        ['GET', { 'if-none-match': `"${data.sha256}"` }, 304],
      ] as const) {
        const answer = await fetch(`${service.baseUrl}${file}?sha256=${data.sha256}`, { method, headers });
        await answer.arrayBuffer();
        assert.equal(answer.status, status);
        assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
      }
    });
  });
}
