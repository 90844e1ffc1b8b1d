/** A drawn title over moving waves, with known box and animation. */
import type { TitleSample } from '../../src/analysis/title-facts.ts';
import type { Picture } from '../../src/domain/footage.ts';

export const TITLE_PICTURE = { width: 320, height: 240, rate: 30 } as const;
const { width: WIDTH, height: HEIGHT } = TITLE_PICTURE;
/** Letters of 28 pixels: stems of 4 pixels with bars, in the middle of the picture. */
const TEXT = { left: 90, right: 230, top: 110, bottom: 130 };
export const [START, END] = [1, 3.5] as const;
export const SAMPLE: TitleSample = {
  ...{ startSeconds: START, endSeconds: END, lineHeight: 28 / HEIGHT, inkLevel: 240 },
  box: {
    ...{ x: TEXT.left / WIDTH, y: TEXT.top / HEIGHT },
    ...{ width: (TEXT.right - TEXT.left) / WIDTH, height: (TEXT.bottom - TEXT.top) / HEIGHT },
  },
};

interface State {
  readonly opacity?: number;
  readonly x?: number;
  readonly y?: number;
  readonly scale?: number;
  /** Part of the letters that is shown, from left to right. */
  readonly typed?: number;
}
export interface DrawnTitle {
  readonly box?: { readonly rgb: readonly number[]; readonly opacity: number; readonly soft?: boolean };
  /** Of the title at a time; null: it is not shown. */
  readonly stateAt?: (seconds: number) => State | null;
  readonly isStill?: boolean;
}

const PAD = { x: 14, y: 8 };

/** Bars of each letter beside its stem: rows, from the top of the text. */
const BARS = [[0, 8], [16], [0], [8, 16], [0, 16], [8], [0, 8, 16]] as const;

/** Letters like E, L and H, none like its neighbors. */
function isInk(x: number, y: number): boolean {
  if (x < TEXT.left || x >= TEXT.right || y < TEXT.top || y >= TEXT.bottom) return false;
  const [column, row] = [(x - TEXT.left) % 20, y - TEXT.top];
  const bars = BARS[Math.floor((x - TEXT.left) / 20)]!;
  return column < 4 || (column < 14 && bars.some((bar) => row >= bar && row < bar + 4));
}

/** Opacity of the box; a soft one becomes fainter outwards like a glow. */
function boxCover(x: number, y: number, soft: boolean): number {
  const away = Math.max(TEXT.left - x, x - TEXT.right + 1, TEXT.top - y, y - TEXT.bottom + 1);
  if (soft) return Math.min(1, Math.max(0, 1 - away / 24));
  const isInside =
    x >= TEXT.left - PAD.x && x < TEXT.right + PAD.x && y >= TEXT.top - PAD.y && y < TEXT.bottom + PAD.y;
  return isInside ? 1 : 0;
}

export function drawTitle(seconds: number, { box, stateAt = atOnce, isStill = false }: DrawnTitle): Picture {
  const data = new Uint8Array(3 * WIDTH * HEIGHT);
  const state = stateAt(seconds);
  const { opacity = 1, x: dx = 0, y: dy = 0, scale = 1, typed = 1 } = state ?? {};
  const [cx, cy] = [(TEXT.left + TEXT.right) / 2, (TEXT.top + TEXT.bottom) / 2];
  const at = isStill ? 0 : seconds;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      // Large moving waves of other colors.
      const wave = (a: number, b: number, c: number) => 110 + 70 * Math.sin(x / a + y / b + c * at);
      const rgb = [wave(41, 67, 2.1), wave(59, 47, -1.7), wave(73, 53, 1.3)];
      const [tx, ty] = [(x - dx - cx) / scale + cx, (y - dy - cy) / scale + cy];
      if (state !== null) {
        const cover = box === undefined ? 0 : opacity * box.opacity * boxCover(tx, ty, box.soft === true);
        const isShown =
          isInk(Math.floor(tx), Math.floor(ty)) && tx < TEXT.left + typed * (TEXT.right - TEXT.left);
        for (let c = 0; c < 3; c++) {
          const under = rgb[c]! * (1 - cover) + (box?.rgb[c] ?? 0) * cover;
          rgb[c] = isShown ? under * (1 - opacity) + 240 * opacity : under;
        }
      }
      for (let c = 0; c < 3; c++) data[3 * (y * WIDTH + x) + c] = rgb[c]!;
    }
  }
  return { width: WIDTH, height: HEIGHT, channels: 3, data };
}

const isShownAt = (seconds: number) => seconds >= START && seconds < END;
export const atOnce = (seconds: number): State | null => (isShownAt(seconds) ? {} : null);
/** Animated for .4 s at its start, by the part that is done. */
export const arriving = (state: (done: number) => State) => (seconds: number) =>
  isShownAt(seconds) ? state(Math.min(1, (seconds - START) / 0.4)) : null;
export const leaving = (state: (rest: number) => State) => (seconds: number) =>
  isShownAt(seconds) ? state(Math.min(1, (END - seconds) / 0.4)) : null;
