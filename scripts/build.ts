/**
 * Builds `dist` for the npm package: sources as JavaScript, the files that they read (WebAssembly, weights, pictures,
 * style sheets, fonts), and the declarations that library and client export. A clone does not need it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FONT_FILES } from '../src/render/captions/caption-fonts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'src');
const BUILT = join(ROOT, 'dist');
const FONTS = join(ROOT, 'node_modules', '@expo-google-fonts');
/** Files that the program reads are shipped, sources are not. */
const NOT_SHIPPED = '.ts';
/** Declarations against which users compile. */
const FACES = ['library.d.ts', 'client/client.d.ts'];

rmSync(BUILT, { recursive: true, force: true });
compile();
copyAssets();
copyFonts();
removeInnerDeclarations();

function compile(): void {
  const compiler = join(ROOT, 'node_modules', '.bin', 'tsc');
  const { status } = spawnSync(compiler, ['-p', join(ROOT, 'tsconfig.build.json')], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

function copyAssets(): void {
  for (const name of globSync('**/*.*', { cwd: SOURCES })) {
    if (extname(name) !== NOT_SHIPPED) copy(join(SOURCES, name), join(BUILT, name));
  }
}

function copyFonts(): void {
  for (const file of Object.values(FONT_FILES)) {
    const folder = file.slice(0, file.indexOf('/'));
    copy(join(FONTS, file), join(BUILT, 'render', 'captions', 'fonts', basename(file)));
    copy(
      join(FONTS, folder, 'LICENSE_FONT'),
      join(BUILT, 'render', 'captions', 'fonts', `LICENSE-${folder}`),
    );
  }
}

function removeInnerDeclarations(): void {
  const reached = new Set<string>();
  const reach = (path: string): void => {
    if (reached.has(path)) return;
    reached.add(path);
    for (const [, target] of readFileSync(path, 'utf8').matchAll(/['"](\.{1,2}\/[^'"]+)\.[jt]s['"]/g))
      reach(join(dirname(path), `${target}.d.ts`));
  };
  for (const face of FACES) reach(join(BUILT, face));
  for (const name of globSync('**/*.d.ts', { cwd: BUILT })) {
    if (!reached.has(join(BUILT, name))) rmSync(join(BUILT, name));
  }
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
