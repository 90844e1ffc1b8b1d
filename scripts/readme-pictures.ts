/**
 * Makes the pictures of the README with the product: first `npm run demo`, then `node scripts/readme-pictures.ts`. The
 * picture of the page is a screenshot in a real browser with the clips of the example.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXAMPLE } from '../src/example/example.ts';
import { startBrowser } from '../test/support/chromium.ts';
import { startService } from '../test/support/service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEMO = join(ROOT, 'out');
const PICTURES = join(ROOT, 'docs', 'pictures');
const WIDTH = 1280;
const HEIGHT = 1120;
const JPEG_QUALITY = 82;
/** Measuring two short clips on a busy machine takes a minute or two. */
const PATIENCE_MS = 180_000;

if (!existsSync(join(DEMO, 'before-after.jpg'))) {
  console.error(`${DEMO} has no films: run \`npm run demo\` first`);
  process.exit(2);
}
mkdirSync(PICTURES, { recursive: true });
copyFileSync(join(DEMO, 'before-after.jpg'), join(PICTURES, 'before-after.jpg'));

await using service = await startService();
const browser = await startBrowser();
try {
  const page = await browser.newPage({
    viewport: { width: WIDTH, height: HEIGHT },
    colorScheme: 'dark',
  });
  page.setDefaultTimeout(PATIENCE_MS);
  await page.goto(service.baseUrl);
  const well = (name: string) => page.getByRole('region', { name }).locator('input[type=file]');
  await well('Your video').setInputFiles(fileURLToPath(EXAMPLE.takes[0]!));
  await well('The look').setInputFiles(fileURLToPath(EXAMPLE.template));
  await page.getByText('Drag the line to compare').waitFor();
  await page.getByRole('region', { name: 'The style' }).waitFor();
  await page.getByText('Change the look').click();
  await page.getByRole('slider', { name: 'Warmth' }).fill('30');
  // An upright shape would show only a third of the picture.
  await page.getByRole('radio', { name: 'Keep mine' }).check({ force: true });
  await page.waitForTimeout(1500);
  await page.getByText('Drag the line to compare').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(PICTURES, 'page.jpg'), type: 'jpeg', quality: JPEG_QUALITY });
} finally {
  await browser.close();
}
console.log(`The pictures are in ${PICTURES}`);
