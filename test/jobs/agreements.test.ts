/** What all processes on one database agree on at their start: which storage, and by which address clients know them. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { DATABASE_ID, sharedSetting } from '../../src/database/shared-settings.ts';
import { ConfigError } from '../../src/errors.ts';
import { agreeOnStore } from '../../src/jobs/store-agreement.ts';
import { agreeOnPublicUrl, changePublicUrl, publicUrl } from '../../src/jobs/url-agreement.ts';
import { STORE_MARK, writeMark } from '../../src/storage/store-mark.ts';
import { type JobsService, openService, openShared } from '../support/jobs.ts';

let place: Awaited<ReturnType<typeof openShared>>;
let service: JobsService;
before(async () => {
  place = await openShared();
});
after(() => place?.[Symbol.asyncDispose]());
beforeEach(async () => {
  service = await openService({ shared: place.shared });
});
afterEach(() => service?.[Symbol.asyncDispose]());

const HERE = { database: 'The database at db:5432', storage: 'the bucket here' };
const refusal =
  (...words: readonly RegExp[]) =>
  (error: unknown) => {
    assert.ok(error instanceof ConfigError);
    for (const word of words) assert.match(error.message, word);
    return true;
  };

describe('one database, one storage', () => {
  const agree = (names = HERE) => agreeOnStore(service.database, service.blobs, names);

  test('the first marks it; the same by another name is the same, and its new name is told', async () => {
    await agree();
    assert.equal(
      (await (await service.blobs.get(STORE_MARK)).toArray()).join('').trim(),
      await sharedSetting(service.database, DATABASE_ID),
    );
    await agree({ ...HERE, storage: 'the same bucket by its address' });
    await service.blobs.remove(STORE_MARK);
    await assert.rejects(
      agree(),
      refusal(/the same bucket by its address; this process has the bucket here/),
    );
  });

  test('one whose mark is gone is refused, and not marked anew', async () => {
    await agree();
    await service.blobs.remove(STORE_MARK);
    await assert.rejects(agree(), refusal(/is used with the bucket here; this process has the bucket here/));
    assert.equal(await service.blobs.head(STORE_MARK), null);
  });

  test('that of another database is refused, whether this one has a storage or not', async () => {
    await writeMark(service.blobs, 'somebody else');
    await assert.rejects(
      agree(),
      (error: Error) => refusal(/another database/)(error) && !/is used with/.test(error.message),
    );
    await service.blobs.remove(STORE_MARK);
    await agree();
    await writeMark(service.blobs, 'somebody else');
    await assert.rejects(agree(), refusal(/another database/, /That database is used with the bucket here/));
  });
});

describe('the address that clients use', () => {
  const ONE = 'https://one.example';
  const OTHER = 'https://other.example';

  test('of a fleet: the first decides, others take it over or are refused, a command changes it', async () => {
    // What differs between the two kinds is not the statements.
    const fleet = { ...service.database, kind: 'postgres' } as typeof service.database;
    assert.equal(await agreeOnPublicUrl(fleet, undefined), undefined);
    assert.equal(await publicUrl(fleet), null);
    assert.equal(await agreeOnPublicUrl(fleet, ONE), ONE);
    assert.equal(await agreeOnPublicUrl(fleet, ONE), ONE);
    assert.equal(await agreeOnPublicUrl(fleet, undefined), ONE);
    await assert.rejects(
      agreeOnPublicUrl(fleet, OTHER),
      refusal(/"https:\/\/other/, /agreed on "https:\/\/one/),
    );
    await changePublicUrl(fleet, OTHER);
    assert.equal(await agreeOnPublicUrl(fleet, undefined), OTHER);
  });

  test('of one process with its own database: what it is given, each time anew', async () => {
    for (const given of [ONE, OTHER, undefined])
      assert.equal(await agreeOnPublicUrl(service.database, given), given);
    assert.equal(await publicUrl(service.database), null);
  });
});
