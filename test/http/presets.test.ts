import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PRESETS } from '../../src/presets/presets.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { assertError, call } from '../support/client.ts';
import { openHttp } from '../support/http.ts';
import { refusalOf } from '../support/sign-in-proxy.ts';

const service = await openHttp();
after(() => service[Symbol.asyncDispose]());
const { baseUrl } = service;

test('the presets are listed with their styles, and each has its picture', async () => {
  const { status, body } = await call(baseUrl, 'GET', '/api/v1/presets');
  assert.equal(status, 200);
  const { presets, plain_picture_url: plain } = body.data;
  assert.equal(presets.length, PRESETS.length);
  for (const { style_json } of presets) styleSchema.parse(style_json);
  const urls: string[] = [plain, ...presets.map((one: { picture_url: string }) => one.picture_url)];
  for (const url of urls) {
    const picture = await fetch(url);
    assert.equal(picture.status, 200);
    assert.equal(picture.headers.get('content-type'), 'image/jpeg');
    assert.equal(Buffer.from(await picture.arrayBuffer()).toString('latin1', 0, 3), '\xff\xd8\xff');
  }
});

test('each preset has a clip, whole and in ranges', async () => {
  const { body } = await call(baseUrl, 'GET', '/api/v1/presets');
  for (const { clip_url: url } of body.data.presets) {
    const whole = await fetch(url);
    assert.deepEqual([whole.status, whole.headers.get('content-type')], [200, 'video/mp4']);
    const clip = Buffer.from(await whole.arrayBuffer());
    const part = await fetch(url, { headers: { range: 'bytes=4-7' } });
    assert.equal(part.status, 206);
    assert.equal(part.headers.get('content-range'), `bytes 4-7/${clip.length}`);
    assert.equal(await part.text(), 'ftyp');
    const beyond = await fetch(url, { headers: { range: `bytes=${clip.length}-` } });
    assert.equal(beyond.status, 416);
  }
});

test('a style of the list can be sent back', async () => {
  const { body } = await call(baseUrl, 'GET', '/api/v1/presets');
  for (const { style_json } of body.data.presets) {
    const reply = await call(baseUrl, 'POST', '/api/v1/jobs', { json: { video_id: 'none', style_json } });
    assertError(reply, 'VIDEO_NOT_FOUND');
  }
});

for (const name of ['sepia', '..%2F..%2Fpackage.json', 'toString', '%00']) {
  for (const file of ['picture', 'clip']) {
    test(`there is no ${file} of ${name}`, async () => {
      const reply = await call(baseUrl, 'GET', `/api/v1/presets/${name}/${file}`);
      assertError(reply, refusalOf(name, 'PRESET_NOT_FOUND'));
    });
  }
}
