import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MODULE_EXTENSION } from './package-files.ts';

const OWN = new URL('..', import.meta.url).href;
/** Packages of many ECMAScript modules (twenty to a hundred at a start), which are written in the same way. */
const FOREIGN = ['node-av/dist', 'zod/v4', 'pg-boss/dist', 'uuid/dist-node'].map(
  (folder) => `/node_modules/${folder}/`,
);

/** Zod's messages in 63 languages, each a module: nothing here speaks them, and English is read apart from these. */
const UNREAD = '/node_modules/zod/v4/locales/index.js';

/**
 * Our own modules, and those of some packages, name each other by their paths: from now on Node takes them as they stand. Otherwise it looks for each
 * module's package, kind and links in its path, which is two fifths of what loading 210 of them takes (decision 0031).
 */
export function takeOwnModulesAsNamed(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL = '', conditions } = context;
      // What is required, not imported, may be an older version of such a package, which is no ECMAScript module.
      const isOwn = specifier.startsWith('.') && conditions.includes('import');
      const format = isOwn ? formatOf(specifier, parentURL) : null;
      if (format === null) return nextResolve(specifier, context);
      return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
    },
    load(url, context, nextLoad) {
      const format = formatOf(url, url);
      if (format === null || context.format !== format) return nextLoad(url, context);
      const source = url.endsWith(UNREAD) ? '' : readFileSync(fileURLToPath(url), 'utf8');
      return { format, source, shortCircuit: true };
    },
  });
}

/** What Node calls a module of that name, which one of those modules asks for; null: Node is to find out. */
function formatOf(name: string, asking: string): string | null {
  if (asking.startsWith(OWN) && name.endsWith(MODULE_EXTENSION))
    return MODULE_EXTENSION === '.ts' ? 'module-typescript' : 'module';
  return name.endsWith('.js') && FOREIGN.some((folder) => asking.includes(folder)) ? 'module' : null;
}
