import { registerHooks } from 'node:module';
import { MODULE_EXTENSION } from './package-files.ts';

const OWN = new URL('.', import.meta.url).href;
/** As `module.registerHooks` names what `MODULE_EXTENSION` stands for. */
const FORMAT = MODULE_EXTENSION === '.ts' ? 'module-typescript' : 'module';

/**
 * Our own modules name each other by their paths: from now on Node takes them as they stand, where it would look for a package, for the
 * kind of module and for links in the path, which is a quarter of what loading 170 modules takes (decision 0111).
 */
export function takeOwnModulesAsNamed(): void {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const { parentURL = '' } = context;
      const isOwn = specifier.startsWith('.') && specifier.endsWith(MODULE_EXTENSION);
      if (!isOwn || !parentURL.startsWith(OWN)) return nextResolve(specifier, context);
      return { url: new URL(specifier, parentURL).href, format: FORMAT, shortCircuit: true };
    },
  });
}
