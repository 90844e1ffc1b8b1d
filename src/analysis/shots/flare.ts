import { oneSidedness, pixelDistance, SKETCH } from '../frames/sketch.ts';
import { returnsOf, type Step } from './cut-evidence.ts';

const FLARE = {
  /** Longest time from a flare to its decay. */
  SECONDS: 0.35,
  /** Least share of the picture that becomes lighter. */
  MIN_ONE_SIDED: 0.98,
  /** Share of the flare's change that changes again at least within this time: a shot of some frames is calmer. */
  MIN_DECAY: 0.1,
  DECAY_SECONDS: 0.03,
  /** Largest remaining share of the change after a flare over a dark picture (fireworks): .16 to .56. */
  DARK_RETURN: 0.6,
  /** Largest distance from white of a flash that hides the picture, and its largest remaining share: .02 to .05. */
  FROM_WHITE: 60,
  WHITE_RETURN: 0.1,
} as const satisfies Readonly<Record<string, number>>;

/**
 * Whether a step is light that flares up at once and decays: a firework over a dark picture, or a camera
 * flash that hides the picture. Its tone carries no information, because one of the two pictures is nearly
 * black or white.
 */
export function isFlare(window: readonly Step[], at: number): boolean {
  const { sketch: fresh, raw } = window[at];
  const old = window[at - 1].sketch;
  if (fresh.fromBlack < old.fromBlack) return false;
  const next = window.find(
    ({ sketch }) => sketch.timeSeconds - fresh.timeSeconds >= FLARE.DECAY_SECONDS,
  )?.sketch;
  if (next === undefined || pixelDistance(fresh, next) < FLARE.MIN_DECAY * raw) return false;
  const isOverDark = old.fromBlack <= SKETCH.PLAIN_LEVEL;
  if (!isOverDark && fresh.fromWhite > FLARE.FROM_WHITE) return false;
  if (oneSidedness(old, fresh) < FLARE.MIN_ONE_SIDED) return false;
  const { ahead } = returnsOf(window, at, { seconds: FLARE.SECONDS, frames: 1 });
  return ahead <= (isOverDark ? FLARE.DARK_RETURN : FLARE.WHITE_RETURN);
}
