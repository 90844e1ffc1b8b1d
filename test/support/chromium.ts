/** A real browser that comes with `npm ci`: Chromium, H.264 included, as an npm package. */
import chromium from '@sparticuz/chromium';
import { type Browser, type BrowserContext, type Page, chromium as playwright } from 'playwright-core';

/** Without a graphics card; what waits for animation frames goes on in pages that nobody sees. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--hide-scrollbars',
  '--autoplay-policy=no-user-gesture-required',
];

/** The package has Chromium for Linux; elsewhere Chrome is taken where it is installed. */
export async function startBrowser(): Promise<Browser> {
  const program =
    process.platform === 'linux'
      ? { executablePath: await chromium.executablePath() }
      : ({ channel: 'chrome' } as const);
  return playwright.launch({ ...program, args: FLAGS, headless: true });
}

/** What the page said that a person would call broken: exceptions, errors of its console, requests to other hosts. */
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
