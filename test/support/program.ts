import { fileURLToPath } from 'node:url';

/** `styledna` as people start it: the command of the package, here of this clone. */
export const PROGRAM = fileURLToPath(new URL('../../bin/styledna.mjs', import.meta.url));
