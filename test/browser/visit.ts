import type { Browser, Page } from 'playwright-core';
import { openPage } from './page.ts';
import type { State } from './states.ts';
import type { World } from './world.ts';

const PATIENCE_MS = 60_000;

/** Brings a new page into a state, inspects it, and closes it. Messages of the browser's console are part of some states. */
export async function visit(
  browser: Browser,
  world: World,
  { show }: State,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  await using pages = new AsyncDisposableStack();
  await show(
    world,
    async (address, prepare) => {
      const opened = await openPage(browser, address, prepare === undefined ? {} : { prepare });
      opened.allow(/./);
      opened.page.setDefaultTimeout(PATIENCE_MS);
      return pages.use(opened);
    },
    look,
  );
}
