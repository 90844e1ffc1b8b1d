/** A real browser that `npm ci` installs: Chromium, H.264 included, as an npm package. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';
import { keptFolder } from './kept.ts';

/** Without a graphics card; animation frames are also delivered in hidden pages. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--autoplay-policy=no-user-gesture-required',
];

/** The package has Chromium for Linux; elsewhere an installed Chrome is used. */
export async function startBrowser(): Promise<Browser> {
  const program =
    process.platform === 'linux'
      ? { executablePath: join(await unpackedChromium(), 'chromium') }
      : ({ channel: 'chrome' } as const);
  return playwright.launch({ ...program, args: FLAGS, headless: true });
}

/**
 * The package unpacks itself into the folder for temporary files, and takes a file that another process has begun for a whole one. By a
 * process of its own, because it reads that folder from the environment.
 */
function unpackedChromium(): Promise<string> {
  const manifest = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  // 250 MB each. Four test files may be making theirs at the same time, beside that of an older clone.
  return keptFolder({ prefix: 'styledna-test-chromium-', state: version, states: 5 }, async (folder) => {
    const unpack = "await (await import('@sparticuz/chromium')).default.executablePath()";
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], {
      cwd: new URL('../..', import.meta.url),
      env: { ...process.env, TMPDIR: folder },
    });
  });
}

/** Errors of the page: exceptions, console errors, requests to other hosts. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

export async function watchedPage(context: BrowserContext, ownOrigin: string): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== ownOrigin) complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints };
}
