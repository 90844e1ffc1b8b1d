/** Script of the page of `serving.ts`: the player alone. */
import { createPlayer } from '../../../web/src/player/create-player.ts';
import { SoundMixer } from '../../../web/src/player/sound-mixer.ts';

Object.assign(globalThis, { createPlayer, SoundMixer });
