/** Looks of one's own: saved from videos, renamed, used, taken back. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { StyleDnaClient } from '../../src/client/client.ts';
import { startBrowser } from '../support/chromium.ts';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { uploaded } from '../support/running-job.ts';
import { type Service, startService } from '../support/service.ts';
import { assertAccessible, assertFits, openPage } from './page.ts';

/** Two clips are measured; four other files with browsers may run beside it. */
const PATIENCE_MS = 180_000;

describe('saved looks', { timeout: 600_000, concurrency: 1 }, () => {
  const folder = temporaryFolder();
  let service: Service;
  let browser: Browser;
  let client: StyleDnaClient;

  before(async () => {
    [service, browser] = await Promise.all([startService(), startBrowser()]);
    client = new StyleDnaClient({ baseUrl: service.baseUrl });
    for (const name of ['first', 'second'])
      await uploaded(
        service,
        await makeClip(folder, { name, durationSeconds: name === 'first' ? 1 : 1.5, silent: true }),
      );
  });
  after(async () => {
    await browser?.close();
    await service?.[Symbol.asyncDispose]();
  });

  const open = (path: string) => openPage(browser, `${service.baseUrl}${path}`);

  test('are made of several videos, renamed, used, and deleted with undo', async () => {
    await using opened = await open('/library?of=looks');
    const { page } = opened;
    page.setDefaultTimeout(PATIENCE_MS);
    await page.getByRole('heading', { name: 'No looks yet' }).waitFor();
    await assertAccessible(page, 'no looks');

    await page.getByRole('link', { name: 'Choose videos' }).click();
    for (const name of ['first', 'second'])
      await page.getByRole('checkbox', { name: `Select ${name}.mp4` }).check();
    await page.getByRole('button', { name: 'Save as one look' }).click();
    const field = page.getByRole('textbox', { name: 'Name of the look' });
    assert.match(await field.inputValue(), /^(first|second) and 1 more$/);
    await field.fill('Brand');
    await assertAccessible(page, 'naming a look');
    await field.press('Enter');
    await page.getByRole('link', { name: 'Brand' }).click();

    const card = page.getByRole('listitem').filter({ hasText: 'Brand' });
    await card.getByText('Not used yet').waitFor();
    await card.getByText(/^Of (first|second)\.mp4 and 1 more$/).waitFor();
    await assertAccessible(page, 'looks');
    await assertFits(page, 'looks');
    await card.getByRole('button', { name: 'Rename Brand' }).click();
    await page.getByRole('textbox', { name: 'New name of Brand' }).fill('Our brand');
    await page.keyboard.press('Enter');
    await page.getByText('Our brand', { exact: true }).first().waitFor();

    await page.getByRole('button', { name: 'Use as look: Our brand' }).click();
    const well = page.getByRole('region', { name: 'The look' });
    await well.getByText('Our brand').first().waitFor();
    await well.getByText('One of your saved looks.').waitFor();
    assert.ok(await page.getByRole('radio', { name: 'Our brand' }).isChecked());
    await assertAccessible(page, 'a saved look');
    await page.reload();
    await well.getByText('Our brand').first().waitFor();

    await page.goto(`${service.baseUrl}/library?of=looks`);
    await page.getByRole('button', { name: 'Delete Our brand' }).click();
    await page.getByText('Our brand is deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Our brand', { exact: true }).first().waitFor();
    assert.equal((await client.listStyles()).total, 1);
  });

  test('are files, and a name that is taken is said', async () => {
    const [look] = (await client.listStyles()).styles;
    const file = join(folder, 'look.json');
    writeFileSync(file, await (await client.getStyleFile(look!.style_id)).text());
    await using opened = await open('/library?of=looks');
    const { page } = opened;
    opened.allow(/409/);
    page.setDefaultTimeout(PATIENCE_MS);
    const input = page.getByLabel('Add a look file');
    await input.setInputFiles(file);
    await page.getByText('Another look has this name').waitFor();
    await client.renameStyle(look!.style_id, { name: 'Elsewhere' });
    await input.setInputFiles(file);
    await page.getByText('From a file').waitFor();
    const other = join(folder, 'prices.json');
    writeFileSync(other, 'apples');
    await input.setInputFiles(other);
    await page.getByText('prices.json is not a look file').waitFor();
  });
});
