/**
 * Draws the pictures of the README by the product itself: `npm run demo` first, then `node scripts/readme-pictures.ts`. The
 * page is a picture of the real one, in a real browser, on the demo's films.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startBrowser } from '../test/support/chromium.ts';
import { startService } from '../test/support/service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEMO = join(ROOT, 'out');
const PICTURES = join(ROOT, 'docs', 'pictures');
const WIDTH = 1280;
const HEIGHT = 1120;
const JPEG_QUALITY = 82;
/** Of the measuring of two short films, on a busy machine too. */
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
  await well('Your video').setInputFiles(join(DEMO, 'source.mp4'));
  await well('The look').setInputFiles(join(DEMO, 'template.mp4'));
  await page.getByText('Drag the line to compare').waitFor();
  await page.getByRole('region', { name: 'The style' }).waitFor();
  // The shape of an upright look would show a frame around a third of the picture.
  await page.getByRole('switch', { name: 'Shape' }).click();
  await page.waitForTimeout(1500);
  await page.getByText('Drag the line to compare').waitFor();
  await page.evaluate('scrollTo(0, 0)');
  await page.screenshot({ path: join(PICTURES, 'page.jpg'), type: 'jpeg', quality: JPEG_QUALITY });
} finally {
  await browser.close();
}
console.log(`The pictures are in ${PICTURES}`);
