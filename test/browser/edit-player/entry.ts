/** What the page of `serving.ts` runs: the player alone. */
import { createPlayer } from '../../../web/src/player/create-player.ts';

Object.assign(globalThis, { createPlayer });
