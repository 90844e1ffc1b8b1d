/** Text and stitches that hands and bodies move: no captions. */
import { type CaptionClip, type DrawnScene, filmShots, viewShots } from './caption-scenes.ts';
import { type Draw, drawSign, styleOf } from './caption-traps.ts';
import { drawText, layText } from './lettering.ts';

export const MOVED_TRAPS = ['heldletters', 'knit'] as const;
export type MovedTrap = (typeof MOVED_TRAPS)[number];

const TRAPS: Readonly<Record<MovedTrap, (clip: CaptionClip) => Promise<Draw>>> = {
  heldletters: drawHeldLetters,
  knit: drawKnit,
};

export async function drawMovedTrap(clip: CaptionClip, kind: MovedTrap): Promise<DrawnScene> {
  return { kind: `no-${kind}`, frameAt: await TRAPS[kind](clip), truth: { captions: false } };
}

/** Cups with letters on them that change places by twos, as hands shuffle them, before a static camera. */
async function drawHeldLetters(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const view = viewShots(await filmShots(random, { ...clip, shots: 1, moving: 0, stills: 0 }), size);
  const cups = Array.from({ length: 3 }, () => drawSign(random, size));
  const pace = random.between(0.7, 1.4);
  const bottom = random.between(0.55, 0.8) * size.height;
  const middleOf = (slot: number) => (0.25 + 0.25 * slot) * size.width;
  return (frame) => {
    const picture = view(frame);
    const t = (frame / rate) * pace;
    const turn = Math.floor(t);
    // Moves for most of a turn, and rests.
    const progress = 0.5 - 0.5 * Math.cos(Math.PI * Math.min(1, (t - turn) / 0.7));
    const slots = slotsAfter(turn);
    const next = slotsAfter(turn + 1);
    for (const [cup, text] of cups.entries()) {
      const [from, to] = [slots.indexOf(cup), next.indexOf(cup)];
      const x = middleOf(from) + progress * (middleOf(to) - middleOf(from));
      const y =
        bottom + (to > from ? 1 : -1) * (to === from ? 0 : 0.1) * size.height * Math.sin(Math.PI * progress);
      layText(picture, text, { x: x - text.width / 2, y: y - text.height / 2 });
    }
    return picture;
  };
}

/** The cup in each slot after this many swaps of neighbours, left and right in turn. */
function slotsAfter(turns: number): readonly number[] {
  const slots = [0, 1, 2];
  for (let turn = 0; turn < turns; turn++) {
    const left = turn % 2;
    [slots[left], slots[left + 1]] = [slots[left + 1], slots[left]];
  }
  return slots;
}

/** A body in knitted cloth that sways in the upper middle of the picture: rows of stitches, as sharp as letters. */
async function drawKnit(clip: CaptionClip): Promise<Draw> {
  const { random, size, rate } = clip;
  const view = viewShots(await filmShots(random, { ...clip, shots: 1, moving: 0, stills: 0 }), size);
  const stitch = random.pick(['vVv', 'wWw', 'xoxo', 'ooo', 'mnm']);
  const row = stitch.repeat(Math.ceil(14 / stitch.length));
  const cloth = drawText(
    Array.from({ length: 5 }, () => row),
    styleOf(random, random.between(0.03, 0.05) * size.height, [70, 40, 10], {
      font: 'inter',
      box: { color: [205, 150, 60], opacity: 1 },
    }),
  );
  const sways = [random.between(0.5, 0.9), random.between(0.2, 0.4)] as const;
  return (frame) => {
    const picture = view(frame);
    const seconds = frame / rate;
    const sway = (at: number) =>
      Math.sin(2 * Math.PI * sways[0] * seconds + at) + Math.sin(2 * Math.PI * sways[1] * seconds);
    layText(picture, cloth, {
      x: size.width / 2 - cloth.width / 2 + 0.008 * size.width * sway(0),
      y: 0.02 * size.height - cloth.bounds.top + 0.008 * size.height * (sway(2) + 2),
      scale: 1 + 0.01 * sway(1),
    });
    return picture;
  };
}
