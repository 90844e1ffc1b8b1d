import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { MODULE_EXTENSION } from './package-files.ts';

const OWN = new URL('.', import.meta.url).href;
/** What Node calls the modules that `MODULE_EXTENSION` stands for. */
const FORMAT = MODULE_EXTENSION === '.ts' ? 'module-typescript' : 'module';

/**
 * Our own modules name each other by their paths: from now on Node takes them as they stand. Otherwise it looks for each module's package, kind
 * and links in its path, which is a third of what loading 170 of them takes (decision 0111).
 */
export function takeOwnModulesAsNamed(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL = '' } = context;
      const isOwn = specifier.startsWith('.') && specifier.endsWith(MODULE_EXTENSION);
      if (!isOwn || !parentURL.startsWith(OWN)) return nextResolve(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: FORMAT, shortCircuit: true };
    },
    load(url, context, nextLoad) {
      if (!url.startsWith(OWN) || context.format !== FORMAT) return nextLoad(url, context);
      return { format: FORMAT, source: readFileSync(fileURLToPath(url), 'utf8'), shortCircuit: true };
    },
  });
}
